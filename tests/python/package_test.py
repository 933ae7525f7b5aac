#!/usr/bin/env python3
"""The installed Python package. Run in an environment that has it; tests whose libraries are missing check that the
package says so (MissingDependency).
"""
import asyncio
import copy
import doctest
import functools
import gzip
import importlib.util
import inspect
import io
import json
import os
import pathlib
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import tracebraid as tb
import tracebraid._core as core
from tracebraid import _open, _result, _trace

EXAMPLES = pathlib.Path(os.environ["TRACEBRAID_EXAMPLES"])
INPUTS = [EXAMPLES / name for name in ("phone.pftrace", "watch.pftrace", "app.json")]
PROGRAM = pathlib.Path(tb.__file__).parent / "bin/tracebraid"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) AS s FROM n"


def has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


@functools.cache
def big_trace() -> bytes:
    """Takes long enough to open that progress is reported."""
    return json.dumps([{"ph": "X", "ts": i, "dur": 1, "name": str(i), "pid": 1, "tid": 1} for i in range(400_000)]).encode()


def open_examples() -> tb.Trace:
    return tb.open(*INPUTS, manifest=EXAMPLES / "manifest.json")


class Opening(unittest.TestCase):
    def test_memory_in_use_is_that_of_the_trace(self) -> None:
        trace, other = tb.open(INPUTS[0]), tb.open(INPUTS[1])
        before = trace.memory_use
        self.assertGreater(before.tables, 10_000)
        self.assertEqual((before.streams, before.mapped), (0, 0))
        _, state = core.table(trace._open_handle(), "slice", ["ts", "dur"], [])
        batch = core.stream_next(state)
        self.assertEqual(trace.memory_use.streams, core.batch_length(batch) * 16)
        self.assertEqual(other.memory_use.streams, 0)
        del batch, state
        self.assertEqual(trace.memory_use, before)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "t.braid")
            trace.export(path)
            self.assertEqual(tb.open(path).memory_use.mapped, path.stat().st_size)

    def test_inputs_of_all_kinds_give_the_same_rows(self) -> None:
        path = INPUTS[0]
        with open(path, "rb") as file:
            inputs = [str(path), path, path.read_bytes(), ("x", bytearray(path.read_bytes())), file]
            counts = {tb.open(item).sql("SELECT count(*), sum(dur) FROM slice").fetchone() for item in inputs}
        self.assertEqual(len(counts), 1)

    def test_manifest_as_path_dict_and_text(self) -> None:
        text = (EXAMPLES / "manifest.json").read_text()
        reports = [tb.check(*INPUTS, manifest=m).to_json() for m in (EXAMPLES / "manifest.json",)]
        tables = [len(tb.check(*INPUTS, manifest=m)) for m in (text, json.loads(text))]
        self.assertEqual({*tables}, {len(json.loads(reports[0])["placements"])})

    def test_errors_have_classes_places_and_hints(self) -> None:
        with self.assertRaises(tb.NotFound) as caught:
            tb.open("/no/such/file")
        self.assertIsInstance(caught.exception, FileNotFoundError)
        self.assertEqual(caught.exception.file, "/no/such/file")
        with self.assertRaisesRegex(TypeError, "did you mean 'clock_model'"):
            tb.open(INPUTS[0], clock_modle="step")
        with self.assertRaises(ValueError):
            tb.open()
        self.assertEqual(tb.open(no_trace=True).sql("SELECT count(*) FROM slice").scalar(), 0)

    def test_errors_survive_pickling(self) -> None:
        trace = tb.open(INPUTS[0])
        for fails in (lambda: tb.open("/no/such/file"), lambda: tb.open(("x", b"no trace")), lambda: trace.sql("SELEC"),
                      lambda: trace.clock("TAI"), lambda: trace.export("/no/such/folder/x.json")):
            with self.assertRaises(tb.Error) as caught:
                fails()
            copied = pickle.loads(pickle.dumps(caught.exception))
            self.assertIs(type(copied), type(caught.exception))
            self.assertEqual((copied.__dict__, str(copied)), (caught.exception.__dict__, str(caught.exception)))

    def test_a_file_that_cannot_be_read_has_a_place(self) -> None:
        with self.assertRaises(tb.IOFailure) as caught:
            tb.open("/proc/self/mem")
        self.assertIsInstance(caught.exception, OSError)
        self.assertEqual((caught.exception.file, caught.exception.offset), ("/proc/self/mem", 0))

    def test_opening_on_a_thread_takes_the_same_options_and_warns(self) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            trace = asyncio.run(tb.open_async(*INPUTS[:2], threads=1))
        self.assertEqual([w.category for w in caught], [tb.TraceWarning] * len(trace.problems))
        self.assertEqual(inspect.signature(tb.open).parameters.keys(), inspect.signature(tb.open_async).parameters.keys())
        with self.assertRaisesRegex(TypeError, "did you mean 'clock_model'"):
            asyncio.run(tb.open_async(INPUTS[0], clock_modle="step"))

    def test_progress_does_not_decrease_within_a_stage(self) -> None:
        reports = []
        tb.open(("big.json", big_trace()), progress=lambda *report: reports.append(report))
        self.assertGreater(len(reports), 0)
        for (stage, done, _), (next_stage, next_done, _) in zip(reports, reports[1:]):
            if stage == next_stage:
                self.assertGreaterEqual(next_done, done)

    def test_warnings_are_trace_warnings(self) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            trace = tb.open(*INPUTS[:2])
        self.assertEqual([w.category for w in caught], [tb.TraceWarning] * len(trace.problems))
        self.assertGreater(len(caught), 0)

    def test_an_exception_of_the_progress_callable_is_raised(self) -> None:
        def fail(stage: str, done: int, total: int) -> None:
            raise RuntimeError("mine")
        with self.assertRaisesRegex(RuntimeError, "mine"):
            tb.open(("big.json", big_trace()), progress=fail)


