#!/usr/bin/env python3
"""What the installed package gives to numpy, pandas, polars, pyarrow and duckdb: facts, times, tables, files. Run in
environments with and without each of them; without one, the methods that need it name it (MissingDependency).
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
from collections.abc import Callable
from typing import Any

import tracebraid as tb

EXAMPLES = pathlib.Path(os.environ["TRACEBRAID_EXAMPLES"])
INPUTS = [EXAMPLES / name for name in ("phone.pftrace", "watch.pftrace", "app.json")]
SCAN = "SELECT id, ts, dur, name FROM slice"

# Prints by how many bytes the peak of memory grows when DuckDB reads 40 batches after four.
SCAN_BY_DUCKDB = """
import resource, duckdb, tracebraid as tb
trace, con = tb.open(no_trace=True), duckdb.connect()
con.execute("SET threads = 1; SET enable_progress_bar = false")
def peak_of(batches):
    rows = batches * 65536
    con.register("n", trace.sql(f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {rows - 1}) "
                                "SELECT i, i * 2 AS j, i * 0.5 AS x FROM n", types={"i": "int64", "j": "int64", "x": "float64"}))
    found = con.execute("SELECT sum(i), sum(j), count(x) FROM n").fetchall()
    assert found == [(rows * (rows - 1) // 2, rows * (rows - 1), rows)], found
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
least = peak_of(4)
print(peak_of(40) - least)
"""


def has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def open_examples() -> tb.Trace:
    return tb.open(*INPUTS, manifest=EXAMPLES / "manifest.json")


class Libraries(unittest.TestCase):
    def setUp(self) -> None:
        self.trace = open_examples()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_needs(self, extra: str, method: Callable[..., object], *given: object, **options: object) -> None:
        """The method says that it needs the packages of an extra."""
        with self.assertRaisesRegex(tb.MissingDependency, rf"tracebraid\[{extra}\]") as caught:
            method(*given, **options)
        self.assertIsInstance(caught.exception, ImportError)


class Tables(Libraries):
    def test_facts_are_tables_with_all_columns(self) -> None:
        facts: dict[str, Any] = {name: getattr(self.trace, name)
                                 for name in ("files", "machines", "clocks", "problems", "stats")}
        for name, rows in {**facts, "placements": self.trace.check()}.items():
            with self.subTest(name):
                if has("pandas"):
                    self.assertEqual(len(rows.to_pandas()), len(rows))
                else:
                    self.assert_needs("pandas", rows.to_pandas)
                if has("polars"):
                    self.assertEqual(rows.to_polars().height, len(rows))
                else:
                    self.assert_needs("polars", rows.to_polars)
                if has("pyarrow"):
                    table = rows.to_arrow()
                    self.assertEqual(table.num_rows, len(rows))
                    if name != "placements":
                        import pyarrow
                        self.assertEqual(pyarrow.RecordBatchReader.from_stream(rows).read_all(), table)
                        self.assertEqual(pyarrow.schema(rows), table.schema)
                else:
                    self.assert_needs("arrow", rows.to_arrow)

    def test_the_columns_of_placements_are_those_of_the_report(self) -> None:
        report = self.trace.check()
        if not has("pyarrow"):
            return self.assert_needs("arrow", report.to_arrow)
        table = report.to_arrow()
        self.assertEqual(table.column_names, [
            "file", "machine", "clock", "sequence", "rule", "source", "path", "observations", "offset_start_ns", "offset_end_ns",
            "uncertainty_ns", "stated", "first_ts", "last_ts", "placed", "lost", "lost_no_path", "lost_ambiguous",
            "lost_out_of_range", "before_start", "matched", "assumes", "by_order"])
        self.assertEqual(table.to_pylist(), json.loads(report.to_json())["placements"])
        self.assertEqual([placement.stated for placement in report], table["stated"].to_pylist())

    def test_a_scan_of_polars_reads_columns_and_rows_that_are_asked_for(self) -> None:
        if not has("polars"):
            return self.assert_needs("polars", self.trace.scan, "slice")
        import polars
        lazy = self.trace.scan("slice")
        self.assertEqual(lazy.collect().rows(), self.trace.table("slice").to_polars().rows())
        long = lazy.filter(polars.col("dur") > 1_000_000).select("dur", "name").head(5).collect()
        self.assertEqual(long.rows(), [tuple(row) for row in self.trace.sql(
            "SELECT dur, name FROM slice WHERE dur > 1000000 LIMIT 5")])
        self.assertRaises(tb.SqlError, self.trace.scan, "nope")

    def test_a_scan_of_duckdb_allocates_less_than_two_batches(self) -> None:
        if not has("duckdb"):
            return
        grown = int(subprocess.check_output([sys.executable, "-c", SCAN_BY_DUCKDB], text=True))
        self.assertLess(grown, 2 * 65_536 * 24, "bytes beyond those of a scan of four batches, for 40")

    def test_register_makes_all_public_tables_views(self) -> None:
        if not has("duckdb"):
            return
        import duckdb
        con = duckdb.connect()
        self.trace.register(con)
        for table in ("slice", "thread", "sched_slice", "placement"):
            self.assertEqual(con.sql(f"SELECT count(*) FROM {table}").fetchall(),
                             self.trace.sql(f"SELECT count(*) FROM {table}").fetchall())
        joined = ("SELECT t.name, count(*) AS n FROM thread_state AS s JOIN thread AS t USING (utid) GROUP BY 1 "
                  "ORDER BY 2 DESC, 1 LIMIT 5")
        self.assertEqual(con.sql(joined).fetchall(), self.trace.sql(joined).fetchall())


class Types(Libraries):
    def test_pandas_has_arrow_types_on_request(self) -> None:
        result = self.trace.sql(SCAN)
        if not (has("pandas") and has("pyarrow")):
            return self.assert_needs("arrow" if has("pandas") else "pandas", result.to_pandas, dtype_backend="pyarrow")
        frame = result.to_pandas(dtype_backend="pyarrow")
        self.assertEqual([str(t) for t in frame.dtypes][:3], ["int64[pyarrow]"] * 3)
        self.assertEqual(len(frame), len(result.fetchall()))
        self.assertRaises(ValueError, result.to_pandas, dtype_backend="numpy_nullable")

    def test_a_requested_schema_is_honoured_where_it_loses_nothing(self) -> None:
        if not has("pyarrow"):
            return
        import pyarrow as pa
        sql = "SELECT id, name, dur AS d, 0.5 AS x FROM slice ORDER BY id"
        rows = [tuple(row) for row in self.trace.sql(sql)]
        names = ("id", "name", "d", "x")
        text = pa.dictionary(pa.int32(), pa.utf8())
        for asked, given in (
                ((pa.int64(), pa.utf8(), pa.int64(), pa.float64()), None),
                ((pa.int64(), text, pa.int64(), pa.float64()), None),
                ((pa.int64(), pa.large_utf8(), pa.int64(), pa.float64()), None),
                ((pa.int64(), pa.string_view(), pa.int64(), pa.float64()), None),
                # These would lose values, or are other kinds.
                ((pa.int32(), pa.utf8(), pa.utf8(), pa.float32()), (pa.int64(), pa.utf8(), pa.int64(), pa.float64()))):
            schema = pa.schema(list(zip(names, asked)))
            stream = self.trace.sql(sql).__arrow_c_stream__(schema.__arrow_c_schema__())
            table = pa.RecordBatchReader._import_from_c_capsule(stream).read_all()
            table.validate(full=True)
            self.assertEqual(table.schema.types, list(given or asked))
            self.assertEqual([tuple(row.values()) for row in table.to_pylist()], rows)


class Times(Libraries):
    def setUp(self) -> None:
        super().setUp()
        self.clock = self.trace.clock("REALTIME", machine="watch")
        self.times = [1795176332000169866 + i * 10**8 for i in range(10)]
        self.values, self.bounds = self.clock.convert(self.times)

    def test_arrays_of_numpy_keep_their_type_and_shape(self) -> None:
        if not has("numpy"):
            return
        import numpy
        given = numpy.array(self.times).reshape(2, 5)
        values, bounds = self.clock.convert(given)
        self.assertEqual((values.dtype, values.shape), (numpy.int64, (2, 5)))
        self.assertEqual((values.reshape(-1).tolist(), bounds.reshape(-1).tolist()), (self.values, self.bounds))
        dates, _ = self.clock.convert(given.view("datetime64[ns]"))
        self.assertEqual(dates.dtype, numpy.dtype("datetime64[ns]"))
        self.assertEqual(dates.view("int64").reshape(-1).tolist(), self.values)
        self.assertEqual(self.clock.convert(numpy.array([], dtype="int64"))[0].tolist(), [])
        self.assertRaises(TypeError, self.clock.convert, numpy.array([0.5]))

    def test_arrays_of_arrow_stay_arrays_of_arrow(self) -> None:
        if not (has("pyarrow") and has("numpy")):
            return
        import pyarrow as pa
        values, bounds = self.clock.convert(pa.array(self.times))
        self.assertIsInstance(values, pa.Array)
        self.assertEqual((values.to_pylist(), bounds.to_pylist()), (self.values, self.bounds))

    def test_times_and_bounds_that_are_not_known_are_masked(self) -> None:
        times = [self.times[0], -2**63]  # the second is before all times of the timeline
        values, bounds = self.clock.convert(times)
        self.assertEqual((values, bounds), ([self.values[0], None], [self.bounds[0], None]))
        trace = tb.open(INPUTS[0], INPUTS[2])  # the place of app.json is a guess
        unbounded = trace.clock("REALTIME").convert(times, to=trace.clock("PRIVATE"))
        self.assertEqual((unbounded[0][0] is None, unbounded[1]), (False, [None, None]))
        if not has("numpy"):
            return
        import numpy
        masked, limits = self.clock.convert(numpy.array(times))
        self.assertEqual((masked.mask.tolist(), limits.mask.tolist()), ([False, True], [False, True]))
        _, limits = trace.clock("REALTIME").convert(numpy.array(times), to=trace.clock("PRIVATE"))
        self.assertEqual(limits.mask.tolist(), [True, True])
        if has("pyarrow"):
            import pyarrow as pa
            self.assertEqual([column.to_pylist() for column in self.clock.convert(pa.array(times))], [values, bounds])


class Files(Libraries):
    def test_parquet_and_arrow_files_have_the_rows(self) -> None:
        for kind in ("parquet", "arrow"):
            path = self.folder / f"slices.{kind}"
            if not has("pyarrow"):
                self.assert_needs("arrow", self.trace.export, path, table="slice")
                self.assertEqual(os.listdir(self.folder), [])
                continue
            import pyarrow as pa
            import pyarrow.parquet
            self.trace.export(path, query=SCAN)
            table = pyarrow.parquet.read_table(path) if kind == "parquet" else pa.ipc.open_file(path).read_all()
            self.assertEqual([tuple(row.values()) for row in table.to_pylist()],
                             [tuple(row) for row in self.trace.sql(SCAN)])
            self.assertRaisesRegex(tb.UsageError, "exists", self.trace.export, path, query=SCAN)
            self.trace.export(path, table="thread", force=True)
            self.assertRaises(ValueError, self.trace.export, path, force=True)
            self.assertRaises(TypeError, self.trace.export, path, query=SCAN, machine="phone")
            with self.assertRaises(tb.Timeout):
                self.trace.export(self.folder / f"endless.{kind}", timeout=0.05, query=(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"))
            self.assertFalse((self.folder / f"endless.{kind}").exists())

    def test_an_input_is_never_replaced(self) -> None:
        path = self.folder / "phone.arrow"
        path.write_bytes(INPUTS[0].read_bytes())
        trace = tb.open(path)
        kinds: list[tuple[str, dict[str, Any]]] = [("json", {}), ("arrow", {"table": "slice"}), ("parquet", {"table": "slice"})]
        for to, selection in kinds:
            if to != "json" and not has("pyarrow"):
                continue
            with self.assertRaisesRegex(tb.UsageError, "input"):
                trace.export(path, to=to, force=True, **selection)
            self.assertEqual(path.read_bytes(), INPUTS[0].read_bytes())

    def test_threads_that_write_one_path_leave_one_whole_file(self) -> None:
        path = self.folder / "out"
        kinds: list[tuple[str, dict[str, Any]]] = [("csv", {"query": SCAN})]
        if has("pyarrow"):
            kinds.append(("parquet", {"query": SCAN}))
        for kind, selection in kinds:
            self.trace.export(path, to=kind, force=True, **selection)
            wanted, failures = path.read_bytes(), []

            def write() -> None:
                try:
                    for _ in range(5):
                        self.trace.export(path, to=kind, force=True, **selection)
                except BaseException as error:
                    failures.append(error)
            threads = [threading.Thread(target=write) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(failures, [])
            self.assertEqual((path.read_bytes(), os.listdir(self.folder)), (wanted, ["out"]))


if __name__ == "__main__":
    unittest.main()
