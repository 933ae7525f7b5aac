#!/usr/bin/env python3
"""The lake of a fleet: its readers, its log, processes that are killed at each write. Needs pyarrow, duckdb,
polars and deltalake."""
from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import warnings
from typing import Any
from unittest import mock

import duckdb
import polars
import pyarrow.dataset
import pyarrow.parquet

import tracebraid as tb
from tracebraid._lake import log as lake_log
from tracebraid._lake import parquet as lake_parquet
from tracebraid._lake.schema import Layout, lake_tables, listing

EXAMPLES = pathlib.Path(os.environ["TRACEBRAID_EXAMPLES"])
TABLES = ["slice", "thread", "process", "track", "sched_slice", "thread_state", "counter"]
# Each is answered for each group: number of rows, of values, and their sum.
Answer = tuple[Any, ...]  # of a group: its name, rows, values and their sum
QUESTIONS = [("slice", "ts"), ("slice", "dur"), ("slice", "track_id"), ("slice", "depth"), ("slice", "parent_id"),
             ("slice", "arg_set_id"), ("slice", "ts_uncertainty_ns"), ("thread", "utid"), ("thread", "tid"), ("thread", "upid"),
             ("process", "upid"), ("process", "pid"), ("track", "id"), ("sched_slice", "ts"), ("sched_slice", "dur"),
             ("sched_slice", "priority"), ("thread_state", "ts"), ("thread_state", "dur"), ("counter", "ts"), ("counter", "value")]


def write_trace(path: pathlib.Path, slices: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"traceEvents": [
        {"ph": "X", "pid": 1, "tid": 1, "ts": 100 * i, "dur": 10, "name": f"event {i % 3}"} for i in range(slices)]}))


def ask(statement: str) -> list[Answer]:
    """The rows of a statement of DuckDB."""
    return duckdb.execute(statement).fetchall()


def of_duckdb(lake: pathlib.Path, table: str, column: str) -> list[Answer]:
    return ask(f"SELECT _group, count(*), count({column}), sum({column}) FROM read_parquet("
                      f"'{lake}/{table}/**/*.parquet', union_by_name = true) GROUP BY 1 ORDER BY 1")


def of_polars(lake: pathlib.Path, table: str, column: str) -> list[Answer]:
    value = polars.col(column)
    sums = polars.when(value.count() > 0).then(value.sum())
    frame = polars.scan_parquet(f"{lake}/{table}/**/*.parquet").group_by("_group").agg(
        polars.len(), value.count().alias("values"), sums.alias("sum"))
    return frame.sort("_group").collect().rows()


def of_pyarrow(lake: pathlib.Path, table: str, column: str) -> list[Answer]:
    rows = pyarrow.dataset.dataset(f"{lake}/{table}").to_table(["_group", column]).group_by("_group").aggregate(
        [([], "count_all"), (column, "count"), (column, "sum")])
    return sorted(zip(*(rows[name].to_pylist() for name in ("_group", "count_all", f"{column}_count", f"{column}_sum"))))


def of_fleet(fleet: tb.Fleet, table: str, column: str) -> list[Answer]:
    value = "clock_error(ts, NULL, NULL, 'REALTIME', NULL)" if column == "ts_uncertainty_ns" else column
    rows = fleet.sql(f"SELECT count(*) AS n, count({value}) AS v, sum({value}) AS s FROM {table}")
    return [(row[0], *row[3:]) for row in rows if row.n]


class LakeTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.lake = self.folder / "lake"
        self.runs = self.folder / "runs"

    def write(self, source: pathlib.Path | None = None, **options: Any) -> int | None:
        made = {name: options.pop(name) for name in ("tables", "buckets", "layout", "delta", "resume") if name in options}
        fleet = tb.fleet(str(source or self.runs), jobs=1, progress=False, **options)
        return fleet.write_lake(self.lake, **{"tables": ["slice", "thread"], "buckets": 2, **made})

    def slices(self) -> dict[str, int]:
        """The number of slices of each group, by a glob."""
        files = list(self.lake.glob("slice/**/*.parquet"))
        return dict(ask(f"SELECT _group, count(*) FROM read_parquet({list(map(str, files))}) GROUP BY 1")) \
            if files else {}

    def check_log(self) -> tb.Lake:
        """The files that globs find are those of the log. Returns the lake."""
        lake = tb.Lake(self.lake)
        found = {str(path) for path in self.lake.glob("[!_]*/**/*.parquet")}
        self.assertEqual(found, {path for table in lake.tables() for path in lake.files(table)})
        return lake