class Damaged(unittest.TestCase):
    """Inputs that are damaged or no traces: the program and the package answer the same, of files and of bytes."""

    @staticmethod
    def zip_of(**files: bytes) -> bytes:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return packed.getvalue()

    def inputs(self) -> dict[str, bytes]:
        trace = json.dumps([{"ph": "X", "ts": i, "dur": 1, "pid": 1, "tid": 1, "name": "n"} for i in range(2000)]).encode()
        damaged = bytearray(self.zip_of(a=trace))
        damaged[len(damaged) // 2] ^= 255
        return {"empty": b"", "text": b"no trace", "cut.gz": gzip.compress(trace)[:-20], "damaged.zip": bytes(damaged),
                "noise": random.Random(1).randbytes(5000), "empty.zip": self.zip_of(), "text.zip": self.zip_of(a=b"nothing"),
                "cut.pftrace": INPUTS[0].read_bytes()[:-7], "deep.json": b"[" * 100_000, "zeros": bytes(100_000),
                "wrong.gz": b"\x1f\x8b" + bytes(100), "cut.json": trace[:-30], "half.zip": self.zip_of(a=trace)[:60]}

    def answer_of(self, given: str | pathlib.Path | tuple[str, bytes], folder: str) -> int | tuple[int, str, str]:
        """The number of slices, or code, file and text of the error."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                count: int = tb.open(given).sql("SELECT count(*) FROM slice").scalar()
            except tb.Error as error:
                self.assertIn(type(error), (tb.BadInput, tb.Unsupported))
                return error.code, str(error.file).removeprefix(folder + "/"), error.message.replace(folder + "/", "")
        self.assertGreater(len(caught), 0, given)  # a part is lost, which is not hidden
        return count

    def test_program_and_package_answer_the_same(self) -> None:
        refused = 0
        with tempfile.TemporaryDirectory() as folder:
            for name, content in self.inputs().items():
                path = pathlib.Path(folder, name)
                path.write_bytes(content)
                done = subprocess.run([PROGRAM, "query", path, "SELECT count(*) AS n FROM slice", "--format", "csv", "--quiet"],
                                      text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                with self.subTest(name):
                    answer = self.answer_of(path, folder)
                    self.assertEqual(self.answer_of((name, content), folder), answer)
                    if isinstance(answer, int):
                        self.assertEqual((done.returncode, done.stdout.split()[-1]), (0, str(answer)))
                        continue
                    refused += 1
                    self.assertEqual(done.returncode, 3)
                    self.assertTrue(answer[1].startswith(name))
                    self.assertIn(answer[2], done.stderr.replace(folder + "/", ""))
        self.assertEqual(refused, 8)


class Traces(unittest.TestCase):
    def setUp(self) -> None:
        self.trace = open_examples()

    def test_values_and_parameters(self) -> None:
        row = self.trace.sql("SELECT ? AS i, ?2 AS x, ? AS s, ?4 AS b, ? AS n",
                             [2**63 - 1, 0.5, "é", b"\0\xff", None]).fetchone()
        self.assertEqual(tuple(row), (2**63 - 1, 0.5, "é", b"\0\xff", None))
        self.assertEqual(self.trace.sql("SELECT :a + :b", {"a": 40, "b": 2}).scalar(), 42)
        self.assertRaises(OverflowError, self.trace.sql, "SELECT ?", [2**63])
        self.assertRaises(TypeError, self.trace.sql, "SELECT ?", [object()])

    def test_sql_errors_have_line_column_and_statement(self) -> None:
        with self.assertRaises(tb.SqlError) as caught:
            self.trace.sql("SELECT 1;\n  SELECT nope FROM slice").fetchall()
        self.assertEqual((caught.exception.line, caught.exception.column), (2, 10))
        self.assertIn("^", str(caught.exception))

    def test_a_value_that_does_not_fit_is_type_changed(self) -> None:
        with self.assertRaises(tb.TypeChanged):
            self.trace.sql("SELECT 'x' AS n", types={"n": "int64"}).fetchall()

    def test_results_read_again(self) -> None:
        result = self.trace.sql("SELECT id, name FROM slice ORDER BY id")
        self.assertEqual(list(result), list(result))
        self.assertEqual(len(result.fetchmany(3)), 3)
        self.assertEqual(result.fetchone().id, 3)
        self.assertEqual(result.columns, ["id", "name"])
        self.assertEqual(result.types, ["int64", "dictionary"])

    def test_text_and_html_show_some_rows(self) -> None:
        shown = self.trace.sql("SELECT '<script>' AS \"<b>\", id FROM slice")
        self.assertIn("(first 20 rows)", repr(shown))
        self.assertNotIn("<script>", str(shown._repr_html_()))
        self.assertRaises(ValueError, shown.scalar)

    def test_tables_equal_sql(self) -> None:
        names = ["ts", "dur", "name"]
        self.assertEqual(list(self.trace.table("slice", names)), list(self.trace.sql("SELECT ts, dur, name FROM slice")))
        with self.assertRaisesRegex(tb.NotFound, "did you mean slice"):
            self.trace.table("slic")

    def test_facts(self) -> None:
        self.assertEqual([m.name for m in self.trace.machines], ["phone", "watch"])
        self.assertEqual(self.trace.files[0].trace_type, "proto")
        self.assertIn("dur", [c.name for c in self.trace.tables["slice"].columns])
        self.assertTrue(self.trace.check().ok)
        self.assertLess(self.trace.start, self.trace.end)

    def test_reports_equal_the_program(self) -> None:
        printed = subprocess.run([PROGRAM, "check", "--json", *INPUTS, "--manifest", EXAMPLES / "manifest.json"],
                                 stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(self.trace.check().to_json(), printed)
        page = self.trace.check()._repr_html_()
        self.assertIn("<svg", page)
        self.assertIn("<td>148,007,000,000</td><td>stated</td>", page)
        for forbidden in ("<script", "href=\"http", "src="):
            self.assertNotIn(forbidden, page)

    def test_clocks_equal_sql(self) -> None:
        clock = self.trace.clock("REALTIME", machine="watch")
        times = [1795176332000169866 + i * 10**8 for i in range(10)]
        values, bounds = clock.convert(times)
        for ts, value, bound in zip(times, values, bounds):
            row = self.trace.sql("SELECT clock_convert(?1, 'REALTIME', 'watch', NULL, NULL), "
                                 "clock_error(?1, 'REALTIME', 'watch', NULL, NULL)", [ts]).fetchone()
            self.assertEqual(tuple(row), (value, bound))
        self.assertEqual(clock.convert(times[0]), (values[0], bounds[0]))
        with self.assertRaisesRegex(tb.AmbiguousClock, "sequence 14"):
            self.trace.clock("64")
        self.assertRaises(tb.NotFound, self.trace.clock, "TAI")

    def test_connections_keep_temporary_tables(self) -> None:
        with self.trace.connection() as connection:
            connection.run("CREATE PERFETTO TABLE t AS SELECT 7 AS x")
            result = connection.sql("SELECT x FROM t")
            self.assertEqual(result.fetchall(), [(7,)])
            self.assertRaises(tb.Closed, list, result)
        self.assertRaises(tb.Closed, connection.sql, "SELECT 1")
        self.assertRaises(tb.SqlError, self.trace.sql, "SELECT x FROM t")

    def test_a_closed_trace_says_so(self) -> None:
        begun = self.trace.sql("SELECT 1")
        self.trace.close()
        self.assertEqual(begun.scalar(), 1)
        self.assertRaises(tb.Closed, self.trace.sql, "SELECT 1")
        for use in (pickle.dumps, copy.copy, copy.deepcopy):
            self.assertRaisesRegex(TypeError, "send its paths", use, self.trace)

    def test_exports_and_archives(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "t.braid")
            self.trace.export(path)
            count = "SELECT count(*) FROM slice"
            self.assertEqual(tb.open(path).sql(count).scalar(), self.trace.sql(count).scalar())
            self.assertRaises(tb.UsageError, self.trace.export, path)
            report = tb.merge(*INPUTS, output=f"{folder}/m.zip", manifest=EXAMPLES / "manifest.json")
            assert report is not None
            self.assertTrue(report.ok)
        self.assertIn("perfetto_manifest", tb.manifest(*INPUTS))
        self.assertRaises(tb.BadManifest, tb.validate_manifest, {"perfetto_manifest": 1})


class Stopping(unittest.TestCase):
    def setUp(self) -> None:
        self.trace = tb.open(INPUTS[0])

    def tearDown(self) -> None:
        self.assertEqual(self.trace.sql("SELECT 1").scalar(), 1)  # it stays usable

    def test_ctrl_c_ends_each_way_of_reading(self) -> None:
        ways = ["scalar", "fetchall"] + ["to_pandas"] * has("pandas") + ["to_polars"] * has("polars") + \
            ["to_arrow"] * has("pyarrow")
        for way in ways:
            with self.subTest(way):
                read = getattr(self.trace.sql(ENDLESS), way)
                timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
                timer.start()
                self.assertRaises(KeyboardInterrupt, read)
                timer.join()

    def test_timeout(self) -> None:
        with self.assertRaises(TimeoutError) as caught:
            self.trace.sql(ENDLESS, timeout=0.05).fetchall()
        self.assertIsInstance(caught.exception, tb.Timeout)

    def test_cancel_from_another_thread(self) -> None:
        read = self.trace.sql(ENDLESS).fetchall  # begun, so that cancel() reaches it
        timer = threading.Timer(0.1, self.trace.cancel)
        timer.start()
        self.assertRaises(tb.Cancelled, read)
        timer.join()

    def test_a_cancelled_task_cancels_the_work(self) -> None:
        async def run() -> None:
            opened = await tb.open_async(INPUTS[0])
            task = asyncio.create_task(opened.sql_async(ENDLESS))
            await asyncio.sleep(0.1)  # an earlier cancel ends it, too
            task.cancel()
            await task
        self.assertRaises((asyncio.CancelledError, tb.MissingDependency), asyncio.run, run())

    def test_a_cancelled_task_cancels_its_own_statement_only(self) -> None:
        async def run() -> int:
            other = iter(self.trace.sql("SELECT a.id FROM slice a, slice b LIMIT 50000"))
            next(other)
            task = asyncio.create_task(self.trace.sql_async(ENDLESS))
            await asyncio.sleep(0.1)
            task.cancel()
            await asyncio.wait([task])
            return sum(1 for _ in other)
        self.assertEqual(asyncio.run(run()), 49_999)

    def test_a_deadline_ends_an_export_whose_statement_returns_no_row(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "rows.csv")
            control = core.control_new(200)
            self.assertRaises(tb.Timeout, core.export, self.trace._handle,
                              [("to", "csv"), ("output", str(path)), ("query", ENDLESS)], control, None)
            self.assertEqual(os.listdir(folder), [])

    def test_cancelling_at_any_moment_leaves_nothing_behind(self) -> None:
        trace = tb.open(("big.json", big_trace()))
        threads = len(os.listdir("/proc/self/task"))
        with tempfile.TemporaryDirectory() as name:
            big = pathlib.Path(name, "big.json")
            big.write_bytes(big_trace())
            made = pathlib.Path(name, "made")

            def runs(control: object) -> Iterator[Callable[[], object]]:
                yield lambda: core.open([str(big)], [("temp-dir", name)], None, control, None)
                yield lambda: core.export(trace._handle, [("to", "json"), ("output", str(made))], control, None)
                yield lambda: core.merge([str(big)], [("temp-dir", name)], None, str(made), False, control, None)
                yield lambda: core.query(trace._handle, f"SELECT count(*) FROM slice; {ENDLESS}", [], [], control)[1] \
                    and core.stream_next(core.query(trace._handle, ENDLESS, [], [], control)[1])
            endings, random_ = [0, 0, 0, 0], random.Random(1)
            for turn in range(50):
                for kind in range(4):
                    control = core.control_new(0)
                    if turn == 0:
                        core.control_cancel(control)
                    timer = threading.Timer(random_.random() * 0.2, core.control_cancel, (control,))
                    timer.start()
                    try:
                        [*runs(control)][kind]()
                        made.unlink(missing_ok=True)
                    except tb.Cancelled:
                        endings[kind] += 1
                    timer.join()
                    self.assertEqual(os.listdir(name), ["big.json"], kind)
            self.assertGreater(min(endings), 0, endings)
        self.assertEqual(endings[3], 50)
        self.assertEqual(len(os.listdir("/proc/self/task")), threads)
        self.assertEqual(trace.sql("SELECT count(*) FROM slice").scalar(), 400_000)

    def test_threads_read_at_once(self) -> None:
        counts = []
        threads = [threading.Thread(target=lambda: counts.append(
            len(self.trace.sql("SELECT * FROM slice").fetchall()))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(counts, [self.trace.sql("SELECT count(*) FROM slice").scalar()] * 8)

    def test_a_forked_child_opens_anew(self) -> None:
        child = os.fork()
        if child == 0:
            status = 3
            try:
                self.trace.sql("SELECT 1")
            except tb.UsageError as error:
                opened = tb.open(INPUTS[0], threads=1).sql("SELECT 1").scalar()
                status = 0 if "opened before fork" in str(error) and opened == 1 else 1
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Consumers(unittest.TestCase):
    SQL = "SELECT ts, dur, name, parent_id, 0.5 AS x, x'00' AS b FROM slice ORDER BY id"

    def setUp(self) -> None:
        self.result = open_examples().sql(self.SQL)
        self.rows = [tuple(row) for row in self.result]

    def test_pandas(self) -> None:
        if not has("pandas"):
            return self.assertRaisesRegex(tb.MissingDependency, r"tracebraid\[pandas\]", self.result.to_pandas)
        frame = self.result.to_pandas()
        self.assertEqual([str(t) for t in frame.dtypes],
                         ["int64", "int64", "category", "Int64", "float64", "object"])
        import pandas
        rows = [tuple(None if pandas.isna(v) else v for v in row) for row in frame.itertuples(index=False)]
        self.assertEqual(rows, self.rows)

    def test_polars(self) -> None:
        if not has("polars"):
            return self.assertRaisesRegex(tb.MissingDependency, r"tracebraid\[polars\]", self.result.to_polars)
        self.assertEqual(self.result.to_polars().rows(), self.rows)

    def test_arrow(self) -> None:
        if not has("pyarrow"):
            return self.assertRaisesRegex(tb.MissingDependency, r"tracebraid\[arrow\]", self.result.to_arrow)
        table = self.result.to_arrow()
        table.validate(full=True)
        self.assertEqual([tuple(row.values()) for row in table.to_pylist()], self.rows)
        self.assertEqual(table.schema.field("ts").metadata, {b"tracebraid.type": b"time_ns"})
        self.assertEqual(self.result.to_reader().read_all().num_rows, len(self.rows))
        self.assertEqual([tuple(r) for r in self.result.materialize()], self.rows)

    def test_batches_are_not_copied(self) -> None:
        if not has("pyarrow"):
            return
        import pyarrow
        _, state = open_examples().sql("SELECT ts, dur, name FROM slice", text="utf8")._run()
        schema, array = core.stream_schema(state), core.stream_next(state)
        addresses = [pyarrow.py_buffer(core.batch_buffers(array, column)[2]).address for column in range(3)]
        batch = pyarrow.RecordBatch._import_from_c_capsule(schema, array)
        self.assertEqual([column.buffers()[1].address for column in batch.columns], addresses)
        self.assertEqual([address % 64 for address in addresses], [0, 0, 0])
        if has("polars") and has("numpy"):
            import polars
            arrays = [series.to_numpy(allow_copy=False) for series in polars.DataFrame(batch).get_columns()[:2]]
            self.assertEqual([values.__array_interface__["data"][0] for values in arrays], addresses[:2])

    def test_duckdb(self) -> None:
        if not has("duckdb"):
            return
        import duckdb
        con = duckdb.connect()
        trace = open_examples()
        trace.register(con, ["slice", "thread"], prefix="t_")
        self.assertEqual(con.sql("SELECT count(*), sum(dur) FROM t_slice").fetchall(),
                         [tuple(trace.sql("SELECT count(*), sum(dur) FROM slice").fetchone())])

    def test_numpy(self) -> None:
        if not has("numpy"):
            return self.assertRaises(tb.MissingDependency, self.result.to_numpy)
        columns = self.result.to_numpy()
        self.assertEqual(list(columns["dur"]), [row[1] for row in self.rows])
        self.assertEqual(columns["parent_id"].tolist(), [row[3] for row in self.rows])


class WaysOut(unittest.TestCase):
    """Tables of random values are the same by each way out."""

    KINDS: tuple[Callable[[random.Random], object], ...] = (
             lambda r: r.choice([0, 1, -1, 2**63 - 1, -2**63, r.getrandbits(62)]),
             lambda r: r.choice([0.0, -0.5, 1e308, 5e-324, float("inf"), -float("inf"), r.random()]),
             lambda r: r.choice(["", "a", "é", "日本語 🦊", "x" * 300, f"text {r.randrange(9)}"]),
             lambda r: r.choice([b"", b"\0", b"\xff\xfe", r.randbytes(9)]))

    def rows_of(self, random_: random.Random) -> list[tuple[object, ...]]:
        kinds = [random_.choice(self.KINDS) for _ in range(random_.randrange(1, 6))]
        share = random_.choice([0, 0.3, 1])  # of NULLs
        return [tuple(None if random_.random() < share else kind(random_) for kind in kinds)
                for _ in range(random_.randrange(1, 60))]

    def ways_out(self, result: tb.Result) -> Iterator[tuple[str, list[Any]]]:
        yield "fetchall", [tuple(row) for row in result.fetchall()]
        if has("numpy"):
            yield "to_numpy", [*zip(*(column.tolist() for column in result.to_numpy().values()))]
        if has("pandas"):
            import pandas
            yield "to_pandas", [tuple(None if value is None or pandas.isna(value) else value for value in row)
                                for row in result.to_pandas().itertuples(index=False)]
        if has("polars"):
            yield "to_polars", result.to_polars().rows()
        if has("pyarrow"):
            yield "to_arrow", [tuple(row.values()) for row in result.to_arrow().to_pylist()]
            yield "materialize", [tuple(row) for row in result.materialize()]

    def test_each_way_out_gives_the_same_values(self) -> None:
        trace = tb.open(no_trace=True)
        for seed in range(25):
            rows = self.rows_of(random.Random(seed))
            row = f"({', '.join('?' * len(rows[0]))})"
            for text in ("dictionary", "utf8"):
                result = trace.sql(f"VALUES {', '.join([row] * len(rows))}", [v for r in rows for v in r], text=text)
                for way, found in self.ways_out(result):
                    self.assertEqual(found, rows, (seed, way))

    def test_bytes_that_are_not_utf8_are_replaced(self) -> None:
        result = tb.open(no_trace=True).sql("SELECT CAST(x'61ff62' AS TEXT) AS t")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ways = list(self.ways_out(result))
        for way, found in ways:
            self.assertEqual(found, [("a\ufffdb",)], way)
        told = [str(w.message) for w in caught if w.category is tb.TraceWarning]
        self.assertEqual(told, ["column t: 1 texts that are not UTF-8 have U+FFFD"] * len(ways))


class Package(unittest.TestCase):
    def test_the_code_of_the_manual_runs(self) -> None:
        page = (EXAMPLES.parent / "docs/python.md").read_text()
        code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.S))
        done = subprocess.run([sys.executable, "-c", code], cwd=EXAMPLES.parent, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_options_of_any_kind_are_errors_or_accepted(self) -> None:
        keys = [key["key"] for key in json.loads(core.options_keys())]
        values = ["", "-1", "0", "1", "true", "no", "9" * 30, "1e300", "\u00e9", "a,b=c", "x" * 5000, "../..", "NaN", "[]", "{"]
        random_, refused = random.Random(7), 0
        for _ in range(10_000):
            key = random_.choice(keys) if random_.random() < 0.8 else "".join(map(chr, random_.choices(range(1, 400), k=6)))
            try:
                core.open([], [(key, random_.choice(values)), ("no-trace", "true")], None, core.control_new(0), None)
            except tb.Error as error:
                self.assertNotIsInstance(error, tb.InternalError, (key, str(error)))
                refused += 1
        self.assertGreater(refused, 2500)

    def test_our_sqlite_and_that_of_python_and_arrow_do_not_meet(self) -> None:
        others = ["import sqlite3; sqlite3.connect(':memory:').execute('SELECT 1')"] + [
            text for name, text in (("pyarrow", "import pyarrow; pyarrow.array([1])"),
                                    ("duckdb", "import duckdb; duckdb.sql('SELECT 1').fetchall()")) if has(name)]
        ours = f"import tracebraid as tb; t = tb.open({str(INPUTS[0])!r}); n = t.sql('SELECT count(*) FROM slice').scalar()"
        end = "print(n == t.sql('SELECT count(*) FROM slice').scalar())"
        for first, second in (([*others], [ours]), ([ours], [*others])):
            code = "\n".join([*first, *second, *others, end])
            self.assertEqual(subprocess.check_output([sys.executable, "-c", code], text=True), "True\n")

    def test_the_notebooks_run_as_scripts(self) -> None:
        folder = EXAMPLES.parent / "docs/examples/notebooks"
        notebooks = sorted(folder.glob("*.ipynb"))
        self.assertEqual(len(notebooks), 2)
        for notebook in notebooks:
            cells = json.loads(notebook.read_text())["cells"]
            self.assertFalse(any(cell.get("outputs") for cell in cells), "clear the outputs")
            code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
            done = subprocess.run([sys.executable, "-c", code], cwd=folder,
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual((done.returncode, done.stdout), (0, ""), notebook.name)

    def test_the_examples_of_docstrings_run(self) -> None:
        before = os.getcwd()
        os.chdir(EXAMPLES.parent)
        try:
            tried = 0
            for module in (_open, _trace, _result):
                done = doctest.testmod(module)
                self.assertEqual(done.failed, 0, module.__name__)
                tried += done.attempted
        finally:
            os.chdir(before)
        self.assertGreater(tried, 20)

    def test_import_loads_no_optional_library_and_nothing_slow(self) -> None:
        code = ("import sys; before = set(sys.modules); import tracebraid; print([m for m in ('numpy', 'pandas', 'polars', "
                "'pyarrow', 'duckdb', 'IPython', 'asyncio', 'subprocess', 'json', 'inspect', 'dataclasses', 'tracebraid._errors') "
                "if m in set(sys.modules) - before])")
        self.assertEqual(subprocess.check_output([sys.executable, "-c", code], text=True), "[]\n")

    def test_public_names_have_docstrings(self) -> None:
        for name in set(tb.__all__) - {"__version__"}:
            value = getattr(tb, name)
            self.assertTrue(value.__doc__, name)
            for member, of in vars(value).items() if inspect.isclass(value) else ():
                if not member.startswith("_") and (callable(of) or isinstance(of, property)):
                    self.assertTrue(of.__doc__, f"{name}.{member}")

    def test_the_command_runs_the_program(self) -> None:
        command = pathlib.Path(sys.executable).parent / "tracebraid"
        self.assertIn(tb.__version__, subprocess.check_output([command, "--version"], text=True))


if __name__ == "__main__":
    unittest.main()
