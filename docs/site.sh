#!/usr/bin/env bash
# Builds the site: installs the Python package into a virtual environment, runs the examples for their pictures, and makes of
# docs/guide the pages in target/site. Needs Python 3.10 or newer, and Rust.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python3 -m venv target/site-env
target/site-env/bin/pip install --quiet './bindings/python[docs]'
mkdir -p docs/guide/pictures
for maker in data/make_{scan,city,warehouse}.py; do
    target/site-env/bin/python "$maker"
done
for example in "$PWD"/docs/guide/examples/*.py; do
    # The data are found from the repository's root.
    target/site-env/bin/python "$example" "docs/guide/pictures/$(basename "$example" .py).png"
done
for walk in "$PWD"/docs/guide/walks/*.md; do
    target/site-env/bin/python docs/walk.py "$walk"
    mv "$(basename "$walk" .md).png" docs/guide/pictures
done
target/site-env/bin/mkdocs build --quiet --config-file docs/mkdocs.yml
printf 'target/site/index.html\n'
