"""Keyword arguments that a call does not have are refused by the name of the nearest that it has."""

from __future__ import annotations

from dataclasses import fields
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from typing import Any, Callable, Iterable, Type, TypeVar

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])


#: What others call an argument.
_ELSEWHERE = {
    "far": "t_max",
    "max_distance": "t_max",
    "max_range": "t_max",
    "min_distance": "t_min",
    "min_range": "t_min",
    "near": "t_min",
    "tfar": "t_max",
    "tnear": "t_min",
}


def unknown(name: str, call: str, known: Iterable[str]) -> TypeError:
    """The error about an argument that a call does not have."""
    known, lower = list(known), name.lower()
    elsewhere = [other for other in known if other == _ELSEWHERE.get(lower)]
    begun = [other for other in known if len(name) > 2 and (other.startswith(lower) or lower in other.split("_"))]
    near = elsewhere or begun or get_close_matches(lower, known, 1, 0.7)
    meant = f'; did you mean "{near[0]}"?' if near else ""
    return TypeError(f'there is no argument "{name}" of {call}{meant}')


def checked(described: Type[_T]) -> Type[_T]:
    """A dataclass that refuses keywords so."""
    made: Any = described.__init__
    known = [field.name for field in fields(described)]  # type: ignore[arg-type]

    @wraps(made)
    def __init__(self: _T, *values: Any, **named: Any) -> None:
        for name in named:
            if name not in known:
                raise unknown(name, described.__name__, known)
        made(self, *values, **named)

    described.__init__ = __init__  # type: ignore[assignment, method-assign]
    return described


def checked_call(call: _F) -> _F:
    """A function that refuses keywords so."""
    known = list(signature(call).parameters)

    @wraps(call)
    def refusing(*values: Any, **named: Any) -> Any:
        for name in named:
            if name not in known:
                raise unknown(name, call.__name__, known)
        return call(*values, **named)

    return refusing  # type: ignore[return-value]
