"""Result: the rows of a statement or table, for any consumer."""
from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import Closed, missing
from ._html import escaped
from ._rows import Field, Reader, numpy_columns, pandas_frame, warn_of_changes

if TYPE_CHECKING:
    import polars
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

Begin = Callable[[bool], tuple[object, object]]
"""Runs the statement: with plain texts or as dictionaries. Returns the stream and its state."""


_LAYOUTS = {("dictionary", "u"): "plain", ("dictionary", "U"): "large", ("dictionary", "vu"): "view", ("u", "U"): "large",
            ("u", "vu"): "view", ("z", "Z"): "large", ("z", "vz"): "view"}
"""What to make of a column, by its format and by the requested one."""


def _shown(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(value))


def _check_count(n: int) -> None:
    if n < 0:
        raise ValueError(f"n is {n}, less than 0")


class Tabular:
    """What is a table, too: any consumer can read all columns of `_result()`."""

    def _result(self) -> Result:
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """All columns as a pandas frame."""
        return self._result().to_pandas()

    def to_polars(self) -> Any:
        """All columns as a polars frame."""
        return self._result().to_polars()

    def to_arrow(self) -> Any:
        """All columns as a pyarrow table."""
        return self._result().to_arrow()

    def __arrow_c_schema__(self) -> object:
        return self._result().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._result().__arrow_c_stream__(requested_schema)


