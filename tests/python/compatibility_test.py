#!/usr/bin/env python3
"""The packages that are named as in the package perfetto: trace_processor, batch_trace_processor, trace_uri_resolver and
common. Run in an environment that has the installed package. Where perfetto is installed, too, both run side by side,
perfetto with the program of the package: frames and signatures are equal.
"""
import importlib
import importlib.util
import inspect
import io
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import threading
import unittest
import unittest.mock
from collections.abc import Callable
from typing import Any

import tracebraid as tb
from tracebraid.batch_trace_processor.api import (BatchTraceProcessor, BatchTraceProcessorConfig, FailureHandling)
from tracebraid.trace_processor import TraceProcessor, TraceProcessorConfig, TraceProcessorException
from tracebraid.trace_processor.api import SqlPackage
from tracebraid.trace_uri_resolver import util
from tracebraid.trace_uri_resolver.path import PathUriResolver
from tracebraid.trace_uri_resolver.registry import ResolverRegistry
from tracebraid.trace_uri_resolver.resolver import Constraint, ConstraintClass, TraceUriResolver

EXAMPLES = pathlib.Path(os.environ["TRACEBRAID_EXAMPLES"])
sys.path.insert(0, str(EXAMPLES.parent / "tests/server"))
from rpc_statements import STATEMENTS  # noqa: E402

PROGRAM = str(pathlib.Path(tb.__file__).parent / "bin/tracebraid")
PHONE, WATCH, APP = (str(EXAMPLES / name) for name in ("phone.pftrace", "watch.pftrace", "app.json"))
MIXED = "SELECT 1 AS x UNION ALL SELECT NULL UNION ALL SELECT 'a' UNION ALL SELECT 2.5 UNION ALL SELECT x'00ff'"
COUNT = "SELECT count(*) AS n FROM slice"


def has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


class Find(TraceUriResolver):
    PREFIX = "find"

    def __init__(self, name: str = "phone", least: Constraint[int] | None = None) -> None:
        self.name, self.least = name, least

    def resolve(self) -> list[TraceUriResolver.Result]:
        return [self.Result(str(EXAMPLES / f"{name}.pftrace"), {"device": name, "_path": "outer"})
                for name in util.to_list(self.name) or []]


