#!/usr/bin/env python3
"""Where files may belong: what the API suggests and snaps to, inputs added to a draft, manifests inside of archives,
and the clocks of events (E1), relations (E2) and observations (E3) that these rest on."""
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.path.dirname(__file__), "..")]
from vectors import textproto  # noqa: E402
from client import EXAMPLES, TRACEBRAID, Server, example_files, with_texts  # noqa: E402

SECOND = 1_000_000_000
# Tracks 10 and 11 have events of one clock each, 12 of both, 13 a counter; the log and the switches are in BOOTTIME.
OWN_CLOCKS = """
packet { clock_snapshot { clocks { clock_id: 6 timestamp: 1000 } clocks { clock_id: 1 timestamp: 5000 } clocks { clock_id: 64 timestamp: 1 } }
         trusted_packet_sequence_id: 1 }
packet { trusted_packet_sequence_id: 1 track_descriptor { uuid: 10 name: "private" } }
packet { trusted_packet_sequence_id: 1 track_descriptor { uuid: 11 name: "public" } }
packet { trusted_packet_sequence_id: 1 track_descriptor { uuid: 12 name: "both" } }
packet { trusted_packet_sequence_id: 1 track_descriptor { uuid: 13 name: "count" counter { unit: UNIT_COUNT } } }
packet { timestamp: 7 timestamp_clock_id: 64 trusted_packet_sequence_id: 1 track_event { type: TYPE_SLICE_BEGIN name: "a" track_uuid: 10 } }
packet { timestamp: 9 timestamp_clock_id: 64 trusted_packet_sequence_id: 1 track_event { type: TYPE_SLICE_END track_uuid: 10 } }
packet { timestamp: 1020 timestamp_clock_id: 6 trusted_packet_sequence_id: 1 track_event { type: TYPE_INSTANT name: "b" track_uuid: 11 } }
packet { timestamp: 1030 timestamp_clock_id: 6 trusted_packet_sequence_id: 1 track_event { type: TYPE_SLICE_BEGIN name: "c" track_uuid: 12 } }
packet { timestamp: 50 timestamp_clock_id: 64 trusted_packet_sequence_id: 1 track_event { type: TYPE_SLICE_END track_uuid: 12 } }
packet { timestamp: 60 timestamp_clock_id: 64 trusted_packet_sequence_id: 1
         track_event { type: TYPE_COUNTER track_uuid: 13 counter_value: 3 } }
packet { timestamp: 1040 timestamp_clock_id: 6 trusted_packet_sequence_id: 1 ftrace_events { cpu: 0
  event { timestamp: 1041 pid: 1 sched_switch { prev_comm: "x" prev_pid: 1 prev_state: 1 next_comm: "y" next_pid: 2 } }
  event { timestamp: 1042 pid: 2 print { buf: "C|1|n|5" } } } }
packet { timestamp: 1050 timestamp_clock_id: 6 trusted_packet_sequence_id: 1
         android_log { events { log_id: LID_DEFAULT pid: 1 tid: 1 timestamp: 5055 prio: PRIO_INFO tag: "t" message: "m" } } }
"""

# Clocks 200 and 201 are read with MONOTONIC at times that BOOTTIME contradicts.
CONTRADICTIONS = "".join(
    f"packet {{ trusted_packet_sequence_id: 1 clock_snapshot {{ clocks {{ clock_id: {a} timestamp: {at}000000000 }} "
    f"clocks {{ clock_id: {b} timestamp: {bt}000000000 }} }} }}\n"
    for a, at, b, bt in ((3, 5, 6, 6), (200, 50, 6, 60), (201, 70, 6, 80), (3, 5, 201, 72), (3, 5, 200, 50))
) + "packet { timestamp: 7000000000 trusted_packet_sequence_id: 1 track_event { type: TYPE_INSTANT name: 'a' } }"


def slices(times, name="work", pid=1):
    """A trace of slices of 100 us at times in us."""
    return [{"ph": "X", "ts": ts, "dur": 100, "name": f"{name} {i}", "pid": pid, "tid": pid}
            for i, ts in enumerate(times)]


