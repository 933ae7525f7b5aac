"""Parquet files of a lake: rows sorted by `_group`, with statistics and a page index."""
from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .._errors import missing
from .log import LakeFile

GROUP_ROWS = 100_000
"""Rows of a row group. A `_group` with more has row groups of its own."""
FILE_BYTES = 256 << 20
"""A file that reached this size is followed by another one."""


def arrow() -> Any:
    """The module pyarrow, with its Parquet. MissingDependency without it."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
        import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore] # noqa: F401
    except ImportError:
        raise missing("pyarrow", "arrow") from None
    return pa


def arrow_schema(columns: list[dict[str, str]]) -> Any:
    """The Arrow schema of columns of the schema file."""
    pa = arrow()
    types = {"utf8": pa.utf8(), "int64": pa.int64(), "float64": pa.float64(), "binary": pa.binary(),
             "timestamp_ns": pa.timestamp("ns", tz="UTC"), "list<utf8>": pa.list_(pa.utf8()),
             "map<utf8,int64>": pa.map_(pa.utf8(), pa.int64()), "map<utf8,utf8>": pa.map_(pa.utf8(), pa.utf8())}
    return pa.schema([(column["name"], types[column["type"]]) for column in columns])


def bucket_of(group: str, buckets: int) -> str:
    """The bucket of a group: always the same, for a number of buckets."""
    digest = hashlib.blake2b(group.encode(), digest_size=8).digest()
    return f"{int.from_bytes(digest, 'little') % buckets:02}"


def groups_of(table: Any) -> list[tuple[str, int, int]]:
    """The groups of a table that is sorted by `_group`, as (name, first row, number of rows)."""
    found: list[tuple[str, int, int]] = []
    at = 0
    for chunk in table.column("_group").chunks:
        runs = arrow().compute.run_end_encode(chunk)
        begin = 0
        for name, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
            if found and found[-1][0] == name:
                found[-1] = (name, found[-1][1], found[-1][2] + end - begin)
            else:
                found.append((name, at + begin, end - begin))
            begin = end
        at += len(chunk)
    return found


def _encodings(schema: Any) -> dict[str, Any]:
    """Dictionaries for texts, and differences for integers: half the bytes and half the time of dictionaries for all."""
    types = arrow().types
    return {"use_dictionary": [field.name for field in schema if types.is_string(field.type)],
            "column_encoding": {field.name: "DELTA_BINARY_PACKED" for field in schema
                                if types.is_integer(field.type) or types.is_timestamp(field.type)}}


class _File:
    """One file that is being written."""

    def __init__(self, path: str, target: str, schema: Any) -> None:
        self.path = path
        self._file = open(target, "wb")  # noqa: SIM115
        self._target = target
        self._writer = arrow().parquet.ParquetWriter(
            self._file, schema, compression="zstd", write_page_index=True, store_schema=True,
            sorting_columns=[arrow().parquet.SortingColumn(0)], **_encodings(schema))
        self._rows = 0
        self._first = self._last = ""

    def write(self, rows: Any) -> None:
        if self._rows == 0:
            self._first = rows.column("_group")[0].as_py()
        self._last = rows.column("_group")[-1].as_py()
        self._writer.write_table(rows, row_group_size=GROUP_ROWS)
        self._rows += len(rows)

    @property
    def is_full(self) -> bool:
        return self._file.tell() >= FILE_BYTES

    def end(self) -> LakeFile:
        self._writer.close()
        self._file.close()
        return LakeFile(self.path, self._rows, os.path.getsize(self._target), self._first, self._last)


def _row_groups(tables: Iterable[Any]) -> Iterator[Any]:
    """Joins tables, each of which has rows of one group, to about GROUP_ROWS rows."""
    pending: list[Any] = []
    rows = 0
    for table in tables:
        if len(table) == 0:
            continue
        if pending and rows + len(table) > GROUP_ROWS:
            yield arrow().concat_tables(pending)
            pending, rows = [], 0
        pending.append(table)
        rows += len(table)
    if pending:
        yield arrow().concat_tables(pending)


def write_files(partition: str, part: str, schema: Any, tables: Iterable[Any], staged: Callable[[str], str]) -> list[LakeFile]:
    """Writes tables, sorted by group and each of one group, as files of a partition. `staged` gives the place to write to for
    the path in the lake; `part` makes the names unique."""
    made: list[LakeFile] = []
    file: _File | None = None
    for rows in _row_groups(tables):
        if file is None:
            path = f"{partition}/part-{part}-{len(made)}.parquet"
            file = _File(path, staged(path), schema)
        file.write(rows)
        if file.is_full:
            made.append(file.end())
            file = None
    return made if file is None else [*made, file.end()]
