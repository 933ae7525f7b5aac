#!/usr/bin/env python3
"""The data source of Spark, in a local Spark of two threads and in a cluster of two executors, and Spark as a reader of lakes.
Needs pyspark, pyarrow and Java."""
from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from unittest import mock

os.environ["PYSPARK_PYTHON"] = sys.executable
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
from pyspark.sql import DataFrame, DataFrameReader, SparkSession  # noqa: E402
from pyspark.sql.datasource import DataSource, DataSourceReader, EqualTo, Filter, InputPartition  # noqa: E402
from pyspark.sql.types import StructType  # noqa: E402

import tracebraid as tb  # noqa: E402

SQL = "SELECT name, count(*) AS n, sum(dur) AS total FROM slice GROUP BY name"


def session() -> SparkSession:
    """The session of two threads, which SparkCluster ends."""
    made = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
            .config("spark.sql.shuffle.partitions", 1).getOrCreate())
    made.sparkContext.setLogLevel("OFF")
    return made


class Spark(unittest.TestCase):
    spark: SparkSession
    folder: pathlib.Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.spark = session()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for i in range(6):
            (cls.folder / f"{i}.json").write_text(json.dumps({"traceEvents": [
                {"ph": "X", "pid": 1, "tid": 1, "ts": 100 * j, "dur": 10, "name": "work"} for j in range(i + 1)]}))

    def load(self, sql: str = SQL, path: str | pathlib.Path | None = None, **options: Any) -> DataFrame:
        reader = self.spark.read.format("tracebraid").option("sql", sql)
        return reader.options(**options).load(str(path or self.folder))

    def test_rows_and_types_are_those_of_the_fleet(self) -> None:
        frame = self.load(partition_bytes=1000)
        self.assertEqual([kind for _, kind in frame.dtypes], ["string"] * 4 + ["bigint"] * 2)
        self.assertGreater(frame.rdd.getNumPartitions(), 1)
        rows = sorted(tuple(row) for row in frame.collect())
        self.assertEqual(rows, [tuple(row) for row in tb.fleet(self.folder, sort=True, jobs=1).sql(SQL)])

    def test_filters_after_other_queries_lose_no_rows(self) -> None:
        frame = self.load("SELECT count(*) AS n FROM slice").cache()
        self.assertEqual(frame.where("n = 1").count(), 1)
        self.assertEqual(frame.where("n = 1 OR n = 2").count(), 2)

    def test_pick_and_where_equal_filters_of_spark(self) -> None:
        frame = self.load("SELECT count(*) AS n FROM slice")
        for options, filtered in (({"pick": "_size > 200"}, "_group > '1.json'"), ({"where": "n % 2 = 0"}, "n % 2 = 0")):
            picked = self.load("SELECT count(*) AS n FROM slice", **options)
            rows = sorted(tuple(row) for row in picked.collect())
            self.assertEqual(rows, sorted(tuple(row) for row in frame.where(filtered).collect()))
            self.assertTrue(0 < len(rows) < 6)

    def test_failures_fail_the_query_or_are_skipped(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            pathlib.Path(name, "bad.json").write_text("no trace")
            pathlib.Path(name, "good.json").write_text((self.folder / "0.json").read_text())
            with self.assertRaisesRegex(Exception, "bad.json"):
                self.load(path=name).collect()
            self.assertEqual(self.load(path=name, on_error="skip").count(), 1)

    def test_a_schema_or_columns_select_columns(self) -> None:
        def table(**options: Any) -> DataFrameReader:
            return self.spark.read.format("tracebraid").option("table", "slice").options(**options)
        path = str(self.folder)
        frame = table(columns="ts, dur").load(path)
        self.assertEqual(frame.columns, ["_group", "_trace", "_trace_uri", "ts", "dur"])
        self.assertEqual(frame.groupBy().sum("dur").collect()[0][0], 210_000)
        frame = table().schema("dur bigint, _group string").load(path)
        self.assertEqual(sorted(tuple(row) for row in frame.where("_group < '2'").collect()),
                         [(10_000, "0.json")] + [(10_000, "1.json")] * 2)
        self.assertEqual(table().schema("_group string").load(path).count(), 21)
        reader = self.spark.read.format("tracebraid").option("sql", "SELECT iif(id > 0, id, NULL) AS i, name FROM slice")
        self.assertEqual(reader.schema("i bigint").load(path).where("i IS NULL").count(), 6)
        for reader, message in ((table().schema("nope bigint"), "nope"), (table().schema("_group bigint"), "_group is utf8"),
                                (table().schema("ts int"), "ts is int"), (table(columns="nope"), "nope"),
                                (self.spark.read.format("tracebraid"), "one of the options sql and table"),
                                (table(sql="SELECT 1"), "one of the options sql and table"),
                                (table(mode="x"), "mode is"), (table(on_error="fail", errors="x"), "errors goes with")):
            with self.assertRaisesRegex(Exception, message):
                reader.load(path).collect()

    def test_a_view_of_sql_has_the_options(self) -> None:
        self.spark.sql(f"CREATE TEMPORARY VIEW v USING tracebraid OPTIONS (SQL '{SQL}', Path '{self.folder}')")
        self.addCleanup(self.spark.sql, "DROP VIEW v")
        self.assertEqual(self.spark.sql("SELECT sum(n) FROM v").collect()[0][0], 21)

    def test_errors_are_files_or_rows(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            runs, errors = pathlib.Path(name, "runs"), pathlib.Path(name, "errors")
            runs.mkdir()
            for i in range(6):
                (runs / f"{i}.json").write_bytes((self.folder / f"{i}.json").read_bytes() if i % 2 else b"no trace")
            expected = tb.fleet(runs, jobs=1, on_error="rows", sort=True)
            rows = [tuple(row) for row in expected.sql(SQL)]
            wrong = [(e.group, e.stage, e.code) for e in expected.errors]
            for _ in range(2):  # files of an earlier run are replaced
                frame = self.load(path=runs, errors=str(errors), partition_bytes=100)
                self.assertEqual(sorted(tuple(row) for row in frame.collect()), rows)
                found = self.spark.read.parquet(str(errors)).collect()
                self.assertEqual(sorted((row["_group"], row["stage"], row["code"]) for row in found), wrong)
            self.assertEqual({path.suffix for path in errors.iterdir()}, {".parquet"})
            frame = self.load(path=runs, mode="errors")
            self.assertEqual(sorted((row["_group"], row["stage"], row["code"]) for row in frame.collect()), wrong)
            self.assertEqual(dict(frame.dtypes)["seconds"], "double")

    def test_functions_that_need_pandas_name_the_extra(self) -> None:
        with mock.patch.dict(sys.modules, {"pandas": None}):
            for call in (lambda: tb.spark.query_binary(None, "SELECT 1"), lambda: tb.spark.write_lake(None, "runs", "lake")):
                with self.assertRaisesRegex(tb.MissingDependency, r"needs pandas.*tracebraid\[spark\]"):
                    call()

    def test_writing_names_what_to_do(self) -> None:
        frame = self.spark.range(1)
        with self.assertRaisesRegex(Exception, "only reads; frame.write.parquet"):
            frame.write.format("tracebraid").mode("append").save("x")

    def test_a_worker_process_serves_the_tasks_of_a_python_worker(self) -> None:
        # Workers of Python processes that earlier tests began live on.
        before, seen = set(processes("fleet-worker")), set()
        done = threading.Event()

        def look() -> None:
            while not done.wait(0.02):
                seen.update(set(processes("fleet-worker")) - before)
        thread = threading.Thread(target=look)
        thread.start()
        self.assertEqual(self.load(partition_bytes=1).rdd.getNumPartitions(), 6)
        self.assertEqual(self.load(partition_bytes=1).count(), 6)
        done.set()
        thread.join()
        self.assertLessEqual(len(seen), 2, "two tasks run at once")

    def test_another_version_on_an_executor_is_named(self) -> None:
        from pyspark_tracebraid._read import Partition
        partition = Partition(0, [])
        partition.check_python()
        partition.planner = partition.planner.replace("on Python 3.", "on Python 4.")
        self.assertRaisesRegex(tb.UsageError, "PYSPARK_PYTHON names", partition.check_python)

    def test_registering_warns_where_executors_have_no_room(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tb.spark.register(self.spark)
        conf = {"spark.master": "yarn", "spark.executor.memory": "8g", "spark.executor.cores": "4"}
        session = mock.Mock(**{"conf.get.side_effect": lambda name, default: conf.get(name, default)})
        with self.assertWarnsRegex(tb.TraceWarning, "memoryOverhead is 819 MiB, and 4 worker"):
            tb.spark.register(session)
        conf["spark.executor.memoryOverhead"] = "64g"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tb.spark.register(session)

    def test_traces_in_a_column_of_bytes(self) -> None:
        files = self.spark.read.format("binaryFile").load(str(self.folder))
        rows = tb.spark.query_binary(files, "SELECT count(*) AS n FROM slice").collect()
        self.assertEqual(sorted((pathlib.Path(row["_trace_uri"]).name, row["n"]) for row in rows),
                         [(f"{i}.json", i + 1) for i in range(6)])
        self.assertTrue(all(row["_group"] == row["_trace"] == row["_trace_uri"] for row in rows))
        grouped = tb.spark.query_binary(files, "SELECT count(*) AS n FROM process", group=r"(?P<half>[012])?\.json",
                                        provenance="full").collect()
        self.assertEqual(sorted((row["_group"], row["_half"]) for row in grouped), [("", ""), ("0", "0"), ("1", "1"), ("2", "2")])
        with self.assertRaisesRegex(Exception, "0.json: the regex"):
            tb.spark.query_binary(files, SQL, group=r"/([1-9])\.json").collect()
        self.assertEqual(tb.spark.query_binary(files, SQL, group=r"/([12])\.json", ungrouped="skip").count(), 2)

    def test_failures_of_traces_in_a_column_name_their_paths(self) -> None:
        frame = self.spark.createDataFrame([("hdfs://x/a.json", bytearray(b"no trace"))], "path string, content binary")
        (row,) = tb.spark.query_binary(frame, SQL, mode="errors").collect()
        self.assertEqual((row["_group"], row["stage"], row["file"]), ("hdfs://x/a.json", "open", "hdfs://x/a.json"))
        self.assertNotIn("/tmp", row["message"])
        with self.assertRaisesRegex(Exception, "hdfs://x/a.json"):
            tb.spark.query_binary(frame, SQL).collect()

    def await_end(self, query: Any) -> None:
        """Waits until a stream has ended, as long as it goes on: on a busy machine, each step takes a while."""
        last, since = None, time.monotonic()
        while not query.awaitTermination(5):
            tracker = self.spark.sparkContext.statusTracker()
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            now = (query.status, query.lastProgress, [(info.stageId, info.numCompletedTasks, info.numActiveTasks) for info in stages if info])
            if now != last:
                last, since = now, time.monotonic()
            self.assertLess(time.monotonic() - since, 600, f"the stream stands still: {now}")
        self.assertIsNone(query.exception())

    def test_a_stream_gives_each_group_once_also_after_a_restart(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            runs, out = pathlib.Path(name, "runs"), pathlib.Path(name, "out")
            runs.mkdir()

            def run(settle: str = "0s") -> list[tuple[str, int]]:
                stream = self.spark.readStream.format("tracebraid").options(sql="SELECT count(*) AS n FROM slice", settle=settle)
                query = (stream.load(str(runs)).writeStream.format("parquet").option("path", str(out))
                         .option("checkpointLocation", f"{name}/checkpoint").trigger(availableNow=True).start())
                self.await_end(query)
                rows = self.spark.read.parquet(str(out)).collect() if list(out.glob("*.parquet")) else []
                return sorted((row["_group"], row["n"]) for row in rows)

            def add(i: int) -> None:
                (runs / f"{i}.json").write_bytes((self.folder / f"{i}.json").read_bytes())
            add(0)
            add(1)
            self.assertEqual(run("1h"), [])
            self.assertEqual(run(), [("0.json", 1), ("1.json", 2)])
            self.assertEqual(run(), [("0.json", 1), ("1.json", 2)])
            add(2)
            add(0)  # is not read again
            self.assertEqual(run(), [("0.json", 1), ("1.json", 2), ("2.json", 3)])

    def test_a_lake_written_by_spark_equals_that_of_the_fleet(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            runs, lakes = pathlib.Path(name, "runs"), [f"{name}/ours", f"{name}/sparks"]
            runs.mkdir()
            for i in range(6):
                (runs / f"{i}.json").write_bytes((self.folder / f"{i}.json").read_bytes())
            (runs / "bad.json").write_text("no trace")

            def write() -> Iterator[int | None]:
                options: dict[str, Any] = {"tables": ["slice", "thread"], "buckets": 2, "on_error": "skip"}
                with self.assertWarnsRegex(tb.TraceWarning, "1 of . groups were skipped: bad.json"):
                    yield tb.spark.write_lake(self.spark, str(runs), lakes[1], partition_bytes=500, **options)
                on_error = options.pop("on_error")
                with self.assertWarns(tb.TraceWarning):
                    yield tb.fleet(str(runs), jobs=1, progress=False, on_error=on_error).write_lake(lakes[0], **options)

            def rows(lake: str, table: str) -> list[str]:
                tables = [pq.ParquetFile(path).read() for path in tb.Lake(lake).files(table)]
                return sorted(map(repr, (row for table in tables for row in table.to_pylist())))
            for version in (1, 2):
                self.assertEqual(list(write()), [version, version])
                for table in ("slice", "thread", "traces"):
                    self.assertEqual(rows(lakes[0], table), rows(lakes[1], table))
                (runs / "3.json").write_bytes((self.folder / "5.json").read_bytes())
            (runs / "bad.json").write_bytes((self.folder / "5.json").read_bytes())
            self.assertEqual(tb.spark.write_lake(self.spark, str(runs), lakes[1], tables=["slice"]), 3)
            self.assertIsNone(tb.spark.write_lake(self.spark, str(runs), lakes[1], tables=["slice"]))
            (runs / "worse.json").write_text("no trace")
            with self.assertRaisesRegex(Exception, "worse.json"):
                tb.spark.write_lake(self.spark, str(runs), lakes[1], tables=["slice"])
            self.assertEqual((tb.Lake(lakes[1]).version, os.listdir(lakes[1] + "/_tracebraid/staging")), (3, []))

    def test_the_code_of_the_manual_runs(self) -> None:
        page = (pathlib.Path(os.environ["TRACEBRAID_EXAMPLES"]).parent / "docs/fleet.md").read_text()
        code = [text for language, text in re.findall(r"^```(\w*)\n(.*?)^```$", page, re.M | re.S)
                if not language and "spark." in text]
        self.assertEqual(len(code), 3)
        with tempfile.TemporaryDirectory() as name:
            for path in ("runs/run-1", "incoming"):
                shutil.copytree(self.folder, f"{name}/{path}")
            text = "\n".join(code).replace("hdfs://cluster/runs", f"{name}/runs/run-1")
            for relative in ('"runs"', '"incoming"', '"checkpoint"', '"rows"'):  # Spark has the working folder of its begin
                text = text.replace(f"({relative})", f"({f'{name}/{relative[1:-1]}'!r})").replace(
                    ', "checkpoint")', f", {f'{name}/checkpoint'!r})")
            names: dict[str, Any] = {"spark": self.spark, "tb": tb}
            exec(text.replace('settle="60s"', 'settle="0s"'), names)
            for query in self.spark.streams.active:
                query.processAllAvailable()
                query.stop()
            self.assertEqual(self.spark.read.parquet(f"{name}/rows").count(), 21)
            self.assertEqual([(row["_group"], row["n"]) for row in names["frame"].collect()], [("1", 21)])

    def test_an_empty_folder_has_no_rows(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            self.assertEqual(self.load(path=name).collect(), [])

    def test_a_lake_read_by_spark_gives_the_answers_of_the_fleet(self) -> None:
        self.spark.conf.set("spark.sql.legacy.parquet.nanosAsLong", True)
        with tempfile.TemporaryDirectory() as name:
            fleet = tb.fleet(os.environ["TRACEBRAID_EXAMPLES"] + "/*.pftrace", jobs=1, sort=True, progress=False)
            fleet.write_lake(name, tables=["slice", "thread", "sched_slice", "process"], buckets=2)
            columns = {"slice": ("ts", "dur", "depth", "track_id", "parent_id", "arg_set_id", "ts_uncertainty_ns"),
                       "thread": ("id", "utid", "tid", "upid"), "sched_slice": ("id", "ts", "dur", "cpu", "utid", "priority"),
                       "process": ("id", "upid", "pid")}
            for table, column in ((table, column) for table, names in columns.items() for column in names):
                frame = self.spark.read.option("mergeSchema", True).parquet(f"{name}/{table}")
                rows = frame.groupBy("_group").agg({"*": "count", column: "sum"}).orderBy("_group").collect()
                value = "clock_error(ts, NULL, NULL, 'REALTIME', NULL)" if column == "ts_uncertainty_ns" else column
                answers = fleet.sql(f"SELECT count(*) AS n, sum({value}) AS s FROM {table}", types={"n": "int64", "s": "int64"})
                self.assertEqual(sorted((row["_group"], row["count(1)"], row[f"sum({column})"]) for row in rows),
                                 [(row[0], *row[3:]) for row in answers if row.n])


class Toy(DataSource):
    """A source of the values 1, 2, 3 for tests of Spark itself. Option "of" says what is odd about it."""

    @classmethod
    def name(cls) -> str:
        return "toy"

    def schema(self) -> str:
        return "v bigint, w string"

    def reader(self, schema: StructType) -> DataSourceReader:
        return PushedReader(self.options) if self.options.get("of") == "filters" else ToyReader(self.options)


class ToyReader(DataSourceReader):
    def __init__(self, options: Mapping[str, str]) -> None:
        self.options = dict(options)

    def partitions(self) -> list[InputPartition]:
        if "calls" in self.options:
            with open(self.options["calls"], "a") as file:
                file.write("x")
        return [] if self.options.get("of") == "nothing" else [InputPartition(0)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        if self.options.get("of") == "nothing":
            yield (-1 if partition.value is None else 0, "")
            return
        if self.options.get("of") == "options":
            yield (0, json.dumps(self.options))
            return
        if self.options.get("of") == "python":
            yield (os.getpid(), sys.executable)
            return
        values = pa.array([1, 2, 3])
        texts = pa.array(["a", "b", "c"])
        odd = {"dictionary": texts.dictionary_encode(), "large": texts.cast(pa.large_string())}.get(self.options.get("of", ""), texts)
        if self.options.get("of") == "not null":
            yield pa.RecordBatch.from_arrays([values, texts], schema=pa.schema([pa.field("v", pa.int64(), False), ("w", pa.utf8())]))
            return
        yield pa.RecordBatch.from_arrays([values, odd], names=["v", "w"])


class PushedReader(ToyReader):
    """Skips rows that pushed filters exclude, and leaves all filters to be evaluated by Spark, too."""

    def __init__(self, options: Mapping[str, str]) -> None:
        super().__init__(options)
        self.wanted = {1, 2, 3}

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        for each in filters:
            if isinstance(each, EqualTo):
                self.wanted &= {each.value}
            yield each

    def read(self, partition: InputPartition) -> Iterator[Any]:
        return iter([(value, "") for value in sorted(self.wanted)])


class Facts(unittest.TestCase):
    """What the data source relies on, or works around, in the installed Spark. A failure here may be good news."""

    spark: SparkSession

    @classmethod
    def setUpClass(cls) -> None:
        cls.spark = session()
        cls.spark.dataSource.register(Toy)

    def load(self, of: str = "", *paths: Any, **options: Any) -> DataFrame:
        return self.spark.read.format("toy").options(of=of, **options).load(*paths)

    def test_batches_must_equal_the_schema(self) -> None:
        self.assertEqual(self.load().count(), 3)
        for of in ("dictionary", "large", "not null"):
            with self.assertRaisesRegex(Exception, "DATA_SOURCE_RETURN_SCHEMA_MISMATCH"):
                self.load(of).collect()

    def test_columns_are_not_pruned(self) -> None:
        plan = self.load().select("v")._jdf.queryExecution().executedPlan().toString()
        self.assertRegex(plan, r"BatchScan.*\[v#\d+L?, w#\d+\]")

    def test_pushed_filters_lose_rows_in_other_queries(self) -> None:
        self.spark.conf.set("spark.sql.python.filterPushdown.enabled", True)
        self.addCleanup(self.spark.conf.unset, "spark.sql.python.filterPushdown.enabled")
        frame = self.load("filters")
        self.assertEqual(sorted(row["v"] for row in frame.where("v = 1").collect()), [1])
        self.assertEqual(sorted(row["v"] for row in frame.where("v = 1 OR v = 2").collect()), [1],
                         "Spark is mended: pushFilters can be implemented")

    def test_readers_that_push_filters_are_errors_by_default(self) -> None:
        with self.assertRaisesRegex(Exception, "(?i)filterpushdown"):
            self.load("filters").where("v = 1").collect()

    def test_no_partition_becomes_one_of_none(self) -> None:
        self.assertEqual([row["v"] for row in self.load("nothing").collect()], [-1])

    def test_partitions_are_listed_once_for_a_frame(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            frame = self.load("", calls=file.name)
            self.assertEqual((frame.count(), frame.count(), pathlib.Path(file.name).read_text()), (3, 3, "x"))

    def test_paths_arrive_as_path_or_paths_and_names_in_lower_case(self) -> None:
        (row,) = self.load("options", "a", MixedCase="X").collect()
        self.assertEqual({name: value for name, value in json.loads(row["w"]).items() if name != "of"},
                         {"path": "a", "mixedcase": "X"})
        (row,) = self.load("options", ["a", "b"]).collect()
        self.assertEqual(json.loads(json.loads(row["w"])["paths"]), ["a", "b"])

    def test_readers_run_in_processes_of_the_python_that_is_named(self) -> None:
        (row,) = self.load("python").collect()
        self.assertNotEqual(row["v"], os.getpid())
        self.assertEqual(os.path.realpath(row["w"]), os.path.realpath(os.environ["PYSPARK_PYTHON"]))


def processes(text: str) -> list[int]:
    """The ids of processes below this one whose command line has a text."""
    printed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], text=True, stdout=subprocess.PIPE).stdout
    rows = [line.split(None, 2) for line in printed.splitlines()]
    parents = {int(pid): int(parent) for pid, parent, *_ in rows}

    def is_ours(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()
    return [int(pid) for pid, _, *args in rows if args and text in args[0] and is_ours(int(pid))]


class Submitted(unittest.TestCase):
    SCRIPT = """
import json, sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
frame = spark.read.format("tracebraid").option("sql", sys.argv[2]).load(sys.argv[1])
print("ROWS", json.dumps([frame.columns, sorted(map(list, frame.collect()))]))
spark.stop()
"""

    def test_a_script_of_spark_submit_gets_the_rows_of_the_fleet_on_a_cluster(self) -> None:
        import pyspark
        with tempfile.TemporaryDirectory() as name:
            script, runs = pathlib.Path(name, "script.py"), pathlib.Path(name, "runs")
            runs.mkdir()
            script.write_text(self.SCRIPT)
            for i in range(4):
                (runs / f"{i}.json").write_text(json.dumps({"traceEvents": [
                    {"ph": "X", "pid": 1, "tid": 1, "ts": 100 * j, "dur": 10, "name": "work"} for j in range(i + 1)]}))
            submit = pathlib.Path(pyspark.__file__).parent / "bin/spark-submit"
            done = subprocess.run(["bash", submit, "--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false", "--conf",
                                   f"spark.executorEnv.PYTHONPATH={os.environ.get('PYTHONPATH', '')}", script, runs, SQL],
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            printed = [line for line in done.stdout.splitlines() if line.startswith("ROWS ")]
            self.assertEqual((done.returncode, len(printed)), (0, 1), done.stderr)
            result = tb.fleet(runs, jobs=1, sort=True, progress=False).sql(SQL)
            self.assertEqual(json.loads(printed[0][5:]), [result.columns, [list(row) for row in result]])


class SparkCluster(unittest.TestCase):
    """Runs after the others, whose session ends: there is one a process."""

    def test_the_tasks_of_a_killed_executor_run_again(self) -> None:
        session().stop()
        spark = (SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", False)
                 .config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", "")).getOrCreate())
        self.addCleanup(spark.stop)
        spark.sparkContext.setLogLevel("OFF")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for i in range(8):
            pathlib.Path(folder.name, f"{i}.json").write_text(json.dumps({"traceEvents": [
                {"ph": "X", "pid": 1, "tid": 1, "ts": 100 * j, "dur": 10, "name": "work"} for j in range(i + 1)]}))
        errors = tempfile.TemporaryDirectory()
        self.addCleanup(errors.cleanup)
        for i in range(3):
            pathlib.Path(folder.name, f"bad-{i}.json").write_text("no trace")
        # Takes a while in each trace, so that the executor is killed in the middle.
        slow = """SELECT (SELECT count(*) FROM slice) AS n, count(*) AS steps FROM (
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000000) SELECT i FROM c)"""
        killed = []

        def kill() -> None:
            deadline = time.monotonic() + 120
            while time.monotonic() < deadline and not processes("fleet-worker"):
                time.sleep(0.05)
            killed.extend(processes("CoarseGrainedExecutorBackend")[:1])
            os.kill(killed[0], signal.SIGKILL)
        thread = threading.Thread(target=kill)
        thread.start()
        frame = spark.read.format("tracebraid").option("sql", slow).options(
            types="n=int64,steps=int64", partition_bytes=1, errors=errors.name).load(folder.name)
        rows = sorted(tuple(row) for row in frame.collect())
        thread.join()
        self.assertEqual(len(killed), 1)
        self.assertEqual([(row[0], *row[3:]) for row in rows], [(f"{i}.json", i + 1, 1000000) for i in range(8)])
        failed = [row for path in pathlib.Path(errors.name).glob("*.parquet") for row in pq.read_table(path).to_pylist()]
        self.assertEqual(sorted((row["_group"], row["stage"], row["code"]) for row in failed),
                         [(f"bad-{i}.json", "open", "UNSUPPORTED") for i in range(3)])


if __name__ == "__main__":
    unittest.main()