class Places(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, document):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        return path

    def serve(self, *files):
        server = Server("--root", self.folder, *files)
        server.__enter__()
        self.addCleanup(server.__exit__, None, None, None)
        server.wait_for_trace()
        return server

    def draft(self, server, files, manifest=None):
        started = server.json("POST", "/drafts", {"inputs": [{"path": file} for file in files]}, expect=202)
        path = f"/drafts/{started['draft']}"
        self.wait(server, path)
        server.json("PUT", path, {"manifest": manifest})
        return path

    def wait(self, server, path):
        while server.json("GET", path)["state"] == "reading":
            time.sleep(0.01)
        self.assertEqual(server.json("GET", path)["state"], "ready")

    def rows(self, server, draft):
        lanes = server.json("GET", draft + "/lanes?px=1")["lanes"]
        return {os.path.basename(lane["path"]): lane for lane in lanes}

    def suggested(self, server, draft, row):
        return server.json("POST", draft + "/suggest", {"file": row})["suggestions"]

    def test_a_dragged_file_snaps_to_the_nearest_event_of_another(self):
        a = self.write("a.json", slices([0, 5_000, 80_000, 100_000]))
        b = self.write("b.json", slices([1_000, 61_000], "other", 2))
        server = self.serve(a, b)
        draft = self.draft(server, [a, b])
        lanes = self.rows(server, draft)
        row, first = lanes["b.json"]["file"], int(lanes["b.json"]["first_ts"])
        target = int(lanes["a.json"]["first_ts"])

        def snap(by, reach, marks=()):
            body = {"file": row, "by_ns": str(by), "reach_ns": str(reach), "marks": [str(m) for m in marks]}
            return server.json("POST", draft + "/snap", body)

        # Its first event is dragged near each event of the other file.
        for event, kind in ((0, "start"), (5_000_000, "event"), (100_000_000, "end")):
            exact = target + event - first
            found = snap(exact + 700, 1000)
            self.assertEqual((int(found["by_ns"]), found["to"]["kind"], int(found["to"]["ts"])),
                             (exact, kind, target + event))
            self.assertEqual(os.path.basename(found["to"]["path"]), "a.json")
            beyond = snap(exact + 700, 699)
            self.assertEqual((beyond["by_ns"], beyond["to"]), (str(exact + 700), None))
        # Its last event, and a mark of its own, meet others too.
        last = target + 80_000_000 - first - 60_000_000
        self.assertEqual(int(snap(last - 5, 10)["by_ns"]), last)
        mark = target + 5_000_000 - (first + 30_000_000)
        self.assertEqual(int(snap(mark + 3, 10, [first + 30_000_000])["by_ns"]), mark)
        self.assertIsNone(snap(mark + 3, 10)["to"])
        self.assertEqual(snap(2**63 - 1, 2**63 - 1)["by_ns"], str(2**63 - 1))
        for body, status in (({}, 400), ({"file": row, "by_ns": "x", "reach_ns": "1"}, 400),
                             ({"file": row, "by_ns": "1", "reach_ns": "-1"}, 400),
                             ({"file": 999, "by_ns": "1", "reach_ns": "1"}, 404),
                             ({"file": row, "by_ns": "1", "reach_ns": "1", "marks": ["1"] * 65}, 400)):
            server.json("POST", draft + "/snap", body, expect=status)

    def test_a_suggestion_moves_the_file_to_where_it_says(self):
        a = self.write("a.json", slices([0, 100_000]))
        b = self.write("b.json", slices([7_000, 50_000], "other", 2))
        server = self.serve(a, b)
        draft = self.draft(server, [a, b])
        before = self.rows(server, draft)
        found = {each["kind"]: each for each in self.suggested(server, draft, before["b.json"]["file"])}
        self.assertEqual(set(found), {"first_events", "last_events"})
        for kind, end in (("first_events", "first_ts"), ("last_events", "last_ts")):
            self.assertEqual(int(before["b.json"][end]) + int(found[kind]["by_ns"]), int(before["a.json"][end]))

    def test_flows_are_suggested_with_their_residuals(self):
        def events(offset, is_sender):
            for i in range(200):
                is_start = (i % 2 == 0) == is_sender
                ts = offset + i * 1000 + (0 if is_start else 300 + i % 7)
                key = f"0x{(i + 1) * 0x9e3779b97f4a7c15 % 2**64:x}"
                yield {"ph": "X", "ts": ts, "dur": 100, "name": "call", "pid": 1, "tid": 1}
                yield {"ph": "s" if is_start else "f", "ts": ts + 1, "name": "call", "cat": "rpc", "pid": 1, "tid": 1,
                       "bp": "e", "id": key}

        a = self.write("client.json", list(events(1_000_000, True)))
        b = self.write("server.json", list(events(77_000_000, False)))
        server = self.serve(a, b)
        # It lies elsewhere by the manifest: the suggestion says how far it moves.
        manifest = {"perfetto_manifest": {"version": 1, "align": "verify", "files": [
            {"path": "client.json"}, {"path": "server.json", "clocks": {"sync_to": {"file": "client.json"}, "offset_ns": 0}}]}}
        draft = self.draft(server, [a, b], manifest)
        lanes = self.rows(server, draft)
        flows = self.suggested(server, draft, lanes["server.json"]["file"])[0]
        self.assertEqual((flows["kind"], flows["clock"], flows["refused"]), ("flows", "", None))
        self.assertEqual(os.path.basename(flows["path"]), "client.json")
        self.assertGreater(int(flows["used"]), 100)
        self.assertLess(abs(int(flows["offset_ns"]) + 76 * SECOND), 400_000)
        self.assertEqual(flows["by_ns"], flows["offset_ns"])  # from an offset of 0
        if flows["residual_p50_ns"] is not None:
            self.assertLessEqual(int(flows["residual_p50_ns"]), int(flows["residual_p99_ns"]))
        manifest["perfetto_manifest"]["files"][1]["clocks"]["offset_ns"] = int(flows["offset_ns"])
        server.json("PUT", draft, {"manifest": manifest})
        moved = self.rows(server, draft)["server.json"]
        self.assertEqual(int(moved["first_ts"]) - int(lanes["server.json"]["first_ts"]), int(flows["by_ns"]))

    def test_sync_markers_are_suggested(self):
        """Markers as Telemetry writes them: the browser issues one, which the other tracing agent receives."""
        def trace(domain, pid, syncs, first):
            events = [{"ph": "c", "name": "clock_sync", "pid": pid, "tid": 1, "ts": ts, "args": args} for ts, args in syncs]
            return {"traceEvents": events + slices([first, first + 9000], pid=pid), "metadata": {"clock-domain": domain}}

        browser = self.write("browser.json", trace("LINUX_CLOCK_MONOTONIC", 1, [
            (300, {"sync_id": "q", "issue_ts": 100}), (500_300, {"sync_id": "r", "issue_ts": 500_200})], 400))
        agent = self.write("agent.json", trace("TELEMETRY", 2, [
            (1_000_200, {"sync_id": "q"}), (1_500_250, {"sync_id": "r"})], 1_000_500))
        server = self.serve(browser, agent)
        draft = self.draft(server, [browser, agent])
        rows = self.rows(server, draft)
        found = self.suggested(server, draft, rows["agent.json"]["file"])
        self.assertEqual(found[0]["kind"], "sync_marker", found)  # the best evidence comes first
        self.assertEqual(os.path.basename(found[0]["path"]), "browser.json")
        # The agent's clock is 1 s ahead; a marker was issued within 100 us (r) or 200 us (q).
        self.assertLessEqual(abs(int(found[0]["offset_ns"]) + SECOND), 200_000)
        self.assertLessEqual(int(found[0]["bound_ns"]), 200_000)
        self.assertGreaterEqual(int(found[0]["used"]), 1)
        # Stated as fields of a manifest, it places the file where the markers do.
        to = {"file": "browser.json", **({"clock": found[0]["clock"]} if found[0]["clock"] else {})}
        server.json("PUT", draft, {"manifest": {"perfetto_manifest": {"version": 1, "files": [
            {"path": "browser.json"}, {"path": "agent.json", "clocks": {"sync_to": to, "offset_ns": int(found[0]["offset_ns"])}}]}}})
        moved = self.rows(server, draft)["agent.json"]
        self.assertLessEqual(abs(int(moved["first_ts"]) - int(rows["agent.json"]["first_ts"])), 200_000)
        placed = {os.path.basename(p["file"]): p["rule"] for p in server.json("GET", draft + "/report")["placements"]}
        self.assertEqual(sorted(placed.values()), ["is_timeline", "manifest"])

    def test_the_nearest_event_has_its_reading(self):
        a = self.write("a.json", slices([0, 5_000, 80_000]))
        b = self.write("b.json", slices([1_000, 61_000], "other", 2))
        server = self.serve(a, b)
        draft = self.draft(server, [a, b], {"perfetto_manifest": {"version": 1, "files": [
            {"path": "a.json"}, {"path": "b.json", "clocks": {"sync_to": {"file": "a.json"}, "offset_ns": 7}}]}})
        row = self.rows(server, draft)["b.json"]["file"]

        def nearest(ts, reach):
            return server.json("POST", draft + "/nearest", {"file": row, "ts": str(ts), "reach_ns": str(reach)})["event"]

        self.assertEqual(nearest(61_000_500, 500), {"ts": "61000007", "reading_ns": "61000000", "clock": ""})
        self.assertIsNone(nearest(61_000_508, 500))
        self.assertEqual(nearest(-2**63, 2**63 - 1), None)
        self.assertEqual(nearest(0, 2**63 - 1)["reading_ns"], "1000000")
        for body, status in (({}, 400), ({"file": row, "ts": "x", "reach_ns": "1"}, 400), ({"file": 999, "ts": "1", "reach_ns": "1"}, 404),
                             ({"file": row, "ts": "1", "reach_ns": "-1"}, 400)):
            server.json("POST", draft + "/nearest", body, expect=status)

    def test_a_date_inside_is_suggested_as_a_start(self):
        phone = os.path.join(EXAMPLES, "phone.pftrace")
        recorded = "2026-11-20 12:03:08"
        dated = self.write("dated.json", {"traceEvents": slices([5_000_000, 9_000_000]),
                                          "metadata": {"trace-capture-datetime": recorded, "source": "DevTools"}})
        server = self.serve(phone, dated)
        manifest = {"perfetto_manifest": {"version": 1, "files": [
            {"path": "phone.pftrace"},
            {"path": "dated.json", "clocks": {"sync_to": {"file": "phone.pftrace", "clock": "BOOTTIME"}, "offset_ns": 0}}]}}
        draft = self.draft(server, [phone, dated], manifest)
        row = self.rows(server, draft)["dated.json"]["file"]
        dates = [each for each in self.suggested(server, draft, row) if each["kind"] == "date"]
        self.assertEqual(len(dates), 1)
        self.assertRegex(dates[0]["start"], r"^2026-11-20T12:03:0[0-8]")
        manifest["perfetto_manifest"]["files"][1] = {"path": "dated.json", "start": dates[0]["start"]}
        server.json("PUT", draft, {"manifest": manifest})
        [placed] = [p for p in server.json("GET", draft + "/report")["placements"] if p["file"].endswith("dated.json")]
        self.assertEqual(placed["rule"], "rendezvous" if placed["rule"] == "rendezvous" else "manifest")

    def test_files_with_snapshots_have_no_suggestions(self):
        files = [file for file in example_files() if not file.endswith("manifest.json")]
        server = self.serve(*files)
        draft = self.draft(server, files)
        lanes = self.rows(server, draft)
        self.assertEqual(self.suggested(server, draft, lanes["watch.pftrace"]["file"]), [])
        self.assertGreater(len(self.suggested(server, draft, lanes["app.json"]["file"])), 0)
        server.json("POST", draft + "/suggest", {"file": 999}, expect=404)
        server.json("POST", draft + "/suggest", {}, expect=400)

    def test_inputs_are_added_to_a_draft(self):
        a = self.write("a.json", slices([0, 100_000]))
        b = self.write("b.json", slices([7_000, 50_000], "other", 2))
        server = self.serve(a)
        manifest = {"perfetto_manifest": {"version": 1, "files": [
            {"path": "a.json"}, {"path": "b.json", "clocks": {"sync_to": {"file": "a.json"}, "offset_ns": 5}}]}}
        draft = self.draft(server, [a], manifest)
        version = int(server.json("GET", draft)["version"])
        added = [{"root": os.path.basename(self.folder), "path": "b.json"}]
        started = server.json("POST", draft + "/files", {"inputs": added}, expect=202)
        self.assertEqual(f"/drafts/{started['draft']}", draft)
        self.wait(server, draft)
        now = server.json("GET", draft)
        self.assertEqual([os.path.basename(each["name"]) for each in now["inputs"]], ["a.json", "b.json"])
        self.assertGreater(int(now["version"]), version)
        self.assertEqual(json.loads(now["manifest"]), manifest)
        report = server.json("GET", draft + "/report")
        self.assertEqual([p["rule"] for p in report["placements"]], ["is_timeline", "manifest"])
        opened = server.json("POST", draft + "/open", {}, expect=202)["trace"]
        server.wait_for_trace(opened)
        self.assertEqual(server.json("GET", f"/traces/{opened}/report")["placements"], report["placements"])
        server.json("POST", draft + "/files", {"inputs": []}, expect=400)
        server.json("POST", draft + "/files", {"inputs": [{"path": "/etc/passwd"}]}, expect=403)
        server.json("POST", "/drafts/99999/files", {"inputs": added}, expect=404)
        self.assertEqual(len(server.json("GET", draft)["inputs"]), 2)

    def test_a_manifest_inside_of_an_archive_is_replaced(self):
        archive = os.path.join(self.folder, "merged.tar")
        with tarfile.open(archive, "w") as packed:
            for name in ("manifest.json", "app.json", "phone.pftrace", "watch.pftrace"):
                packed.add(os.path.join(EXAMPLES, name), name)
        server = self.serve(archive)
        with open(os.path.join(EXAMPLES, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        self.assertEqual(json.loads(server.json("GET", "/traces/1/manifest")["manifest"]), manifest)
        draft = self.draft(server, [archive])
        inside = server.json("GET", draft + "/report")["placements"]
        [app] = [f for f in manifest["perfetto_manifest"]["files"] if f["path"] == "app.json"]
        app["clocks"]["offset_ns"] += 1_000_000
        server.json("PUT", draft, {"manifest": manifest})
        report = server.json("GET", draft + "/report")
        first = [[int(p["first_ts"]) for p in each if p["clock"] == "private"][0] for each in (inside, report["placements"])]
        self.assertEqual(first[1] - first[0], 1_000_000)
        opened = server.json("POST", draft + "/open", {}, expect=202)["trace"]
        server.wait_for_trace(opened)
        self.assertEqual(server.json("GET", f"/traces/{opened}/report")["placements"], report["placements"])
        path = self.write("other.json", manifest)
        printed = subprocess.run([TRACEBRAID, "check", "--json", "-q", "--manifest", path, archive], capture_output=True, check=True)
        self.assertEqual(with_texts(json.loads(printed.stdout))["placements"], report["placements"])

    def test_equal_names_in_two_archives_are_two_files(self):
        paths = []
        for archive, first in (("a.tar", 0), ("b.tar", 7_000)):
            member = self.write("t.json", slices([first, first + 50_000]))
            paths.append(os.path.join(self.folder, archive))
            with tarfile.open(paths[-1], "w") as packed:
                packed.add(member, "t.json")
        server = self.serve(*paths)
        draft = self.draft(server, paths)
        self.assertEqual([lane["name"] for lane in server.json("GET", draft + "/lanes?px=1")["lanes"]],
                         ["a.tar/t.json", "b.tar/t.json"])
        template = json.loads(subprocess.run([TRACEBRAID, "manifest", *paths], capture_output=True, check=True).stdout)
        self.assertEqual([f["path"] for f in template["perfetto_manifest"]["files"]], ["a.tar/t.json", "b.tar/t.json"])
        template["perfetto_manifest"]["files"][1]["clocks"] = {"sync_to": {"file": "a.tar/t.json"}, "offset_ns": 5}
        server.json("PUT", draft, {"manifest": template})
        placements = server.json("GET", draft + "/report")["placements"]
        self.assertEqual([p["rule"] for p in placements], ["is_timeline", "manifest"])
        self.assertEqual([p["machine"] for p in placements], ["t", "t-2"])

    def test_each_track_has_the_clock_of_its_events(self):
        """Check E1: the clock of a track is that of all its events, or none; other tables have theirs by file."""
        path = os.path.join(self.folder, "own.pftrace")
        with open(path, "wb") as file:
            file.write(textproto.encode(OWN_CLOCKS, textproto.project_schema()))
        server = self.serve(path)
        rows = server.query("SELECT t.name, c.name FROM __intrinsic_track t LEFT JOIN clock c ON c.id = t.clock_id "
                            "WHERE t.name IN ('private', 'public', 'both', 'count', 'n')")["sets"][0]["rows"]
        self.assertEqual(dict(rows), {"private": "64", "public": "BOOTTIME", "both": None, "count": "64", "n": "BOOTTIME"})
        sources = server.query("SELECT s.table_name, c.name FROM source_clock s JOIN clock c ON c.id = s.clock_id")["sets"][0]["rows"]
        self.assertEqual(dict(sources), {"sched": "BOOTTIME", "thread_state": "BOOTTIME", "ftrace_event": "BOOTTIME",
                                         "logs": "REALTIME"})
        # The raw reading of an event is that of its own clock, also where the file has others.
        names = dict(server.query("SELECT name, id FROM slice")["sets"][0]["rows"])
        for name, clocks in (("a", [("64", "7")]), ("b", [("BOOTTIME", "1020")]), ("c", None)):
            shown = server.json("POST", "/traces/1/convert", {"event": {"kind": "slice", "row": names[name]}})["clocks"]
            own = [(each["label"].split(" ")[0], each["reading"]) for each in shown if each["own"]]
            if clocks is None:
                self.assertGreater(len(own), 1)  # any of them
            else:
                self.assertEqual([reading for _, reading in own], [reading for _, reading in clocks])
        # Two events of one clock are certain by their readings.
        found = server.json("POST", "/traces/1/order", {"a": {"kind": "slice", "row": names["a"]}, "b": {"kind": "slice", "row": names["b"]}})
        self.assertFalse(found["at_most"])

    def test_what_clocks_show_at_a_reading_of_another(self):
        files = [file for file in example_files() if not file.endswith("manifest.json")]
        server = self.serve(*files)
        clocks = {label: row for row, label in server.query("SELECT id, label FROM clock")["sets"][0]["rows"]}
        [[first]] = server.query("SELECT min(clock_value) FROM clock_snapshot s JOIN machine m ON m.id = s.machine_id "
                                 "WHERE m.name = 'watch' AND clock_name = 'BOOTTIME'")["sets"][0]["rows"]
        for name, machine in (("REALTIME", "watch"), ("REALTIME", "phone"), ("BOOTTIME", "phone")):
            body = {"a": clocks["BOOTTIME of watch"], "b": clocks[f"{name} of {machine}"], "reading": str(first)}
            found = server.json("POST", "/traces/1/relate", body)
            arguments = f"{first}, 'BOOTTIME', 'watch', '{name}', '{machine}'"
            [[reading, bound]] = server.query(f"SELECT clock_convert({arguments}), clock_error({arguments})")["sets"][0]["rows"]
            self.assertEqual(found, {"reading": str(reading), "bound_ns": str(bound)})
            # The same as one of several.
            to = {"ts": str(first), "from": body["a"], "to": [body["b"]]}
            self.assertEqual(server.json("POST", "/traces/1/convert", to)["clocks"][0]["reading"], str(reading))
        for body, status in (({"a": 0, "b": 0}, 400), ({"a": 0, "b": 99999, "reading": "1"}, 404),
                             ({"a": 99999, "b": 0, "reading": "1"}, 404), ({"a": -1, "b": 0, "reading": "1"}, 400)):
            server.json("POST", "/traces/1/relate", body, expect=status)

    def test_contradictions_come_the_furthest_first(self):
        path = os.path.join(self.folder, "contradictions.pftrace")
        with open(path, "wb") as file:
            file.write(textproto.encode(CONTRADICTIONS, textproto.project_schema()))
        server = self.serve(path)
        columns = {"id": "id", "a": "clock_a", "b": "clock_b", "kind": "kind", "observations": "observations",
                   "apart_ns": "apart_ns", "bound_ns": "bound_ns", "reading_a": "reading_a", "reading_b": "reading_b",
                   "path_a": "path_a", "path_b": "path_b", "file": "trace_id", "byte_offset": "byte_offset"}
        rows = server.query(f"SELECT {', '.join(columns.values())} FROM clock_contradiction ORDER BY apart_ns - bound_ns DESC, id")
        found = server.json("GET", "/traces/1/clocks/contradictions")
        self.assertEqual(found["total"], 2)
        self.assertEqual([[str(each[member]) for member in columns] for each in found["contradictions"]],
                         [[str(value) for value in row] for row in rows["sets"][0]["rows"]])
        apart = [int(each["apart_ns"]) for each in found["contradictions"]]
        self.assertEqual(apart, sorted(apart, reverse=True))
        self.assertEqual({(each["file"], each["file_name"]) for each in found["contradictions"]}, {(0, None)})  # the only input has no name
        # The readings of the evidence are that far from the paths of both clocks, beyond their bound.
        edges = server.json("GET", "/traces/1/clocks/edges")["edges"]
        for each in found["contradictions"]:
            [edge] = [e["id"] for e in edges if {e["from"], e["to"]} == {each["a"], each["b"]} and e["kind"] == each["kind"]]
            readings = server.json("GET", f"/traces/1/clocks/edges/{edge}/observations")
            self.assertEqual(readings["model"], "paths")
            worst = max(readings["observations"], key=lambda o: abs(int(o["residual_ns"])))
            self.assertAlmostEqual(abs(int(worst["residual_ns"])), int(each["apart_ns"]), delta=2)
            [point] = [p for p in readings["curve"] if p["from"] == worst["from"]]
            self.assertEqual(int(point["bound_ns"]) + int(worst["bound_ns"]), int(each["bound_ns"]))
        part = server.json("GET", "/traces/1/clocks/contradictions?offset=1")
        self.assertEqual((part["total"], part["contradictions"]), (2, found["contradictions"][1:]))

    def test_observations_say_where_files_have_them(self):
        files = [file for file in example_files() if not file.endswith("manifest.json")]
        server = self.serve(*files)
        rows = server.query("SELECT id, kind, trace_id, byte_offset FROM clock_edge")["sets"][0]["rows"]
        placed = 0
        for edge, kind, file, offset in rows:
            seen = server.json("GET", f"/traces/1/clocks/edges/{edge}/observations")["observations"]
            for each in seen:
                self.assertEqual(int(each["residual_ns"]), int(each["to"]) - int(each["mapped"]))
            if kind != "measured":
                continue
            self.assertEqual((seen[0]["file"], seen[0]["byte_offset"]), (file, str(offset)))
            offsets = [int(each["byte_offset"]) for each in seen]
            self.assertEqual(offsets, sorted(offsets))
            self.assertEqual(len(set(offsets)), len(seen))
            placed += len(seen)
        self.assertGreater(placed, 20)


if __name__ == "__main__":
    unittest.main()
