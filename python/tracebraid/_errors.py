"""Exceptions of tracebraid: one class for each code of the library, and a few of the package."""
from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from . import _core


class Error(Exception):
    """A failure. `file` and `offset` name the place in an input, `hint` what to do, where they are known."""

    code: int = 13

    def __init__(self, message: str, *, code: int | None = None, file: str | None = None,
                 offset: int | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        self.file = file
        self.offset = offset
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class NotFound(Error, FileNotFoundError):
    """A named file, table or clock does not exist."""

    code: int = 1


class BadInput(Error, ValueError):
    """The bytes of an input contradict their header."""

    code: int = 2


class BadManifest(Error):
    """A merge manifest breaks a rule."""

    code: int = 3


class Unsupported(Error):
    """Well-formed, but not supported."""

    code: int = 4


class IOFailure(Error, OSError):
    """The operating system reported a failure."""

    code: int = 5


class LimitExceeded(Error):
    """A limit was reached."""

    code: int = 6


class SqlError(Error):
    """A statement cannot be compiled or run. `line` and `column` count from 1; 0 is not known."""

    code: int = 7

    def __init__(self, message: str, *, line: int = 0, column: int = 0, statement: str | None = None,
                 **place: Any) -> None:
        super().__init__(message, **place)
        self.line = line
        self.column = column
        self.statement = statement


class UsageError(Error, ValueError):
    """An argument or an option is invalid."""

    code: int = 8


class AmbiguousClock(UsageError):
    """Several clocks have the name; the message lists them."""


class Cancelled(Error):
    """The run was cancelled."""

    code: int = 9


class Timeout(Error, TimeoutError):
    """The run took longer than its timeout."""

    code: int = 10


class OutOfMemory(Error, MemoryError):
    """An allocation failed, or memory_limit was reached."""

    code: int = 11


class TypeChanged(Error):
    """A row does not fit the type of its column."""

    code: int = 12


class InternalError(Error):
    """An invariant of the library is broken; the trace answers nothing more."""

    code: int = 13


class WorkerDied(InternalError):
    """The process that had a group of a fleet ended, twice."""


class Closed(Error, ValueError):
    """The trace, connection or result was closed."""

    code: int = 8


class CheckFailed(Error):
    """A strict check failed; the message lists why."""

    code: int = 2


class MissingDependency(Error, ImportError):
    """A method needs a package that is not installed; the message names the extra."""

    code: int = 4


class TraceWarning(UserWarning):
    """A part of an input was not read, or something was assumed."""


_CLASSES: dict[int, type[Error]] = {
    cls.code: cls
    for cls in (NotFound, BadInput, BadManifest, Unsupported, IOFailure, LimitExceeded, SqlError, UsageError,
                Cancelled, Timeout, OutOfMemory, TypeChanged, InternalError)
}


_NAMES = {1: "NOT_FOUND", 2: "BAD_INPUT", 3: "BAD_MANIFEST", 4: "UNSUPPORTED", 5: "IO", 6: "LIMIT", 7: "SQL",
          8: "USAGE", 9: "CANCELLED", 10: "TIMEOUT", 11: "NO_MEMORY", 12: "TYPE_CHANGED", 13: "INTERNAL"}


def code_name(error: Error) -> str:
    """The name of the code of an error, as in the C header."""
    return _NAMES.get(error.code, "INTERNAL")


def error_of(name: str, message: str, **place: Any) -> Error:
    """The exception for the name of a code."""
    cls = next((_CLASSES[code] for code, other in _NAMES.items() if other == name), InternalError)
    return cls(message, **place)


def _make(code: int, message: str, file: str | None, offset: int, line: int, column: int, text: str) -> Error:
    """Makes the exception of an error of the library."""
    if "opened before fork" in message:
        message += '; multiprocessing.set_start_method("spawn") starts processes without this'
    place: dict[str, Any] = {"code": code, "file": file, "offset": offset if offset >= 0 else None,
                             "hint": json.loads(text).get("hint", "")}
    if code == SqlError.code:
        return SqlError(message, line=line, column=column, **place)
    if code == UsageError.code and "is ambiguous; name its machine" in message:
        return AmbiguousClock(message, **place)
    return _CLASSES.get(code, InternalError)(message, **place)


_core.set_error_factory(_make)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a message about a name that is none of these."""
    import difflib
    near = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def missing(package: str, extra: str | None = None) -> MissingDependency:
    """The exception for a package that is not installed."""
    return MissingDependency(f"this needs {package}, which is not installed: pip install "
                             f"'tracebraid[{extra or package}]'")
