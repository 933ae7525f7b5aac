#!/usr/bin/env python3
"""Fleets of the installed Python package: grouping, rows, failures, workers that end."""
from __future__ import annotations

import doctest
import gzip
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import unittest
import warnings
import zipfile
from collections.abc import Callable, Iterable
from typing import Any
from unittest import mock

import tracebraid as tb
from tracebraid import _program
from tracebraid._fleet import fleet as fleet_module
from tracebraid._fleet import worker

EXAMPLES = pathlib.Path(os.environ["TRACEBRAID_EXAMPLES"])
COUNT = "SELECT count(*) AS n, sum(dur) AS total FROM slice"
N = {"n": "int64"}
# The command `tracebraid fleet`.
COMMAND = "import sys; from tracebraid._program import main; sys.argv[1:] = ['fleet', *sys.argv[1:]]; main()"
# Runs for ever in traces with a slice of this name.
HANGS = """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < (
    SELECT iif(count(*) > 0, 9e18, 2) FROM slice WHERE name = 'hang')) SELECT count(*) AS n FROM n"""


def write_trace(path: pathlib.Path, durations: Iterable[int], name: str = "work") -> pathlib.Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"traceEvents": [
        {"ph": "X", "pid": 1, "tid": 1, "ts": 100 * i, "dur": d, "name": name} for i, d in enumerate(durations)]}))
    return path


def worker_ids() -> list[int]:
    """The ids of worker processes of this process."""
    printed = subprocess.run(["ps", "-ww", "-o", "pid=,args=", "--ppid", str(os.getpid())], text=True,
                             stdout=subprocess.PIPE).stdout
    return [int(line.split()[0]) for line in printed.splitlines() if "fleet-worker" in line]


class FleetTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write_traces(self, count: int) -> None:
        for i in range(count):
            write_trace(self.folder / f"run-{i:02}/trace.json", [10] * (i + 1))


class Groups(FleetTest):
    def test_sources_of_all_kinds_list_the_same_files(self) -> None:
        self.write_traces(3)
        (self.folder / "fleet.jsonl").write_text("".join(
            json.dumps({"path": f"run-{i:02}/trace.json", "build": i}) + "\n" for i in range(3)))
        paths = sorted(str(path) for path in self.folder.glob("*/trace.json"))
        sources: list[Any] = [str(self.folder / "*/*.json"), self.folder / "**/trace.json", paths, self.folder / "fleet.jsonl"]
        for source in sources:
            self.assertEqual([group.paths[0] for group in tb.fleet(source).groups], paths)
        self.assertEqual(tb.fleet(sources[-1]).groups[2].carried, {"build": "2"})

    def test_a_manifest_names_its_mistakes(self) -> None:
        path = self.folder / "fleet.jsonl"
        for text in ('{"path": "a"}\n{"group": "x"}\n', '\n[1]\n', '\nnot json\n', '\n{"paths": [7]}', '\n{"path": 7}'):
            path.write_text(text)
            self.assertRaisesRegex(tb.BadManifest, "fleet.jsonl: line 2 ", tb.fleet, path)

    def test_a_manifest_may_be_a_parquet_file(self) -> None:
        if importlib.util.find_spec("pyarrow") is None:
            self.assertRaises((tb.MissingDependency, FileNotFoundError), tb.fleet, self.folder / "fleet.parquet")
            return
        import pyarrow
        import pyarrow.parquet
        self.write_traces(2)
        path = self.folder / "fleet.parquet"
        pyarrow.parquet.write_table(pyarrow.table({
            "paths": [["run-00/trace.json", "run-01/trace.json"], ["run-01/trace.json"]], "group": ["both", None],
            "build": [7, None]}), path)
        groups = tb.fleet(path).groups
        self.assertEqual([(group.name, len(group.paths), group.carried) for group in groups],
                         [("both", 2, {"build": "7"}), ("run-01/trace.json", 1, {"build": ""})])
        self.assertEqual([row.n for row in tb.fleet(path, jobs=1, sort=True).sql(COUNT)], [3, 2])
        path.write_text("no parquet")
        self.assertRaisesRegex(tb.BadManifest, "fleet.parquet", tb.fleet, path)

    def test_a_regex_or_a_folder_groups_files_and_names_the_groups(self) -> None:
        for name in ("run-1/a.json", "run-1/b.json", "run-2/a.json"):
            write_trace(self.folder / name, [1])
        for group in (r"(run-\d)/", "folder"):
            groups = tb.fleet(self.folder, group=group).groups
            self.assertEqual([(g.name, len(g.paths)) for g in groups], [("run-1", 2), ("run-2", 1)])
        self.assertEqual(tb.fleet(self.folder, group=r"run-(?P<run>\d)/(?P<file>\w)").groups[0].name, "1/a")

    def test_files_that_the_regex_does_not_match(self) -> None:
        write_trace(self.folder / "run-1/a.json", [1])
        write_trace(self.folder / "other.json", [1])
        with self.assertRaisesRegex(tb.UsageError, "other.json: the regex .* does not match"):
            tb.fleet(self.folder, group="(run-1)/")
        names = [[g.name for g in tb.fleet(self.folder, group="(run-1)/", ungrouped=how).groups]
                 for how in ("skip", "alone")]
        self.assertEqual(names, [["run-1"], ["other.json", "run-1"]])

    def test_a_manifest_pattern_names_the_merge_manifest_of_each_group(self) -> None:
        for name in ("phone.pftrace", "watch.pftrace", "app.json", "manifest.json"):
            (self.folder / "run").mkdir(exist_ok=True)
            (self.folder / "run" / name).write_bytes((EXAMPLES / name).read_bytes())
        fleet = tb.fleet(self.folder, group="folder", manifest_pattern="{folder}/manifest.json", jobs=1)
        expected = tb.open(*[EXAMPLES / n for n in ("app.json", "phone.pftrace", "watch.pftrace")],
                           manifest=EXAMPLES / "manifest.json").sql(COUNT).fetchone()
        self.assertEqual(fleet.sql(COUNT).fetchone()[3:], tuple(expected))

    def test_mistakes_are_told_before_anything_runs(self) -> None:
        write_trace(self.folder / "a.json", [1])
        for wrong in ({"on_error": "ignore"}, {"provenance": "all"}, {"group": "("}, {"ungrouped": "x"},
                      {"memory_limit": "900T"}, {"timeout": 0}):
            with self.assertRaises(tb.UsageError, msg=str(wrong)):
                tb.fleet(self.folder, **wrong)
        with self.assertRaisesRegex(TypeError, "did you mean 'clock_model'"):
            tb.fleet(self.folder, clock_modle="step")
        with self.assertRaises(FileNotFoundError):
            tb.fleet(self.folder / "none")

    def test_groups_are_picked_by_a_condition_and_others_are_not_opened(self) -> None:
        self.write_traces(4)
        (self.folder / "run-02/trace.json").write_text("no trace")
        def names(condition: str) -> list[str]:
            return [g.name for g in tb.fleet(self.folder, group=r"(?P<run>run-\d+)/", pick=condition).groups]
        self.assertEqual(names("_run >= 'run-02'"), ["run-02", "run-03"])
        self.assertEqual(names("_size < 50 -- bytes"), ["run-02"])
        self.assertEqual(names("_trace GLOB '*-01/*' OR _group = 'run-03'"), ["run-01", "run-03"])
        self.assertEqual(names("0"), [])
        self.assertEqual(len(tb.fleet(self.folder, jobs=1, pick="_size > 50").sql(COUNT).fetchall()), 3)
        with self.assertRaisesRegex(tb.SqlError, "its columns are _group, _trace, _size, _run"):
            names("nope > 1")

    def test_rows_are_picked_by_a_condition(self) -> None:
        self.write_traces(3)
        fleet = tb.fleet(self.folder, jobs=1, sort=True)
        for sql in (COUNT, COUNT + ";", f"CREATE PERFETTO TABLE t AS {COUNT}; SELECT n, total FROM t; "):
            self.assertEqual([row.n for row in fleet.sql(sql, where="total > 10000", types=N | {"total": "int64"})], [2, 3])
        self.assertEqual(fleet.sql(COUNT, where="n > 5").types, fleet.sql(COUNT).types)
        self.assertRaises(tb.SqlError, fleet.sql, COUNT, where="nope > 1")

    def test_a_sample_is_the_same_each_time(self) -> None:
        self.write_traces(9)
        fleet = tb.fleet(self.folder)
        self.assertEqual(fleet.sample(4).groups, fleet.sample(4).groups)
        self.assertEqual(len(fleet.sample(4).groups), 4)
        self.assertNotEqual(fleet.sample(4).groups, fleet.groups[:4])


