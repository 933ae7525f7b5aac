"""Messages of RPC: encodes requests, and decodes answers into columns."""
from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..common.exceptions import PerfettoException
from ..common.query_result_iterator import CellsMessage

_VARINT, _FIXED64, _BYTES = 0, 1, 2


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def encode(*fields: tuple[int, int | str | bytes]) -> bytes:
    """Encodes fields: (number, value)."""
    made = b""
    for number, value in fields:
        if isinstance(value, int):
            made += _varint(number << 3 | _VARINT) + _varint(value)
        else:
            data = value.encode() if isinstance(value, str) else value
            made += _varint(number << 3 | _BYTES) + _varint(len(data)) + data
    return made


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Decodes a varint. Returns its value and the place behind it."""
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise PerfettoException("the answer is malformed")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields_of(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message: (number, value)."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        wire = key & 7
        if wire == _VARINT:
            value, at = read_varint(data, at)
            yield key >> 3, value
            continue
        size = 8
        if wire == _BYTES:
            size, at = read_varint(data, at)
        if wire not in (_FIXED64, _BYTES) or at + size > len(data):
            raise PerfettoException("the answer is malformed")
        yield key >> 3, data[at:at + size]
        at += size


def bytes_field(data: bytes, number: int) -> bytes:
    """The last field of a number, of bytes; empty if there is none."""
    found = b""
    for each, value in fields_of(data):
        if each == number and isinstance(value, bytes):
            found = value
    return found


def raise_error(data: bytes, number: int) -> None:
    """Raises the error that a field tells, if there is one."""
    error = bytes_field(data, number)
    if error:
        raise PerfettoException(error.decode("utf-8", "replace"))


def _varints(data: bytes) -> list[int]:
    """Decodes packed signed varints of 64 bits."""
    if not data:
        return []
    if max(data) < 0x80:
        return list(data)
    made = []
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        if byte > 0x7F:
            shift += 7
            continue
        made.append(value - (1 << 64) if value >> 63 else value)
        value = shift = 0
    return made


def _cells_batch(data: bytes) -> CellsMessage:
    made = CellsMessage()
    for number, value in fields_of(data):
        if not isinstance(value, bytes):
            continue
        if number == 1:
            made.cells = value
        elif number == 2:
            made.varint_cells = _varints(value)
        elif number == 3:
            made.float64_cells = [each for each, in struct.iter_unpack("<d", value)]
        elif number == 4:
            made.blob_cells.append(value)
        elif number == 5:
            made.string_cells = value
    return made


@dataclass
class WireResult:
    """The answer to a query, of one message or several behind each other."""

    columns: list[str] = field(default_factory=list)
    batches: list[CellsMessage] = field(default_factory=list)
    error: str = ""
    is_complete: bool = False

    def add(self, data: bytes) -> None:
        """Adds a message QueryResult."""
        for number, value in fields_of(data):
            if not isinstance(value, bytes):
                continue
            if number == 1:
                self.columns.append(value.decode("utf-8", "replace"))
            elif number == 2:
                self.error = value.decode("utf-8", "replace")
            elif number == 3:
                self.batches.append(_cells_batch(value))
                self.is_complete = any(each == 6 and flag for each, flag in fields_of(value))
