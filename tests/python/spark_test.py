#!/usr/bin/env python3
"""The data source of Spark, in a local Spark of two threads. Needs pyspark, pyarrow and Java."""
import json
import os
import pathlib
import sys
import tempfile
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


if __name__ == "__main__":
    unittest.main()