class Packed(FleetTest):
    """Archives in an archive."""

    def setUp(self) -> None:
        super().setUp()
        self.inner: dict[str, bytes] = {}
        for i in range(3):
            data = io.BytesIO()
            with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
                for name in ("a.json", "b.json")[:i + 1]:
                    archive.write(write_trace(self.folder / "x.json", [10] * (i + 1)), name)
            self.inner[f"day/run-{i}.zip"] = data.getvalue()
        (self.folder / "x.json").unlink()

    def write_zip(self) -> pathlib.Path:
        with zipfile.ZipFile(self.folder / "runs.zip", "w") as archive:
            archive.writestr("day/", "")
            for name, data in self.inner.items():
                archive.writestr(name, data)
        return self.folder / "runs.zip"

    def write_tar(self) -> pathlib.Path:
        with tarfile.open(self.folder / "runs.tar.gz", "w:gz") as archive:
            for name, data in self.inner.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
        return self.folder / "runs.tar.gz"

    def test_each_archive_in_an_archive_is_a_group(self) -> None:
        with tempfile.TemporaryDirectory() as copies:
            for path in (self.write_zip(), self.write_tar()):
                fleet = tb.fleet(path, jobs=1, sort=True, temp_dir=copies, provenance="full", group=r"run-(?P<run>\d)")
                self.assertEqual([(group.name, group.size) for group in fleet.groups],
                                 [(str(i), len(data)) for i, data in enumerate(self.inner.values())])
                self.assertEqual([row.n for row in fleet.sql(COUNT)], [1, 4, 6])
                row = fleet.sql("SELECT count(*) AS x FROM slice").fetchone()
                self.assertEqual(row[1:3], ("day/run-0.zip", (path / "day/run-0.zip").as_uri()))
                self.assertEqual([group.name for group in tb.fleet(path).groups], list(self.inner))
            self.assertEqual(os.listdir(copies), [])

    def test_an_archive_of_traces_is_one_group(self) -> None:
        path = self.folder / "one.zip"
        path.write_bytes(self.inner["day/run-1.zip"])
        self.assertEqual([row.n for row in tb.fleet(path, jobs=1).sql(COUNT)], [4])

    def test_damaged_and_changed_archives_are_errors_of_the_group(self) -> None:
        self.inner["day/run-1.zip"] = b"no archive"
        path = self.write_zip()
        fleet = tb.fleet(path, jobs=1, sort=True, on_error="rows")
        self.assertEqual([row.n for row in fleet.sql(COUNT)], [1, 6])
        self.assertEqual([(e.group, e.stage, e.file) for e in fleet.errors], [("day/run-1.zip", "open", f"{path}/day/run-1.zip")])
        del self.inner["day/run-0.zip"]
        self.inner["day/run-2.zip"] += b"longer"
        self.write_zip()
        self.assertEqual(fleet.sql(COUNT).fetchall(), [])
        self.assertEqual([(e.group, e.stage, e.code) for e in fleet.errors],
                         [("day/run-0.zip", "fetch", "NOT_FOUND"), ("day/run-1.zip", "open", "UNSUPPORTED"),
                          ("day/run-2.zip", "fetch", "BAD_INPUT")])


