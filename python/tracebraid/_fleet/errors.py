"""The groups that failed, as a table."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any, overload

from .. import _core
from .._errors import Error, WorkerDied, error_of
from .._result import Result, Tabular
from .._rows import TYPES, Field
from . import frames
from .pool import Outcome


@dataclass(frozen=True)
class GroupError:
    """A group of a fleet that gave no rows. `stage` is list, fetch, open, check, describe, query or write; `code` is that of the library, or
    WorkerDied; `seconds` and `peak_bytes` are what the group took."""

    group: str
    trace: str
    stage: str
    code: str
    message: str
    file: str | None
    offset: int | None
    attempt: int
    seconds: float
    peak_bytes: int | None

    def exception(self) -> Error:
        """The error as an exception, with the group in its text."""
        message = f"{self.group}: {self.message}"
        if self.code == "WorkerDied":
            return WorkerDied(message, file=self.file)
        return error_of(self.code, message, file=self.file, offset=self.offset)


def error_of_outcome(outcome: Outcome) -> GroupError:
    """The error of a group that failed."""
    facts = outcome.facts
    return GroupError(outcome.group.name, outcome.group.trace, facts["stage"], facts["code"], facts["message"],
                      facts.get("file"), facts.get("offset"), outcome.attempt, facts["seconds"], facts["peak_bytes"])


_FORMATS = {"offset": "l", "attempt": "l", "peak_bytes": "l", "seconds": "g"}
FIELDS = [({"group": "_group", "trace": "_trace"}.get(f.name, f.name), _FORMATS.get(f.name, "u"), "")
          for f in fields(GroupError)]
"""The columns of the table, as (name, format, meaning)."""


def error_fields() -> tuple[Field, ...]:
    """The columns of the table."""
    return tuple(Field(name, TYPES[fmt], meaning) for name, fmt, meaning in FIELDS)


def _column(values: list[Any], fmt: str) -> frames.Column:
    return frames.texts(values) if fmt == "u" else frames.numbers(values, "q" if fmt == "l" else "d")


class Errors(Tabular, Sequence[GroupError]):
    """The groups that failed, by name. Also a table: `_group, _trace, stage, code, message, file, offset, attempt,
    seconds, peak_bytes`."""

    def __init__(self, errors: Iterable[GroupError]) -> None:
        self._errors = tuple(sorted(errors, key=lambda error: error.group))

    @overload
    def __getitem__(self, index: int) -> GroupError: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[GroupError, ...]: ...
    def __getitem__(self, index: int | slice) -> GroupError | tuple[GroupError, ...]:
        return self._errors[index]

    def __len__(self) -> int:
        return len(self._errors)

    def __repr__(self) -> str:
        return "\n".join(f"{e.group}: {e.stage}: {e.code}: {e.message}" for e in self._errors) or "no errors"

    def batch(self) -> frames.Batch:
        """All rows."""
        rows = [astuple(error) for error in self._errors]
        return len(rows), [_column([row[i] for row in rows], fmt) for i, (_, fmt, _) in enumerate(FIELDS)]

    def result(self) -> Result:
        """The table as a Result."""
        def begin(plain: bool) -> tuple[object, object]:
            batches = iter([self.batch()] if self._errors else [])
            return _core.rows(FIELDS, lambda: next(batches, None))
        return Result(begin, plain_text=True)

    def _result(self) -> Result:
        return self.result()
