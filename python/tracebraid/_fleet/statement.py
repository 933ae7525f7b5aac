"""What is known of a statement before any trace is read: the columns of its rows."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import _core
from .._errors import SqlError, UsageError
from .._options import keys_of
from .._rows import TYPES, Field

_MACHINE_KEYS = ("machine_id", "utid", "upid", "track_id")
"""Columns of a statement from which `_machine` follows."""

_PROVENANCE = [("_trace_size", "l", ""), ("_trace_digest", "u", ""), ("_placed_by", "u", ""),
               ("_uncertainty_ns", "l", "duration_ns"), ("_lost", "l", "")]


def _last_statement(sql: str) -> tuple[str, str]:
    """The statements before the last one, and the last one."""
    import sqlite3  # takes longer to load than the package
    ends, at = [0], sql.find(";")
    while at >= 0:
        if sqlite3.complete_statement(sql[ends[-1]:at + 1]):
            ends.append(at + 1)
        at = sql.find(";", at + 1)
    while len(ends) > 1 and not sql[ends[-1]:].strip():
        ends.pop()
    return sql[:ends[-1]], sql[ends[-1]:]


def _schema(sql: str, keys: list[tuple[str, str]], options: Mapping[str, Any]) -> object:
    """The schema of the last statement on empty tables. Statements before it run there."""
    empty = _core.open([], keys_of({"no_trace": True, "for_queries": True, "threads": 1, **options}), None,
                       _core.control_new(0), None)
    before, last = _last_statement(sql)
    try:
        if not before.strip():
            return _core.describe(empty, last, keys)
        connection = _core.connection_open(empty)
        return _core.stream_schema(_core.query(connection, sql, [], keys, _core.control_new(0))[1])
    except SqlError as error:
        error.statement = sql
        raise


class Statement:
    """A statement, its columns, and those that a fleet adds in front of them. `where` is a condition for its rows."""

    def __init__(self, sql: str, types: Mapping[str, str] | None, options: Mapping[str, Any], *, full: bool,
                 carried: list[str], where: str | None = None) -> None:
        keys = [("text", "utf8")]
        if types:
            keys.append(("types", ",".join(f"{name}={kind}" for name, kind in types.items())))
        self.sql: str = sql
        self.full = full
        self.carried = carried
        self.fields: list[tuple[str, str, str]] = _core.schema_fields(_schema(sql, keys, options))
        if not self.fields:
            raise UsageError("the statement gives no rows")
        for name, fmt, _ in self.fields:
            if fmt == "n":
                raise UsageError(f"the type of the column {name!r} does not follow from the statement; give "
                                 f"types={{{name!r}: 'int64'}}, or write CAST({name} AS INTEGER)")
        if where is not None:
            before, last = _last_statement(sql)
            self.sql = f"{before}\nSELECT * FROM (\n{last.rstrip().removesuffix(';')}\n) WHERE (\n{where}\n)"
            _schema(self.sql, keys, options)  # the condition compiles; the types are those without it
        names = [name for name, _, _ in self.fields]
        self.machine_column: int | None = next((names.index(key) for key in names if key in _MACHINE_KEYS), None)

    def task(self) -> dict[str, Any]:
        """What workers do."""
        return {"sql": self.sql, "fields": self.fields, "machine_column": self.machine_column}

    def front(self) -> list[tuple[str, str, str]]:
        """The columns in front of the statement's, except `_machine`, which workers send."""
        columns = [("_group", "u", ""), ("_trace", "u", ""), ("_trace_uri", "u", "")]
        if self.full:
            columns += _PROVENANCE + [("_" + name, "u", "") for name in self.carried]
        return columns

    def all_fields(self) -> list[tuple[str, str, str]]:
        """All columns, as (name, format, meaning)."""
        machine = [("_machine", "u", "")] if self.machine_column is not None else []
        return self.front() + machine + self.fields

    def schema(self) -> tuple[Field, ...]:
        """All columns."""
        return tuple(Field(name, TYPES[fmt], meaning) for name, fmt, meaning in self.all_fields())