class Remote(FleetTest):
    """URLs of fsspec, here of local files: workers copy them, as they do those of a store."""

    def setUp(self) -> None:
        super().setUp()
        self.url = self.folder.as_uri()
        if importlib.util.find_spec("fsspec") is None:
            self.assertRaisesRegex(tb.MissingDependency, r"tracebraid\[remote\]", tb.fleet, self.url)
            self.skipTest("there is no fsspec")

    def test_files_folders_and_globs(self) -> None:
        self.write_traces(3)
        (self.folder / ".hidden").write_text("x")
        expected = tb.fleet(self.folder, sort=True, jobs=1).sql(COUNT).fetchall()
        for source in (self.url, self.url + "/**/*.json", self.url + "/run-*/trace.json",
                       [f"{self.url}/run-{i:02}" for i in range(3)]):
            fleet = tb.fleet(source, sort=True, jobs=1, group=r"(run-..)")
            self.assertEqual([group.name for group in fleet.groups], ["run-00", "run-01", "run-02"], source)
            self.assertEqual([group.size for group in fleet.groups], [group.size for group in tb.fleet(self.folder).groups])
        fleet = tb.fleet(self.url, sort=True, jobs=1)
        self.assertEqual(fleet.sql(COUNT).fetchall(), expected)
        self.assertEqual([group.name for group in tb.fleet(self.url + "/run-01/trace.json").groups], ["trace.json"])
        self.assertRaisesRegex(tb.NotFound, "no such file", tb.fleet, self.url + "/none")
        self.assertRaisesRegex(tb.NotFound, "Protocol not known", tb.fleet, "nope://x/y")

    def test_merge_manifests_and_fleet_manifests(self) -> None:
        run = self.folder / "run"
        run.mkdir()
        for name in ("phone.pftrace", "watch.pftrace", "app.json", "manifest.json"):
            (run / name).write_bytes((EXAMPLES / name).read_bytes())
        expected = tb.fleet(run, group="folder", manifest_pattern="{folder}/manifest.json", jobs=1).sql(COUNT).fetchone()[3:]
        fleet = tb.fleet(self.url, group="folder", manifest_pattern="{folder}/manifest.json", jobs=1)
        self.assertEqual(fleet.sql(COUNT).fetchone()[3:], expected)
        manifest = self.folder / "fleet.jsonl"
        manifest.write_text(json.dumps({"paths": [f"{self.url}/run/{name}" for name in ("app.json", "phone.pftrace", "watch.pftrace")],
                                        "manifest": f"{self.url}/run/manifest.json", "group": "all"}))
        row = tb.fleet(manifest, jobs=1).sql(COUNT).fetchone()
        self.assertEqual((row[0], row[2], tuple(row[3:])), ("all", f"{self.url}/run/app.json", expected))

    def test_errors_name_urls_and_no_copies_are_left(self) -> None:
        write_trace(self.folder / "a.json", [1])
        (self.folder / "b.json").write_text("no trace")
        write_trace(self.folder / "c.json", [1])
        write_trace(self.folder / "d.json", [1])
        with tempfile.TemporaryDirectory() as copies:
            fleet = tb.fleet(self.url, jobs=1, on_error="rows", temp_dir=copies)
            write_trace(self.folder / "c.json", [1, 2])
            (self.folder / "d.json").unlink()
            self.assertEqual(len(fleet.sql(COUNT).fetchall()), 1)
            self.assertEqual([(e.group, e.stage, e.code, e.file) for e in fleet.errors],
                             [("b.json", "open", "UNSUPPORTED", self.url + "/b.json"),
                              ("c.json", "fetch", "BAD_INPUT", self.url + "/c.json"),
                              ("d.json", "fetch", "NOT_FOUND", self.url + "/d.json")])
            self.assertEqual(os.listdir(copies), [])
        self.assertNotIn("tracebraid-", " ".join(e.message for e in fleet.errors))

    def test_a_changed_file_runs_again(self) -> None:
        self.write_traces(2)
        write_trace(self.folder / "z.json", [1], name="hang")
        with tempfile.TemporaryDirectory() as name:
            with self.assertRaises(tb.Error):  # keeps the journal
                tb.fleet(self.url, jobs=1, timeout=2).write(COUNT + f", ({HANGS})", name + "/rows.csv",
                                                           types={"n": "int64", "total": "int64"})
            journal = pathlib.Path(name, "rows.csv.resume/journal")
            self.assertEqual(journal.read_text().count("\n"), 3)
            write_trace(self.folder / "run-00/trace.json", [9])  # as many bytes as before
            os.utime(self.folder / "run-00/trace.json", (1, 1))
            write_trace(self.folder / "z.json", [1])
            tb.fleet(self.url, jobs=1, timeout=2).write(COUNT + f", ({HANGS})", name + "/rows.csv", resume=True,
                                                       types={"n": "int64", "total": "int64"})
            rows = pathlib.Path(name, "rows.csv").read_text().splitlines()
            self.assertEqual([line.split(",")[-1] for line in rows[1:]], ["9000", "20000", "1000"])


class Caching(FleetTest):
    def braids(self) -> list[pathlib.Path]:
        return sorted((self.folder / "cache").glob("*.braid"), key=lambda path: path.stat().st_atime_ns)

    def test_the_cache_keeps_what_was_used_last(self) -> None:
        for i in range(4):
            write_trace(self.folder / f"runs/{i}.json", [10] * (i + 1))

        def run(source: str, **options: Any) -> list[int]:
            fleet = tb.fleet(self.folder / "runs" / source, jobs=1, sort=True, cache_dir=self.folder / "cache", **options)
            return [row.n for row in fleet.sql(COUNT)]
        self.assertEqual(run("*.json"), [1, 2, 3, 4])
        braids = self.braids()
        self.assertEqual(len(braids), 4)
        size = sum(path.stat().st_size for path in braids)
        for path in braids:
            os.utime(path, (1, 2))
        self.assertEqual(run("[02].json"), [1, 3])
        used = self.braids()[2:]
        self.assertTrue(all(path.stat().st_atime > 2 and path.stat().st_mtime == 2 for path in used))
        self.assertEqual(run("0.json", cache_size=size - 1), [1])
        self.assertEqual(len(self.braids()), 3)
        kept = sum(path.stat().st_size for path in used)
        self.assertEqual(run("[02].json", cache_size=f"{kept // 1024 + 1}K"), [1, 3])
        self.assertEqual(sorted(self.braids()), sorted(used))
        self.assertRaisesRegex(tb.UsageError, "cache_size is a number", run, "0.json", cache_size="x")