class Result:
    """Rows that are computed when they are read. Each way of reading runs the statement anew, to the same rows,
    except for results of a `connection`, which can be read once."""

    def __init__(self, begin: Begin, *, once: bool = False, plain_text: bool = False) -> None:
        self._begin = begin
        self._once = once
        self._plain_text = plain_text
        self._first: tuple[object, object] | None = begin(plain_text)  # compiles, so that errors come now
        self._was_read = False
        self._fields: tuple[Field, ...] | None = None
        self._cursor: Iterator[tuple[object, ...]] | None = None
        self._table: Any = None

    def __reduce__(self) -> Any:
        raise TypeError("a Result belongs to its Trace; send its rows, as to_arrow() or fetchall() gives them")

    def _run(self, plain_text: bool | None = None) -> tuple[object, object]:
        plain = self._plain_text if plain_text is None else plain_text
        if self._once and self._was_read:
            raise Closed("the result of a connection can be read once; materialize() keeps its rows")
        self._was_read = True
        if self._first is not None and plain == self._plain_text:
            first, self._first = self._first, None
            return first
        return self._begin(plain)

    def _reader(self) -> Reader:
        _, state = self._run()
        return Reader(state)

    def _described(self) -> tuple[object, tuple[Field, ...]]:
        """A stream's schema, without using up the stream."""
        if self._first is None:
            if self._once and self._was_read:
                raise Closed("the result of a connection can be read once")
            self._first = self._begin(self._plain_text)
        reader = Reader(self._first[1])
        return reader.schema, reader.fields

    @property
    def schema(self) -> tuple[Field, ...]:
        """Name, type and meaning of each column."""
        if self._fields is None:
            self._fields = self._described()[1]
        return self._fields

    @property
    def columns(self) -> list[str]:
        """The names of the columns.

        >>> import tracebraid as tb
        >>> tb.open(no_trace=True).sql("SELECT 1 AS a, 2 AS b").columns
        ['a', 'b']
        """
        return [field.name for field in self.schema]

    @property
    def types(self) -> list[str]:
        """The types of the columns: int64, float64, utf8, dictionary, binary, null."""
        return [field.type for field in self.schema]

    def __arrow_c_schema__(self) -> object:
        """The schema as a capsule of the Arrow PyCapsule interface."""
        if self._table is not None:
            return self._table.schema.__arrow_c_schema__()
        return self._described()[0]

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows as a capsule of the Arrow PyCapsule interface. Of a requested schema, layouts of texts and bytes are
        honoured: plain texts or dictionaries, offsets of 64 bits, and views."""
        if self._table is not None:
            return self._table.__arrow_c_stream__(requested_schema)
        if requested_schema is None:
            return self._run()[0]
        asked = [fmt for _, fmt, _ in _core.schema_fields(requested_schema)]
        if len(asked) != len(self.schema):
            return self._run()[0]
        plain = self._plain_text and "dictionary" not in asked
        stream, state = self._run(plain)
        has = [fmt for _, fmt, _ in _core.schema_fields(_core.stream_schema(state))]
        layouts = [_LAYOUTS.get((ours, theirs), "") for ours, theirs in zip(has, asked, strict=True)]
        return _core.cast(stream, layouts) if any(layouts) else stream

    def _consume(self, consumer: Callable[[Any], Any]) -> Any:
        """Reads the rows, and passes them to a library."""
        if self._table is not None:
            return consumer(self._table)
        _, state = self._run()
        rows = _core.stream_collect(state)
        warn_of_changes(state)
        return consumer(_Once(rows))

    def passed_to(self, consumer: Callable[[Any], Any]) -> Any:
        """Passes a stream of the rows to a library, which reads it at once. A failure of the rows is raised as it is."""
        if self._table is not None:
            return consumer(self._table)
        stream, state = self._run()
        try:
            made = consumer(_Once(stream))
        except Exception:
            _core.stream_failure(state)
            raise
        warn_of_changes(state)
        return made

    def to_reader(self) -> pyarrow.RecordBatchReader:
        """The rows as a pyarrow reader, which runs the statement as it is read."""
        try:
            import pyarrow
        except ImportError:
            raise missing("pyarrow", "arrow") from None
        return pyarrow.RecordBatchReader.from_stream(self)

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a pyarrow table."""
        try:
            import pyarrow
        except ImportError:
            raise missing("pyarrow", "arrow") from None
        return self._consume(lambda rows: pyarrow.RecordBatchReader.from_stream(rows).read_all()).unify_dictionaries()

    def to_polars(self) -> polars.DataFrame:
        """The rows as a polars frame."""
        try:
            import polars
        except ImportError:
            raise missing("polars") from None
        frame: polars.DataFrame = self._consume(polars.DataFrame)
        return frame

    def to_pandas(self, dtype_backend: str | None = None) -> Any:
        """The rows as a pandas frame: numpy types, Int64 for integers with NULLs, categories for texts.
        With "pyarrow", types of Arrow, as pandas means it."""
        if dtype_backend == "pyarrow":
            try:
                import pandas as pd  # type: ignore[import-untyped, unused-ignore]
            except ImportError:
                raise missing("pandas") from None
            return self.to_arrow().to_pandas(types_mapper=pd.ArrowDtype)
        if dtype_backend is not None:
            raise ValueError(f"dtype_backend is None or 'pyarrow', not {dtype_backend!r}")
        if self._table is not None:
            return _frame_of_table(self._table)
        return pandas_frame(self._reader())

    def to_numpy(self) -> dict[str, Any]:
        """The columns as NumPy arrays by name, masked where NULL."""
        return numpy_columns(self._reader())

    def materialize(self) -> Result:
        """Keeps the rows in memory, as a pyarrow table, so that nothing runs twice. Returns the result."""
        if self._table is None:
            self._fields = self.schema
            self._table = self.to_arrow()
        return self

    def _rows(self) -> Iterator[tuple[object, ...]]:
        if self._table is not None:
            columns = [column.to_pylist() for column in self._table.columns]
            return zip(*columns, strict=True)
        return self._reader().rows()

    def __iter__(self) -> Iterator[Any]:
        make: Any = namedtuple("Row", self.columns, rename=True)  # type: ignore[misc]  # noqa: PYI024
        return map(make._make, self._rows())

    def _next_rows(self) -> Iterator[Any]:
        if self._cursor is None:
            self._cursor = iter(self)
        return self._cursor

    def fetchone(self) -> Any:
        """The next row as a named tuple, or None."""
        return next(self._next_rows(), None)

    def fetchmany(self, n: int) -> list[Any]:
        """The next n rows."""
        _check_count(n)
        rows = self._next_rows()
        return [row for _, row in zip(range(n), rows, strict=False)]

    def fetchall(self) -> list[Any]:
        """The rows that were not fetched yet."""
        return list(self._next_rows())

    def scalar(self) -> Any:
        """The value of a result of one row and one column."""
        rows = self._head(2)
        if len(rows) != 1 or len(rows[0]) != 1:
            raise ValueError(f"scalar: the result has {'several' if len(rows) > 1 else len(rows)} rows and "
                             f"{len(self.columns)} columns, not one of each")
        return rows[0][0]

    def _head(self, n: int) -> list[tuple[object, ...]]:
        self.schema  # noqa: B018 - before the rows, which may come once
        return [row for _, row in zip(range(n), self._rows(), strict=False)]

    def _first_rows(self, n: int) -> tuple[list[list[str]], str]:
        rows = self._head(n + 1)
        note = f"first {n} rows" if len(rows) > n else f"{len(rows)} row{'' if len(rows) == 1 else 's'}"
        return [[_shown(value) for value in row] for row in rows[:n]], note

    def _text(self, n: int) -> str:
        rows, note = self._first_rows(n)
        names = [_shown(name) for name in self.columns]
        widths = [max([len(name), *(len(row[i]) for row in rows)]) for i, name in enumerate(names)]
        right = [kind in ("int64", "float64") for kind in self.types]

        def line(cells: list[str]) -> str:
            return "  ".join(cell.rjust(width) if is_right else cell.ljust(width)
                             for cell, width, is_right in zip(cells, widths, right, strict=True)).rstrip()
        return "\n".join([line(names), "  ".join("-" * width for width in widths), *map(line, rows), f"({note})"])

    def show(self, n: int = 20) -> None:
        """Prints the first n rows.

        >>> import tracebraid as tb
        >>> tb.open(no_trace=True).sql("VALUES (1, 'x'), (2, NULL)").show()
        column1  column2
        -------  -------
              1  x
              2  NULL
        (2 rows)
        """
        _check_count(n)
        print(self._text(n))

    def __repr__(self) -> str:
        if self._once:
            return "<Result of a connection, not read yet>" if not self._was_read else "<Result, read>"
        return self._text(20)

    def _repr_html_(self) -> str | None:
        if self._once:
            return None
        rows, note = self._first_rows(20)
        cells = "".join("<tr>" + "".join(f"<td>{escaped(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        head = "".join(f"<th>{escaped(name)}</th>" for name in self.columns)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table><p>{note}</p>"


class _Once:
    """A stream that was begun, for a library that reads it."""

    def __init__(self, stream: object) -> None:
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._stream


def _frame_of_table(table: Any) -> Any:
    """Rows that pyarrow keeps as a frame of the types of to_pandas()."""
    frame = table.to_pandas(integer_object_nulls=True)
    for index, field in enumerate(table.schema):
        column = table.column(index)
        if str(field.type) == "int64" and column.null_count:
            frame.isetitem(index, frame.iloc[:, index].astype("Int64"))
    return frame
