"""Helpers of resolvers."""
from __future__ import annotations

from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any, BinaryIO

MAX_BYTES_LOADED = 1024 * 1024


class FileBytes(Generator[bytes, None, None]):
    """The bytes of a file in chunks. Opens the file with the first one, so that a reader can open `path` instead."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_begun: bool = False
        self._chunks = _chunks_of_file(path)

    def send(self, value: None, /) -> bytes:
        """Returns the next chunk."""
        self.is_begun = True
        return self._chunks.send(value)

    def throw(self, typ: Any, val: Any = None, tb: TracebackType | None = None, /) -> bytes:
        """Ends the generator."""
        return self._chunks.throw(typ) if val is None else self._chunks.throw(val)


def _chunks_of_file(path: str) -> Generator[bytes, None, None]:
    with open(path, "rb") as file:
        yield from read_generator(file)


def file_generator(path: str) -> Generator[bytes, None, None]:
    """The bytes of a file, in chunks of 1 MiB at most."""
    return FileBytes(path)


def read_generator(trace: BinaryIO) -> Generator[bytes, None, None]:
    """The bytes of a binary file object, in chunks of 1 MiB at most."""
    while chunk := trace.read(MAX_BYTES_LOADED):
        yield chunk


def merge_dicts(a: dict[str, str], b: dict[str, str]) -> dict[str, str]:
    """Both; of equal keys the value of `b`."""
    return {**a, **b}


def parse_trace_uri(uri: str) -> tuple[str | None, str]:
    """Splits "name:arguments". A path, which begins with "/" or "." or has no colon, has no name."""
    name, colon, arguments = uri.partition(":")
    if not colon or uri.startswith(("/", ".")):
        return None, uri
    if len(name) == 1:
        raise Exception(f"{uri}: a resolver with a name of one letter is not allowed, as it may be a drive")
    return name, arguments


def to_bool(arg: bool | str) -> bool:
    """The boolean of a text: true, yes, t, y, 1, or the opposites."""
    if isinstance(arg, bool):
        return arg
    if arg.lower() in ("true", "yes", "t", "y", "1"):
        return True
    if arg.lower() in ("false", "no", "f", "n", "0"):
        return False
    raise ValueError(f"{arg!r} is not a boolean")


def to_list(cs: Any) -> list[Any] | None:
    """A list with the value, unless it is one or None."""
    if cs is None or isinstance(cs, list):
        return cs
    return [cs]


def _joined(cs: list[Any] | None, fn: Callable[[Any], str], word: str) -> str:
    return f"({f' {word} '.join(fn(c) for c in cs or ())})"


def and_list(cs: list[Any] | None, fn: Callable[[Any], str], empty_default: str) -> str:
    """The texts of the values, joined by AND. None is TRUE."""
    return "TRUE" if cs is None else _joined(cs, fn, "AND") if cs else empty_default


def or_list(cs: list[Any] | None, fn: Callable[[Any], str], empty_default: str) -> str:
    """The texts of the values, joined by OR. None is TRUE."""
    return "TRUE" if cs is None else _joined(cs, fn, "OR") if cs else empty_default