class Readers(LakeTest):
    def test_integers_are_stored_as_differences_and_texts_in_dictionaries(self) -> None:
        write_trace(self.runs / "a.json", 5000)
        self.write()
        for path in self.lake.glob("slice/**/*.parquet"):
            group = pyarrow.parquet.ParquetFile(path).metadata.row_group(0)
            columns = {group.column(i).path_in_schema: group.column(i).encodings for i in range(group.num_columns)}
            for name in ("ts", "dur", "ts_utc"):
                self.assertIn("DELTA_BINARY_PACKED", columns[name], name)
            for name in ("_group", "name"):
                self.assertIn("RLE_DICTIONARY", columns[name], name)

    def test_all_readers_give_the_answers_of_the_fleet(self) -> None:
        fleet = tb.fleet(str(EXAMPLES / "*.pftrace"), jobs=1, sort=True, progress=False)
        self.assertEqual(fleet.write_lake(self.lake, tables=TABLES, buckets=2), 1)
        answers = [of_fleet(fleet, *question) for question in QUESTIONS[::4]]
        for reader in (of_duckdb, of_polars, of_pyarrow):
            self.assertEqual([reader(self.lake, *question) for question in QUESTIONS[::4]], answers, reader.__name__)
            self.assertEqual([reader(self.lake, *question) for question in QUESTIONS],
                             [of_duckdb(self.lake, *question) for question in QUESTIONS], reader.__name__)
        self.assertTrue(all(answers))

    def test_the_schema_file_and_the_document_describe_the_files(self) -> None:
        self.write(EXAMPLES / "phone.pftrace", tables=TABLES)
        schema = json.loads((self.lake / "_tracebraid/schema-1.json").read_text())
        for table in tb.Lake(self.lake).tables():
            expected = lake_parquet.arrow_schema(schema["tables"][table])
            for path in self.lake.glob(f"{table}/**/*.parquet"):
                file = pyarrow.parquet.ParquetFile(path)
                self.assertEqual(file.schema_arrow, expected, path)
                self.assertTrue(file.metadata.row_group(0).column(0).statistics.has_min_max)
        lines = [f"| `{name}` | {', '.join(column['name'] + ' ' + column['type'] for column in columns)} |"
                 for name, columns in listing(lake_tables(None, {}), Layout())["tables"].items()]
        text = (EXAMPLES.parent / "docs/lake.md").read_text()
        written = [line for line in text.partition("## All tables")[2].splitlines() if line.startswith("| `")]
        self.assertEqual(written, lines, "\n".join(lines))

    def test_a_row_of_traces_describes_each_group_also_one_that_failed(self) -> None:
        write_trace(self.runs / "a.json", 2)
        (self.runs / "b.json").write_text("no trace")
        phone = (EXAMPLES / "phone.pftrace").read_bytes()
        (self.runs / "phone.pftrace").write_bytes(phone)
        with self.assertWarns(tb.TraceWarning):
            self.write(on_error="skip")
        rows = {row["_group"]: row for path in self.lake.glob("traces/**/*.parquet")
                for row in pyarrow.parquet.ParquetFile(path).read().to_pylist()}
        self.assertEqual(sorted(rows), ["a.json", "b.json", "phone.pftrace"])
        self.assertEqual(dict(rows["a.json"]["rows"])["slice"], 2)
        self.assertIsNone(rows["a.json"]["start_utc"])
        self.assertRegex(rows["b.json"]["error"], "^UNSUPPORTED: ")
        self.assertEqual((rows["phone.pftrace"]["bytes"], rows["phone.pftrace"]["machines"]), (len(phone), ["phone"]))
        self.assertTrue((self.lake / "traces/date=2026-11-20").is_dir() and (self.lake / "traces/date=unknown").is_dir())
        write_trace(self.runs / "b.json", 5)  # the group runs again
        self.write()
        self.assertEqual(self.slices()["b.json"], 5)
        self.assertEqual(ask(f"SELECT count(*), count(error) FROM read_parquet('{self.lake}/traces/**/*.parquet')"), [(3, 0)])


