"""Streams of a folder: the groups that are new since the last micro-batch."""
from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyspark.sql.datasource import DataSourceStreamReader

import tracebraid as tb

from ._options import Options
from ._read import Partition, partitions_of, read_partition


class StreamPartition(Partition):
    """Groups of one micro-batch that one task reads. `time` is that of the listing, in ns."""

    time = 0


def _is_settled(group: tb.Group, before: float) -> bool:
    """Whether no file of a group changed since a time. The time of the last change of the inode counts, too, because
    programs that copy files set the other one to that of the original."""
    for path in group.paths:
        try:
            stat = os.stat(path)
        except OSError:
            if "://" in path:
                continue  # stores show objects when they are whole
            return False
        if max(stat.st_mtime, stat.st_ctime) > before:
            return False
    return True


class StreamReader(DataSourceStreamReader):
    """Gives each group once. An offset has the time of a listing and the names of all groups until then."""

    def __init__(self, options: Options) -> None:
        self._options = options
        options.fields()
        self._last = self.initialOffset()

    def _groups(self) -> dict[str, tb.Group]:
        return {group.name: group for group in self._options.fleet(self._options.paths()).groups}

    def initialOffset(self) -> dict[str, Any]:
        return {"time": 0, "groups": {}}

    def latestOffset(self, start: dict[str, Any] | None = None, limit: Any = None) -> dict[str, Any]:
        """The offset with all groups that are settled. Spark before 4.2 gives no arguments."""
        now = time.time()
        begin = start or self._last
        known = begin["groups"]
        fresh = [name for name, group in self._groups().items()
                 if name not in known and _is_settled(group, now - self._options.settle)]
        if fresh:
            begin = {"time": time.time_ns(), "groups": {**known, **dict.fromkeys(fresh, 1)}}
        self._last = begin
        return begin

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[Partition]:
        names = [name for name in end["groups"] if name not in start["groups"]]
        if not names:
            return []
        groups = self._groups()
        gone = [name for name in names if name not in groups]
        if gone and self._options.get("on_error", "fail") == "fail" and self._options.errors is None:
            raise tb.NotFound(f"{gone[0]}: the group was listed for this micro-batch, and is gone")
        made = []
        for partition in partitions_of(self._options, [groups[name] for name in names if name in groups]):
            part = StreamPartition(partition.number, partition.groups)
            part.time = end["time"]
            made.append(part)
        return list(made)

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        if isinstance(partition, StreamPartition):
            yield from read_partition(self._options, partition, f"part-{partition.time}-{partition.number:06}")
