#!/usr/bin/env python3
"""Check rpc_python: the PyPI package perfetto works unchanged, and its rows are ours.

TRACEBRAID names the program. The tests are skipped where perfetto or pandas is not installed.
"""
import concurrent.futures
import csv
import io
import json
import math
import os
import random
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from client import TRACEBRAID, Server, code_blocks, example_files, run_block  # noqa: E402

try:
    import pandas
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig
    from perfetto.trace_processor.api import SqlPackage, TraceProcessorException
except ImportError as error:
    print(f"skipped: rpc_python, because {error}")
    sys.exit(0)

TRACEBRAID = os.path.abspath(TRACEBRAID)
QUERIES = [
    "SELECT 1 AS a, 'x' AS b, NULL AS c, 2.5 AS d",
    "SELECT 9223372036854775807 AS most, -9223372036854775808 AS least, 9007199254740993 AS odd",
    "SELECT id, ts, dur, name, depth, track_id, arg_set_id, parent_id FROM slice ORDER BY id",
    "SELECT ts, value, track_id FROM counter ORDER BY id",
    "SELECT * FROM process ORDER BY upid",
    "SELECT * FROM thread ORDER BY utid",
    "SELECT name, sum(dur) AS total, count(*) AS n FROM slice GROUP BY name ORDER BY name",
    "SELECT * FROM args ORDER BY id",
    "SELECT * FROM stats ORDER BY name, key",
    "SELECT * FROM metadata ORDER BY name",
    "SELECT * FROM slice WHERE 0",
    "INCLUDE PERFETTO MODULE slices.with_context; SELECT name, thread_name FROM thread_slice",
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60000) "
    "SELECT n, n * 0.5 AS half, 'text ' || n AS t, nullif(n % 3, 0) AS m FROM c",
]


