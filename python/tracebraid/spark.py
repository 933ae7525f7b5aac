"""Fleets on Spark, beside the data source "tracebraid": registering it, traces in columns of a frame, and lakes.

    import tracebraid as tb
    tb.spark.register(spark)
    spark.read.format("tracebraid").option("sql", "SELECT ...").load("runs")
"""
from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._errors import TraceWarning, UsageError, missing
from ._fleet.fleet import Fleet, Settings, fleet
from ._fleet.source import Group, GroupOfPath, Source

if TYPE_CHECKING:
    from ._lake.write import Target

__all__ = ["query_binary", "register", "write_lake"]

_MB = 1 << 20


def _source() -> Any:
    """The package of the data source, which is imported when it is used because it needs pyspark."""
    try:
        return import_module("pyspark_tracebraid")
    except ImportError:
        raise missing("pyspark", "spark") from None


def _megabytes(text: str) -> int:
    """A size of Spark's configuration, in MiB if it has no unit."""
    found = re.fullmatch(r"(\d+)([kmgt]?)b?", text.strip().lower())
    if found is None:
        return 0
    return (int(found[1]) << {"k": 10, "": 20, "m": 20, "g": 30, "t": 40}[found[2]]) // _MB


def _warn_of_memory(spark: Any, limit: int) -> None:
    """Warns if executors have no room for the worker processes."""
    def conf(name: str, default: str) -> str:
        return str(spark.conf.get(name, default))
    if conf("spark.master", "local").startswith("local") and "local-cluster" not in conf("spark.master", "local"):
        return
    memory = _megabytes(conf("spark.executor.memory", "1g"))
    factor = float(conf("spark.executor.memoryOverheadFactor", "0.1"))
    overhead = _megabytes(conf("spark.executor.memoryOverhead", f"{max(384, int(memory * factor))}m"))
    cores = int(conf("spark.executor.cores", "1"))
    if cores * limit > overhead * _MB:
        warnings.warn(f"spark.executor.memoryOverhead is {overhead} MiB, and {cores} worker processes of an executor may need "
                      f"{cores * limit // _MB} MiB: raise it, or lower memory_limit", TraceWarning, stacklevel=3)


def _check_pandas() -> None:
    """MissingDependency without pandas, which Spark needs to run functions over batches, also those of Arrow."""
    try:
        import pandas  # type: ignore[import-untyped, unused-ignore] # noqa: F401
    except ImportError:
        raise missing("pandas", "spark") from None


def register(spark: Any) -> None:
    """Makes the data source known to a session. Needed only where Spark does not find the package pyspark_tracebraid by
    itself. Warns if executors have no room for the worker processes."""
    spark.dataSource.register(_source().DefaultSource)
    _warn_of_memory(spark, fleet([], jobs=1).settings.memory_limit)


def _local_name(path: str) -> str:
    return os.path.basename(path.rstrip("/")) or "trace"


def _rows_of(made: Fleet, group: str, files: list[tuple[str, bytes]], carried: Mapping[str, str],
             rows: Callable[[Fleet], Iterable[Any]]) -> Iterator[Any]:
    """The rows of one group whose files are in memory."""
    with tempfile.TemporaryDirectory(prefix="tracebraid-") as folder:
        paths = []
        for number, (path, content) in enumerate(files):
            os.mkdir(os.path.join(folder, str(number)))
            paths.append(os.path.join(folder, str(number), _local_name(path)))
            with open(paths[-1], "wb") as out:
                out.write(content)
        sizes = tuple(len(content) for _, content in files)
        names = tuple(path for path, _ in files)
        yield from rows(made.of([Group(group, tuple(paths), sizes, carried=dict(carried), names=names)]))


def query_binary(frame: Any, sql: str, *, group: str | None = None, types: Mapping[str, str] | None = None,
                 where: str | None = None, mode: str = "rows", **options: Any) -> Any:
    """The rows of a statement over traces that are in a frame: its columns `path` and `content` are those of the data source
    binaryFile. For files that only Hadoop reaches; each below 2 GB. `group` is a regex as of `fleet()`, or "folder"; the files
    of a group are read at once. With mode="errors" the rows are the errors of the groups. Other options are those of
    `fleet()`."""
    source = _source()
    _check_pandas()
    if mode not in ("rows", "errors"):
        raise UsageError(f"mode is 'rows' or 'errors', not {mode!r}")
    named = GroupOfPath(group)
    ungrouped = options.pop("ungrouped", "error")
    made = fleet([], jobs=1, progress=False, **({**options, "on_error": "rows"} if mode == "errors" else options))
    _warn_of_memory(frame.sparkSession, made.settings.memory_limit)
    carried = named.carried
    statement = made.of([Group("", ("",), carried=dict.fromkeys(carried, ""))]).statement(sql, types, where)
    from ._fleet.errors import error_fields
    fields = error_fields() if mode == "errors" else statement.schema()
    arrow = source._types.arrow_schema(fields)

    def rows(of: Fleet) -> Iterator[Any]:
        import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
        for batch in of.sql(sql, types=types, where=where).to_reader():
            if mode == "rows":
                yield pa.RecordBatch.from_arrays(batch.columns, schema=arrow)
        if mode == "errors":
            for batch in of.errors.to_arrow().to_batches():
                yield pa.RecordBatch.from_arrays(batch.columns, schema=arrow)

    def each(batches: Iterable[Any]) -> Iterator[Any]:
        from ._fleet.pool import keep_idle_workers
        keep_idle_workers()
        for batch in batches:
            for path, content in zip(batch.column("path"), batch.column("content"), strict=True):
                text = path.as_py()
                yield from _rows_of(made, text, [(text, content.as_py())], {}, rows)

    def together(table: Any) -> Any:
        import pyarrow as pa
        from ._fleet.pool import keep_idle_workers
        keep_idle_workers()
        files = sorted(zip(table.column("path").to_pylist(), table.column("content").to_pylist(), strict=True))
        name = table.column("_group")[0].as_py()
        found = named.of(files[0][0])
        batches = list(_rows_of(made, name, files, found[1] if found else {}, rows))
        return pa.Table.from_batches(batches, schema=arrow)

    schema = source._types.spark_schema(fields)
    frame = frame.select("path", "content")
    if group is None:
        return frame.mapInArrow(each, schema)

    def name_of(path: str) -> str | None:
        found = named.of(path)
        if found is None and ungrouped == "error":
            raise UsageError(f"{path}: the regex {group!r} does not match; ungrouped='skip' leaves such files out, 'alone' makes "
                             "each a group")
        return found[0] if found is not None else path if ungrouped == "alone" else None
    from pyspark.sql import functions
    key = functions.udf(lambda path: name_of(path), "string")  # Spark would evaluate the type hints of name_of
    grouped = frame.withColumn("_group", key("path")).where("_group IS NOT NULL")
    return grouped.groupBy("_group").applyInArrow(together, schema)


