"""The data source "tracebraid" of Spark, which finds it by the name of this package.

    spark.read.format("tracebraid").option("sql", "SELECT ...").load("runs")
"""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import BinaryType, DoubleType, LongType, StringType, StructField, StructType

import tracebraid as tb

_SPARK_TYPES: dict[str, Any] = {"int64": LongType, "float64": DoubleType, "utf8": StringType, "binary": BinaryType}
_ARROW_TYPES = {"int64": pa.int64(), "float64": pa.float64(), "utf8": pa.utf8(), "binary": pa.binary()}
_SWITCHES = {"true": True, "false": False}
_FLEET = {"group": str, "pick": str, "ungrouped": str, "manifest_pattern": str, "on_error": str, "provenance": str,
          "memory_limit": str, "timeout": float, "max_rows": int, "check": lambda text: _SWITCHES.get(text, text)}
_OWN = ("path", "paths", "sql", "table", "types", "where", "partition_bytes", "max_partitions")


def _statement(options: Mapping[str, str]) -> str:
    if ("sql" in options) == ("table" in options):
        raise tb.UsageError("give one of the options sql and table")
    table = options.get("table", "").replace('"', '""')
    return options["sql"] if "sql" in options else f'SELECT * FROM "{table}"'


def _types(options: Mapping[str, str]) -> dict[str, str] | None:
    pairs = [pair.rpartition("=") for pair in options.get("types", "").split(",") if pair]
    return {name: kind for name, _, kind in pairs} or None


def _keywords(options: Mapping[str, str]) -> dict[str, Any]:
    """Options of fleet() and of open(), as keywords."""
    others = {name: value for name, value in options.items() if name not in _OWN and name not in _FLEET}
    return {**{name: make(options[name]) for name, make in _FLEET.items() if name in options}, **others}


class Partition(InputPartition):
    """Groups that one task reads."""

    def __init__(self, groups: list[tb.Group]) -> None:
        super().__init__(0)
        self.groups = groups


def packed(groups: list[tb.Group], partition_bytes: int, max_partitions: int) -> list[Partition]:
    """Packs groups, the largest first, into partitions of about `partition_bytes`; a larger group is one."""
    size = sum(max(0, group.size) for group in groups)
    room = max(partition_bytes, -(-size // max_partitions))
    partitions: list[Partition] = []
    used = 0
    for group in sorted(groups, key=lambda group: (-group.size, group.name)):
        if not partitions or used + group.size > room:
            partitions.append(Partition([]))
            used = 0
        partitions[-1].groups.append(group)
        used += max(0, group.size)
    return partitions


class Reader(DataSourceReader):
    """Lists the groups on the driver, and reads those of a partition in a task."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._options = dict(options)

    def _paths(self) -> list[str]:
        if "paths" in self._options:
            return list(json.loads(self._options["paths"]))
        if "path" in self._options:
            return [self._options["path"]]
        raise tb.UsageError("load() needs a folder, a glob or paths")

    def partitions(self) -> list[Partition]:
        options = self._options
        groups = tb.fleet(self._paths(), jobs=1, **_keywords(options)).groups
        return packed(list(groups), int(options.get("partition_bytes", 128 << 20)),
                      int(options.get("max_partitions", 100_000)))

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        if not isinstance(partition, Partition):  # Spark's only partition of a source without any
            return
        fleet = tb.fleet([], jobs=1, progress=False, **_keywords(self._options)).of(partition.groups)
        result = fleet.sql(_statement(self._options), types=_types(self._options), where=self._options.get("where"))
        schema = pa.schema([(field.name, _ARROW_TYPES[field.type]) for field in result.schema])
        for batch in result.to_reader():
            yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)


class DefaultSource(DataSource):
    """One statement over a folder, a glob or a list of traces. Options: sql or table, where, types, partition_bytes,
    max_partitions, those of tracebraid.fleet(), and those of opening."""

    @classmethod
    def name(cls) -> str:
        return "tracebraid"

    def schema(self) -> StructType:
        """The columns, which follow from the statement: no trace is read."""
        statement = tb.fleet([], jobs=1, **_keywords(self.options)).statement(
            _statement(self.options), _types(self.options), self.options.get("where"))
        return StructType([StructField(field.name, _SPARK_TYPES[field.type]()) for field in statement.schema()])

    def reader(self, schema: StructType) -> Reader:
        return Reader(self.options)
