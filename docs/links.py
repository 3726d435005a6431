"""Links of the guide to files that are no pages of the site become the names of these files."""

import posixpath
import re

GUIDE = "docs/guide"


def on_page_markdown(markdown, page, **_):
    folder = posixpath.join(GUIDE, posixpath.dirname(page.file.src_uri))

    def named(link):
        text, target = link.groups()
        path = posixpath.normpath(posixpath.join(folder, target))
        if path.startswith(f"{GUIDE}/"):
            return link[0]
        return text if text in path else f"{text} (`{path}`)"

    return re.sub(r"\[([^][]+)\]\((\.\./[^)#]+)[^)]*\)", named, markdown)
