"""Links of the guide to files that are no pages of the site become the names of these files."""

import posixpath
import re


def on_page_markdown(markdown, **_):
    def named(link):
        text, target = link.groups()
        path = posixpath.normpath(posixpath.join("docs/guide", target))
        return text if text in path else f"{text} (`{path}`)"

    return re.sub(r"\[([^][]+)\]\((\.\./[^)#]+)[^)]*\)", named, markdown)
