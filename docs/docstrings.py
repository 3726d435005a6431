"""What the reference shows: compiled docstrings too, examples as code, options by name."""

import inspect
import re

import griffe

import lanecast
from lanecast import _types

UNPACKED = re.compile(r"Unpack\[(\w+)\]")
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
            if member.is_function and not name.startswith("_"):
                self.unpack(member, inspect.signature(value))

    def unpack(self, function, signature):
        """Puts the options of a query in the place of the dict that the stubs have."""
        *others, last = function.parameters or [None]
        options = last and UNPACKED.fullmatch(str(last.annotation))
        if not options:
            return
        function.parameters = griffe.Parameters(*others)
        for name, annotation in getattr(_types, options[1]).__annotations__.items():
            option = griffe.Parameter(name, annotation=annotation.__forward_arg__)
            option.kind = griffe.ParameterKind.keyword_only
            option.default = repr(signature.parameters[name].default)
            function.parameters.add(option)

    def fence(self, documented):
        if documented.docstring is not None:
            text = documented.docstring.value
            documented.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", text)
        for member in documented.members.values():
            if not member.is_alias:
                self.fence(member)