class Rows(FleetTest):
    def test_rows_are_those_of_each_trace_in_order_of_groups(self) -> None:
        self.write_traces(5)
        for jobs in (1, 3):
            rows = tb.fleet(self.folder, sort=True, jobs=jobs).sql(COUNT).fetchall()
            self.assertEqual([(row[0], row.n, row.total) for row in rows],
                             [(f"run-{i:02}/trace.json", i + 1, (i + 1) * 10_000) for i in range(5)])
            self.assertEqual(rows[0][1:3], ("run-00/trace.json", (self.folder / "run-00/trace.json").as_uri()))

    def test_types_and_values_of_all_kinds(self) -> None:
        write_trace(self.folder / "a.json", [1, 2, 3])
        result = tb.fleet(self.folder, jobs=1).sql(
            "SELECT nullif(id, 1) AS i, 0.5 AS x, x'0001' AS b, iif(id = 2, NULL, name) AS t FROM slice ORDER BY id",
            types={"i": "int64", "t": "utf8"})
        self.assertEqual(result.types[3:], ["int64", "float64", "binary", "utf8"])
        self.assertEqual([row[3:] for row in result],
                         [(0, 0.5, b"\0\1", "work"), (None, 0.5, b"\0\1", "work"), (2, 0.5, b"\0\1", None)])

    def test_consumers(self) -> None:
        self.write_traces(2)
        result = tb.fleet(self.folder, sort=True, jobs=1).sql(COUNT)
        rows = [tuple(row) for row in result]
        if importlib.util.find_spec("pyarrow"):
            table = result.to_arrow()
            table.validate(full=True)
            self.assertEqual([tuple(row.values()) for row in table.to_pylist()], rows)
            self.assertEqual(result.to_reader().read_all(), table)
        if importlib.util.find_spec("pandas"):
            self.assertEqual([tuple(row) for row in result.to_pandas().itertuples(index=False)], rows)
        if importlib.util.find_spec("polars"):
            self.assertEqual(result.to_polars().rows(), rows)

    def test_the_machine_follows_from_its_keys(self) -> None:
        fleet = tb.fleet(EXAMPLES / "*.pftrace", sort=True, jobs=1)
        for key, table in (("utid", "thread"), ("upid", "process"), ("track_id", "slice"), ("machine_id", "thread")):
            result = fleet.sql(f"SELECT DISTINCT {key} FROM {table}")
            self.assertEqual(result.columns[3:], ["_machine", key])
            self.assertEqual({(row[0], row[3]) for row in result},
                             {("phone.pftrace", "phone"), ("watch.pftrace", "watch")})

    def test_full_provenance(self) -> None:
        path = write_trace(self.folder / "run-1/a.json", [1])
        fleet = tb.fleet(self.folder, group=r"run-(?P<run>\d)", provenance="full", jobs=1)
        row = dict(zip(fleet.sql(COUNT).columns, fleet.sql(COUNT).fetchone(), strict=True))
        self.assertEqual((row["_trace_size"], row["_placed_by"], row["_lost"], row["_run"]),
                         (path.stat().st_size, "is_timeline", 0, "1"))
        self.assertRegex(row["_trace_digest"], "^[0-9a-f]{16}$")

    def test_statements_before_the_last_one_run_in_each_trace(self) -> None:
        self.write_traces(2)
        result = tb.fleet(self.folder, sort=True, jobs=1).sql(
            "CREATE PERFETTO TABLE long AS SELECT * FROM slice; SELECT count(*) AS n FROM long;")
        self.assertEqual([row.n for row in result], [1, 2])

    def test_mistakes_in_statements_are_told_before_any_trace_is_read(self) -> None:
        (self.folder / "no-trace.txt").write_text("no trace")
        fleet = tb.fleet(self.folder, jobs=1)
        with self.assertRaises(tb.SqlError) as caught:
            fleet.sql("SELECT nope FROM slice")
        self.assertEqual(caught.exception.column, 8)
        with self.assertRaisesRegex(tb.UsageError, r"CAST\(x AS INTEGER\)"):
            fleet.sql("SELECT iif(id > 1, id, name) AS x FROM slice")

    def test_a_fleet_without_groups_has_no_rows_of_the_right_schema(self) -> None:
        with self.assertWarnsRegex(tb.TraceWarning, r"\*\.json: no file matches"):
            result = tb.fleet(str(self.folder / "*.json")).sql(COUNT)
        self.assertEqual((result.columns[3:], result.fetchall()), (["n", "total"], []))
        with self.assertWarnsRegex(tb.TraceWarning, "no file is in this folder"):
            tb.fleet(self.folder)
        write_trace(self.folder / "a.json", [1])
        with self.assertWarnsRegex(tb.TraceWarning, "pick is true for none of 1 groups"):
            self.assertEqual(tb.fleet(self.folder, pick="_size < 0").groups, ())