@dataclass(frozen=True)
class _Pack:
    """Groups of a lake that one task reads, with the digests of those that the lake has."""

    number: int
    groups: list[Group]
    known: dict[str, str | None]


def _packs(groups: Sequence[Group], known: Mapping[str, str | None], folder_of: Callable[[Group], str],
           partition_bytes: int) -> list[_Pack]:
    """Packs groups so that a task writes to few folders."""
    packed = _source()._read.packed
    by_folder: dict[str, list[Group]] = {}
    for group in groups:
        by_folder.setdefault(folder_of(group), []).append(group)
    packs: list[_Pack] = []
    for _, members in sorted(by_folder.items()):
        for partition in packed(members, partition_bytes, 100_000):
            packs.append(_Pack(len(packs), partition.groups,
                               {group.name: known[group.name] for group in partition.groups if group.name in known}))
    return packs


def _stage(pack: _Pack, target: Target, task: dict[str, Any], settings: Settings) -> str:
    """Stages the files of a pack, and returns what the driver needs to commit them, as JSON."""
    from ._fleet.journal import Journal
    from ._fleet.pool import keep_idle_workers
    from ._lake.write import Writing, run_into
    from pyspark import TaskContext  # type: ignore[import-not-found, import-untyped, unused-ignore]
    keep_idle_workers()
    context = TaskContext.get()
    part = f"{target.part}-{pack.number}-{context.taskAttemptId() if context else 0}"
    made = Fleet(pack.groups, settings)
    with tempfile.TemporaryDirectory(prefix="tracebraid-") as folder:
        journal = Journal(os.path.join(folder, "run"), {}, pack.groups, resume=False)
        try:
            run_into(made, task, journal)
            added, replaced = Writing(made, journal, replace(target, part=part), pack.known).stage()
        finally:
            journal.close(is_complete=True)
    return json.dumps({"add": [asdict(file) for file in added], "replaced": sorted(replaced),
                       "failed": [error.group for error in made.errors]})


def write_lake(spark: Any, source: Source, folder: str | os.PathLike[str], *, tables: Sequence[str] | None = None,
               buckets: int = 16, layout: str | None = None, delta: bool = False, partition_bytes: int = 128 * _MB,
               **options: Any) -> int | None:
    """Adds the groups of a source to a lake by tasks of Spark, and returns its version; None if it has them all already: see
    `Fleet.write_lake()`. The driver and all executors see the source and the lake under the same names. Tasks stage files, and
    the driver makes them visible with one commit. Other options are those of `fleet()`."""
    from ._lake.log import LakeFile
    from ._lake.parquet import bucket_of
    from ._lake.write import commit, plan
    _source()
    _check_pandas()
    made = fleet(source, jobs=1, progress=False, **options)
    _warn_of_memory(spark, made.settings.memory_limit)
    planned = plan(made, os.path.abspath(os.fspath(folder)), tables, buckets, layout, delta)
    if not planned.groups:
        return None
    target, task, settings = planned.target(), planned.task(), made.settings
    packs = _packs(planned.groups, planned.known, lambda group: bucket_of(group.name, planned.schema["buckets"]), partition_bytes)

    def stage(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa
        for batch in batches:
            for pickled in batch.column(0).to_pylist():
                yield pa.RecordBatch.from_pydict({"staged": [_stage(pickle.loads(pickled), target, task, settings)]})
    try:
        rows = spark.createDataFrame([(bytearray(pickle.dumps(pack)),) for pack in packs], "pack binary")
        staged = [json.loads(row["staged"]) for row in
                  rows.repartition(len(packs)).mapInArrow(stage, "staged string").collect()]
        added = [LakeFile(**file) for part in staged for file in part["add"]]
        replaced = {name for part in staged for name in part["replaced"]}
        version = commit(target, added, replaced)
        planned.warn(replaced)
    except BaseException:
        shutil.rmtree(os.path.join(target.log.folder, "_tracebraid", "staging", target.staging), ignore_errors=True)
        raise
    failed = sorted(name for part in staged for name in part["failed"])
    if failed:
        warnings.warn(f"{len(failed)} of {len(planned.groups)} groups were skipped: {', '.join(failed[:20])}"
                      f"{', ...' if len(failed) > 20 else ''}", TraceWarning, stacklevel=2)
    return version