class Server:
    """`tracebraid serve` with RPC over HTTP and over a socket."""

    def __init__(self, folder: str) -> None:
        self.socket = os.path.join(folder, "session.sock")
        self.process = subprocess.Popen([PROGRAM, "serve", "--json", "--port", "0", "--rpc", "0", "--rpc-socket",
                                         self.socket, PHONE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, env={**os.environ, "XDG_STATE_HOME": folder})
        assert self.process.stdout is not None
        self.address = f"localhost:{json.loads(self.process.stdout.readline())['rpc_port']}"

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


class OneTrace(unittest.TestCase):
    def test_rows_have_the_values_of_sql(self) -> None:
        with TraceProcessor(PHONE) as processor:
            result = processor.query(MIXED)
            self.assertEqual((len(result), result.column_names, result.cell_count), (5, ["x"], 5))
            self.assertEqual([row.x for row in result], [1, None, "a", 2.5, b"\0\xff"])
            self.assertEqual((list(result), len(result)), ([], 5))
            row = next(processor.query("SELECT 1 AS a, 'x' AS \"b c\""))
            self.assertEqual((row.a, row.__dict__["b c"], str(row)), (1, "x", "{'a': 1, 'b c': 'x'}"))

    def test_rows_are_those_of_the_last_statement_and_tables_stay(self) -> None:
        with TraceProcessor(PHONE) as processor:
            self.assertEqual([r.b for r in processor.query("SELECT 1 AS a; SELECT 2 AS b; SELECT 3 AS b")], [3])
            self.assertEqual(len(processor.query("SELECT 1; CREATE PERFETTO TABLE t AS SELECT 7 AS x")), 0)
            self.assertEqual(next(processor.query("SELECT x FROM t")).x, 7)

    def test_traces_of_all_kinds(self) -> None:
        with open(PHONE, "rb") as file:
            data = file.read()
            file.seek(0)
            traces: list[tuple[Any, dict[str, str]]] = [
                (PHONE, {"_path": PHONE}), (file, {}), (io.BytesIO(data), {}), (PathUriResolver(PHONE), {"_path": PHONE}),
                ([PHONE], {"_path": PHONE}), ((part for part in (data[:1000], data[1000:])), {})]
            for trace, metadata in traces:
                with TraceProcessor(trace=trace) as processor:
                    self.assertEqual((next(processor.query(COUNT)).n, processor.metadata), (237, metadata))
        with TraceProcessor() as empty:
            self.assertEqual(next(empty.query(COUNT)).n, 0)
            self.assertRaises(AttributeError, lambda: empty.metadata)

    def test_errors(self) -> None:
        self.assertRaises(TraceProcessorException, TraceProcessor, trace=PHONE, file_path=PHONE)
        self.assertRaises(TraceProcessorException, TraceProcessor, addr="a", remote="b")
        self.assertRaises(TraceProcessorException, TraceProcessor, [PHONE, WATCH])
        self.assertRaises(TraceProcessorException, TraceProcessor, io.BytesIO(b"no trace"))
        self.assertRaises(FileNotFoundError, TraceProcessor, "/no/such")
        self.assertRaises(KeyError, TraceProcessor, "unknown:a=b")
        processor = TraceProcessor(PHONE)
        with self.assertRaisesRegex(TraceProcessorException, "no such column: nope") as caught:
            processor.query("SELECT nope")
        self.assertIsInstance(caught.exception.__cause__, tb.SqlError)
        self.assertRaisesRegex(TraceProcessorException, "no metrics", processor.metric, ["android_cpu"])
        self.assertRaisesRegex(TraceProcessorException, "no metrics", processor.trace_summary, [])
        self.assertRaises(ValueError, processor.export, "/tmp/x", "parquet")
        processor.enable_metatrace()
        self.assertEqual(processor.disable_and_read_metatrace(), b"")
        for _ in range(2):
            processor.close()
        self.assertRaisesRegex(TraceProcessorException, "closed", processor.query, "SELECT 1")

    def test_the_configuration_acts(self) -> None:
        text = b"# tracer: nop\n  bash-7 [000] .... 1.000000: cpu_idle: state=1 cpu_id=0\n"
        for is_raw in (False, True):
            with TraceProcessor(io.BytesIO(text), config=TraceProcessorConfig(ingest_ftrace_in_raw=is_raw)) as processor:
                self.assertEqual(next(processor.query("SELECT count(*) AS n FROM ftrace_event")).n, int(is_raw))
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "one.sql").write_text("CREATE PERFETTO TABLE of_folder AS SELECT 4 AS x;")
            for package in (SqlPackage(folder, "mine"), f"{folder}@mine"):
                with TraceProcessor(PHONE, config=TraceProcessorConfig(add_sql_packages=[package])) as processor:
                    self.assertEqual(next(processor.query("INCLUDE PERFETTO MODULE mine.one; SELECT x FROM of_folder")).x,
                                     4)
        with self.assertWarnsRegex(UserWarning, "--nonsense has no effect"):
            TraceProcessor(PHONE, config=TraceProcessorConfig(extra_flags=["--threads", "1", "--nonsense"]))

    def test_exports(self) -> None:
        with tempfile.TemporaryDirectory() as folder, TraceProcessor(PHONE) as processor:
            path = os.path.join(folder, "out")
            for _ in range(2):  # a file is replaced
                processor.export(path, "sqlite")
            base = sqlite3.connect(path)
            self.assertEqual(base.execute(COUNT).fetchone()[0], 237)
            base.close()
            processor.export(path, "perfetto")
            self.assertEqual(next(TraceProcessor(path).query(COUNT)).n, 237)
            if not has("pyarrow"):
                return self.assertRaisesRegex(TraceProcessorException, r"tracebraid\[arrow\]", processor.export, path,
                                              "arrow_tar")
            processor.export(path, "arrow_tar")
            with tarfile.open(path) as archive:
                self.assertIn("slice.arrow", archive.getnames())

    def test_servers_answer_as_this_process_does(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Server(folder) as server, TraceProcessor(PHONE) as local:
            for remote in (TraceProcessor(addr=server.address), TraceProcessor(remote=server.socket)):
                with remote:
                    for sql in ("SELECT id, ts, dur, name, parent_id, -ts * 0.5 AS x FROM slice ORDER BY id", MIXED,
                                "SELECT -9223372036854775808 AS least, 9223372036854775807 AS most, 300 AS i",
                                "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60000) "
                                "SELECT n FROM c", "SELECT 1 WHERE 0"):
                        found, expected = remote.query(sql), local.query(sql)
                        self.assertEqual(found.column_names, expected.column_names)
                        self.assertEqual(list(found.cells), list(expected.cells), sql)
                    self.assertRaisesRegex(TraceProcessorException, "no such column", remote.query, "SELECT nope")
                    path = os.path.join(folder, "out")
                    remote.export(path, "perfetto")
                    self.assertEqual(next(TraceProcessor(path).query(COUNT)).n, 237)
            with TraceProcessor(WATCH, addr=server.address) as loaded:
                self.assertEqual(next(loaded.query(COUNT)).n, 169)
                self.assertEqual(loaded.metadata, {"_path": WATCH})

    def test_frames(self) -> None:
        with TraceProcessor(PHONE) as processor:
            result = processor.query("SELECT 1 AS i, 'x' AS s, 2.5 AS d, x'00' AS b, NULL AS n UNION ALL "
                                     "SELECT NULL, NULL, NULL, NULL, NULL")
            mixed = processor.query(MIXED)
            if has("pandas"):
                self.assertEqual([str(t) for t in result.as_pandas_dataframe(typed=True).dtypes],
                                 ["Int64", "category", "float64", "object", "object"])
                self.assertEqual(mixed.as_pandas_dataframe()["x"].tolist(), [1, None, "a", 2.5, b"\0\xff"])
            else:
                self.assertRaises(tb.MissingDependency, result.as_pandas_dataframe)
            if has("polars"):
                self.assertEqual([str(t) for t in result.as_polars_dataframe().dtypes],
                                 ["Int64", "String", "Float64", "Binary", "Null"])
                self.assertEqual([str(t) for t in mixed.as_polars_dataframe().dtypes], ["Object"])
                self.assertEqual(processor.query("CREATE PERFETTO TABLE u AS SELECT 1 AS x")
                                 .as_polars_dataframe().shape, (0, 0))
            else:
                self.assertRaises(tb.MissingDependency, result.as_polars_dataframe)


class Resolvers(unittest.TestCase):
    def test_uris(self) -> None:
        for uri, expected in (("/a:b", (None, "/a:b")), ("./a", (None, "./a")), ("a", (None, "a")),
                              ("ab:b=c:d", ("ab", "b=c:d"))):
            self.assertEqual(util.parse_trace_uri(uri), expected)
        self.assertRaises(Exception, util.parse_trace_uri, "c:\\x")
        found = Find.from_trace_uri("find:name=a,b;least>=5")
        self.assertEqual((found.name, found.least), (["a", "b"], ConstraintClass("5", ConstraintClass.Op.GE)))
        for bad in ("find:name>a", "find:name", "find:name=a;"):
            self.assertRaises(ValueError, Find.from_trace_uri, bad)
        self.assertRaises(TypeError, Find.from_trace_uri, "find:other=a")

    def test_results_resolve_again_and_the_inner_metadata_wins(self) -> None:
        registry = ResolverRegistry([PathUriResolver])
        registry.register(Find)
        resolved = registry.resolve(["find:name=phone,watch", WATCH])
        self.assertEqual([each.metadata for each in resolved],
                         [{"device": "phone", "_path": PHONE}, {"device": "watch", "_path": WATCH}, {"_path": WATCH}])
        self.assertEqual(b"".join(resolved[0].generator), pathlib.Path(PHONE).read_bytes())


class Batches(unittest.TestCase):
    def test_values_in_the_order_of_traces(self) -> None:
        seen = []

        class Seen(BatchTraceProcessor.Observer):
            def trace_processed(self, metadata: dict[str, str], execution_time_seconds: float) -> None:
                seen.append((metadata["_path"], type(execution_time_seconds)))
        with BatchTraceProcessor([PHONE, WATCH], observer=Seen()) as batch:
            self.assertEqual(batch.query_single_result(COUNT), [237, 169])
            self.assertEqual(sorted(seen), [(PHONE, float), (WATCH, float)])
            self.assertEqual(batch.execute(lambda processor: processor.metadata["_path"]), [PHONE, WATCH])
            with self.assertRaisesRegex(TraceProcessorException, "phone.pftrace.*single row"):
                batch.query_single_result("SELECT id FROM slice")
            with self.assertRaisesRegex(TraceProcessorException, "single column"):
                batch.query_single_result("SELECT id, ts FROM slice")
            self.assertRaises(ZeroDivisionError, batch.execute, lambda processor: 1 // 0)
        self.assertRaises(TraceProcessorException, batch.query_single_result, COUNT)

    def test_failures_are_raised_or_counted(self) -> None:
        bad = io.BytesIO(b"no trace")
        self.assertRaises(TraceProcessorException, BatchTraceProcessor, [PHONE, bad])
        self.assertRaises(FileNotFoundError, BatchTraceProcessor, [PHONE, "/no/such"])
        count = FailureHandling.INCREMENT_STAT
        config = BatchTraceProcessorConfig(load_failure_handling=count, execute_failure_handling=count)
        with BatchTraceProcessor([PHONE, bad, "/no/such", WATCH], config) as batch:
            self.assertEqual((batch.stats().load_failures, batch.stats().execute_failures), (2, 0))
            self.assertEqual(batch.query_single_result(COUNT), [237, 169])
            if has("pandas"):
                self.assertEqual([frame.shape for frame in batch.query("SELECT nope")], [(0, 0)] * 2)
                self.assertEqual(batch.stats().execute_failures, 2)

    def test_at_most_so_many_traces_are_open(self) -> None:
        from tracebraid.trace_processor import _local
        paths = [PHONE, WATCH, APP, PHONE]
        with BatchTraceProcessor(paths) as batch:
            expected = batch.query_single_result(COUNT), batch.query_single_result("SELECT sum(dur) FROM slice")
        is_open, most, lock = set(), [0], threading.Lock()
        opens, closes = _local.LocalBackend._open, _local.LocalBackend.close

        def open_and_count(backend: _local.LocalBackend, *given: Any) -> None:
            opens(backend, *given)
            with lock:
                is_open.add(backend)
                most[0] = max(most[0], len(is_open))

        def close_and_count(backend: _local.LocalBackend) -> None:
            closes(backend)
            with lock:
                is_open.discard(backend)
        with unittest.mock.patch.multiple(_local.LocalBackend, _open=open_and_count, close=close_and_count):
            for limit in (1, 2):
                most[0] = 0
                with BatchTraceProcessor(paths, max_open=limit) as batch:
                    for _ in range(2):
                        found = batch.query_single_result(COUNT), batch.query_single_result("SELECT sum(dur) FROM slice")
                        self.assertEqual(found, expected)
                    assert batch._open_traces is not None
                    folder = batch._open_traces._folder.name
                    self.assertTrue(os.path.isdir(folder))
                self.assertEqual((most[0], is_open, os.path.exists(folder)), (limit, set(), False))
        self.assertRaises(ValueError, BatchTraceProcessor, paths, max_open=0)

    def test_flat_frames_have_the_metadata(self) -> None:
        sql = "SELECT id, name FROM slice ORDER BY id LIMIT 2"
        registry = ResolverRegistry([PathUriResolver, Find])
        config = BatchTraceProcessorConfig(TraceProcessorConfig(resolver_registry=registry))
        with BatchTraceProcessor("find:name=phone,watch", config) as batch:
            frames = []
            if has("pandas"):
                frames.append([*batch.query_and_flatten(sql).itertuples(index=False, name=None)])
            if has("polars"):
                frames.append(batch.query_and_flatten_polars(sql).rows())
        for rows in frames:
            self.assertEqual(rows, [(0, "query", "phone", PHONE), (1, "measure", "phone", PHONE),
                                    (0, "vibrate", "watch", WATCH), (1, "readHeartRate", "watch", WATCH)])


@unittest.skipUnless(has("perfetto") and has("pandas"), "perfetto or pandas is not installed")
class SideBySide(unittest.TestCase):
    # Statements whose frames differ: perfetto receives texts only up to a NUL, and drops their bytes that are no UTF-8,
    # where tracebraid keeps the former and replaces the latter; and it sends the bytes of a file without its name.
    LEFT_OUT = [sql for sql in STATEMENTS if isinstance(sql, bytes) or "char(0)" in sql or "no_utf8" in sql]
    TABLES_LEFT_OUT = {"__intrinsic_trace_file"}

    # Expressions and clauses over tables that every trace has.
    MORE = [
        *(f"SELECT {value} AS x, typeof({value}) AS t" for value in (
            "9223372036854775807", "-9223372036854775808", "1e300 * 1e10", "0.1 + 0.2", "5 / 2", "5 % -3", "1 << 40", "~7", "'a' || 1", "''", "x''",
            "CAST('12x' AS INTEGER)", "CAST(2.9 AS INTEGER)", "CAST(7 AS TEXT)", "NULL + 1", "NULL IS NULL", "1 = '1'", "'a' < 'B'", "'A' = 'a' COLLATE NOCASE",
            "iif(1, 'y', 'n')", "coalesce(NULL, 2.5)", "nullif(1, 1)", "abs(-3)", "round(2.567, 2)", "hex('ab')", "unicode('\u00e4')", "length('\U0001f600')",
            "substr('abcdef', 2, 3)", "replace('aXa', 'X', '-')", "instr('abc', 'c')", "upper('\u00e4b')", "trim('  x ')", "printf('%05d|%.2f', 7, 1.5)",
            "max(1, 2.5)", "min('a', 3)", "json_extract('{\"a\":[1,2]}', '$.a[1]')", "'abc' GLOB 'a*'", "'abc' LIKE 'A_C'", "7 BETWEEN 1 AND 9", "3 IN (1, 2, 3)",
            "CASE 2 WHEN 1 THEN 'one' WHEN 2 THEN 'two' END", "EXISTS(SELECT 1)", "(SELECT count(*) FROM slice)", "zeroblob(3)", "quote('it''s')")),
        *(f"SELECT {columns} FROM slice {rest}" for columns in ("id, ts, dur, name", "*", "name, count(*) AS n, sum(dur), avg(dur), max(depth)") for rest in (
            "WHERE 0", "WHERE dur > 0 GROUP BY name ORDER BY name", "GROUP BY name HAVING count(*) > 1 ORDER BY 1, 2")),
        *(f"SELECT id, {window} OVER ({over}) AS w FROM slice ORDER BY id LIMIT 50" for window in ("row_number()", "sum(dur)", "lag(name)", "max(ts)")
          for over in ("ORDER BY ts, id", "PARTITION BY track_id ORDER BY ts, id", "PARTITION BY name ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING")),
        *(f"SELECT s.id, t.{column} FROM slice AS s {join} thread_track AS t ON s.track_id = t.id ORDER BY s.id LIMIT 100"
          for join in ("JOIN", "LEFT JOIN") for column in ("utid", "name", "machine_id")),
        *(f"SELECT id FROM slice WHERE {where} ORDER BY id" for where in (
            "id IN (SELECT id FROM slice WHERE depth = 0)", "name IS NULL OR name = ''", "NOT (dur > 10)", "ts % 2 = 0 AND depth < 2", "name GLOB '*a*'")),
        *(f"SELECT name FROM thread {many} SELECT name FROM process ORDER BY 1" for many in ("UNION", "UNION ALL", "EXCEPT", "INTERSECT")),
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i, i * i AS square FROM n",
        "WITH a AS (SELECT name, dur FROM slice), b AS (SELECT name, max(dur) AS most FROM a GROUP BY 1) SELECT * FROM b ORDER BY 1",
        "SELECT DISTINCT depth FROM slice ORDER BY depth DESC", "SELECT * FROM slice ORDER BY dur DESC, id LIMIT 5 OFFSET 2", "VALUES (1, 'a'), (2, NULL)",
        "SELECT 1 AS a, 2 AS a", "SELECT 1 AS \"\", 2 AS \"a b\"", "SELECT extract_arg(arg_set_id, 'x') AS x FROM slice ORDER BY id",
        "SELECT name, group_concat(id, '-') AS ids FROM (SELECT * FROM slice ORDER BY id) GROUP BY name ORDER BY name",
        "CREATE PERFETTO TABLE mine AS SELECT id, dur FROM slice; SELECT count(*) AS n, sum(dur) AS total FROM mine",
        "CREATE PERFETTO VIEW seen AS SELECT name FROM slice; SELECT name FROM seen ORDER BY 1",
        "CREATE PERFETTO FUNCTION twice(x INT) RETURNS INT AS SELECT $x * 2; SELECT twice(id) AS x FROM slice ORDER BY 1",
        "SELECT * FROM slice WHERE nope = 1", "SELECT FROM", "SELECT 1 +", "SELECT no_function(1)"]

    def compare(self, path: str, statements: list[str]) -> int:
        import pandas
        from perfetto.common.exceptions import PerfettoException
        from perfetto.trace_processor import TraceProcessor as TheirProcessor
        from perfetto.trace_processor import TraceProcessorConfig as TheirConfig
        compared = 0
        with TheirProcessor(trace=path, config=TheirConfig(bin_path=PROGRAM)) as theirs, TraceProcessor(path) as ours:
            self.assertEqual(ours.metadata, theirs.metadata)
            for sql in statements:
                with self.subTest(sql=sql):
                    try:
                        expected = theirs.query(sql)
                    except PerfettoException:
                        self.assertRaises(TraceProcessorException, ours.query, sql)
                        continue
                    found = ours.query(sql)
                    pandas.testing.assert_frame_equal(found.as_pandas_dataframe(), expected.as_pandas_dataframe())
                    self.assertEqual((len(found), found.column_count, found.cell_count),
                                     (len(expected), expected.column_count, expected.cell_count))
                    self.assertEqual([*map(str, found)], [*map(str, expected)])
                    compared += 1
        return compared

    def test_frames_are_equal(self) -> None:
        with TraceProcessor(PHONE) as processor:
            tables = [row.name for row in processor.query("SELECT name FROM perfetto_tables ORDER BY 1")]
        statements = [f"SELECT * FROM {table}" for table in tables if table not in self.TABLES_LEFT_OUT]
        compared = self.compare(PHONE, statements)
        compared += self.compare(APP, [sql for sql in STATEMENTS if sql not in self.LEFT_OUT])
        self.assertGreaterEqual(compared + len(self.MORE), 200)  # of different statements
        for path in (PHONE, WATCH, APP):
            self.assertGreaterEqual(self.compare(path, self.MORE), len(self.MORE) - 4)  # the last ones are errors in both

    # What the pages of perfetto about its two Python packages show, with files of ours. Only the imports differ between the two.
    EXAMPLES = {
        "rows, frames and metadata": '''
            from PACKAGE.trace_processor import TraceProcessor, TraceProcessorConfig
            config = TraceProcessorConfig(bin_path=program, verbose=False)
            tp = TraceProcessor(trace=phone, config=config)
            qr_it = tp.query("SELECT ts, dur, name FROM slice")
            for row in qr_it:
                print(row.ts, row.dur, row.name)
            qr_df = tp.query("SELECT ts, name FROM slice").as_pandas_dataframe()
            print(qr_df.to_string())
            print(tp.query("SELECT name, sum(dur) AS total FROM slice GROUP BY name").as_polars_dataframe().rows())
            tp.close()
            for given in (open(phone, "rb"), (open(name, "rb").read() for name in [phone])):
                with TraceProcessor(trace=given, config=config) as tp:
                    print([row.n for row in tp.query("SELECT count(*) AS n FROM slice")])''',
        "a thread joined with its slices": '''
            from PACKAGE.trace_processor import TraceProcessor, TraceProcessorConfig
            with TraceProcessor(file_path=phone, config=TraceProcessorConfig(bin_path=program)) as tp:
                query = """INCLUDE PERFETTO MODULE slices.with_context;
                           SELECT thread_name, count(*) AS n FROM thread_slice GROUP BY 1 ORDER BY 1"""
                print(tp.query(query).as_pandas_dataframe())''',
        "an error": '''
            from PACKAGE.trace_processor import TraceProcessor, TraceProcessorConfig, TraceProcessorException
            with TraceProcessor(trace=phone, config=TraceProcessorConfig(bin_path=program)) as tp:
                try:
                    tp.query("SELECT nope FROM slice")
                except TraceProcessorException as error:
                    print("no such column: nope" in str(error))''',
        "several traces": '''
            from PACKAGE.batch_trace_processor.api import BatchTraceProcessor, BatchTraceProcessorConfig
            from PACKAGE.trace_processor import TraceProcessorConfig
            config = BatchTraceProcessorConfig(tp_config=TraceProcessorConfig(bin_path=program))
            files = [phone, watch]
            with BatchTraceProcessor(files, config=config) as btp:
                print(btp.query("SELECT count(1) AS n FROM slice"))
                print(btp.query_and_flatten("SELECT name, dur FROM slice"))
                print(btp.query_single_result("SELECT count(1) FROM slice"))
                print(btp.execute_and_flatten(lambda tp: tp.query("SELECT count(1) AS n FROM thread").as_pandas_dataframe()))
                print(btp.stats())''',
        "traces of a resolver": '''
            from PACKAGE.batch_trace_processor.api import BatchTraceProcessor, BatchTraceProcessorConfig
            from PACKAGE.trace_processor import TraceProcessorConfig
            from PACKAGE.trace_uri_resolver.path import PathUriResolver
            from PACKAGE.trace_uri_resolver.registry import ResolverRegistry
            from PACKAGE.trace_uri_resolver.resolver import TraceUriResolver

            class FooResolver(TraceUriResolver):
                PREFIX = "foo"

                def __init__(self, foo=None, bar=None):
                    self.foo, self.bar = foo, bar

                def resolve(self):
                    return [TraceUriResolver.Result(trace=path, metadata={"foo": self.foo, "bar": self.bar}) for path in (phone, watch)]

            registry = ResolverRegistry([PathUriResolver, FooResolver])
            config = BatchTraceProcessorConfig(tp_config=TraceProcessorConfig(bin_path=program, resolver_registry=registry))
            for traces in ("foo:foo=foo1;bar=bar1", FooResolver(foo="foo2")):
                with BatchTraceProcessor(traces, config=config) as btp:
                    print(btp.query_and_flatten("SELECT count(1) AS n FROM slice"))'''}

    def test_published_examples_print_the_same(self) -> None:
        head = f"program, phone, watch = {PROGRAM!r}, {PHONE!r}, {WATCH!r}\n"
        for name, code in self.EXAMPLES.items():
            printed = []
            for package in ("perfetto", "tracebraid"):
                done = subprocess.run([sys.executable, "-c", head + textwrap.dedent(code).replace("PACKAGE", package)], text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 0, f"{name}, {package}: {done.stderr}")
                printed.append(done.stdout)
            with self.subTest(name):
                self.assertEqual(printed[1], printed[0])
                self.assertTrue(printed[0])

    def test_signatures_are_equal(self) -> None:
        def parameters(function: Callable[..., object]) -> list[tuple[Any, ...]]:
            return [(p.name, p.kind, p.default if isinstance(p.default, (int, str, type(None))) else "...")
                    for p in inspect.signature(function).parameters.values()]
        for module, names in {
                "trace_processor.api": ["SqlPackage", "TraceProcessor", "TraceProcessorConfig"],
                "batch_trace_processor.api": ["BatchTraceProcessor", "FailureHandling", "Stats"],
                "batch_trace_processor.platform": ["PlatformDelegate"],
                "common.query_result_iterator": ["QueryResultIterator"],
                "trace_uri_resolver.path": ["PathUriResolver"],
                "trace_uri_resolver.resolver": ["TraceUriResolver", "ConstraintClass"],
                "trace_uri_resolver.registry": ["ResolverRegistry"],
                "trace_uri_resolver.util": ["file_generator", "read_generator", "merge_dicts", "parse_trace_uri",
                                            "to_bool", "to_list", "and_list", "or_list"]}.items():
            ours, theirs = (importlib.import_module(f"{package}.{module}") for package in ("tracebraid", "perfetto"))
            for name in names:
                mine, other = getattr(ours, name), getattr(theirs, name)
                if not inspect.isclass(other):
                    self.assertEqual(parameters(mine), parameters(other), name)
                    continue
                for member, function in inspect.getmembers(other, inspect.isroutine):
                    is_public = not member.startswith("_") or member == "__init__"
                    if not is_public or not hasattr(function, "__code__") and not hasattr(function, "__func__"):
                        continue
                    extra = [p for p in parameters(getattr(mine, member)) if p[1] != inspect.Parameter.KEYWORD_ONLY]
                    self.assertEqual([p[:2] for p in extra], [p[:2] for p in parameters(function)], f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
