#!/usr/bin/env python3
"""Wrong uses of the package, each of which must say what is wrong and what to write instead. Needs no other library."""
import contextlib
import io
import os
import pathlib
import pickle
import re
import tempfile
import unittest
from collections.abc import Callable
from typing import Any

import tracebraid as tb

EXAMPLES = pathlib.Path(os.environ["TRACEBRAID_EXAMPLES"])
PHONE, WATCH, APP = (str(EXAMPLES / name) for name in ("phone.pftrace", "watch.pftrace", "app.json"))
Case = tuple[Callable[[], object], type[BaseException], str]


class WrongUses(unittest.TestCase):
    trace: tb.Trace
    wrong: Any  # the same, for arguments that the types forbid

    @classmethod
    def setUpClass(cls) -> None:
        cls.trace = cls.wrong = tb.open(PHONE, WATCH, APP, manifest=EXAMPLES / "manifest.json")

    def check(self, *cases: Case) -> None:
        for use, kind, message in cases:
            with self.subTest(message):
                with self.assertRaises(kind) as caught, contextlib.redirect_stdout(io.StringIO()):
                    use()
                self.assertRegex(str(caught.exception), message)

    def test_inputs(self) -> None:
        opens: Any = tb.open
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder, "notes.txt")
            text.write_text("hello\n")
            with open(text) as stream:
                self.check(
                    (lambda: tb.open("/no/file"), tb.NotFound, "cannot open /no/file: No such file"),
                    (lambda: tb.open(""), ValueError, "the path of an input is empty"),
                    (lambda: opens(3), TypeError, r"an input is a path, .*, not int"),
                    (lambda: opens([PHONE, WATCH]), TypeError, r"write open\(\*paths\) for a list of paths"),
                    (lambda: opens(stream), TypeError, r"open the file in binary mode, open\(path, \"rb\"\)"),
                    (lambda: tb.open(PHONE.encode()), TypeError, r"bytes are the contents of a trace; .* os.fsdecode\("),
                    (lambda: tb.open(text), tb.Unsupported, 'text that begins "hello"; text formats are'),
                    (lambda: tb.open(folder + "/none.zip"), tb.NotFound, "none.zip"),
                    (lambda: tb.open(), ValueError, "give at least one input"),
                    (lambda: tb.merge("/no/file", output=folder + "/m.zip"), tb.NotFound, "cannot open /no/file"))

    def test_manifests(self) -> None:
        opens: Any = tb.open
        top = "expected a JSON object with a top-level perfetto_manifest key"
        self.check(
            (lambda: tb.open(PHONE, manifest={"clocks": 1}), tb.BadManifest, top),
            (lambda: tb.open(PHONE, manifest="{nope"), tb.BadManifest, "not valid JSON"),
            (lambda: tb.open(PHONE, manifest="/no/m.json"), tb.NotFound, "cannot (open|read) /no/m.json"),
            (lambda: opens(PHONE, manifest=5), TypeError, "manifest is a path, a dict or JSON text, not int"),
            (lambda: tb.open(PHONE, manifest={"perfetto_manifest": {1}}), TypeError, "manifest: .*set"),
            (lambda: tb.merge(PHONE, output="/tmp/none.zip", manifest="{nope"), tb.BadManifest, "not valid JSON"),
            (lambda: tb.validate_manifest("/no/m.json"), tb.NotFound, "cannot (open|read) /no/m.json"),
            (lambda: tb.validate_manifest({"perfetto_manifest": 1}), tb.BadManifest, top))

    def test_options(self) -> None:
        opens: Any = tb.open
        self.check(
            (lambda: tb.open(PHONE, strict="very"), ValueError, "strict: 'very' is not true, false or all"),
            (lambda: opens(PHONE, threads="many"), ValueError, "threads: 'many' is not a whole number"),
            (lambda: tb.open(PHONE, memory_limit="big"), ValueError, "memory-limit: 'big' is not a number, or"),
            (lambda: tb.open(PHONE, clock_model="x"), ValueError, "clock-model: 'x' is not one of step, linear"),
            (lambda: tb.open(PHONE, clock_modell="step"), TypeError, "did you mean 'clock_model'"),
            (lambda: opens(PHONE, timeout="5"), TypeError, "timeout is a number of seconds, not str"),
            (lambda: tb.open(PHONE, timeout=-1), ValueError, "timeout must be positive"),
            (lambda: opens(PHONE, progress="yes"), TypeError, r"progress is None, True, False or a callable .*, not str"),
            (lambda: self.trace.check(strict="very"), ValueError, "strict is True, False or 'all', not 'very'"))

    def test_a_limit_of_memory_that_is_too_small_is_said_once(self) -> None:
        for limit in (1, "1k", "50K"):
            with self.assertRaises(MemoryError) as caught:
                tb.open(PHONE, memory_limit=limit)
            self.assertEqual(str(caught.exception).count("raise memory-limit"), 1)

    def test_statements(self) -> None:
        t = self.trace
        self.check(
            (lambda: t.sql("SELECT nam FROM slice"), tb.SqlError, r"did you mean name\?"),
            (lambda: t.sql("SELECT * FROM slic"), tb.SqlError, "no such table: slic"),
            (lambda: t.sql("SELEC 1"), tb.SqlError, "syntax error near 'SELEC'"),
            (lambda: t.sql(""), tb.SqlError, "No valid SQL to run"),
            (lambda: self.wrong.sql(1), TypeError, "a statement is a str, not int"),
            (lambda: self.wrong.run(None), TypeError, "a statement is a str, not NoneType"),
            (lambda: t.sql("SELECT 1; SELECT 2").fetchall(), tb.UsageError, "rows of one statement, and this is another"),
            (lambda: t.sql("CREATE PERFETTO TABLE t AS SELECT 1 AS x").fetchall(), tb.UsageError, "no statement of the SQL gives rows"),
            (lambda: t.sql("SELECT 1", timeout=0), ValueError, "timeout must be positive"),
            (lambda: t.sql("SELECT 1", text="large"), ValueError, "text is 'dictionary' or 'utf8', not 'large'"),
            (lambda: t.sql("SELECT 1 AS x", types={"x": "int32"}), ValueError, "'int32' is not one of int64, float64"),
            (lambda: self.wrong.sql("SELECT 1 AS x", types="int64"), TypeError,
             r"types is a mapping of columns to types, \{\"n\": \"int64\"\}, not str"),
            (lambda: t.connection().sql("SELECT x FROM nope"), tb.SqlError, "no such table: nope"))

    def test_parameters(self) -> None:
        t, of = self.trace, self.wrong.sql
        self.check(
            (lambda: t.sql("SELECT ?, ?", [1]).fetchall(), tb.UsageError, r"there is no value for \?2"),
            (lambda: t.sql("SELECT ?", [1, 2]).fetchall(), tb.UsageError, "2 values are given, but the SQL has 1 variable"),
            (lambda: t.sql("SELECT 1", [1]).fetchall(), tb.UsageError, "1 value is given, but the SQL has 0 variables"),
            (lambda: t.sql("SELECT :ts", {"tss": 1}).fetchall(), tb.UsageError, "no variable of the SQL is called tss"),
            (lambda: t.sql("SELECT ?", "abc"), TypeError, r"params is a sequence or a mapping, .*, not str"),
            (lambda: of("SELECT ?", 5), TypeError, r"params is a sequence or a mapping, .*, not int"),
            (lambda: of("SELECT ?", {5}), TypeError, r"params is a sequence or a mapping, .*, not set"),
            (lambda: t.sql("SELECT ?, ?", [1, object()]), TypeError, "parameter 2: object is not None, bool, int"),
            (lambda: t.sql("SELECT :x", {"x": []}), TypeError, "parameter x: list is not None, bool, int"),
            (lambda: t.sql("SELECT ?", [2**63]), OverflowError, "parameter 1: 9223372036854775808 does not fit into 64 bits"))
        self.assertEqual(t.sql("SELECT ?3", [1, 2, 3]).scalar(), 3)
        self.assertEqual(t.sql("CREATE PERFETTO TABLE two AS SELECT ?1 AS x, ?2 AS y; SELECT x + ?1 FROM two", [1, 2]).scalar(), 2)

    def test_tables(self) -> None:
        t = self.trace
        self.check(
            (lambda: t.table("slic"), tb.NotFound, r"there is no table 'slic'; did you mean slice\?"),
            (lambda: t.table("slice", ["nam"]), tb.NotFound, "did you mean name"),
            (lambda: t.table("slice", "name"), TypeError, r"columns is a list of names, \[\"name\"\], not str"),
            (lambda: self.wrong.table(3), TypeError, "a table is named by a str, not int"),
            (lambda: t.tables["slic"], KeyError, r"there is no table 'slic'; did you mean 'slice'\?"),
            (lambda: self.wrong.register("x.duckdb"), TypeError, r"register\(\) takes a connection of DuckDB, duckdb.connect\(\), not str"))

    def test_results(self) -> None:
        t = self.trace
        self.check(
            (lambda: t.sql("SELECT 1 WHERE 0").scalar(), ValueError, "the result has 0 rows"),
            (lambda: t.sql("SELECT 1").show(-1), ValueError, "n is -1, less than 0"),
            (lambda: t.sql("SELECT 1").fetchmany(-1), ValueError, "n is -1, less than 0"),
            (lambda: t.sql("SELECT 1").to_pandas("numpy"), ValueError, "dtype_backend is None or 'pyarrow', not 'numpy'"),
            (lambda: pickle.dumps(t.sql("SELECT 1")), TypeError, r"a Result belongs to its Trace; send its rows, as to_arrow\(\)"))

    def test_closed(self) -> None:
        trace, connection = tb.open(PHONE), self.trace.connection()
        trace.close()
        connection.close()
        self.check(
            (lambda: trace.sql("SELECT 1"), tb.Closed, "the trace is closed"),
            (lambda: trace.files, tb.Closed, "the trace is closed"),
            (lambda: trace.timeline, tb.Closed, "the trace is closed"),
            (trace.__enter__, tb.Closed, "the trace is closed"),
            (lambda: trace.export("/tmp/none.json"), tb.Closed, "the trace is closed"),
            (lambda: connection.run("SELECT 1"), tb.Closed, "the connection is closed"))

    def test_clocks(self) -> None:
        t, timeline = self.trace, self.trace.timeline
        convert: Any = timeline.convert
        self.check(
            (lambda: t.clock("REALTIMES"), tb.NotFound, r"no clock 'REALTIMES'; did you mean REALTIME\?"),
            (lambda: t.clock("REALTIME", machine="wach"), tb.NotFound, "it has REALTIME of phone; REALTIME of watch"),
            (lambda: t.clock("REALTIME"), tb.AmbiguousClock, "REALTIME of phone; REALTIME of watch"),
            (lambda: convert("123"), TypeError, r"values are an int, a sequence of ints, .*, not str"),
            (lambda: convert(1.5), TypeError, r"values are an int, a sequence of ints, .*, not float"),
            (lambda: convert([1, 1.5]), TypeError, "a time is an int, in ns, not float"),
            (lambda: convert(2**64), OverflowError, "a time does not fit into 64 bits"),
            (lambda: convert(1, to="REALTIME"), TypeError, r"to is a Clock, as Trace.clock\(\) returns it, not str"),
            (lambda: convert(1, to=tb.open(PHONE).timeline), ValueError, "the clocks are of different traces"))

    def test_exports(self) -> None:
        t = self.trace
        with tempfile.TemporaryDirectory() as folder:
            there = pathlib.Path(folder, "there.json")
            there.write_text("{}")
            self.check(
                (lambda: t.export(folder + "/x.foo"), ValueError, "give to=, one of braid, .*json"),
                (lambda: t.export(there, to="jsn"), ValueError, "no kind of export 'jsn', only perfetto, braid, json"),
                (lambda: t.export("/no/folder/x.json"), OSError, "cannot write /no/folder/x.json"),
                (lambda: t.export(there), ValueError, "a file has this name; the option force replaces it"),
                (lambda: t.export(APP, force=True), ValueError, "would replace an input; choose another name"),
                (lambda: t.export(folder + "/x.json", mashine="x"), TypeError, "did you mean 'machine'"),
                (lambda: t.export(folder + "/x.parquet"), ValueError, "give one table= or a query="),
                (lambda: self.wrong.export(7), TypeError, "not int"),
                (lambda: t.check().explain("nope"), tb.NotFound, "no input is named 'nope'"),
                (lambda: t.check().graph("png"), ValueError, "'png' is neither svg nor dot"))
            self.assertEqual((os.listdir(folder), there.read_text()), (["there.json"], "{}"))

    def test_no_message_has_words_of_the_command_line(self) -> None:
        """Options have no dashes in Python."""
        for use in (lambda: tb.open(PHONE, ("x", b"no trace")), lambda: self.trace.export(APP)):
            with self.assertRaises(tb.Error) as caught:
                use()
            self.assertIsNone(re.search(r"--\w", str(caught.exception)), str(caught.exception))


if __name__ == "__main__":
    unittest.main()
