"""Rows of streams as Python values, NumPy arrays and pandas frames, without an Arrow library."""
from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import _core
from ._errors import TraceWarning, missing

TYPES = {"n": "null", "l": "int64", "g": "float64", "u": "utf8", "z": "binary", "dictionary": "dictionary"}


@dataclass(frozen=True)
class Field:
    """A column of a result. `type` is int64, float64, utf8, dictionary, binary or null; `meaning` is "time_ns",
    "duration_ns", "row:thread" ..., or empty."""

    name: str
    type: str
    meaning: str


def warn_of_changes(state: object) -> None:
    """Warns of what was changed so that the rows of a stream fit, when they were read."""
    for text in _core.stream_warnings(state).splitlines():
        warnings.warn(text, TraceWarning, stacklevel=3)


class Reader:
    """The batches of one run of a statement."""

    def __init__(self, state: object) -> None:
        self._state = state
        self.schema = _core.stream_schema(state)
        self._formats = [fmt for _, fmt, _ in _core.schema_fields(self.schema)]
        self._texts: list[list[str]] = [[] for _ in self._formats]

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(Field(name, TYPES.get(fmt, fmt), meaning)
                     for name, fmt, meaning in _core.schema_fields(self.schema))

    def batches(self) -> Iterator[object]:
        while (batch := _core.stream_next(self._state)) is not None:
            for column, texts in enumerate(self._texts):
                if self._formats[column] == "dictionary":
                    texts.extend(_core.batch_dictionary(batch, column, len(texts)))
            yield batch
        warn_of_changes(self._state)

    def texts(self, column: int) -> list[str]:
        """The dictionary of a column, as far as batches were read."""
        return self._texts[column]

    def columns(self, batch: object) -> list[list[object]]:
        return [_core.batch_values(batch, i, fmt, self._texts[i]) for i, fmt in enumerate(self._formats)]

    def rows(self) -> Iterator[tuple[object, ...]]:
        for batch in self.batches():
            yield from zip(*self.columns(batch), strict=True)


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise missing("numpy", "pandas") from None
    return numpy


_DTYPES = {"l": "int64", "g": "float64", "dictionary": "int32"}


def _column(reader: Reader, batches: list[object], column: int, fmt: str) -> tuple[Any, Any]:
    """The values and the mask of NULLs (or None) of a column."""
    np = _numpy()
    if fmt not in _DTYPES:
        listed: list[object] = []
        for batch in batches:
            listed.extend(_core.batch_values(batch, column, fmt, reader.texts(column)))
        values = np.empty(len(listed), dtype=object)
        values[:] = listed
        return values, np.array([value is None for value in listed], dtype=bool)
    lengths = [_core.batch_length(batch) for batch in batches]
    values = np.empty(sum(lengths), dtype=_DTYPES[fmt])
    mask = None
    at = 0
    for batch, length in zip(batches, lengths, strict=True):
        nulls, validity, data = _core.batch_buffers(batch, column)
        if data is not None:
            values[at:at + length] = np.frombuffer(data, dtype=_DTYPES[fmt], count=length)
        if nulls:
            if mask is None:
                mask = np.zeros(len(values), dtype=bool)
            bits = np.unpackbits(np.frombuffer(validity, dtype="uint8"), count=length, bitorder="little")
            mask[at:at + length] = bits == 0
        at += length
    return values, mask


def numpy_columns(reader: Reader) -> dict[str, Any]:
    """Arrays by name, masked where NULL; texts as objects."""
    np = _numpy()
    batches = list(reader.batches())
    made: dict[str, Any] = {}
    for column, (name, fmt, _) in enumerate(_core.schema_fields(reader.schema)):
        values, mask = _column(reader, batches, column, fmt)
        if fmt == "dictionary":
            texts = np.array([*reader.texts(column), None], dtype=object)
            values = texts[np.where(mask, len(texts) - 1, values) if mask is not None else values]
        made[name] = values if mask is None or not mask.any() else np.ma.MaskedArray(values, mask)
    return made


def pandas_frame(reader: Reader) -> Any:
    """A frame with numpy types; integers with NULLs are Int64, texts categories."""
    try:
        import pandas as pd  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise missing("pandas") from None
    np = _numpy()
    batches = list(reader.batches())
    columns: list[Any] = []
    fields = _core.schema_fields(reader.schema)
    for column, (_, fmt, _) in enumerate(fields):
        values, mask = _column(reader, batches, column, fmt)
        if fmt == "dictionary":
            codes = values if mask is None else np.where(mask, -1, values)
            columns.append(pd.Series(pd.Categorical.from_codes(codes, categories=reader.texts(column))))
        elif fmt == "l" and mask is not None:
            columns.append(pd.Series(pd.arrays.IntegerArray(values, mask)))
        elif fmt == "g" and mask is not None:
            columns.append(pd.Series(np.where(mask, np.nan, values)))
        elif fmt == "u":
            columns.append(pd.Series(values, dtype="str"))
        else:
            columns.append(pd.Series(values))
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = pd.Index([name for name, _, _ in fields])
    return frame