class Failures(FleetTest):
    def setUp(self) -> None:
        super().setUp()
        self.write_traces(3)
        (self.folder / "bad.json").write_text("this is no trace")

    def test_fail_raises_the_error_of_the_group(self) -> None:
        with self.assertRaisesRegex(tb.Unsupported, "^bad.json: "):
            tb.fleet(self.folder, jobs=1, sort=True).sql(COUNT).fetchall()

    def test_readers_of_streams_get_the_text_of_the_error(self) -> None:
        if importlib.util.find_spec("pyarrow"):
            with self.assertRaisesRegex(OSError, "bad.json: "):
                tb.fleet(self.folder / "bad.json", jobs=1).sql(COUNT).to_reader().read_all()

    def test_skip_names_the_groups_and_keeps_all_other_rows(self) -> None:
        with self.assertWarnsRegex(tb.TraceWarning, "1 of 4 groups were skipped: bad.json"):
            rows = tb.fleet(self.folder, jobs=2, on_error="skip", sort=True).sql(COUNT).fetchall()
        self.assertEqual([row.n for row in rows], [1, 2, 3])

    def test_rows_gives_a_table_of_errors(self) -> None:
        fleet = tb.fleet(self.folder, jobs=2, on_error="rows", sort=True)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(len(fleet.sql(COUNT).fetchall()), 3)
        (row,) = fleet.errors.result().fetchall()
        self.assertEqual((row[0], row.stage, row.code, row.attempt), ("bad.json", "open", "UNSUPPORTED", 1))
        self.assertEqual(fleet.errors[0].group, "bad.json")

    def test_a_file_that_changed_since_the_listing(self) -> None:
        fleet = tb.fleet(self.folder / "run-*/trace.json", jobs=1, on_error="rows")
        write_trace(self.folder / "run-01/trace.json", [1] * 9)
        (self.folder / "run-02/trace.json").unlink()
        self.assertEqual([row.n for row in fleet.sql(COUNT)], [1])
        self.assertEqual([(e.group[:6], e.stage, e.code) for e in fleet.errors],
                         [("run-01", "fetch", "BAD_INPUT"), ("run-02", "fetch", "NOT_FOUND")])

    def test_limits_are_errors_of_the_group(self) -> None:
        write_trace(self.folder / "run-00/trace.json", [1], name="hang")
        write_trace(self.folder / "run-01/trace.json", [1], name="big")
        fleet = tb.fleet(self.folder / "run-00", jobs=1, on_error="rows", timeout=1)
        self.assertEqual(fleet.sql(HANGS, types=N).fetchall(), [])
        self.assertEqual([(e.group, e.code) for e in fleet.errors], [("trace.json", "TIMEOUT")])
        fleet = tb.fleet(self.folder / "run-*/trace.json", jobs=1, on_error="rows", memory_limit="200M")
        fleet.sql("SELECT CAST(length(hex(zeroblob(iif(name = 'big', 900000000, 1)))) AS INTEGER) AS n FROM slice").fetchall()
        self.assertEqual([(e.group[:6], e.stage) for e in fleet.errors], [("run-01", "query")])
        self.assertIn(fleet.errors[0].code, ("NO_MEMORY", "LIMIT"))
        write_trace(self.folder / "run-02/trace.json", [1] * 5)
        fleet = tb.fleet(self.folder / "run-*/trace.json", jobs=1, on_error="rows", max_rows=4)
        self.assertEqual(len(fleet.sql("SELECT id FROM slice").fetchall()), 2)
        self.assertEqual(fleet.errors[0].code, "LIMIT")

    def test_files_that_cannot_be_listed_fail_their_group(self) -> None:
        (self.folder / "run-01/gone.json").symlink_to("nowhere")
        (self.folder / "bad.json").unlink()
        fleet = tb.fleet(self.folder, group="folder", jobs=1, on_error="rows", sort=True)
        self.assertEqual([row.n for row in fleet.sql(COUNT)], [1, 3])
        (error,) = fleet.errors
        self.assertEqual((error.group, error.stage, error.code, error.file),
                         ("run-01", "list", "NOT_FOUND", str(self.folder / "run-01/gone.json")))
        with self.assertRaisesRegex(tb.NotFound, "^run-01: .*gone.json: No such file"):
            tb.fleet(self.folder, group="folder", jobs=1, sort=True).sql(COUNT).fetchall()

    def test_statements_that_a_trace_refuses_and_values_that_do_not_fit(self) -> None:
        (self.folder / "bad.json").unlink()
        write_trace(self.folder / "run-01/trace.json", [1], name="text")
        fleet = tb.fleet(self.folder, jobs=1, on_error="rows", sort=True)
        types = {"x": "int64"}
        rows = fleet.sql("SELECT iif(name = 'text', name, id) AS x FROM slice", types=types).fetchall()
        self.assertEqual([row.x for row in rows], [0, 0, 1, 2])
        self.assertEqual([(e.group[:6], e.stage, e.code) for e in fleet.errors], [("run-01", "query", "TYPE_CHANGED")])
        module = self.folder / "sql/mine/t.sql"
        module.parent.mkdir(parents=True)
        module.write_text("CREATE PERFETTO TABLE t AS SELECT id AS x FROM slice;")
        fleet = tb.fleet(self.folder / "run-*/*.json", jobs=1, on_error="rows", sql_path=f"{module.parent}@mine")
        result = fleet.sql("INCLUDE PERFETTO MODULE mine.t; SELECT x FROM t", types=types)
        module.unlink()  # the statement was compiled before
        self.assertEqual(result.fetchall(), [])
        self.assertEqual({(e.stage, e.code) for e in fleet.errors}, {("describe", "SQL")})

    def test_rows_that_cannot_be_kept_fail_their_group(self) -> None:
        (self.folder / "bad.json").unlink()
        code = ("import json, resource, sys, tracebraid as tb\n"
                "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))\n"  # stands for a full disk
                "fleet = tb.fleet(sys.argv[1], jobs=1, on_error='rows', sort=True, progress=False)\n"
                "sql = 'SELECT CAST(hex(zeroblob(iif((SELECT count(*) FROM slice) = 2, 9000000, 2))) AS TEXT) AS x FROM slice'\n"
                "rows = [len(row.x) for row in fleet.sql(sql)]\n"
                "first = [(e.group[:6], e.stage, e.code) for e in fleet.errors]\n"
                "fleet.write(sql, sys.argv[2])\n"
                "second = [(e.group[:6], e.stage, e.code) for e in fleet.errors]\n"
                "print(json.dumps([rows, first, second]))")
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name, "rows.csv")
            done = subprocess.run([sys.executable, "-c", code, self.folder, path], text=True, stdout=subprocess.PIPE, check=True)
            failed = [["run-01", "write", "IO"]]
            self.assertEqual(json.loads(done.stdout), [[4] * 4, failed, failed])
            self.assertEqual((len(path.read_text().splitlines()), os.listdir(name)), (5, ["rows.csv"]))

    def test_a_strict_check_is_a_stage(self) -> None:
        fleet = tb.fleet(EXAMPLES / "*.json", jobs=1, on_error="rows", check=True)
        expected = 0
        for path in EXAMPLES.glob("*.json"):
            try:
                tb.check(path, strict=True)
                expected += 1
            except tb.Error:
                pass
        self.assertEqual(len(fleet.sql(COUNT).fetchall()), expected)
        self.assertLessEqual({e.stage for e in fleet.errors}, {"check", "open"})


