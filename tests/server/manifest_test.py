#!/usr/bin/env python3
"""Check dry_run_equals_check: the trial of a manifest on the merge page, which opens the inputs with it, reports what
`tracebraid check` prints for the saved manifest, or refuses it with the same words. A draft, which reads the inputs once,
reports the places that `check` prints, and all of it when it is asked for the whole report. Random manifests over the
examples and the vectors, and, where they are, over three sets of real traces."""
import json
import os
import random
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from client import TRACEBRAID, Server, example_files, with_texts  # noqa: E402

REAL = os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared", "data", "traces")
SETS = [["selfmade-multitool/chrome-headless-alone.json.gz", "selfmade-multitool/chrome-headless-alone.pftrace.gz"],
        ["bazel-profile/bazel-profile-with_queuing.json.gz", "hta/trace_filter/sampled_rank-0.json.gz"],
        ["catapult/multiple_input_latency.json", "microsoft-perf-tools/androidGpu.pftrace"]]
CLOCKS = ["BOOTTIME", "REALTIME", "MONOTONIC", "MONOTONIC_RAW", "REALTIME_COARSE", "NO_SUCH_CLOCK"]
VECTORS_TEST = os.path.join(os.path.dirname(__file__), "..", "vectors_test.py")
# What assembling the tables of events adds to: losses by reason and what follows from them, flows that end before they
# start, and the end of the last event. All other members of a report are those of placing.
ASSEMBLED = ("losses", "other_losses", "kept", "lost", "unpaired", "problems", "trouble", "broken_flows")
OF_DRAFT = {"version", "placed_in_ms", "whole", "without", "command"}
IS_SHORT = bool(os.environ.get("TRACEBRAID_SHORT"))


def random_placing(rng, names, own):
    """What the form and its text can say of one file; sometimes it breaks a rule."""
    kind = rng.choice(["automatic", "automatic", "offset", "offset", "start", "drift", "points", "clock"])
    if kind == "automatic":
        return {}
    if kind == "start":
        return {"start": rng.choice(["2026-11-20T12:03:04Z", "2026-11-20T12:03:04.5+01:00", "soon"])}
    clocks = {"sync_to": {"file": rng.choice(names + [own])}}
    if rng.random() < 0.7:
        clocks["sync_to"]["clock"] = rng.choice(CLOCKS)
    if kind == "points":
        clocks["points"] = [{"this_ns": 0, "other_ns": 1200}, {"this_ns": 5_000_000_000, "other_ns": 5_000_061_200}]
    else:
        clocks["offset_ns"] = rng.choice([0, -5, 250_000_000, 148_007_000_000, -11_524_197_066_668, 1 << 62])
    if kind == "drift":
        clocks["drift_ppm"] = rng.choice([3, -20.5, 1e7])
    if kind == "clock":
        clocks["clock"] = rng.choice(CLOCKS)
    return {"clocks": clocks}


def random_manifest(rng, names):
    body = {"version": 1, "files": []}
    for name in names:
        if rng.random() < 0.85:
            machine = rng.choice([{}, {"machine": {"name": rng.choice(["phone", "watch", "host"])}}])
            shared = rng.choice([{}, {}, {"align": False}, {"align": ["flows", "collectives"]}, {"clock_group": "one"}])
            body["files"].append({"path": name, **machine, **shared, **random_placing(rng, names, name)})
    if rng.random() < 0.3:
        body["trace_time"] = {"clock": rng.choice(CLOCKS), "file": rng.choice(names)}
    if rng.random() < 0.2:
        body["clock_model"] = rng.choice(["step", "linear"])
    return {"perfetto_manifest": body}


def with_one_name(text):
    """The server keeps the manifest of a request in a file of its own, which problems name."""
    return re.sub(r"/[\w./-]*/manifest(-\d+)?\.json", "manifest.json", text)