class Changes(LakeTest):
    def setUp(self) -> None:
        super().setUp()
        for i in range(4):
            write_trace(self.runs / f"{i}.json", i + 1)

    def test_groups_are_added_once_and_replaced_if_their_files_changed(self) -> None:
        self.assertEqual(self.write(), 1)
        self.assertIsNone(self.write())
        os.utime(self.runs / "1.json")  # the same bytes
        self.assertIsNone(self.write())
        write_trace(self.runs / "2.json", 9)
        write_trace(self.runs / "4.json", 5)
        self.assertEqual(self.write(), 2)
        self.assertEqual(self.slices(), {"0.json": 1, "1.json": 2, "2.json": 9, "3.json": 4, "4.json": 5})
        self.check_log()

    def test_groups_of_other_files_with_the_same_name_are_named(self) -> None:
        for day, count in (("20", 1), ("21", 7)):
            write_trace(self.folder / f"days/{day}/run.json", count)
        self.write(self.folder / "days/20")
        with self.assertWarnsRegex(tb.TraceWarning, r"1 groups replaced .* as run.json \(.*days/20/run.json, now .*days/21/run.json\)"):
            self.write(self.folder / "days/21")
        self.assertEqual(self.slices(), {"run.json": 7})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            write_trace(self.folder / "days/21/run.json", 8)  # the same file
            self.write(self.folder / "days/21")
            self.write(self.folder / "days")
        self.assertEqual(self.slices(), {"run.json": 8, "20/run.json": 1, "21/run.json": 8})

    def test_another_schema_is_refused(self) -> None:
        self.write()
        path = self.lake / "_tracebraid/schema-1.json"
        schema = json.loads(path.read_text())
        schema["tables"]["slice"][2]["type"] = "utf8"
        path.write_text(json.dumps(schema))
        write_trace(self.runs / "5.json", 1)
        with self.assertRaisesRegex(tb.Unsupported, "slice.id is utf8 in this lake"):
            self.write()
        with self.assertRaisesRegex(tb.UsageError, "no table thread_slice"):
            self.write(tables=["thread_slice"])
        path.rename(path.with_name("schema-2.json"))
        with self.assertRaisesRegex(tb.Unsupported, "schema-2.json"):
            self.write()

    def test_small_files_are_merged_while_duckdb_reads_and_deleted_later(self) -> None:
        for i in range(4):
            self.write(self.runs / f"{i}.json", buckets=1)
        before = self.slices()
        reading = duckdb.execute(f"SELECT _group FROM read_parquet('{self.lake}/slice/**/*.parquet', union_by_name = true)")
        first = reading.fetchmany(1)
        lake = tb.Lake(self.lake)
        self.assertEqual((lake.compact(), lake.compact()), (5, None))
        self.assertEqual(len(first + reading.fetchall()), sum(before.values()))
        self.assertEqual((len(lake.files("slice")), self.slices()), (1, before))
        self.assertEqual(lake_parquet.groups_of(pyarrow.parquet.ParquetFile(lake.files("slice")[0]).read()),
                         [("0.json", 0, 1), ("1.json", 1, 2), ("2.json", 3, 3), ("3.json", 6, 4)])
        self.assertEqual(lake.vacuum(), [])
        self.assertEqual(lake.vacuum(0), ["_tracebraid/removed/000005"])
        self.check_log()

    def test_writers_at_once_have_a_commit_each(self) -> None:
        code = ("import sys, tracebraid as tb\n"
                "tb.fleet(sys.argv[1], jobs=1, progress=False).write_lake(sys.argv[2], tables=['slice'], buckets=2)")
        writers = [subprocess.Popen([sys.executable, "-c", code, self.runs / f"{i}.json", self.lake]) for i in range(3)]
        self.assertEqual([writer.wait() for writer in writers], [0, 0, 0])
        self.assertEqual(self.check_log().version, 3)
        self.assertEqual(len(self.slices()), 3)

    def test_a_file_is_replaced_by_one_of_two_writers(self) -> None:
        self.write()
        log = lake_log.Log(str(self.lake))
        path = next(path for path in log.files()[1] if path.startswith("slice/"))
        first, second = log.new_staging(), log.new_staging()
        self.assertEqual(log.commit(first, "compact", [], [path]), 2)
        with self.assertRaises(lake_log.Conflict):
            log.commit(second, "compact", [], [path])
        self.assertEqual(os.listdir(self.lake / "_tracebraid/staging"), [])

    def test_a_checkpoint_has_the_files_of_the_commits_before(self) -> None:
        with mock.patch.object(lake_log, "CHECKPOINT_EVERY", 2):
            for i in range(3):
                self.write(self.runs / f"{i}.json")
            (self.lake / "_tracebraid/commits/000001.json").write_text("not read any more")
            self.assertEqual(len({path for path in lake_log.Log(str(self.lake)).files()[1] if path.startswith("traces/")}), 3)

    def test_the_command(self) -> None:
        def run(*arguments: object) -> subprocess.CompletedProcess[str]:
            code = "import sys; from tracebraid._program import main; sys.argv[1:] = ['fleet', *sys.argv[1:]]; main()"
            return subprocess.run([sys.executable, "-c", code, *map(str, arguments)], text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        done = run(self.runs, "--to", "lake", "--output", self.lake, "--tables", "slice", "--jobs", 1, "--layout", "bucket", "--delta")
        self.assertTrue((self.lake / "slice/_delta_log/00000000000000000000.json").exists())
        self.assertEqual((done.returncode, done.stderr), (0, "version 1\n"))
        self.assertEqual(sum(self.slices().values()), 10)
        done = run("--compact", "--vacuum", "7d", "--output", self.lake)
        self.assertEqual((done.returncode, done.stderr), (0, "nothing to merge\n0 files and folders were deleted\n"))
        write_trace(self.folder / "others/1.json", 9)
        done = run(self.folder / "others", "--to", "lake", "-o", self.lake, "--jobs", 1)
        self.assertRegex(done.stderr, "^tracebraid: warning: 1 groups replaced those of the same name and other files, as 1.json .*\nversion 2\n$")
        for wrong in ((self.runs, "--to", "lake"), ("--compact",), ("--vacuum", "soon", "--output", self.lake)):
            self.assertEqual(run(*wrong).returncode, 2, wrong)


class Layouts(LakeTest):
    def test_a_folder_for_each_trace(self) -> None:
        long = "x" * 240
        for path, count in (("0.json", 1), ("sub/1.json", 2), (f"{long}.json", 3)):
            write_trace(self.runs / path, count)
        self.assertEqual(self.write(layout="trace"), 1)
        names = sorted(path.name for path in self.lake.glob("trace=*"))
        self.assertEqual(names[:2], ["trace=0.json", "trace=sub%2F1.json"])
        self.assertRegex(names[2], "^trace=x{160}-[0-9a-f]{32}$")
        self.assertEqual(sorted(path.name for path in (self.lake / "trace=0.json").iterdir()), ["slice", "thread"])

        def slices() -> list[int]:
            return [n for _, n in ask(f"SELECT _group, count(*) FROM read_parquet('{self.lake}/trace=*/slice/*.parquet') "
                                             "GROUP BY 1 ORDER BY 1")]
        self.assertEqual(slices(), [1, 2, 3])
        write_trace(self.runs / "0.json", 5)
        self.assertEqual(self.write(), 2)  # the layout is that of the lake
        self.assertEqual(slices(), [5, 2, 3])
        self.assertEqual(self.check_log().tables(), ["slice", "thread", "traces"])
        self.assertRaisesRegex(tb.UsageError, "has the layout trace", self.write, layout="bucket")
        self.assertRaisesRegex(tb.UsageError, "delta needs the layout bucket", self.write, delta=True)
        write_trace(self.runs / "3.json", 1)
        with mock.patch("tracebraid._lake.write._MOST_TRACE_FOLDERS", 3):
            self.assertRaisesRegex(tb.UsageError, "at most 3 groups", self.write)

    def delta(self, table: str) -> dict[str, int]:
        import deltalake
        rows = deltalake.DeltaTable(str(self.lake / table)).to_pyarrow_table()
        counts = rows.group_by("_group").aggregate([([], "count_all")])
        return dict(zip(counts["_group"].to_pylist(), counts["count_all"].to_pylist()))

    def test_delta_tables_follow_the_lake(self) -> None:
        for i in range(3):
            write_trace(self.runs / f"{i}.json", i + 1)
        (self.runs / "phone.pftrace").write_bytes((EXAMPLES / "phone.pftrace").read_bytes())
        self.write(buckets=1)
        self.assertEqual(list(self.lake.glob("*/_delta_log")), [])
        write_trace(self.runs / "3.json", 4)
        self.write(delta=True)
        self.assertEqual(self.delta("slice"), self.slices())
        self.assertEqual(self.delta("traces"), dict.fromkeys(["0.json", "1.json", "2.json", "3.json", "phone.pftrace"], 1))
        write_trace(self.runs / "1.json", 9)
        self.write()  # Delta logs go on
        self.assertEqual(self.delta("slice"), self.slices())
        self.write(tables=["slice", "process"])
        write_trace(self.runs / "4.json", 2)
        self.write(tables=["slice", "process"])
        tb.Lake(self.lake).compact()
        logs = sorted((self.lake / "slice/_delta_log").iterdir())
        self.assertEqual([path.name for path in logs], [f"{i:020}.json" for i in range(5)])
        self.assertEqual((self.delta("slice"), self.slices()["4.json"]), (self.slices(), 2))
        logs[-1].unlink()  # as if the process was killed before
        self.assertEqual(tb.Lake(self.lake).version, 5)
        self.assertEqual(self.delta("slice"), self.slices())
        rows = ask(f"SELECT _group, count(*) FROM read_parquet('{self.lake}/process/**/*.parquet') GROUP BY 1")
        self.assertEqual(self.delta("process"), dict(rows))
        self.check_log()

    def test_values_of_delta_tables_are_those_of_the_files(self) -> None:
        import deltalake
        self.write(EXAMPLES / "phone.pftrace", tables=["slice", "counter"], delta=True)
        for table in ("slice", "counter", "traces"):
            rows = deltalake.DeltaTable(str(self.lake / table)).to_pyarrow_table()
            files = pyarrow.concat_tables([pyarrow.parquet.ParquetFile(path).read() for path in tb.Lake(self.lake).files(table)])
            for name in files.column_names:
                expected = files[name]
                if pyarrow.types.is_timestamp(expected.type):
                    expected = expected.cast(pyarrow.int64())
                self.assertEqual(rows[name].to_pylist(), expected.to_pylist(), (table, name))
            self.assertEqual(set(rows["date"].to_pylist()), {"2026-11-20"})


def kill_at(step: int, folder: str) -> None:
    """Kills this process at the given change of files below a folder: opening for writing, renaming, linking, deleting."""
    names = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "shutil.rmtree", "os.truncate"}
    left = [step]

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        changes = event in names or (event == "open" and isinstance(arguments[1], str) and re.search("[wax+]", arguments[1]))
        if changes and str(arguments[0]).startswith(folder):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(look)


