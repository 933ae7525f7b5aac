#!/usr/bin/env python3
"""The commands and the SQL in docs/fleet.md and docs/lake.md run, as a reader types them. Needs pyarrow and duckdb."""
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import duckdb

import tracebraid as tb

EXAMPLES = pathlib.Path(os.environ["TRACEBRAID_EXAMPLES"])
COMMAND = "import sys; from tracebraid._program import main; main()"


def blocks(page: str, language: str = "") -> list[str]:
    """The blocks of code of a page in a language."""
    text = (EXAMPLES.parent / "docs" / page).read_text()
    return [code for name, code in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S) if name == language]


class Commands(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "bin/tracebraid"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{COMMAND}' \"$@\"\n")
        program.chmod(0o755)

    def run_blocks(self, page: str) -> int:
        """Runs the blocks that call the program. Returns how many."""
        found = [block for block in blocks(page) if block.startswith("tracebraid ")]
        env = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        for block in found:
            done = subprocess.run(["bash", "-euc", block], cwd=self.folder, env=env, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, f"{block}\n{done.stdout}")
        return len(found)

    def add_runs(self, folder: str, suffix: str) -> None:
        for i in range(3):
            path = self.folder / folder / f"run-{i}/trace{suffix}"
            path.parent.mkdir(parents=True)
            if suffix == ".pftrace":
                shutil.copy(EXAMPLES / "phone.pftrace", path)
            else:
                path.write_bytes(gzip.compress(json.dumps([{"ph": "X", "pid": 1, "tid": 1, "ts": 9, "dur": 7, "name": f"n{j}"}
                                                           for j in range(i + 1)]).encode()))

    def test_fleets(self) -> None:
        self.add_runs("runs/2026-11-20", ".pftrace")
        self.assertEqual(self.run_blocks("fleet.md"), 2)
        rows = (self.folder / "rows.csv").read_text().splitlines()
        self.assertEqual({row.split(",")[0] for row in rows[1:]}, {"run-0", "run-1", "run-2"})
        self.assertEqual((self.folder / "errors.jsonl").read_text(), "")
        self.assertEqual(len(tb.Lake(self.folder / "LAKE").files("traces")), 1)

    def test_lakes(self) -> None:
        self.add_runs("runs", ".json.gz")
        self.assertEqual(self.run_blocks("lake.md"), 1)
        (statement,) = blocks("lake.md", "sql")
        rows = duckdb.execute(statement.replace("LAKE", str(self.folder / "LAKE"))).fetchall()
        self.assertEqual(sorted(row[:2] for row in rows), [("n0", 3), ("n1", 2), ("n2", 1)])


if __name__ == "__main__":
    unittest.main()
