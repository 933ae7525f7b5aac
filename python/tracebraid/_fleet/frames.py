"""Messages of worker processes, over pipes and in files of rows: a kind, a JSON head, and a body of bytes."""
from __future__ import annotations

import json
import struct
from array import array
from typing import IO, Any

_PREFIX = struct.Struct("<cIQ")
_HEAD_LIMIT = 1 << 28

BATCH = b"b"
"""Rows: head {"n": rows, "c": [[NULLs, [size of each buffer, or null]], ...]}, body: the buffers. For a lake also "t": the
number of the table."""
END = b"e"
"""All rows were sent: head with the facts of the group."""
FAILED = b"f"
"""The group failed: head with stage, code, message, file, offset."""

Column = tuple[int, tuple[Any, ...]]
"""Number of NULLs and buffers of a column, as Arrow lays them out."""
Batch = tuple[int, list[Column]]


def write(to: IO[bytes], kind: bytes, head: Any, body: list[Any] | None = None) -> None:
    """Writes a message."""
    text = json.dumps(head).encode()
    parts = body or []
    to.write(_PREFIX.pack(kind, len(text), sum(len(part) for part in parts)))
    to.write(text)
    for part in parts:
        to.write(part)


def _read_exactly(file: IO[bytes], size: int) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise EOFError("a message of a worker is cut off")
    return data


def read_head(file: IO[bytes]) -> tuple[bytes, Any, int] | None:
    """The next message without its body: kind, head and size of the body, which is next; None at the end. EOFError if it is
    cut off."""
    prefix = file.read(_PREFIX.size)
    if not prefix:
        return None
    if len(prefix) != _PREFIX.size:
        raise EOFError("a message of a worker is cut off")
    kind, head_size, body_size = _PREFIX.unpack(prefix)
    if kind not in (BATCH, END, FAILED) or head_size > _HEAD_LIMIT:
        raise EOFError("a message of a worker is damaged")
    return kind, json.loads(_read_exactly(file, head_size)), body_size


def read(file: IO[bytes]) -> tuple[bytes, Any, bytes] | None:
    """The next message: kind, head and body; None at the end. EOFError if it is cut off."""
    begun = read_head(file)
    return None if begun is None else (begun[0], begun[1], _read_exactly(file, begun[2]))


def batch_of(head: Any, body: bytes) -> Batch:
    """The rows of a message, as views of its body."""
    view, at = memoryview(body), 0
    columns: list[Column] = []
    for nulls, sizes in head["c"]:
        buffers: list[memoryview | None] = []
        for size in sizes:
            buffers.append(None if size is None else view[at:at + size])
            at += size or 0
        columns.append((nulls, tuple(buffers)))
    return head["n"], columns


def constant_text(text: str | None, rows: int) -> Column:
    """A column of one text, or of NULLs."""
    if text is None:
        return rows, (bytes((rows + 7) // 8), bytes(4 * (rows + 1)), b"")
    data = text.encode("utf-8", "replace")
    offsets = array("i", range(0, len(data) * rows + 1, len(data))).tobytes() if data else bytes(4 * (rows + 1))
    return 0, (None, offsets, data * rows)


def constant_int(value: int | None, rows: int) -> Column:
    """A column of one integer, or of NULLs."""
    if value is None:
        return rows, (bytes((rows + 7) // 8), bytes(8 * rows))
    return 0, (None, value.to_bytes(8, "little", signed=True) * rows)


def _validity(values: list[Any]) -> bytes:
    bits = bytearray((len(values) + 7) // 8)
    for row, value in enumerate(values):
        if value is not None:
            bits[row // 8] |= 1 << row % 8
    return bytes(bits)


def texts(values: list[str | None]) -> Column:
    """A column of texts."""
    offsets, data = [0], bytearray()
    for value in values:
        data += b"" if value is None else value.encode("utf-8", "replace")
        offsets.append(len(data))
    return values.count(None), (_validity(values), struct.pack(f"<{len(offsets)}i", *offsets), bytes(data))


def numbers(values: list[Any], kind: str) -> Column:
    """A column of integers (kind "q") or reals ("d")."""
    packed = struct.pack(f"<{len(values)}{kind}", *(value or 0 for value in values))
    return values.count(None), (_validity(values), packed)