def ours(sql, *files):
    """The rows of the command as lists, from its JSON: the last result set."""
    done = subprocess.run([TRACEBRAID, "query", *files, "-f", "ndjson", sql], capture_output=True,
                          text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def is_equal(a, b):
    if a is None or b is None:
        return a is None and b is None
    if isinstance(a, float) or isinstance(b, float):
        return math.isclose(float(a), float(b), rel_tol=1e-15)
    return type(a) is type(b) and a == b


class RpcPython(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.environ["XDG_RUNTIME_DIR"] = cls.folder.name
        cls.server = Server("--rpc", "0", "--rpc-socket", "session", *example_files())
        cls.address = f"localhost:{cls.server.rpc_port}"

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()
        cls.folder.cleanup()

    def check_pandas(self, processor, sql, *files):
        frame = processor.query(sql).as_pandas_dataframe()
        rows = ours(sql, *files)
        self.assertEqual(len(frame), len(rows), sql)
        if rows:
            self.assertEqual(list(frame.columns), list(rows[0]), sql)
        for index, row in enumerate(rows):
            for column, expected in enumerate(row.values()):
                found = frame.iat[index, column]
                if found is not None and not isinstance(found, str) and pandas.isna(found):
                    found = None
                found = getattr(found, "item", lambda value=found: value)()
                self.assertTrue(is_equal(found, expected), (sql, index, found, expected))

    def test_addr(self):
        processor = TraceProcessor(addr=self.address)
        for sql in QUERIES:
            self.check_pandas(processor, sql, *example_files())
        processor.close()

    def test_remote_by_name_path_and_address(self):
        for remote in ("session", os.path.join(self.folder.name, "perfetto", "session.sock"),
                       self.address, "http://" + self.address):
            processor = TraceProcessor(remote=remote)
            for sql in QUERIES[:4] + QUERIES[-1:]:
                self.check_pandas(processor, sql, *example_files())
            with self.assertRaises(TraceProcessorException):
                processor.query("SELECT nope")
            self.assertEqual([row.a for row in processor.query("SELECT 1 AS a")], [1])
            processor.close()

    def test_bin_path(self):
        file = example_files()[0]
        config = TraceProcessorConfig(bin_path=TRACEBRAID)
        with TraceProcessor(trace=file, config=config) as processor:
            for sql in QUERIES:
                self.check_pandas(processor, sql, file)

    def test_options_of_bin_path(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "one.sql"), "w") as file:
                file.write("CREATE PERFETTO TABLE of_folder AS SELECT 4 AS x;")
            config = TraceProcessorConfig(
                bin_path=TRACEBRAID, ingest_ftrace_in_raw=True, enable_dev_features=True,
                add_sql_packages=[SqlPackage(folder, "mine")])
            with TraceProcessor(trace=example_files()[0], config=config) as processor:
                rows = processor.query("INCLUDE PERFETTO MODULE mine.one; SELECT x FROM of_folder")
                self.assertEqual([row.x for row in rows], [4])
        config = TraceProcessorConfig(bin_path=TRACEBRAID, enable_sql_file_access=True,
                                      load_timeout=1)
        with self.assertRaisesRegex(TraceProcessorException, "--allow-sql-file-access"):
            TraceProcessor(trace=example_files()[0], config=config)

    def test_errors(self):
        processor = TraceProcessor(addr=self.address)
        with self.assertRaisesRegex(TraceProcessorException, "no such column: nope"):
            processor.query("SELECT 1,\n  nope")
        with self.assertRaisesRegex(TraceProcessorException, "integer overflow"):
            processor.query(QUERIES[-1].replace("nullif(n % 3, 0)", "CASE WHEN n < 50000 THEN n "
                                                "ELSE abs(-9223372036854775808) END"))
        with self.assertRaises(TraceProcessorException):
            processor.metric(["android_cpu"])
        with self.assertRaises(TraceProcessorException):
            processor.trace_summary([])
        self.assertEqual(len(processor.query("SELECT 1")), 1)
        processor.close()

    def test_a_trace_that_is_none(self):
        config = TraceProcessorConfig(bin_path=TRACEBRAID)
        with TraceProcessor(trace=io.BytesIO(b"no trace at all"), config=config) as processor:
            with self.assertRaises(TraceProcessorException):
                processor.query("SELECT 1")

    def test_cells(self):
        processor = TraceProcessor(addr=self.address)
        row = next(processor.query("SELECT x'0001ff' AS blob, x'' AS none, 'a' || char(0) || 'b' AS cut,"
                                   " 'Grüße 🦊' AS text, -0.0 AS zero, 9e999 AS endless, '' AS empty"))
        self.assertEqual((row.blob, row.none, row.cut, row.text, row.endless, row.empty),
                         (b"\x00\x01\xff", b"", "a", "Grüße 🦊", math.inf, ""))
        self.assertEqual(math.copysign(1, row.zero), -1)
        self.assertEqual([r.x for r in processor.query("SELECT 1 AS x UNION ALL SELECT NULL "
                                                       "UNION ALL SELECT 'a' UNION ALL SELECT 2.5")],
                         [1, None, "a", 2.5])
        self.assertEqual([r.b for r in processor.query("SELECT 1 AS a; SELECT 2 AS b; SELECT 3 AS b")],
                         [3])
        self.assertEqual(len(processor.query("CREATE PERFETTO TABLE of_python AS SELECT 1 AS x")), 0)
        self.assertEqual(len(processor.query("SELECT 'Größe' AS no_utf8_follows, "
                                             "CAST(x'41ff42' AS TEXT) AS t")), 1)
        processor.close()

    def test_a_file_of_5_mb_in_chunks(self):
        random_ = random.Random(5)
        events = [{"name": f"event {random_.randrange(1000)}", "ph": "X", "ts": i * 10,
                   "dur": random_.randrange(1, 10), "pid": i % 7, "tid": i % 31,
                   "args": {"value": random_.random()}} for i in range(45_000)]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"traceEvents": events}, file)
            file.flush()
            self.assertGreater(os.path.getsize(file.name), 5_000_000)

            def chunks():
                with open(file.name, "rb") as source:
                    while chunk := source.read(500_000):
                        yield chunk
            with TraceProcessor(trace=chunks(),
                                config=TraceProcessorConfig(bin_path=TRACEBRAID)) as processor:
                self.check_pandas(processor, "SELECT name, sum(dur) AS total, count(*) AS n FROM slice"
                                  " GROUP BY name ORDER BY name", file.name)

    def test_export(self):
        with TraceProcessor(addr=self.address) as processor, tempfile.TemporaryDirectory() as folder:
            count = next(processor.query("SELECT count(*) AS n FROM slice")).n
            path = os.path.join(folder, "out")
            processor.export(path, "sqlite")
            base = sqlite3.connect(path)
            self.assertEqual(base.execute("SELECT count(*) FROM slice").fetchone()[0], count)
            base.close()
            processor.export(path, "arrow_tar")
            try:
                with tarfile.open(path) as archive:
                    self.assertTrue([name for name in archive.getnames() if "slice" in name])
            except tarfile.ReadError:  # of a build without Arrow: the text says so
                with open(path) as file:
                    self.assertIn("Arrow", file.read())
            processor.export(path, "perfetto")
            with TraceProcessor(trace=path,
                                config=TraceProcessorConfig(bin_path=TRACEBRAID)) as again:
                self.assertEqual(next(again.query("SELECT count(*) AS n FROM slice")).n, count)

    def test_two_clients_at_once(self):
        def ask(_):
            with TraceProcessor(addr=self.address) as processor:
                return [len(processor.query(QUERIES[-1])) for _ in range(3)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertEqual(list(pool.map(ask, range(2))), [[60000] * 3] * 2)

    def test_the_example_of_the_documentation(self):
        blocks = [each for each in code_blocks("python") if "perfetto" in each]
        self.assertEqual(len(blocks), 1)
        self.assertIn("total", run_block([sys.executable, "-c"], blocks[0]))

    def test_metatrace(self):
        with TraceProcessor(addr=self.address) as processor:
            processor.enable_metatrace()
            processor.query("SELECT 41 + 1")
            data = processor.disable_and_read_metatrace()
            with self.assertRaises(TraceProcessorException):
                processor.disable_and_read_metatrace()
        with TraceProcessor(trace=io.BytesIO(data),
                            config=TraceProcessorConfig(bin_path=TRACEBRAID)) as processor:
            self.assertEqual([row.name for row in processor.query("SELECT name FROM slice")],
                             ["SELECT 41 + 1"])

    def test_the_csv_of_the_api_is_the_same(self):
        sql = QUERIES[2]
        _, _, data = self.server.request("POST", "/api/v1/traces/1/queries", {"sql": sql},
                                         {"Accept": "text/csv"})
        rows = list(csv.reader(io.StringIO(data.decode())))
        with TraceProcessor(addr=self.address) as processor:
            self.assertEqual([row.id for row in processor.query(sql)],
                             [int(row[0]) for row in rows[1:]])


if __name__ == "__main__":
    unittest.main()
