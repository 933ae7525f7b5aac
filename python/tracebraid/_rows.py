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


class _Column:
    """A column that grows by batches, so that a batch is freed when it has been added."""

    def __init__(self, fmt: str) -> None:
        self._np = _numpy()
        self._dtype = _DTYPES.get(fmt)
        self._fmt = fmt
        self._listed: list[object] = []
        self._values = self._np.empty(0, dtype=self._dtype or object)
        self._mask: Any = None
        self._length = 0

    def add(self, batch: object, column: int, texts: list[str]) -> None:
        if self._dtype is None:
            self._listed.extend(_core.batch_values(batch, column, self._fmt, texts))
            return
        begin, length = self._length, _core.batch_length(batch)
        self._length = end = begin + length
        self._grow(end)
        nulls, validity, data = _core.batch_buffers(batch, column)
        if data is not None:
            self._values[begin:end] = self._np.frombuffer(data, dtype=self._dtype, count=length)
        if nulls:
            if self._mask is None:
                self._mask = self._np.zeros(len(self._values), dtype=bool)
            bits = self._np.frombuffer(validity, dtype="uint8")
            self._mask[begin:end] = self._np.unpackbits(bits, count=length, bitorder="little") == 0

    def _grow(self, least: int) -> None:
        if least > len(self._values):
            self._resize(max(least, len(self._values) * 9 // 8))

    def _resize(self, size: int) -> None:
        """In place: large arrays are moved by the system, without a copy. Nothing else refers to them."""
        self._values.resize(size, refcheck=False)
        if self._mask is not None:
            self._mask.resize(size, refcheck=False)

    def finish(self) -> tuple[Any, Any]:
        """The values and the mask of NULLs (or None)."""
        if self._dtype is not None:
            self._resize(self._length)
            return self._values, self._mask
        values = self._np.empty(len(self._listed), dtype=object)
        values[:] = self._listed
        return values, self._np.array([value is None for value in self._listed], dtype=bool)


def _columns(reader: Reader) -> Iterator[tuple[str, str, Any, Any]]:
    """Name, format, values and mask of each column of all rows."""
    fields = _core.schema_fields(reader.schema)
    columns = [_Column(fmt) for _, fmt, _ in fields]
    for batch in reader.batches():
        for i, column in enumerate(columns):
            column.add(batch, i, reader.texts(i))
    for (name, fmt, _), column in zip(fields, columns, strict=True):
        yield name, fmt, *column.finish()


def numpy_columns(reader: Reader) -> dict[str, Any]:
    """Arrays by name, masked where NULL; texts as objects."""
    np = _numpy()
    made: dict[str, Any] = {}
    for column, (name, fmt, values, mask) in enumerate(_columns(reader)):
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
    columns: list[Any] = []
    names: list[str] = []
    for column, (name, fmt, values, mask) in enumerate(_columns(reader)):
        names.append(name)
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
    frame = pd.DataFrame(dict(enumerate(columns)), copy=False)
    frame.columns = pd.Index(names)
    return frame
