"""QueryResultIterator: the rows of a statement, as the package perfetto returns them."""
from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from .._errors import missing
from .exceptions import PerfettoException

Columns = list[list[object]]

_NULL, _VARINT, _FLOAT64, _STRING, _BLOB = 1, 2, 3, 4, 5


@dataclass
class ColumnBatch:
    """Rows as one list for each column."""

    columns: Columns


@dataclass
class CellsMessage:
    """Rows as the message CellsBatch of RPC: the kinds of all cells, row by row, and the values of each kind. Each
    string ends with a NUL."""

    cells: bytes = b""
    varint_cells: list[int] = field(default_factory=list)
    float64_cells: list[float] = field(default_factory=list)
    string_cells: bytes = b""
    blob_cells: list[bytes] = field(default_factory=list)


def _cells_of(batch: Any) -> list[object]:
    """The cells of a message CellsBatch, row by row."""
    texts = batch.string_cells
    sources = {_VARINT: iter(batch.varint_cells), _FLOAT64: iter(batch.float64_cells),
               _STRING: iter((texts.decode("utf-8", "replace") if isinstance(texts, bytes) else texts).split("\0")),
               _BLOB: iter(batch.blob_cells)}
    try:
        return [None if kind == _NULL else next(sources[kind]) for kind in batch.cells]
    except (KeyError, StopIteration):
        raise PerfettoException("a batch of cells is malformed: its kinds and its values differ") from None


def _columns_of(batches: Sequence[Any], count: int) -> Columns:
    """Joins batches: ColumnBatch, CellsMessage, or what has its attributes."""
    columns: Columns = [[] for _ in range(count)]
    for batch in batches:
        if isinstance(batch, ColumnBatch):
            parts = batch.columns
        else:
            cells = _cells_of(batch)
            if not count and cells or count and len(cells) % count:
                raise PerfettoException(f"{len(cells)} cells are no whole rows of {count} columns")
            parts = [cells[i::count] for i in range(count)]
        for column, part in zip(columns, parts, strict=True):
            column.extend(part)
    return columns


class QueryResultIterator(Sized):
    """Iterates once over rows, whose attributes are the columns. `len` is the number of all rows."""

    class Row:
        """A row: one attribute for each column. Values are int, float, str, bytes or None."""

        def __str__(self) -> str:
            return str(self.__dict__)

        def __repr__(self) -> str:
            return repr(self.__dict__)

    def __init__(self, column_names: list[str], batches: list[Any]) -> None:
        self.column_names: list[str] = list(column_names)
        self.column_count: int = len(self.column_names)
        self._columns = _columns_of(batches, self.column_count)
        self.row_count: int = len(self._columns[0]) if self._columns else 0
        self.cell_count: int = self.row_count * self.column_count
        self.cell_index: int = 0
        self._rows = zip(*self._columns, strict=True)

    @property
    def cells(self) -> Any:
        """All cells, row by row: a NumPy array of objects, or without NumPy a list."""
        try:
            return self._matrix().reshape(-1)
        except ImportError:
            return list(chain.from_iterable(zip(*self._columns, strict=True)))

    def _matrix(self) -> Any:
        import numpy as np
        matrix = np.empty((self.row_count, self.column_count), dtype=object)
        for index, column in enumerate(self._columns):
            matrix[:, index] = column
        return matrix

    def as_pandas_dataframe(self, *, typed: bool = False) -> Any:
        """The rows as a pandas frame: numbers as objects, with None. With `typed`, as Result.to_pandas() types them:
        int64, Int64 with NULLs, float64, and categories."""
        try:
            import pandas as pd  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            raise missing("pandas") from None
        if not typed:
            return pd.DataFrame(self._matrix(), columns=self.column_names)
        frame = pd.DataFrame({index: _typed(pd, column) for index, column in enumerate(self._columns)})
        frame.columns = pd.Index(self.column_names)
        return frame

    def as_polars_dataframe(self) -> Any:
        """The rows as a polars frame: Int64, Float64, String, Binary, and Object for columns of different types. Of
        columns with one name, the last is kept."""
        try:
            import polars as pl
        except ImportError:
            raise missing("polars") from None
        types: dict[frozenset[type], Any] = {
            frozenset(): pl.Null, frozenset({int}): pl.Int64, frozenset({float}): pl.Float64,
            frozenset({str}): pl.String, frozenset({bytes}): pl.Binary}
        series = {name: pl.Series(name, column, dtype=types.get(_kinds(column), pl.Object))
                  for name, column in zip(self.column_names, self._columns, strict=True)}
        return pl.DataFrame(list(series.values()))

    def __len__(self) -> int:
        return self.row_count

    def __iter__(self) -> QueryResultIterator:
        return self

    def __next__(self) -> Any:
        values = next(self._rows)
        self.cell_index += self.column_count
        row = QueryResultIterator.Row()
        row.__dict__.update(zip(self.column_names, values, strict=True))
        return row


def _kinds(column: list[object]) -> frozenset[type]:
    return frozenset({type(value) for value in column} - {type(None)})


def _typed(pd: Any, column: list[object]) -> Any:
    kinds = _kinds(column)
    has_null = any(value is None for value in column)
    if kinds == {int}:
        return pd.array(column, dtype="Int64" if has_null else "int64")
    if kinds == {float}:
        return pd.array(column, dtype="float64")
    if kinds == {str}:
        return pd.Categorical(column, categories=list(dict.fromkeys(v for v in column if v is not None)))
    return pd.Series(column, dtype=object)
