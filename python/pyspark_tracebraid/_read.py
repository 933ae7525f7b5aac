"""Reads a fleet in tasks of Spark: partitions of groups, whose rows and errors a worker process sends."""
from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceReader, InputPartition

import tracebraid as tb
from tracebraid._fleet import pool

from ._options import Options
from ._types import arrow_schema


def _python() -> str:
    """What executors need to have in common with the driver."""
    return f"tracebraid {tb.__version__} on Python {sys.version_info[0]}.{sys.version_info[1]}"


class Partition(InputPartition):
    """Groups that one task reads."""

    def __init__(self, number: int, groups: list[tb.Group]) -> None:
        super().__init__(number)
        self.number = number
        self.groups = groups
        self.planner = f"{_python()} ({sys.executable})"

    def check_python(self) -> None:
        """UsageError if this executor runs another tracebraid or Python than the driver."""
        if not self.planner.startswith(_python() + " "):
            raise tb.UsageError(f"the driver has {self.planner}, and this executor {_python()} ({sys.executable}); "
                                "PYSPARK_PYTHON names the Python of executors")


def packed(groups: Sequence[tb.Group], partition_bytes: int, max_partitions: int) -> list[Partition]:
    """Packs groups, the largest first, into partitions of about `partition_bytes`; a larger group is one."""
    size = sum(max(0, group.size) for group in groups)
    room = max(partition_bytes, -(-size // max_partitions))
    packs: list[list[tb.Group]] = []
    used = 0
    for group in sorted(groups, key=lambda group: (-group.size, group.name)):
        if not packs or used + group.size > room:
            packs.append([])
            used = 0
        packs[-1].append(group)
        used += max(0, group.size)
    return [Partition(number, pack) for number, pack in enumerate(packs)]


def partitions_of(options: Options, groups: Sequence[tb.Group]) -> list[Partition]:
    return packed(groups, int(options.get("partition_bytes", str(128 << 20))), int(options.get("max_partitions", "100000")))


def _write_errors(folder: str, name: str, errors: tb.Errors) -> None:
    """Writes the errors of a partition, also if there are none, because an earlier attempt may have had some."""
    os.makedirs(folder, exist_ok=True)
    context = TaskContext.get()
    unfinished = os.path.join(folder, f".{name}-{os.getpid()}-{context.taskAttemptId() if context else 0}.tmp")
    try:
        pq.write_table(errors.to_arrow(), unfinished)
        os.replace(unfinished, os.path.join(folder, name + ".parquet"))
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)


def read_partition(options: Options, partition: Partition, errors_name: str) -> Iterator[pa.RecordBatch]:
    """The rows of a partition, or its errors. Writes the errors to a file of the folder for them."""
    partition.check_python()
    pool.keep_idle_workers()
    fields = options.fields()
    schema = arrow_schema(fields)
    fleet = options.fleet([]).of(partition.groups)
    rows = fleet.sql(options.statement()["sql"], types=options.statement()["types"], where=options.statement()["where"])
    for batch in rows.to_reader():
        if not options.wants_errors:
            yield pa.RecordBatch.from_arrays([batch.column(field.name) for field in fields], schema=schema)
    if options.wants_errors:
        for batch in fleet.errors.to_arrow().to_batches():
            yield pa.RecordBatch.from_arrays([batch.column(field.name) for field in fields], schema=schema)
    if options.errors is not None:
        _write_errors(options.errors, errors_name, fleet.errors)


class Reader(DataSourceReader):
    """Lists the groups on the driver, and reads those of a partition in a task."""

    def __init__(self, options: Options) -> None:
        self._options = options
        options.fields()  # reports mistakes before anything is listed

    def partitions(self) -> list[Partition]:
        return partitions_of(self._options, self._options.fleet(self._options.paths()).groups)

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        if isinstance(partition, Partition):  # Spark makes one of no groups where there is none
            yield from read_partition(self._options, partition, f"part-{partition.number:06}")