class Processes(FleetTest):
    def kill_workers(self, times: int) -> set[int]:
        """Kills the worker `times` times. Returns the set of those that were killed, which grows."""
        killed: set[int] = set()

        def kill() -> None:
            until = time.monotonic() + 30
            while len(killed) < times and time.monotonic() < until:
                for worker in set(worker_ids()) - killed:
                    time.sleep(0.3)
                    os.kill(worker, signal.SIGKILL)
                    killed.add(worker)
                time.sleep(0.05)
        thread = threading.Thread(target=kill)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(killed.update, [-1, -2])  # ends the thread
        return killed

    def test_a_group_whose_worker_was_killed_runs_again(self) -> None:
        write_trace(self.folder / "a.json", [1])
        slow = COUNT + ", (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3e6) " \
                       "SELECT count(*) FROM n) AS many"
        killed = self.kill_workers(1)
        fleet = tb.fleet(self.folder, jobs=1, on_error="rows")
        self.assertEqual([row.n for row in fleet.sql(slow, types={"n": "int64", "total": "int64", "many": "int64"})], [1])
        self.assertEqual(len(fleet.errors), 0)
        self.assertEqual(len(killed), 1)

    def test_a_group_whose_worker_was_killed_twice_fails(self) -> None:
        write_trace(self.folder / "a.json", [1], name="hang")
        self.kill_workers(2)
        fleet = tb.fleet(self.folder, jobs=1, on_error="rows", timeout=30)
        self.assertEqual(fleet.sql(HANGS, types=N).fetchall(), [])
        self.assertEqual([(e.group, e.code, e.attempt) for e in fleet.errors], [("a.json", "WorkerDied", 2)])
        self.assertRegex(fleet.errors[0].message, "by signal 9")

    def test_no_worker_is_left_after_a_result_that_was_not_read_to_its_end(self) -> None:
        self.write_traces(6)
        self.assertEqual(tb.fleet(self.folder, jobs=2, sort=True).sql(COUNT).fetchone().n, 1)
        self.assertEqual(worker_ids(), [])

    def test_interrupting_ends_the_workers(self) -> None:
        write_trace(self.folder / "a.json", [1], name="hang")
        result = tb.fleet(self.folder, jobs=1, timeout=30).sql(HANGS, types=N)
        threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
        self.assertRaises(KeyboardInterrupt, result.fetchall)
        self.assertEqual(worker_ids(), [])

    def test_progress_counts_groups(self) -> None:
        self.write_traces(3)
        seen = []
        tb.fleet(self.folder, jobs=2, progress=lambda *of: seen.append(of)).sql(COUNT).fetchall()
        self.assertEqual(seen, [("groups", done, 3) for done in (1, 2, 3)])


class Command(FleetTest):
    def run_fleet(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", COMMAND, *map(str, arguments)], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)

    def test_rows_errors_and_exit_status(self) -> None:
        self.write_traces(2)
        (self.folder / "bad.json").write_text("this is no trace")
        with tempfile.TemporaryDirectory() as name:
            rows, errors = pathlib.Path(name, "rows.jsonl"), pathlib.Path(name, "errors.jsonl")
            done = self.run_fleet(self.folder, COUNT, "--sort", "--jobs=1", "--on-error=rows", "--format=jsonl",
                                  f"--output={rows}", f"--errors={errors}")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual([json.loads(line)["n"] for line in rows.read_text().splitlines()], [1, 2])
            self.assertEqual([json.loads(line)["_group"] for line in errors.read_text().splitlines()], ["bad.json"])
            self.assertIn("1 of 3 groups were skipped", done.stderr)
            self.assertEqual(self.run_fleet(self.folder, COUNT, "--jobs=1", f"--output={name}/x").returncode, 3)
            self.assertEqual(sorted(path.name for path in pathlib.Path(name).iterdir()),
                             ["errors.jsonl", "rows.jsonl", "x.resume"])
        self.assertEqual(self.run_fleet(self.folder, "SELECT nope").returncode, 4)
        self.assertEqual(self.run_fleet(self.folder, COUNT, "--group=(").returncode, 2)
        self.assertEqual(self.run_fleet(self.folder, COUNT, "--pick=_trace GLOB '*-01*'", "--where=n > 2").stdout.count("\n"), 1)
        sql = self.folder / "run-00/count.sql"
        sql.write_text(COUNT)
        done = self.run_fleet(self.folder / "run-01", "--sql-file", sql, "--format=jsonl", "--timeout=2m")
        self.assertEqual((json.loads(done.stdout)["n"], done.returncode), (2, 0))
        self.assertEqual(self.run_fleet(self.folder, "--sql-file", self.folder / "none.sql").returncode, 3)
        for wrong in (("--timeout", "soon"), ("--types", "n"), ("--types", "n=int")):
            self.assertEqual(self.run_fleet(self.folder, COUNT, *wrong).returncode, 2, wrong)
        self.assertEqual(self.run_fleet(self.folder / "run-01", COUNT).stdout.splitlines()[1].split(",")[-2:], ["2", "20000"])


    def test_ctrl_c_keeps_what_is_whole_and_says_how_to_continue(self) -> None:
        self.write_traces(3)
        hangs = write_trace(self.folder / "run-00/trace.json", [1], name="hang")
        with tempfile.TemporaryDirectory() as name:
            out = pathlib.Path(name, "rows.csv")
            arguments = [self.folder, HANGS, "--types", "n=int64", "--jobs=1", f"--output={out}"]
            process = subprocess.Popen([sys.executable, "-c", COMMAND, *map(str, arguments)], text=True, stderr=subprocess.PIPE)
            journal = pathlib.Path(name, "rows.csv.resume/journal")
            until = time.monotonic() + 60
            while time.monotonic() < until and (not journal.exists() or journal.read_bytes().count(b"\n") < 3):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 130)
            self.assertIn("--resume continues", said)
            write_trace(hangs, [10])
            self.assertEqual(self.run_fleet(*arguments, "--resume").returncode, 0)
            self.assertEqual(len(out.read_text().splitlines()), 4)

    def test_a_folder_as_output_has_a_file_of_parquet(self) -> None:
        self.write_traces(2)
        if importlib.util.find_spec("pyarrow") is None:
            return
        import pyarrow.parquet
        with tempfile.TemporaryDirectory() as name:
            self.assertEqual(self.run_fleet(self.folder, COUNT, "--jobs=1", f"--output={name}/rows/").returncode, 0)
            self.assertEqual(os.listdir(f"{name}/rows"), ["part-0.parquet"])
            self.assertEqual(pyarrow.parquet.read_table(f"{name}/rows")["n"].to_pylist(), [1, 2])

    def test_options_say_how_groups_are_opened(self) -> None:
        write_trace(self.folder / "runs/a.json", [1] * 3)
        self.assertEqual(self.run_fleet(self.folder / "runs", COUNT, "--clock-model=x").returncode, 2)
        module = self.folder / "sql/mine/twice.sql"
        module.parent.mkdir(parents=True)
        module.write_text("CREATE PERFETTO TABLE twice AS SELECT 2 * count(*) AS n FROM slice;")
        done = self.run_fleet(self.folder / "runs", "INCLUDE PERFETTO MODULE mine.twice; SELECT CAST(n AS INTEGER) AS n FROM twice",
                              "--sql-path", f"{module.parent}@mine", "--drop-negative", "--format=jsonl")
        self.assertEqual((done.stderr, json.loads(done.stdout or "{}").get("n")), ("", 6))
        (self.folder / "runs/b.json.gz").write_bytes(gzip.compress((self.folder / "runs/a.json").read_bytes()))
        done = self.run_fleet(self.folder / "runs", COUNT, "--max-member-bytes", "10", "--on-error=rows")
        self.assertRegex(done.stderr, "b.json.gz: open: LIMIT")
        self.assertEqual(self.run_fleet(self.folder / "runs", COUNT, "--by-machine").returncode, 2)


