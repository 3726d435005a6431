"""What the reference shows of docstrings: those of the compiled part too, and examples as code."""

import re

import griffe

import lanecast

EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Docstrings(griffe.Extension):
    def on_package(self, *, pkg, **_):
        self.complete(pkg["_lanecast"], lanecast._lanecast)
        self.fence(pkg)

    def complete(self, documented, compiled):
        for name, member in documented.members.items():
            value = getattr(compiled, name, None)
            if member.is_alias or member.docstring is not None or not getattr(value, "__doc__", None):
                continue
            # The type of a constant has one too.
            if callable(value) or "property" in member.labels:
                member.docstring = griffe.Docstring(value.__doc__, parent=member)
                self.complete(member, value)

    def fence(self, documented):
        if documented.docstring is not None:
            text = documented.docstring.value
            documented.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", text)
        for member in documented.members.values():
            if not member.is_alias:
                self.fence(member)
