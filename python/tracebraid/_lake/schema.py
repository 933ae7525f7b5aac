"""The tables of a lake and their columns, which follow from the program: no trace is read for them."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import _core
from .._errors import Unsupported, UsageError
from .._files import whole_file
from .._open import open as open_trace

NUMBER = 1
"""The number of the schema. Columns and tables are only added to it; another number is another folder."""

_ALIASES = ("slices", "raw")  # the rows of slice and ftrace_event under other names
_UTC = {"ts_utc": ("clock_convert", "ts on the wall clock, ns since 1970 in UTC; NULL if no clock relates the two"),
        "ts_uncertainty_ns": ("clock_error", "ts_utc is off by at most this; NULL if that is not known")}
_DECLARED = {"STRING": "utf8", "DOUBLE": "float64", "BYTES": "binary", "BLOB": "binary"}  # others are int64
_PARQUET = {"l": "int64", "g": "float64", "u": "utf8", "z": "binary"}

TRACES = (
    ("_group", "utf8", "the name of the group"), ("_trace", "utf8", "its first file, relative to the source"),
    ("paths", "list<utf8>", "its files"), ("bytes", "int64", "the size of its files"),
    ("digest", "utf8", "XXH3 of the bytes of its files"), ("state", "utf8", "changes if a file is written to or replaced"),
    ("formats", "list<utf8>", "the formats of its files"), ("machines", "list<utf8>", "names of its machines"),
    ("start_utc", "timestamp_ns", "begin of the trace; NULL without a wall clock"), ("end_utc", "timestamp_ns", "its end"),
    ("rows", "map<utf8,int64>", "number of rows of each table that has any"),
    ("placed_by", "utf8", "the weakest rule that placed a clock"),
    ("uncertainty_ns", "int64", "the largest bound of a placement; NULL: not bounded"),
    ("lost", "int64", "events that were not placed"), ("attributes", "map<utf8,utf8>", "what the group carries"),
    ("error", "utf8", "why the group has no rows, or NULL"), ("tool", "utf8", "the version that wrote it"))
"""The columns of the table `traces`, one row a group: (name, type, meaning)."""


@dataclass(frozen=True)
class LakeTable:
    """A table, the statement that gives its rows of a trace, and the columns of that as (name, format, meaning)."""

    name: str
    sql: str
    fields: tuple[tuple[str, str, str], ...]
    texts: Mapping[str, str]

    def columns(self) -> list[dict[str, str]]:
        """All columns as the schema file lists them."""
        front = [{"name": "_group", "type": "utf8", "text": "the name of the group"},
                 {"name": "_trace", "type": "utf8", "text": "the first file of the group"}]
        return front + [{"name": name, "type": "timestamp_ns" if name == "ts_utc" else _PARQUET[fmt],
                         "text": self.texts.get(name, "")} for name, fmt, _ in self.fields]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def lake_tables(wanted: Sequence[str] | None, options: Mapping[str, Any]) -> list[LakeTable]:
    """The tables of the program, or those wanted. UsageError for a name that is none."""
    made = []
    with open_trace(no_trace=True, progress=False, **options) as empty:
        stored = [table for table in empty.tables if table.kind == "table" and table.name not in _ALIASES]
        unknown = set(wanted or ()) - {table.name for table in stored}
        if unknown:
            raise UsageError(f"a lake has no table {', '.join(sorted(unknown))}; views are made of its tables")
        for table in stored:
            if wanted is not None and table.name not in wanted:
                continue
            columns = [column for column in table.columns if not column.is_hidden]
            parts = [_quoted(column.name) for column in columns]
            texts = {column.name: column.text for column in columns}
            if "ts" in texts:
                parts += [f"{function}(ts, NULL, NULL, 'REALTIME', NULL) AS {name}" for name, (function, _) in _UTC.items()]
                texts.update({name: text for name, (_, text) in _UTC.items()})
            sql = f"SELECT {', '.join(parts)} FROM {_quoted(table.name)}"
            types = {name: "int64" for name in _UTC} if "ts" in texts else {}
            types.update({column.name: _DECLARED.get(column.type, "int64") for column in columns})
            keys = [("text", "utf8"), ("types", ",".join(f"{name}={kind}" for name, kind in types.items()))]
            fields: list[tuple[str, str, str]] = _core.schema_fields(_core.describe(empty._open_handle(), sql, keys))
            made.append(LakeTable(table.name, sql, tuple(fields), texts))
    return made


LAYOUTS = ("bucket", "trace")


@dataclass(frozen=True)
class Layout:
    """How the files of a lake lie. It is fixed when the lake is made, except that Delta logs may be added."""

    buckets: int = 16
    kind: str = "bucket"
    delta: bool = False

    @staticmethod
    def of(schema: Mapping[str, Any]) -> Layout:
        """The layout that a schema file says."""
        return Layout(schema["buckets"], schema.get("layout", "bucket"), schema.get("delta", False))

    def check(self) -> None:
        """UsageError for values that no lake has."""
        if not 1 <= self.buckets <= 4096:
            raise UsageError("buckets is from 1 to 4096")
        if self.kind not in LAYOUTS:
            raise UsageError(f"layout is one of {', '.join(LAYOUTS)}, not {self.kind!r}")
        if self.delta and self.kind == "trace":
            raise UsageError("delta needs the layout bucket, in which each table has a folder")


def listing(tables: Sequence[LakeTable], layout: Layout) -> dict[str, Any]:
    """The content of the schema file."""
    traces = [{"name": name, "type": kind, "text": text} for name, kind, text in TRACES]
    return {"schema": NUMBER, "buckets": layout.buckets, "layout": layout.kind, "delta": layout.delta, "program": _core.version(),
            "tables": {"traces": traces, **{table.name: table.columns() for table in tables}}}


def _extended(name: str, old: list[dict[str, str]], new: list[dict[str, str]]) -> list[dict[str, str]]:
    """The old columns, and behind them those that are new."""
    types = {column["name"]: column["type"] for column in old}
    for column in new:
        if types.get(column["name"], column["type"]) != column["type"]:
            raise Unsupported(f"{name}.{column['name']} is {types[column['name']]} in this lake, and {column['type']} in this "
                              "version; write to another folder")
    return old + [column for column in new if column["name"] not in types]


def schema_path(folder: str) -> str:
    """The path of the schema file."""
    return os.path.join(folder, "_tracebraid", f"schema-{NUMBER}.json")


def read_schema(folder: str) -> dict[str, Any] | None:
    """The schema of a lake, or None if there is no lake. Unsupported if it has another number only."""
    try:
        with open(schema_path(folder), encoding="utf-8") as file:
            return dict(json.load(file))
    except FileNotFoundError:
        pass
    own = os.path.join(folder, "_tracebraid")
    others = [name for name in os.listdir(own) if name.startswith("schema-")] if os.path.isdir(own) else []
    if others:
        raise Unsupported(f"{folder}: this version writes schema {NUMBER}, and the lake has {', '.join(sorted(others))}")
    return None


def layout_of(folder: str, buckets: int, kind: str | None, delta: bool) -> Layout:
    """The layout of a lake that exists or is to be made. UsageError if the lake has another one."""
    asked = Layout(buckets, kind or "bucket", delta)
    asked.check()
    old = read_schema(folder)
    if old is None:
        return asked
    found = Layout.of(old)
    if kind is not None and kind != found.kind:
        raise UsageError(f"{folder}: the lake has the layout {found.kind}, and not {kind}")
    made = Layout(found.buckets, found.kind, found.delta or delta)
    made.check()
    return made


def extend_schema(folder: str, tables: Sequence[LakeTable], layout: Layout) -> dict[str, Any]:
    """Makes the schema file, or adds tables and columns to it. Unsupported if a column has another type there."""
    new, old = listing(tables, layout), read_schema(folder)
    before = json.dumps(old, indent=1)
    if old is not None:
        for name, columns in new["tables"].items():
            old["tables"][name] = _extended(name, old["tables"].get(name, []), columns)
        new = {**new, "tables": old["tables"]}
    text = json.dumps(new, indent=1)
    if text != before:
        os.makedirs(os.path.dirname(schema_path(folder)), exist_ok=True)
        with whole_file(schema_path(folder)) as unfinished, open(unfinished, "w", encoding="utf-8") as file:
            file.write(text)
    return new
