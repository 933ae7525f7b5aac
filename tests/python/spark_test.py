#!/usr/bin/env python3
"""The data source of Spark, in a local Spark of two threads and in a cluster of two executors, and Spark as a reader of lakes.
Needs pyspark, pyarrow and Java."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

os.environ["PYSPARK_PYTHON"] = sys.executable
from pyspark.sql import SparkSession  # noqa: E402

import tracebraid as tb  # noqa: E402

SQL = "SELECT name, count(*) AS n, sum(dur) AS total FROM slice GROUP BY name"


class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
                     .config("spark.sql.shuffle.partitions", 1).getOrCreate())
        cls.spark.sparkContext.setLogLevel("OFF")
        cls.addClassCleanup(cls.spark.stop)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for i in range(6):
            (cls.folder / f"{i}.json").write_text(json.dumps({"traceEvents": [
                {"ph": "X", "pid": 1, "tid": 1, "ts": 100 * j, "dur": 10, "name": "work"} for j in range(i + 1)]}))

    def load(self, sql=SQL, path=None, **options):
        reader = self.spark.read.format("tracebraid").option("sql", sql)
        return reader.options(**options).load(str(path or self.folder))

    def test_rows_and_types_are_those_of_the_fleet(self):
        frame = self.load(partition_bytes=1000)
        self.assertEqual([kind for _, kind in frame.dtypes], ["string"] * 4 + ["bigint"] * 2)
        self.assertGreater(frame.rdd.getNumPartitions(), 1)
        rows = sorted(tuple(row) for row in frame.collect())
        self.assertEqual(rows, [tuple(row) for row in tb.fleet(self.folder, sort=True, jobs=1).sql(SQL)])

    def test_filters_after_other_queries_lose_no_rows(self):
        frame = self.load("SELECT count(*) AS n FROM slice").cache()
        self.assertEqual(frame.where("n = 1").count(), 1)
        self.assertEqual(frame.where("n = 1 OR n = 2").count(), 2)

    def test_pick_and_where_equal_filters_of_spark(self):
        frame = self.load("SELECT count(*) AS n FROM slice")
        for options, filtered in (({"pick": "_size > 200"}, "_group > '1.json'"), ({"where": "n % 2 = 0"}, "n % 2 = 0")):
            picked = self.load("SELECT count(*) AS n FROM slice", **options)
            rows = sorted(tuple(row) for row in picked.collect())
            self.assertEqual(rows, sorted(tuple(row) for row in frame.where(filtered).collect()))
            self.assertTrue(0 < len(rows) < 6)

    def test_failures_fail_the_query_or_are_skipped(self):
        with tempfile.TemporaryDirectory() as name:
            pathlib.Path(name, "bad.json").write_text("no trace")
            pathlib.Path(name, "good.json").write_text((self.folder / "0.json").read_text())
            with self.assertRaisesRegex(Exception, "bad.json"):
                self.load(path=name).collect()
            self.assertEqual(self.load(path=name, on_error="skip").count(), 1)

    def test_an_empty_folder_has_no_rows(self):
        with tempfile.TemporaryDirectory() as name:
            self.assertEqual(self.load(path=name).collect(), [])

    def test_a_lake_read_by_spark_gives_the_answers_of_the_fleet(self):
        self.spark.conf.set("spark.sql.legacy.parquet.nanosAsLong", True)
        with tempfile.TemporaryDirectory() as name:
            fleet = tb.fleet(os.environ["TRACEBRAID_EXAMPLES"] + "/*.pftrace", jobs=1, sort=True, progress=False)
            fleet.write_lake(name, tables=["slice", "thread", "sched_slice"], buckets=2)
            for table, column in (("slice", "ts"), ("slice", "dur"), ("slice", "depth"), ("thread", "tid"), ("sched_slice", "dur")):
                frame = self.spark.read.option("mergeSchema", True).parquet(f"{name}/{table}")
                rows = frame.groupBy("_group").agg({"*": "count", column: "sum"}).orderBy("_group").collect()
                answers = fleet.sql(f"SELECT count(*) AS n, sum({column}) AS s FROM {table}")
                self.assertEqual(sorted((row["_group"], row["count(1)"], row[f"sum({column})"]) for row in rows),
                                 [(row[0], *row[3:]) for row in answers if row.n])


def processes(text):
    """The ids of processes below this one whose command line has a text."""
    printed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], text=True, stdout=subprocess.PIPE).stdout
    rows = [line.split(None, 2) for line in printed.splitlines()]
    parents = {int(pid): int(parent) for pid, parent, *_ in rows}

    def is_ours(pid):
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()
    return [int(pid) for pid, _, *args in rows if args and text in args[0] and is_ours(int(pid))]


class SparkCluster(unittest.TestCase):
    """Runs after Spark, whose session ended: there is one a process."""

    def test_the_tasks_of_a_killed_executor_run_again(self):
        spark = (SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", False)
                 .config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", "")).getOrCreate())
        self.addCleanup(spark.stop)
        spark.sparkContext.setLogLevel("OFF")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for i in range(8):
            pathlib.Path(folder.name, f"{i}.json").write_text(json.dumps({"traceEvents": [
                {"ph": "X", "pid": 1, "tid": 1, "ts": 100 * j, "dur": 10, "name": "work"} for j in range(i + 1)]}))
        # Takes a while in each trace, so that the executor is killed in the middle.
        slow = """SELECT (SELECT count(*) FROM slice) AS n, count(*) AS steps FROM (
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000000) SELECT i FROM c)"""
        killed = []

        def kill():
            deadline = time.monotonic() + 120
            while time.monotonic() < deadline and not processes("_fleet.worker"):
                time.sleep(0.05)
            killed.extend(processes("CoarseGrainedExecutorBackend")[:1])
            os.kill(killed[0], signal.SIGKILL)
        thread = threading.Thread(target=kill)
        thread.start()
        frame = spark.read.format("tracebraid").option("sql", slow).options(types="n=int64,steps=int64", partition_bytes=1).load(
            folder.name)
        rows = sorted(tuple(row) for row in frame.collect())
        thread.join()
        self.assertEqual(len(killed), 1)
        self.assertEqual([(row[0], *row[3:]) for row in rows], [(f"{i}.json", i + 1, 1000000) for i in range(8)])


if __name__ == "__main__":
    unittest.main()
