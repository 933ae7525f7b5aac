"""Options of the data source, as arguments of fleet() and as a statement."""
from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from pyspark.sql.types import StructType

import tracebraid as tb
from tracebraid._fleet.errors import error_fields
from tracebraid._fleet.fleet import seconds

from ._types import types_of

_SWITCHES = {"true": True, "false": False}
_FLEET: dict[str, Callable[[str], Any]] = {
    "group": str, "pick": str, "ungrouped": str, "manifest_pattern": str, "on_error": str, "provenance": str,
    "memory_limit": str, "timeout": str, "max_rows": int, "cache_dir": str, "cache_size": str,
    "check": lambda text: _SWITCHES.get(text, text)}
_OWN = ("path", "paths", "sql", "table", "columns", "types", "where", "mode", "errors", "settle", "partition_bytes",
        "max_partitions")
_FRONT = ("_group", "_trace", "_trace_uri", "_trace_size", "_trace_digest", "_placed_by", "_uncertainty_ns", "_lost")
"""Columns in front of the statement's, which do not depend on it."""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


class Options:
    """The options of one read. `schema` is that of the user or of fields()."""

    def __init__(self, options: Mapping[str, str], schema: StructType | None = None) -> None:
        self._given = dict(options)
        self._types = None if schema is None else types_of(schema)
        if ("sql" in options) == ("table" in options):
            raise tb.UsageError("give one of the options sql and table")
        if "columns" in options and "table" not in options:
            raise tb.UsageError("columns goes with table; a statement names its columns")
        if options.get("mode", "rows") not in ("rows", "errors"):
            raise tb.UsageError(f"mode is 'rows' or 'errors', not {options['mode']!r}")
        if self.errors is not None and options.get("on_error") == "fail":
            raise tb.UsageError("errors goes with on_error 'rows' or 'skip'; with 'fail' the first error fails the query")

    def get(self, name: str, default: str) -> str:
        return self._given.get(name, default)

    @property
    def wants_errors(self) -> bool:
        """Whether the rows are the errors."""
        return self.get("mode", "rows") == "errors"

    @property
    def errors(self) -> str | None:
        """The folder for files of errors."""
        return self._given.get("errors")

    @property
    def settle(self) -> float:
        """Seconds for which a file must not have changed to be read by a stream."""
        return seconds("settle", self.get("settle", "60s"))

    def paths(self) -> list[str]:
        if "paths" in self._given:
            return list(json.loads(self._given["paths"]))
        if "path" in self._given:
            return [self._given["path"]]
        raise tb.UsageError("load() needs a folder, a glob or paths")

    def _keywords(self) -> dict[str, Any]:
        """Options of fleet() and of open(), as keywords."""
        others = {name: value for name, value in self._given.items() if name not in _OWN and name not in _FLEET}
        made = {**{name: make(self._given[name]) for name, make in _FLEET.items() if name in self._given}, **others}
        if self.errors is not None or self.wants_errors:
            made["on_error"] = "rows"
        return made

    def fleet(self, sources: list[str]) -> tb.Fleet:
        return tb.fleet(sources, jobs=1, progress=False, **self._keywords())

    def _sql(self) -> str:
        if "sql" in self._given:
            return self._given["sql"]
        columns = _listed(self.get("columns", ""))
        if not columns and self._types is not None and "_machine" not in self._types and not self.wants_errors:
            # Columns that the schema does not name are not read. Without any, one is needed for the number of rows.
            columns = [name for name in self._types if name not in _FRONT and not self._is_carried(name)] or ["id"]
        names = ", ".join(map(_quoted, columns)) or "*"
        return f"SELECT {names} FROM {_quoted(self._given['table'])}"

    def _is_carried(self, name: str) -> bool:
        """Whether a column may be one that groups carry."""
        return name.startswith("_") and self.get("provenance", "") == "full"

    def statement(self) -> dict[str, Any]:
        """The arguments of Fleet.sql() and Fleet.statement()."""
        pairs = [pair.rpartition("=") for pair in _listed(self.get("types", ""))]
        types = {name: kind for name, _, kind in pairs}
        if self._types is not None and not self.wants_errors:
            types.update({name: kind for name, kind in self._types.items() if not name.startswith("_")})
        return {"sql": self._sql(), "types": types or None, "where": self._given.get("where")}

    def _all_fields(self) -> tuple[tb.Field, ...]:
        if self.wants_errors:
            return error_fields()
        asked = self.statement()
        return self.fleet([]).statement(asked["sql"], asked["types"], asked["where"]).schema()

    def fields(self) -> tuple[tb.Field, ...]:
        """The columns, of which a schema of the user selects some. UsageError for one that does not exist."""
        fields = self._all_fields()
        if self._types is None:
            return fields
        known = {field.name: field for field in fields}
        for name, kind in self._types.items():
            if name not in known:
                raise tb.UsageError(f"schema: there is no column {name}; the columns are {', '.join(known)}")
            if known[name].type != kind:
                raise tb.UsageError(f"schema: the column {name} is {known[name].type}")
        return tuple(known[name] for name in self._types)
