"""TraceUriResolver: the base of classes that find traces. ConstraintClass: a value and how to compare with it."""
from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, BinaryIO, Generic, Self, TypeVar, Union, get_args, get_origin, get_type_hints

from . import util

_T = TypeVar("_T")

TraceUri = str
TraceGenerator = Generator[bytes, None, None]
TraceContent = Union[BinaryIO, TraceGenerator]


@dataclass
class ConstraintClass(Generic[_T]):
    """An argument of a URI that is compared by `op`: "key>=value"."""

    class Op(Enum):
        """How the argument is compared."""

        EQ = "="
        NE = "!="
        LE = "<="
        GE = ">="
        GT = ">"
        LT = "<"

        def __str__(self) -> str:
            return str(self.value)

    value: _T
    op: Op = Op.EQ


Constraint = Union[_T, ConstraintClass[_T]]
ConstraintWithList = Union[_T, ConstraintClass[_T], list[_T], ConstraintClass[list[_T]]]

_ARGUMENT = re.compile(r"(\w+)(!=|<=|>=|=|<|>)(.*)", re.S)


class TraceUriResolver:
    """Finds the traces of a URI "PREFIX:key=value;key2=a,b". The keys are parameters of __init__, all of them texts or
    lists of texts. A parameter that is hinted as Constraint or ConstraintWithList is a ConstraintClass, and may have
    other operators than "="."""

    PREFIX: str | None = None

    @dataclass
    class Result:
        """A trace, or what resolves to it, and its metadata."""

        trace: Any
        metadata: dict[str, str] = field(default_factory=dict)

        def __init__(self, trace: Any, metadata: dict[str, str] | None = None) -> None:
            self.trace = trace
            self.metadata = dict(metadata or {})

    def resolve(self) -> list[Result]:
        """The traces. Classes for one kind of URI define it."""
        raise NotImplementedError(f"{type(self).__name__} does not define resolve()")

    @classmethod
    def from_trace_uri(cls, uri: str) -> Self:
        """The resolver of a URI."""
        _, arguments = util.parse_trace_uri(uri)
        return cls(**_arguments(arguments, get_type_hints(cls.__init__)))


def _is_constraint(hint: Any) -> bool:
    return hint is ConstraintClass or get_origin(hint) is ConstraintClass or any(map(_is_constraint, get_args(hint)))


def _arguments(text: str, hints: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for item in text.split(";") if text else []:
        parsed = _ARGUMENT.fullmatch(item)
        if parsed is None:
            raise ValueError(f"{item!r} is not KEY=VALUE")
        key, op, value = parsed[1], parsed[2], parsed[3]
        given: Any = value.split(",") if "," in value else value
        if _is_constraint(hints.get(key)):
            given = ConstraintClass(given, ConstraintClass.Op(op))
        elif op != "=":
            raise ValueError(f"{item!r}: {key} is not hinted as a constraint, so its operator must be '='")
        made[key] = given
    return made