class ResumingTest(FleetTest):
    SQL = COUNT + ", (" + HANGS + ")"
    TYPES = {"n": "int64", "total": "int64"}

    def setUp(self) -> None:
        super().setUp()
        self.write_traces(4)
        self.out = pathlib.Path(tempfile.mkdtemp(), "rows.csv")
        self.addCleanup(shutil.rmtree, self.out.parent)
        self.journal = self.out.parent / "rows.csv.resume/journal"

    def fleet(self, **options: Any) -> tb.Fleet:
        return tb.fleet(self.folder, jobs=1, **options)

    def write(self, **options: Any) -> bytes:
        self.fleet().write(self.SQL, self.out, types=self.TYPES, **options)
        return self.out.read_bytes()

    def wait_for_three_groups(self) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until and (not self.journal.exists() or self.journal.read_bytes().count(b"\n") < 4):
            time.sleep(0.05)

    def end_after_three_groups(self, number: signal.Signals) -> int:
        """Sends a signal to a process that writes the rows and hangs in the last group. Returns its exit status."""
        hangs = write_trace(self.folder / "run-00/trace.json", [1], name="hang")
        code = (f"import tracebraid as tb; tb.fleet({str(self.folder)!r}, jobs=1).write({self.SQL!r}, {str(self.out)!r}, "
                f"types={self.TYPES})")
        process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        self.wait_for_three_groups()
        process.send_signal(number)
        process.wait(timeout=60)
        self.assertFalse(self.out.exists())
        write_trace(hangs, [10])
        return process.returncode


class Resuming(ResumingTest):
    def test_a_killed_run_continues_and_ends_with_the_same_bytes(self) -> None:
        whole = self.write()
        self.assertEqual(whole.count(b"\n"), 5)
        for number in (signal.SIGKILL, signal.SIGINT):
            self.out.unlink()
            self.end_after_three_groups(number)
            with open(self.journal, "ab") as file:
                file.write(b'{"group": "run-0')  # a line that was not written to its end
            ended = self.folder / "run-02/trace.json"
            text, times = ended.read_text(), (ended.stat().st_atime_ns, ended.stat().st_mtime_ns)
            ended.write_text("-" * len(text))  # is not read again
            os.utime(ended, ns=times)
            self.assertEqual(self.write(resume=True), whole)
            self.assertEqual([path.name for path in self.out.parent.iterdir()], ["rows.csv"])
            ended.write_text(text)

    def test_groups_whose_files_changed_run_again(self) -> None:
        whole = self.write()
        self.out.unlink()
        self.end_after_three_groups(signal.SIGKILL)
        write_trace(self.folder / "run-03/trace.json", [7, 7])
        changed = self.write(resume=True)
        self.assertEqual(changed.splitlines()[:4], whole.splitlines()[:4])
        self.assertTrue(changed.splitlines()[4].endswith(b",2,14000"), changed)

    def test_another_question_is_refused(self) -> None:
        self.end_after_three_groups(signal.SIGKILL)
        kept = self.journal.read_bytes()
        for options in ({}, {"max_rows": 7}, {"provenance": "full"}):
            with self.assertRaisesRegex(tb.UsageError, "another statement, other options"):
                self.fleet(**options).write(COUNT, self.out, resume=True)
        self.assertEqual(self.journal.read_bytes(), kept)
        self.fleet().write(COUNT, self.out)
        self.assertEqual(len(self.out.read_text().splitlines()), 5)

    def test_formats(self) -> None:
        result = self.fleet(sort=True, provenance="full").sql(COUNT)
        rows = [tuple(row) for row in result]
        for name in ("rows.parquet", "rows.arrow"):
            path = self.out.parent / name
            fleet = self.fleet(provenance="full")
            if importlib.util.find_spec("pyarrow") is None:
                self.assertRaises(tb.MissingDependency, fleet.write, COUNT, path)
                continue
            import pyarrow
            import pyarrow.parquet
            fleet.write(COUNT, path)
            table = pyarrow.parquet.read_table(path) if name == "rows.parquet" else pyarrow.ipc.open_file(path).read_all()
            self.assertEqual([tuple(row.values()) for row in table.to_pylist()], rows)
            self.assertEqual(table.column_names, result.columns)
        self.assertRaisesRegex(tb.UsageError, "csv, tsv, jsonl", self.fleet().write, COUNT, self.out.parent / "rows.txt")


# Values of which each format has special forms.
REALS = ("0.0", "-0.0", "1.0", "-2.5", "100000.0", "123456.0", "1e15", "1e16", "1e22", "1e-5", "0.0001", "0.00012", "1.5e300", "5e-324",
         "1152921504606846976.0", "-123456789012345680.0", "0.1", "1e999", "-1e999", "3.141592653589793", "9007199254740993.0")
TEXTS = ("NULL", "''", "'plain'", "'a,b'", "'say \"x\"'", "'tab' || char(9)", "'two' || char(10) || 'lines'", "char(13)", "'back\\slash'",
         "'\u00e4\u2028\U0001f600'", "char(1) || char(127)")