class Kills(LakeTest):
    def test_a_process_killed_at_any_write_leaves_the_old_or_the_new_lake(self) -> None:
        for i in range(2):
            write_trace(self.runs / f"{i}.json", i + 1)
        self.write(tables=["slice"])
        old = self.slices()
        write_trace(self.runs / "1.json", 7)
        write_trace(self.runs / "2.json", 3)
        new = {"0.json": 1, "1.json": 7, "2.json": 3}
        with mock.patch("tracebraid._lake.write.Writing", side_effect=InterruptedError), self.assertRaises(InterruptedError):
            self.write(tables=["slice"])  # the journal has all groups now, so that no workers run below
        saved = self.folder / "saved"
        self.lake.rename(saved)
        step, states = 1, []
        while True:
            subprocess.run(["rm", "-rf", self.lake], check=True)
            subprocess.run(["cp", "-rp", saved, self.lake], check=True)
            child = os.fork()
            if child == 0:
                kill_at(step, str(self.lake))
                self.write(tables=["slice"], resume=True)
                os._exit(0)
            if os.waitpid(child, 0)[1] == 0:
                break
            lake = self.check_log()
            states.append(self.slices())
            self.assertEqual(states[-1], new if lake.version == 2 else old, step)
            if step % 6 == 1:
                self.write(tables=["slice"], resume=True)
                self.assertEqual((self.check_log().version, self.slices()), (2, new))
                lake.vacuum(0)
                self.check_log()
            step += 1 if os.environ.get("TRACEBRAID_ALL_FAULTS") == "1" else 3
        self.assertEqual((self.check_log().version, self.slices()), (2, new))
        self.assertTrue(old in states and new in states)


class Manual(unittest.TestCase):
    def test_the_code_of_the_manual_runs(self) -> None:
        (code,) = re.findall(r"```python\n(.*?)```", (EXAMPLES.parent / "docs/lake.md").read_text(), re.S)
        done = subprocess.run([sys.executable, "-c", code], cwd=EXAMPLES.parent, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
