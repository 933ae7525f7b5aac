#!/usr/bin/env python3
"""A fleet of 1,000 traces, some of which are damaged, hang or need too much memory. Takes minutes: only `scripts/test fleet`
runs it."""
from __future__ import annotations

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
from typing import Any

import tracebraid as tb

COUNT = 1000
CUT, NOT_TRACES, BOMBS, HANGS, BIG = range(10, 20), range(30, 35), range(50, 52), (700,), (800,)
SQL = """SELECT count(*) AS n,
    (WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < (
        SELECT iif(count(*) > 0, 9e18, 2) FROM slice WHERE name = 'hang')) SELECT count(*) FROM c) AS steps,
    length(hex(zeroblob(iif(sum(name = 'big') > 0, 900000000, 1)))) AS bytes
FROM slice"""
TYPES = {"n": "int64", "steps": "int64", "bytes": "int64"}
OPTIONS: dict[str, Any] = {"jobs": 2, "timeout": "3s", "memory_limit": "400M", "max_member_bytes": "20M", "progress": False}


def text_of(number: int) -> str:
    name = "hang" if number in HANGS else "big" if number in BIG else "work"
    return json.dumps({"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "ts": 100 * i, "dur": 10, "name": name}
                                       for i in range(number % 7 + 1)]})


def write_traces(folder: pathlib.Path) -> None:
    bomb = gzip.compress(b'{"traceEvents": [' + b" " * (60 << 20) + b"]}")
    for number in range(COUNT):
        data = text_of(number).encode()
        if number in CUT:
            data = data[:len(data) - 10]
        elif number in NOT_TRACES:
            data = b"this is no trace"
        elif number in BOMBS:
            data = bomb
        (folder / f"{number:04}.json").write_bytes(data)


class LargeFleet(unittest.TestCase):
    folder: pathlib.Path
    errors: list[tuple[str, str, str]]
    rows: list[tuple[str, int]]

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name, "runs")
        cls.folder.mkdir()
        write_traces(cls.folder)
        failing = {**dict.fromkeys(NOT_TRACES, ("open", "UNSUPPORTED")), **dict.fromkeys(BOMBS, ("open", "LIMIT")),
                   **dict.fromkeys(HANGS, ("query", "TIMEOUT")), **dict.fromkeys(BIG, ("query", "NO_MEMORY"))}
        cls.errors = [(f"{number:04}.json", *failing[number]) for number in sorted(failing)]
        # The event that is cut off is not read.
        cls.rows = [(f"{number:04}.json", number % 7 + (number not in CUT)) for number in range(COUNT) if number not in failing]

    def fleet(self, on_error: str) -> tb.Fleet:
        return tb.fleet(self.folder, on_error=on_error, sort=True, **OPTIONS)

    def test_rows_has_all_rows_and_all_errors(self) -> None:
        fleet = self.fleet("rows")
        self.assertEqual([(row[0], row.n) for row in fleet.sql(SQL, types=TYPES)], self.rows)
        self.assertEqual([(e.group, e.stage, e.code) for e in fleet.errors], self.errors)

    def test_skip_has_all_rows_and_counts_the_errors(self) -> None:
        with self.assertWarnsRegex(tb.TraceWarning, f"^{len(self.errors)} of {COUNT} groups were skipped: 0030.json, 0031"):
            rows = self.fleet("skip").sql(SQL, types=TYPES).fetchall()
        self.assertEqual([(row[0], row.n) for row in rows], self.rows)

    def test_fail_raises_the_first_error_and_gives_the_rows_before(self) -> None:
        rows: list[tuple[str, int]] = []
        with self.assertRaisesRegex(tb.Unsupported, "^0030.json: "):
            rows.extend((row[0], row.n) for row in self.fleet("fail").sql(SQL, types=TYPES))
        self.assertLessEqual(len(rows), 30)
        self.assertEqual(rows, self.rows[:len(rows)])

    def test_a_strict_check_fails_groups_that_are_cut_off(self) -> None:
        fleet = tb.fleet(self.folder, on_error="rows", sort=True, strict=True, pick="_group < '0030'", **OPTIONS)
        self.assertEqual(len(fleet.sql(SQL, types=TYPES).fetchall()), 20)
        self.assertEqual([e.group for e in fleet.errors], [f"{number:04}.json" for number in CUT])

    def test_the_memory_of_the_parent_is_small(self) -> None:
        code = ("import resource, sys, tracebraid as tb\n"
                "fleet = tb.fleet(sys.argv[1], jobs=2, progress=False, on_error='rows', pick='_group < \"0700\"')\n"
                "rows = sum(1 for _ in fleet.sql('SELECT id, name, CAST(hex(zeroblob(100000)) AS TEXT) AS x FROM slice'))\n"
                "print(rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)")
        rows, peak = subprocess.run([sys.executable, "-c", code, self.folder], check=True, text=True,
                                    stdout=subprocess.PIPE).stdout.split()
        self.assertGreater(int(rows) * 200_000, 500 << 20)
        self.assertLess(int(peak), 300 << 10)


class FullDisk(unittest.TestCase):
    """A limit of the size of files stands for a disk that is full."""

    def test_a_run_ends_with_an_error_and_continues_when_there_is_room(self) -> None:
        code = ("import resource, sys\n"
                "limit = int(sys.argv.pop(1))\n"
                "if limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))\n"
                "from tracebraid._program import main\n"
                "sys.argv[1:] = ['fleet', *sys.argv[1:]]\n"
                "main()")
        with tempfile.TemporaryDirectory() as name:
            runs, out = pathlib.Path(name, "runs"), pathlib.Path(name, "rows.csv")
            runs.mkdir()
            for number in range(20):
                (runs / f"{number}.json").write_text(text_of(number))

            def run(limit: int, *arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
                return subprocess.run([sys.executable, "-c", code, str(limit), runs, "SELECT CAST(hex(zeroblob(50000)) AS TEXT) AS x FROM slice",
                                       "--jobs=1", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            done = run(1 << 20, "--output", out)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertRegex(done.stderr, "^tracebraid: .*File too large\n.*rows.csv.resume has the groups that ended")
            self.assertEqual(sorted(os.listdir(name)), ["rows.csv.resume", "runs"])
            self.assertEqual(run(0, "--output", out, "--resume").returncode, 0)
            whole = out.read_bytes()
            out.unlink()
            self.assertEqual(run(0, "--output", out).returncode, 0)
            self.assertEqual(out.read_bytes(), whole)
            with open("/dev/full", "w") as full:
                done = subprocess.run([sys.executable, "-c", code, "0", runs, "SELECT count(*) AS n FROM slice", "--jobs=1"], stdout=full,
                                      stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, done.stderr), (3, "tracebraid: error: cannot write standard output: No space left on device\n"))


if __name__ == "__main__":
    warnings.simplefilter("ignore", tb.TraceWarning)
    unittest.main()