VALUES = ("SELECT CAST(x AS REAL) AS x, CAST(t AS TEXT) AS \"t\"\"1\", CAST(iif(t IS NULL, NULL, x'00ff') AS BLOB) AS b, id FROM ("
          + " UNION ALL ".join(f"SELECT {i} AS id, {real} AS x, {TEXTS[i % len(TEXTS)]} AS t" for i, real in enumerate(REALS)) + ")")


class OneImplementation(ResumingTest):
    """The package and the program write the same files, and continue the runs of each other."""

    def run_program(self, *arguments: object) -> int:
        return subprocess.run([_program.path(), "fleet", *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def test_rows_as_text_have_the_bytes_of_the_program(self) -> None:
        types = {"x": "float64", "t\"1": "utf8", "b": "binary", "id": "int64"}
        fleet = tb.fleet(self.folder, jobs=1, provenance="full")
        for name in ("rows.csv", "rows.tsv", "rows.jsonl"):
            ours, theirs = self.out.parent / name, self.out.parent / ("program-" + name)
            fleet.write(VALUES, ours, types=types)
            self.assertEqual(self.run_program(self.folder, VALUES, "--jobs=1", "--provenance=full", "--types=x=float64,t\"1=utf8,b=binary,id=int64",
                                              f"--output={theirs}"), 0)
            self.assertEqual(ours.read_bytes(), theirs.read_bytes(), name)
            self.assertGreater(ours.read_bytes().count(b"\n"), 4 * len(REALS) - 1)

    def test_each_continues_runs_of_the_other(self) -> None:
        arguments = [self.folder, self.SQL, "--types=n=int64,total=int64", "--jobs=1", f"--output={self.out}"]
        whole = self.write()

        def end_program() -> None:
            hangs = write_trace(self.folder / "run-00/trace.json", [1], name="hang")
            process = subprocess.Popen([_program.path(), "fleet", *map(str, arguments)], stderr=subprocess.DEVNULL)
            self.wait_for_three_groups()
            process.kill()
            process.wait()
            write_trace(hangs, [10])
        ended = self.folder / "run-02/trace.json"
        text, times = ended.read_text(), (ended.stat().st_atime_ns, ended.stat().st_mtime_ns)
        ends: list[Callable[[], object]] = [lambda: self.end_after_three_groups(signal.SIGKILL), end_program]
        goes_on: list[Callable[[], object]] = [lambda: self.run_program(*arguments, "--resume"), lambda: self.write(resume=True)]
        for end, go_on in zip(ends, goes_on, strict=True):
            self.out.unlink()
            end()
            ended.write_text("-" * len(text))  # is not read again
            os.utime(ended, ns=times)
            go_on()
            self.assertEqual(self.out.read_bytes(), whole)
            ended.write_text(text)
            os.utime(ended, ns=times)


class WhoRuns(FleetTest):
    """The command runs the program, except where only the package can."""

    def test_what_the_program_cannot_is_for_the_package(self) -> None:
        (self.folder / "urls.jsonl").write_text('{"path": "file:///x"}')
        (self.folder / "paths.jsonl").write_text('{"path": "x"}')
        for arguments in (["runs", "--to", "lake"], ["runs", "--to=lake"], ["--compact", "-o", "x"], ["--vacuum=7d"], ["s3://b/*.pb", "SELECT 1"],
                          ["runs.parquet", "SELECT 1"], [str(self.folder / "urls.jsonl"), "SELECT 1"], ["runs", "SELECT 1", "-o", "x.arrow"],
                          ["runs", "SELECT 1", "--output=rows/"], ["runs", "SELECT 1", "--format", "parquet"], ["--help"]):
            self.assertTrue(_program.needs_package(arguments), arguments)
        for arguments in (["runs", "SELECT 1"], [str(self.folder / "paths.jsonl"), "SELECT 'http://x' AS url"], ["runs", "SELECT 1", "-o", "x.csv"],
                          ["runs", "SELECT 1", "--errors", "s.parquet"]):
            self.assertFalse(_program.needs_package(arguments), arguments)

    def test_both_end_with_the_same_status(self) -> None:
        write_trace(self.folder / "a.json", [1], name="text")
        changes = "SELECT iif(name = 'text', name, id) AS x FROM slice"
        sources: list[object] = [self.folder]
        if importlib.util.find_spec("fsspec"):
            sources.append(self.folder.as_uri())
        for source in sources:
            for status, arguments in ((0, [COUNT]), (2, [COUNT, "--group=("]), (4, ["SELECT nope"]), (4, [changes, "--types=x=int64"]),
                                      (4, ["SELECT id FROM slice UNION ALL SELECT 1", "--types=id=int64", "--max-rows=1"]), (1, [changes, "--types=x=int64", "--on-error=skip"])):
                done = subprocess.run([sys.executable, "-c", COMMAND, str(source), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, status, (source, arguments, done.stderr))

    def test_a_store_that_does_not_answer_fails_its_group_only(self) -> None:
        def hang(*of: Any) -> list[str]:
            time.sleep(60)
            return []
        with mock.patch.object(worker, "fetch_all", hang), mock.patch.object(worker, "is_remote", lambda path: path.endswith("a.json")):
            write_trace(self.folder / "a.json", [1])
            write_trace(self.folder / "b.json", [1])
            fleet = tb.fleet(self.folder, jobs=1, on_error="rows", timeout=1)
            begun = time.monotonic()
            self.assertEqual([row[0] for row in fleet.sql(COUNT)], ["b.json"])
            self.assertLess(time.monotonic() - begun, 30)
        self.assertEqual([(e.group, e.stage, e.code) for e in fleet.errors], [("a.json", "fetch", "TIMEOUT")])


class Manual(unittest.TestCase):
    def test_the_examples_of_docstrings_run(self) -> None:
        before = os.getcwd()
        os.chdir(EXAMPLES.parent)
        try:
            done = doctest.testmod(fleet_module)
        finally:
            os.chdir(before)
        self.assertEqual((done.failed, done.attempted > 2), (0, True))

    def test_the_code_of_the_manual_runs(self) -> None:
        page = (EXAMPLES.parent / "docs/fleet.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.S)
        if importlib.util.find_spec("duckdb") is None or importlib.util.find_spec("pyarrow") is None:
            blocks = [block for block in blocks if "import duckdb" not in block]
        code = "\n".join(blocks)
        done = subprocess.run([sys.executable, "-c", code], cwd=EXAMPLES.parent, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
