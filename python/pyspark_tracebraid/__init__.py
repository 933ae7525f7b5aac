"""The data source "tracebraid" of Spark, which finds it by the name of this package.

    spark.read.format("tracebraid").option("sql", "SELECT ...").load("runs")
"""
from __future__ import annotations

from typing import NoReturn

from pyspark.sql.datasource import DataSource
from pyspark.sql.types import StructType

import tracebraid as tb

from ._options import Options
from ._read import Reader
from ._stream import StreamReader
from ._types import spark_schema

__all__ = ["DefaultSource"]


class DefaultSource(DataSource):
    """One statement over a folder, a glob or a list of traces. Options: sql or table, columns, where, types, mode, errors,
    partition_bytes, max_partitions, settle, those of tracebraid.fleet(), and those of opening."""

    @classmethod
    def name(cls) -> str:
        return "tracebraid"

    def schema(self) -> StructType:
        """The columns, which follow from the statement: no trace is read."""
        return spark_schema(Options(self.options).fields())

    def reader(self, schema: StructType) -> Reader:
        return Reader(Options(self.options, schema))

    def streamReader(self, schema: StructType) -> StreamReader:
        return StreamReader(Options(self.options, schema))

    def writer(self, schema: StructType, overwrite: bool) -> NoReturn:
        raise tb.UsageError("the data source tracebraid only reads; frame.write.parquet(...) writes a frame, and "
                            "tracebraid.spark.write_lake() adds traces to a lake")

    def streamWriter(self, schema: StructType, overwrite: bool) -> NoReturn:
        self.writer(schema, overwrite)