def checked(folder, files, manifest):
    """Returns the report that the command prints, and what it says on standard error."""
    path = os.path.join(folder, "manifest.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(manifest, file)
    named = ["--manifest", path] if manifest else []
    done = subprocess.run([TRACEBRAID, "check", "--json", "-q", *named, *files], capture_output=True, text=True,
                          timeout=120)
    report = with_texts(json.loads(with_one_name(done.stdout))) if done.stdout else None
    return report, with_one_name(done.stderr)


class DryRun(unittest.TestCase):
    maxDiff = 4000

    def tried(self, server, files, manifest):
        """Returns the report of a trial, or the words of its refusal."""
        body = {"inputs": [{"path": file} for file in files], "manifest": manifest}
        status, _, data = server.request("POST", "/api/v1/traces", body)
        started = json.loads(data)
        if status != 202:
            return None, started["detail"]
        trace = server.wait_for_trace(started["trace"])
        report, problem = None, trace.get("error", {}).get("detail", "")
        if trace["state"] == "open":
            report = server.json("GET", f"/traces/{started['trace']}/report")
            report.pop("command")
            report = json.loads(with_one_name(json.dumps(report)))
        server.request("DELETE", f"/api/v1/traces/{started['trace']}")
        return report, problem

    def compare(self, files, count, seed):
        rng = random.Random(seed)
        names = [os.path.basename(file) for file in files]
        placed = refused = 0
        with Server("--root", os.path.dirname(os.path.commonprefix(files)) or "/", *files) as server, \
                tempfile.TemporaryDirectory() as folder:
            server.wait_for_trace()
            for _ in range(count):
                manifest = random_manifest(rng, names)
                report, problem = self.tried(server, files, manifest)
                printed, errors = checked(folder, files, manifest)
                with self.subTest(manifest=json.dumps(manifest)):
                    self.assertEqual(report, printed)
                    if report is None:
                        refused += 1
                        self.assertIn(with_one_name(problem), errors)
                    else:
                        placed += 1
        return placed, refused

    def test_examples(self):
        files = [os.path.abspath(file) for file in example_files() if not file.endswith("manifest.json")]
        placed, refused = self.compare(files, 10 if IS_SHORT else 70, 25)
        self.assertGreater(placed, 0)
        self.assertGreater(refused, 0)

    def test_real_traces(self):
        for seed, names in enumerate(SETS[:1] if IS_SHORT else SETS):
            files = [os.path.abspath(os.path.join(REAL, name)) for name in names]
            if not all(os.path.exists(file) for file in files):
                self.skipTest("the real traces are not there")
            self.compare(files, 2 if IS_SHORT else 10, seed)


def as_set(rows):
    return {json.dumps(row, sort_keys=True) for row in rows}


def built(report):
    """Returns the number of events that assembling lost."""
    return sum(loss["built"] for loss in report.get("other_losses", []))


def counts_of(report):
    """Returns the count of each stat of each file and machine."""
    counts = {}
    for loss in report["losses"]:
        key = loss["stat"], loss["file"], loss["machine"]
        counts[key] = counts.get(key, 0) + loss["count"]
    return counts


class Drafts(unittest.TestCase):
    maxDiff = 4000

    def open(self, server, files, root=None):
        """Returns the path of a draft of the files, or None if it cannot read them."""
        inputs = [{"root": os.path.basename(root), "path": os.path.relpath(file, root)} if root else {"path": file}
                  for file in files]
        draft = server.json("POST", "/drafts", {"inputs": inputs}, expect=202)
        path = f"/drafts/{draft['draft']}"
        while server.json("GET", path)["state"] == "reading":
            time.sleep(0.005)
        if server.json("GET", path)["state"] == "ready":
            return path
        server.json("DELETE", path, expect=204)
        return None

    def compare(self, server, draft, folder, files, manifest, has_bounds=True):
        """Returns whether the manifest breaks no rule."""
        server.json("PUT", draft, {"manifest": manifest})
        status, _, data = server.request("GET", f"/api/v1{draft}/report")
        report = json.loads(with_one_name(data.decode()))
        printed, errors = checked(folder, files, manifest)
        with self.subTest(files=files[:3], manifest=json.dumps(manifest)):
            if printed is None:
                self.assertEqual(status, 422, report)
                self.assertIn(report["detail"], errors)
                return False
            self.assertEqual(status, 200, (report, errors))
            self.compare_reports(report, printed, has_bounds)
            whole = with_one_name(server.request("GET", f"/api/v1{draft}/check")[2].decode())
            whole = {member: value for member, value in json.loads(whole).items() if member not in OF_DRAFT}
            self.assertEqual(whole, {member: value for member, value in printed.items() if member not in OF_DRAFT})
        return True

    def compare_reports(self, report, printed, has_bounds):
        """All that placing decides is equal; the rest differs by what assembling lost. In files with damage, so do the
        bounds: a row that assembling drops, or gives another time, may be the first or the last of the trace."""
        self.assertEqual(set(report) - OF_DRAFT, set(printed) - OF_DRAFT)
        for member in set(printed) - set(ASSEMBLED) - {"timeline"} - OF_DRAFT:
            self.assertEqual(report[member], printed[member], member)
        bounds = set() if has_bounds else {"start_ts", "end_ts", "start_utc_ns"}
        for member in set(printed["timeline"]) - bounds:
            self.assertEqual(report["timeline"][member], printed["timeline"][member], member)
        for member in ("problems", "trouble"):
            self.assertLessEqual(as_set(report[member]), as_set(printed[member]), member)
        lost = built(printed) - built(report)
        self.assertGreaterEqual(lost, 0)
        self.assertEqual(printed["lost"] - report["lost"], lost)
        self.assertEqual(report["kept"] - printed["kept"], lost)
        losses, known = counts_of(printed), counts_of(report)
        for key, count in known.items():
            self.assertLessEqual(count, losses.get(key, 0), key)  # assembling may count more of them
        # Each further problem is one that assembling counted.
        further = {key[0] for key in losses if losses[key] != known.get(key)}
        for text in as_set(printed["problems"]) - as_set(report["problems"]):
            message = json.loads(text)["message"]
            is_summary = message.endswith("more kinds of problems, see the table stats")
            self.assertTrue(is_summary or any(stat in message for stat in further), message)

    def compare_random(self, server, files, count, seed, names=None):
        rng = random.Random(seed)
        draft = self.open(server, files)
        self.assertIsNotNone(draft)
        names = names or [os.path.basename(file) for file in files]
        with tempfile.TemporaryDirectory() as folder:
            fine = [self.compare(server, draft, folder, files, random_manifest(rng, names)) for _ in range(count)]
        server.json("DELETE", draft, expect=204)
        return sum(fine), len(fine) - sum(fine)

    def test_examples(self):
        files = [os.path.abspath(file) for file in example_files() if not file.endswith("manifest.json")]
        with Server(*files) as server:
            placed, refused = self.compare_random(server, files, 20 if IS_SHORT else 100, 26)
        self.assertGreater(placed, 0)
        self.assertGreater(refused, 0)

    def test_real_traces(self):
        for seed, names in enumerate(SETS[:1] if IS_SHORT else SETS):
            files = [os.path.abspath(os.path.join(REAL, name)) for name in names]
            if not all(os.path.exists(file) for file in files):
                self.skipTest("the real traces are not there")
            with Server(*files) as server:
                self.compare_random(server, files, 2 if IS_SHORT else 10, seed)

    def test_vectors(self):
        rng = random.Random(27)
        placed = refused = 0
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, VECTORS_TEST, "--materialise", folder], check=True, capture_output=True)
            inputs = sorted(str(path) for path in pathlib.Path(folder).glob("*/*/trace.*"))
            if IS_SHORT:
                inputs = [path for path in inputs if "/clocks-and-merging/" in path][::8]
            with Server("--root", folder) as server:
                for path in inputs:
                    draft = self.open(server, [path], folder)
                    if draft is None:
                        self.assertIsNone(checked(folder, [path], None)[0], path)
                        continue
                    self.compare(server, draft, folder, [path], None, has_bounds=False)
                    report = server.request("GET", f"/api/v1{draft}/report")[2]
                    inside = {p["file"] for p in json.loads(report).get("placements", [])}
                    names = sorted({file[len(path) + 1:] or os.path.basename(path) for file in inside})
                    for _ in range(2 if names else 0):
                        is_fine = self.compare(server, draft, folder, [path], random_manifest(rng, names), has_bounds=False)
                        placed += is_fine
                        refused += not is_fine
                    server.json("DELETE", draft, expect=204)
        self.assertGreater(placed, 20)
        self.assertGreater(refused, 20)


if __name__ == "__main__":
    unittest.main()
