#!/usr/bin/env python3
"""Tests of the timeline's routes against SQL: the tree, tiles, single events, flows and searches."""
import collections
import glob
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(__file__))
import frames  # noqa: E402
from client import Server, TRACEBRAID, WebSocket, example_files  # noqa: E402

VECTORS = os.environ.get("TRACEBRAID_VECTORS", "build/dev/vectors")
MOST = 0xFFFFFFFF
TABLES = {"slice": "slice", "async": "slice", "counter": "counter", "sched": "sched_slice",
          "thread_state": "thread_state", "state": "state", "log": "logs", "ftrace": "ftrace_event",
          "sample": "__intrinsic_profiler_sample", "json_sample": "json_sample",
          "snapshot": "json_object_snapshot", "stacked": "counter", "dump": "json_memory_dump"}


def made_trace():
    """A JSON trace with nested, dense, equal, unfinished and zero slices, counters, flows, lanes."""
    rng = random.Random(24)
    events = [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "app"}},
              {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "main/loop"}},
              {"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": "tab"}},
              {"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "idle"}}]
    ts = 0
    for i in range(3000):
        ts += rng.choice((0, 1, 2, 1000)) + (100_000 if i % 500 == 0 else 0)
        dur = rng.choice((0, 1, 30, 700))
        events.append({"ph": "X", "name": f"work{i % 9}", "cat": "cat", "pid": 1, "tid": 1, "ts": ts,
                       "dur": dur, "args": {"i": i, "text": f"value {i}"}})
        if dur > 10:
            events.append({"ph": "X", "name": "inner", "pid": 1, "tid": 1, "ts": ts + 1, "dur": dur - 5})
        if i % 7 == 0:
            events.append({"ph": "i", "s": "t", "name": "mark", "pid": 1, "tid": 2, "ts": ts})
        if i % 100 == 0:
            events.append({"ph": "s", "id": i, "cat": "fg"[i % 200 == 0], "name": "flow", "pid": 1, "tid": 1, "ts": ts})
            events.append({"ph": "X", "name": "receive", "pid": 2, "tid": 3, "ts": ts + 40, "dur": 20})
            events.append({"ph": "f", "bp": "e", "id": i, "cat": "fg"[i % 200 == 0], "name": "flow", "pid": 2, "tid": 3,
                           "ts": ts + 50})
        events.append({"ph": "C", "name": "load", "pid": 1, "ts": ts, "args": {"value": rng.randrange(1000)}})
        if i % 5 == 0:  # of the series, "c" begins late, and each misses some events
            names = ["a", "b"] if i < 1500 else ["a", "c"]
            events.append({"ph": "C", "name": "memory", "id": "m", "pid": 1, "ts": ts,
                           "args": {name: rng.randrange(100) for name in names[i % 3 == 0:]}})
        if i % 1000 == 0:
            events.append({"ph": "v", "id": f"0x{i:x}", "name": "periodic", "pid": 1, "ts": ts, "args": {"dumps": {
                "level_of_detail": "light", "process_totals": {"resident_set_bytes": "1000"},
                "allocators": {"malloc": {"attrs": {"size": {"type": "scalar", "units": "bytes", "value": "64"}}}}}}})
        if i % 50 == 0:
            for lane in range(3):
                key = {"cat": "net", "name": "request", "id": 10 * i + lane, "pid": 1, "tid": 1}
                events.append({"ph": "b", "ts": ts + lane, **key})
                events.append({"ph": "e", "ts": ts + 3000 + lane, **key})
        ts += dur
    events.append({"ph": "B", "name": "never ends", "pid": 1, "tid": 2, "ts": 10})
    return json.dumps(events)


class Client:
    def __init__(self, server):
        self.server = server

    def get(self, path, expect=200, **parameters):
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        return self.server.json("GET", f"/traces/1{path}{query}", expect=expect)

    def post(self, path, body, expect=200):
        return self.server.json("POST", f"/traces/1{path}", body, expect=expect)

    def sql(self, text):
        return self.server.query(text)["sets"][0]["rows"]

    def tree(self, grouping="machine_file"):
        nodes, offset = [], 0
        while True:
            page = self.get("/tracks", grouping=grouping, depth=16, empty=1, offset=offset)
            nodes += page["nodes"]
            offset += len(page["nodes"])
            if offset >= page["total"] or not page["nodes"]:
                return nodes

    def tiles(self, node, level, first, count, **members):
        status, _, data = self.server.request(
            "POST", "/api/v1/traces/1/tiles",
            {"id": 7, "generation": 3, "level": level, "tiles": [[node, first, count]], **members})
        assert status == 200, (status, data[:300])
        decoded = frames.decode(data)
        assert len(decoded) == 1
        return decoded[0]


def nodes_of_columns(columns):
    """The nodes of an answer that has them by member."""
    def cells(column):
        if isinstance(column, list):
            return column
        return [column["values"][at] for at in column.get("at", [0] * count)]
    count = max((len(c) if isinstance(c, list) else len(c.get("at", [])) for c in columns.values()), default=0)
    nodes = [dict(zip(columns, row)) for row in zip(*(cells(column) for column in columns.values()))]
    keys = {}
    for node in nodes:
        keys[node["node"]] = node["key"] = keys.get(node["parent"], "") + node["key"]
    return nodes


# When the recording of the only machine's scheduler ended.
SCHEDULER_END = ("(SELECT max(ts) FROM (SELECT ts FROM sched UNION ALL SELECT ts FROM thread_state"
                 " UNION ALL SELECT ts FROM ftrace_event))")


def lines_of(client, node):
    """The events of a track from SQL, by line: lists of (start, end, row, dur)."""
    tracks = ",".join(map(str, node["tracks"]))
    if node["kind"] in ("slice", "async"):
        rows = client.sql(f"SELECT track_id, depth, ts, id, dur, slice_display_end(id) FROM slice "
                          f"WHERE track_id IN ({tracks}) ORDER BY ts, id")
    elif node["kind"] == "sched":
        rows = client.sql(f"SELECT ucpu, 0, ts, id, dur, iif(dur < 0, {SCHEDULER_END}, ts + dur) "
                          f"FROM sched_slice WHERE ucpu = {node['ucpu']} ORDER BY ts, id")
    elif node["kind"] == "thread_state":
        rows = client.sql(f"SELECT utid, 0, ts, id, dur, iif(dur < 0, {SCHEDULER_END}, ts + dur) "
                          f"FROM thread_state WHERE utid = {node['utid']} ORDER BY ts, id")
    else:
        raise AssertionError(node["kind"])
    lines = collections.defaultdict(list)
    for track, depth, ts, row, dur, end in rows:
        lines[(node["tracks"].index(track) if node["tracks"] else 0, depth)].append(
            [ts, end, row, dur])
    ordered, depths = [], collections.Counter()
    for key in lines:
        depths[key[0]] = max(depths[key[0]], key[1] + 1)
    for track in sorted(depths):
        ordered += [lines[(track, depth)] for depth in range(depths[track])]
    for line in ordered:
        for event, after in zip(line, line[1:]):
            event[1] = min(event[1], after[0])
    return ordered


def scan(lines, level, first, count):
    """The items of tiles by their definition (spec viewer 5.3), as the columns of a frame."""
    width, begin = 1 << level, first << level + 9
    last = begin + (count << level + 9)
    items = []
    for number, line in enumerate(lines):
        dense = None
        for start, end, row, dur in line:
            item = {"line": number, "row": row, "count": 1, "start": start, "end": end,
                    "busy": end - start, "length": end - start, "bucket": (start - begin) // width}
            if start < begin and end > begin and end - start >= width:
                items.append({**item, "count": 0, "busy": 0})
            if not begin <= start < last:
                continue
            if end - start >= width:
                items.append(item)
                dense = None
            elif dense is None or dense["bucket"] != item["bucket"]:
                items.append(item)
                dense = item
            else:
                if item["length"] > dense["length"]:
                    dense["row"], dense["length"] = row, item["length"]
                dense["count"] += 1
                dense["busy"] += item["busy"]
                dense["end"] = max(dense["end"], end)
    shift = lambda ns: ns << 8 >> level  # noqa: E731
    for item in items:
        item["start"] = 0 if item["start"] < begin else shift(item["start"] - begin)
        whole_end = item["end"]
        item["end"] = MOST if whole_end > last else shift(whole_end - begin)
        if item["length"] > 0 or item["count"] > 1:
            item["end"] = max(item["end"], item["start"] + (1 if whole_end > begin + (item["start"] << level >> 8) else 0))
        item["busy"] = min(shift(item["busy"]), MOST)
    return [{key: item[key] for key in ("line", "row", "count", "busy", "start", "end")} for item in items]


class OneTrace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        path = os.path.join(cls.folder.name, "made.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(made_trace())
        cls.server = cls.enterClassContext(Server(path))
        cls.server.wait_for_trace()
        cls.client = Client(cls.server)
        cls.nodes = cls.client.tree()
        cls.tracks = [node for node in cls.nodes if node["type"] == "track"]

    def track(self, kind):
        """The track of this kind with most events."""
        return max((node for node in self.tracks if node["kind"] == kind), key=lambda n: int(n["events"]))


class Tree(OneTrace):
    def test_pages_parents_and_keys(self):
        page = self.client.get("/tracks", depth=16)
        self.assertEqual(page["total"], len(page["nodes"]))
        by_number = {node["node"]: node for node in page["nodes"]}
        self.assertEqual(len(by_number), page["total"])
        for node in page["nodes"]:
            if node["parent"] is not None:
                self.assertEqual(by_number[node["parent"]]["level"] + 1, node["level"])
                self.assertTrue(node["key"].startswith(by_number[node["parent"]]["key"] + "/"))
            for name in (str(node["node"]), urllib.parse.quote(node["key"], safe="")):
                self.assertEqual(self.client.get(f"/tracks/{name}")["node"]["node"], node["node"])
        top = self.client.get("/tracks")
        self.assertEqual([node["type"] for node in top["nodes"]], ["machine"])
        part = self.client.get("/tracks", depth=16, offset=2, limit=3)
        self.assertEqual(part["nodes"], page["nodes"][2:5])

    def test_columns_have_the_same_nodes(self):
        for parameters in ({"depth": 16}, {"depth": 16, "empty": 1, "grouping": "flat"}, {"depth": 2, "grouping": "type"},
                           {"depth": 16, "offset": 2, "limit": 5}, {"depth": 16, "offset": 100_000}):
            page = self.client.get("/tracks", **parameters)
            other = self.client.get("/tracks", columns=1, **parameters)
            nodes = nodes_of_columns(other.pop("columns"))
            self.assertEqual(nodes, page.pop("nodes"), parameters)
            self.assertEqual(other, page)
        parent = self.client.get("/tracks")["nodes"][0]["node"]
        self.assertEqual(nodes_of_columns(self.client.get("/tracks", parent=parent, columns=1)["columns"]),
                         self.client.get("/tracks", parent=parent)["nodes"])

    def test_empty_processes_are_counted(self):
        machine = self.client.get("/tracks")["nodes"][0]
        self.assertGreaterEqual(machine["hidden"], 1)
        shown = self.client.get("/tracks", parent=machine["node"])
        everything = self.client.get("/tracks", parent=machine["node"], empty=1)
        self.assertEqual(shown["hidden"], machine["hidden"])
        self.assertEqual(everything["total"], shown["total"] + shown["hidden"])
        self.assertIn("idle (pid 9)", [node["title"] for node in everything["nodes"]])
        self.assertIn("app (pid 1): tab", [node["title"] for node in shown["nodes"]])

    def test_events_add_up(self):
        total = sum(int(node["events"]) for node in self.tracks)
        self.assertEqual(total, sum(self.client.sql(f"SELECT count(*) FROM {table}")[0][0]
                                    for table in ("slice", "counter", "json_memory_dump")))
        for grouping in ("machine", "type", "flat"):
            nodes = [node for node in self.client.tree(grouping) if node["type"] == "track"]
            self.assertEqual(sorted(node["node"] for node in nodes),
                             sorted(node["node"] for node in self.tracks), grouping)

    def test_find(self):
        found = self.client.post("/tracks/find", {"text": "mainlp"})
        self.assertEqual(found["nodes"][0]["title"], "main/loop")
        self.assertEqual(found["nodes"][0]["path"][-1], "app (pid 1): tab")
        self.assertEqual(self.client.post("/tracks/find", {"text": "zzzz"})["total"], 0)

    def test_bad_parameters(self):
        for path, status in (("/tracks?parent=99999999", 404), ("/tracks?grouping=x", 400),
                             ("/tracks?depth=0", 400), ("/tracks?depth=17", 400), ("/tracks?limit=1001", 400),
                             ("/tracks?columns=2", 400), ("/tracks?columns=1&limit=20001", 400),
                             ("/tracks?offset=-1", 400), ("/tracks/%00", 400), ("/tracks/nothing", 404),
                             ("/tracks/-1", 404), ("/tracks/4294967295", 404)):
            code, _, data = self.server.request("GET", "/api/v1/traces/1" + path)
            self.assertEqual(code, status, (path, data[:200]))


class Tiles(OneTrace):
    def test_items_equal_a_scan_of_sql(self):
        rng = random.Random(5)
        checked = 0
        for node in self.tracks:
            if node["kind"] not in ("slice", "async") or node["events"] == "0":
                continue
            lines = lines_of(self.client, node)
            self.assertEqual(node["lines"], len(lines))
            for level in (0, 3, 8, 9, 12, 15, 18, 22, 30):
                ts = rng.choice(rng.choice([line for line in lines if line]))[0]
                first, count = (ts >> level + 9) - rng.randrange(2), rng.choice((1, 2, 5))
                frame = self.client.tiles(node["node"], level, first, count)
                self.assertEqual((frame.kind, frame.request, frame.generation, frame.track),
                                 (frames.SLICES, 7, 3, node["node"]))
                items = [{key: row[key] for key in ("line", "row", "count", "busy", "start", "end")}
                         for row in frame.rows()]
                self.assertEqual(items, scan(lines, level, first, count), (node["title"], level, first))
                checked += len(items)
        self.assertGreater(checked, 1000)

    def test_flags(self):
        node = next(n for n in self.tracks if n["kind"] == "slice" and "never ends" in str(
            self.client.sql(f"SELECT name FROM slice WHERE track_id = {n['tracks'][0]}")))
        level = 30
        rows = self.client.tiles(node["node"], level, 0, 1).rows()
        unfinished = [row for row in rows if row["flags"] & frames.UNFINISHED]
        self.assertEqual(len(unfinished), 1)
        names = self.client.post("/strings", {"ids": [unfinished[0]["name"], MOST], "threads": [0]})
        self.assertEqual(names["texts"], ["never ends", None])
        dense = [row for row in rows if row["flags"] & frames.DENSE]
        self.assertTrue(dense and all(row["count"] > 1 for row in dense))
        self.assertTrue(any(row["flags"] & frames.INSTANT for row in dense), "instants survive")

    def test_a_second_answer_is_warm(self):
        node = self.track("slice")
        self.client.tiles(node["node"], 11, 0, 1)
        self.assertEqual(self.client.tiles(node["node"], 11, 0, 1).flags & frames.COLD, 0)

    def counter_rows(self, node):
        return self.client.sql(f"SELECT ts, value FROM counter WHERE track_id = {node['tracks'][0]} "
                               "ORDER BY ts, id")

    def test_counters(self):
        node = self.track("counter")
        rows = self.counter_rows(node)
        for mode in ("value", "delta", "rate"):
            points = [(ts, value) for ts, value in rows]
            if mode != "value":
                points = [(b[0], b[1] - a[1] if mode == "delta" else
                           (b[1] - a[1]) / ((b[0] - a[0]) * 1e-9) if b[0] > a[0] else None)
                          for a, b in zip(rows, rows[1:])]
            points = [(ts, value) for ts, value in points if value is not None]
            for level in (8, 14, 20):
                first = rows[len(rows) // 2][0] >> level + 9
                frame = self.client.tiles(node["node"], level, first, 2, mode=mode)
                buckets = collections.defaultdict(list)
                for ts, value in points:
                    if first << level + 9 <= ts < first + 2 << level + 9:
                        buckets[(ts - (first << level + 9)) >> level].append(value)
                self.assertEqual(frame.columns["bucket"], sorted(buckets))
                for row in frame.rows():
                    values = buckets[row["bucket"]]
                    for name, value in (("min", min(values)), ("max", max(values)), ("last", values[-1])):
                        self.assertTrue(math.isclose(row[name], value), (mode, level, name))
                self.assertTrue(math.isclose(frame.head["low"], min(value for _, value in points)))
                before = [value for ts, value in rows if ts < first << level + 9]
                if mode == "value" and before:
                    self.assertEqual(frame.head["before"], before[-1])

    def test_stacked_counters(self):
        node = self.track("stacked")
        self.assertEqual((node["title"], node["lines"], len(node["tracks"])), ("memory[m]", 3, 3))
        tracks = node["tracks"]
        events = collections.defaultdict(lambda: [0.0] * 3)
        for ts, track, value in self.client.sql(f"SELECT ts, track_id, value FROM counter WHERE track_id IN "
                                                f"({','.join(map(str, tracks))}) ORDER BY ts, id"):
            events[ts][tracks.index(track)] = value
        times = sorted(events)
        for level in (8, 14, 20, 24):
            first = times[len(times) // 2] >> level + 9
            begin, end = first << level + 9, first + 2 << level + 9
            frame = self.client.tiles(node["node"], level, first, 2)
            self.assertEqual(frame.kind, frames.STACKED)
            names = self.client.post("/strings", {"ids": frame.head["names"], "threads": []})["texts"]
            self.assertEqual(names, ["b", "a", "c"])  # as they appear
            before = [ts for ts in times if ts < begin]
            if before:
                self.assertEqual(frame.head["before"], events[before[-1]])
            buckets = collections.defaultdict(list)
            for ts in times:
                if begin <= ts < end:
                    buckets[(ts - begin) >> level].append(events[ts])
            self.assertEqual(frame.columns["bucket"], sorted(buckets))
            for row in frame.rows():
                values = buckets[row["bucket"]]
                totals = [sum(each) for each in values]
                self.assertEqual((row["last"], row["low"], row["high"]), (values[-1], min(totals), max(totals)))

    def test_a_sample_of_a_stacked_counter_shows_all_series(self):
        node = self.track("stacked")
        rows = self.client.sql(f"SELECT ts, value FROM counter WHERE track_id = {node['tracks'][2]} ORDER BY ts")
        ts, value = rows[len(rows) // 2]
        for line in range(3):  # series without an event at the time give way to one that has one
            hit = self.client.post("/hit", {"track": node["node"], "line": line, "ts": str(ts), "radius": "0"})["hit"]
            self.assertEqual(int(hit["ts"]), ts)
        self.assertEqual(hit["value"], value)
        fields = {field["name"]: field["value"] for field in self.client.get(f"/events/counter/{hit['row']}")["fields"]}
        self.assertEqual(float(fields["c"]), value)
        self.assertEqual(float(fields["total"]), sum(float(fields[name]) for name in "abc"))

    def test_memory_dumps(self):
        dumps = [node for node in self.tracks if node["kind"] == "dump"]
        self.assertEqual([(node["title"], node["events"], node["upid"] is None) for node in dumps],
                         [("Memory dumps", "3", True), ("Memory dumps", "3", False)])
        self.assertEqual([len(node["tracks"]) for node in dumps], [1, 0])
        frame = self.client.tiles(dumps[1]["node"], 40, 0, 1)
        self.assertEqual((frame.kind, sum(frame.columns["count"]), set(frame.columns["worst"])), (frames.MARKS, 3, {2}))
        event = self.client.get(f"/events/dump/{frame.columns['row'][0]}")
        fields = {field["name"]: field["value"] for field in event["fields"]}
        self.assertEqual((fields["level_of_detail"], fields["resident_set_bytes"], fields["malloc"]),
                         ("light", "4096", "100"))  # the file has them in base 16

    def test_summaries_of_folders(self):
        machine = self.nodes[0]
        frame = self.client.tiles(machine["node"], 24, 0, 1)
        self.assertEqual(frame.kind, frames.SUMMARY)
        self.assertLessEqual(len(frame.head["names"]), 8)
        self.assertEqual(frame.head["names"][-1], 0)
        self.assertGreater(frame.items, 0)
        for shares in frame.columns["shares"]:
            self.assertLessEqual(sum(shares), 255 + len(shares))
            self.assertGreater(sum(shares), 0)

    def test_flows(self):
        rows = self.client.sql("SELECT id, slice_out, slice_in FROM flow")
        frame = self.client.tiles(MOST, 54, -1, 2, mode="flows")
        self.assertEqual((frame.head["total"], frame.columns["row"]), (len(rows), [row[0] for row in rows]))
        out = self.client.get(f"/events/slice/{rows[0][1]}")
        self.assertEqual(frame.columns["out_track"][0], out["node"])
        arrival = self.client.get(f"/events/slice/{rows[0][2]}")
        self.assertEqual(frame.columns["in_track"][0], arrival["node"])
        of_track = self.client.tiles(arrival["node"], 54, -1, 2, mode="flows")
        self.assertEqual(of_track.columns["row"], [row[0] for row in rows])
        self.assertEqual(out["flows"], 1)

    def test_flows_go_from_their_start_to_their_end(self):
        times = "extract_arg(f.arg_set_id, '%s')"
        low, high = "max(o.ts, min(slice_display_end(o.id), %s))", "max(i.ts, min(slice_display_end(i.id), %s))"
        expected = self.client.sql(f"SELECT {low % times % 'start_ts'}, {high % times % 'end_ts'} FROM flow f"
                                   " JOIN slice o ON o.id = f.slice_out JOIN slice i ON i.id = f.slice_in")
        frame = self.client.tiles(MOST, 54, -1, 2, mode="flows")
        self.assertEqual([list(times) for times in zip(frame.columns["out_ts"], frame.columns["in_ts"])],
                         [list(row) for row in expected])

    def test_categories_of_flows(self):
        answer = self.client.get("/flows/categories")
        counts = self.client.sql("SELECT extract_arg(arg_set_id, 'cat'), CAST(count(*) AS TEXT) FROM flow GROUP BY 1")
        self.assertEqual({row["name"]: row["flows"] for row in answer["categories"]}, dict(counts))
        self.assertEqual(answer["total"], len(counts))
        self.assertEqual(len(counts), 2)
        frame = lambda *names: self.client.tiles(MOST, 54, -1, 2, mode="flows", without=list(names))  # noqa: E731
        for name in dict(counts):
            kept = self.client.sql(f"SELECT id FROM flow WHERE extract_arg(arg_set_id, 'cat') != '{name}'")
            rest = frame(name, "no such category")
            self.assertEqual((rest.head["total"], rest.columns["row"]), (len(kept), [row[0] for row in kept]))
        self.assertEqual(frame("").head["total"], frame().head["total"], "each flow has a category")
        self.assertEqual(frame(*dict(counts)).head["total"], 0)
        body = {"level": 54, "tiles": [[MOST, -1, 2]], "mode": "flows"}
        for without in ("rpc", [1], ["x"] * 1001):
            status, _, _ = self.server.request("POST", "/api/v1/traces/1/tiles", {**body, "without": without})
            self.assertEqual(status, 400)

    def test_several_parts_in_one_answer(self):
        parts = [[self.tracks[0]["node"], 0, 1], [self.nodes[0]["node"], 0, 2]]
        _, _, data = self.server.request("POST", "/api/v1/traces/1/tiles", {"level": 20, "tiles": parts})
        self.assertEqual([(f.track, f.tiles) for f in frames.decode(data)],
                         [(node, count) for node, _, count in parts])

    def test_bad_requests_are_refused(self):
        good = [self.tracks[0]["node"], 0, 1]
        for body, status in (({}, 400), ({"level": 0}, 400), ({"level": 0, "tiles": []}, 400),
                             ({"level": 55, "tiles": [good]}, 400), ({"level": -1, "tiles": [good]}, 400),
                             ({"level": 0, "tiles": [good[:2]]}, 400), ({"level": 0, "tiles": [5]}, 400),
                             ({"level": 0, "tiles": [[MOST + 1, 0, 1]]}, 400),
                             ({"level": 0, "tiles": [[good[0], 0, 65]]}, 400),
                             ({"level": 0, "tiles": [[good[0], 0, 33]] * 2}, 400),
                             ({"level": 0, "tiles": [[good[0], 1 << 63, 1]]}, 400),
                             ({"level": 54, "tiles": [[good[0], 7, 1]]}, 400),
                             ({"level": 0, "tiles": [good], "mode": "x"}, 400),
                             ({"level": 0, "tiles": [good], "mode": "hits", "search": 77}, 404),
                             ({"level": 0, "tiles": [[self.nodes[0]["node"], 0, 1]], "mode": "value"}, 400),
                             ({"level": 0, "tiles": [[MOST, 0, 1]]}, 404),
                             ({"level": 0, "tiles": [[MOST - 1, 0, 1]]}, 404)):
            code, _, data = self.server.request("POST", "/api/v1/traces/1/tiles", body)
            self.assertEqual(code, status, (body, data[:300]))

    def test_random_requests_are_answered_or_refused(self):
        rng = random.Random(8)
        numbers = [node["node"] for node in self.nodes] + [MOST, MOST - 1, len(self.tracks), 0]
        times = [0, -1, 1, 1 << 40, -(1 << 62), (1 << 63) - 1, -(1 << 63), 5000]
        connection = self.server.connect()
        statuses = collections.Counter()
        for _ in range(1500):
            level = rng.choice((0, 1, 7, 8, 9, 20, 30, 40, 53, 54, 55, -1))
            first = rng.choice((rng.choice(times) >> max(level, 0) + 9, rng.choice(times), rng.randrange(50)))
            body = {"level": level, "tiles": [[rng.choice(numbers), first, rng.choice((0, 1, 2, 63, 64, 65))]]}
            if rng.randrange(3) == 0:
                body["mode"] = rng.choice(("value", "delta", "rate", "summary", "flows", "hits", 5, None))
            status, _, data = self.server.request("POST", "/api/v1/traces/1/tiles", body,
                                                  connection=connection)
            self.assertIn(status, (200, 400, 404), (body, data[:300]))
            statuses[status] += 1
            if status == 200:
                for frame in frames.decode(data):
                    self.assertEqual(frame.first, body["tiles"][0][1])
        connection.close()
        self.assertGreater(min(statuses.values()), 50, statuses)
        self.assertIsNone(self.server.process.poll())


class Events(OneTrace):
    def test_details_equal_sql(self):
        rng = random.Random(3)
        rows = self.client.sql("SELECT id, ts, dur, name, category, parent_id, depth, slice_self_time(id) "
                               "FROM slice")
        children = collections.defaultdict(list)
        for row in rows:
            children[row[5]].append(row[0])
        for row, ts, dur, name, category, parent, depth, self_time in rng.sample(rows, 60):
            event = self.client.get(f"/events/slice/{row}")
            self.assertEqual((event["row"], event["ts"], event["dur"], event["name"], event["category"]),
                             (row, str(ts), str(dur), name, category or ""))
            self.assertEqual(event["depth"], depth)
            self.assertEqual(event["self"], None if self_time is None else str(self_time))
            self.assertEqual([each["row"] for each in event["parents"]][-1:], [parent] if parent is not None else [])
            self.assertEqual([each["row"] for each in event["children"]], children[row][:100])
            self.assertEqual(event["children_total"], len(children[row]))
            self.assertEqual(event["file"], event["place"]["file"])
            args = self.client.get(f"/events/slice/{row}/args")
            expected = self.client.sql(f"SELECT key, value_type FROM args_full JOIN slice USING (arg_set_id) "
                                       f"WHERE slice.id = {row}")
            self.assertEqual([[arg["key"], arg["type"]] for arg in args["args"]], expected)
            self.assertEqual(args["total"], event["args_total"])

    def test_hits_equal_sql(self):
        rng = random.Random(4)
        for kind in ("slice", "counter"):
            node = self.track(kind)
            table = TABLES[kind]
            for _ in range(100):
                ts = rng.randrange(int(node["first_ts"]), int(node["last_ts"]) + 1)
                line = rng.randrange(node["lines"])
                depth = f"AND depth = {line}" if kind == "slice" else ""
                expected = self.client.sql(f"SELECT id, ts {', dur' if kind == 'slice' else ''} FROM {table} "
                                           f"WHERE track_id = {node['tracks'][0]} {depth} AND ts <= {ts} "
                                           "ORDER BY ts DESC, id DESC LIMIT 1")
                hit = self.client.post("/hit", {"track": node["node"], "line": line, "ts": str(ts)})["hit"]
                if kind == "slice" and expected:
                    start, dur = expected[0][1:]
                    if dur >= 0 and start + dur <= ts > start:
                        expected = []
                self.assertEqual([hit["row"]] if hit else [], [row[0] for row in expected], (kind, ts, line))

    def test_radius_and_steps(self):
        node = self.track("slice")
        line = lines_of(self.client, node)[0]
        start, _, row, _ = line[0]
        far = {"track": node["node"], "line": 0, "ts": start - 50}
        self.assertIsNone(self.client.post("/hit", {**far, "radius": 49})["hit"])
        self.assertEqual(self.client.post("/hit", {**far, "radius": 50})["hit"]["row"], row)
        at = row
        for by, to in ((1, 1), (1, 2), (10, 12), (-12, 0)):
            at = self.client.post("/step", {"track": node["node"], "row": at, "by": by})["event"]["row"]
            self.assertEqual(at, line[to][2])
        for by in (-1, len(line), 1 << 62, -(1 << 63)):
            body = {"track": node["node"], "row": row, "by": by}
            self.assertIsNone(self.client.post("/step", body)["event"])

    def test_siblings(self):
        row, name = self.client.sql("SELECT id, name FROM slice WHERE dur > 0 LIMIT 1")[0]
        siblings = self.client.get(f"/events/slice/{row}/siblings")
        count, mean, low, high = self.client.sql(
            f"SELECT count(*), avg(dur), min(dur), max(dur) FROM slice WHERE name = '{name}' AND dur >= 0")[0]
        self.assertEqual((siblings["count"], siblings["min"], siblings["max"]), (str(count), str(low), str(high)))
        self.assertAlmostEqual(siblings["mean"], mean)

    def test_flows_are_followed(self):
        row = self.client.sql("SELECT slice_out FROM flow LIMIT 1")[0][0]
        flows = self.client.get(f"/events/slice/{row}/flows", depth=3)["flows"]
        self.assertEqual([flow["out"]["row"] for flow in flows], [row])
        self.assertFalse(flows[0]["violation"])
        [expected] = self.client.sql("SELECT CAST(trace_id AS TEXT), extract_arg(arg_set_id, 'name'), extract_arg(arg_set_id, 'cat'),"
                                     " CAST(extract_arg(arg_set_id, 'start_ts') AS TEXT),"
                                     f" CAST(extract_arg(arg_set_id, 'end_ts') AS TEXT) FROM flow WHERE slice_out = {row}")
        self.assertEqual([flows[0][key] for key in ("id", "name", "category", "from_ts", "to_ts")], list(expected))

    def order(self, a, b, expect=200):
        return self.client.post("/order", {"a": {"kind": "slice", "row": a}, "b": {"kind": "slice", "row": b}},
                                expect=expect)

    def test_order_within_one_clock_is_that_of_the_readings(self):
        rows = self.client.sql("SELECT id, ts FROM slice ORDER BY id LIMIT 40")
        for a, ts_a in rows[::3]:
            for b, ts_b in rows[::5]:
                found = self.order(a, b)
                self.assertEqual((found["reason"], found["bound_ns"], found["at_most"]), ("clock", "0", False))
                self.assertEqual(found["gap_ns"], str(ts_b - ts_a))
                self.assertEqual(found["order"], "same" if ts_a == ts_b else "before" if ts_a < ts_b else "after")
        self.order(0, 99999999, expect=404)
        self.client.post("/order", {"a": {"kind": "slice", "row": 0}}, expect=400)

    def test_unknown_events(self):
        for path in ("/events/slice/99999999", "/events/slice/-1", "/events/nothing/0", "/events/sched/0",
                     "/events/slice/0/text?field=x"):
            self.assertEqual(self.client.get(path, expect=404)["code"], "not_found")
        self.client.post("/hit", {"track": 999999, "ts": 0}, expect=404)
        self.client.post("/hit", {"track": 0}, expect=400)
        self.client.post("/step", {"track": 0, "row": 0}, expect=400)


class Searches(OneTrace):
    def search(self, text, expect=202, **members):
        search = self.client.post("/search", {"text": text, **members}, expect=expect)
        if expect != 202:
            return search
        while True:
            state = self.client.get(f"/search/{search['search']}")
            if state["state"] not in ("queued", "running"):
                return state

    def hits(self, state):
        return self.client.get(f"/search/{state['search']}/hits")

    def test_hits_equal_sql(self):
        for text, condition in (("work3", "name LIKE '%work3%'"), ("WORK3", "name LIKE '%work3%'"),
                                ("re:^work[12]$", "name IN ('work1', 'work2')"),
                                ("name=inner dur>100ns", "name = 'inner' AND dur > 100"),
                                ("name=work dur<=30us cat=cat", "name LIKE 'work%' AND dur BETWEEN 0 AND 30000 "
                                                                "AND category = 'cat'"),
                                ("name=receive process=\"Process 2\"", "name = 'receive'"),
                                ("name=receive process=app", "0")):
            state = self.search(text)
            expected = self.client.sql(f"SELECT count(*) FROM slice WHERE {condition}")[0][0]
            self.assertEqual((state["state"], state["total"]), ("done", str(expected)), text)
            page = self.hits(state)
            times = [int(hit["ts"]) for hit in page["hits"]]
            self.assertEqual(times, sorted(times))

    def test_args_and_tracks(self):
        state = self.search("arg:text=\"value 17\" name=work")
        self.assertEqual(self.hits(state)["hits"][0]["where"], "name")
        self.assertEqual(self.hits(self.search("\"value 2999\""))["hits"][0]["where"], "arg")
        wheres = {hit["where"] for hit in self.hits(self.search("load"))["hits"]}
        self.assertEqual(wheres, {"counter"})

    def test_pages_from_a_time_and_tiles_of_hits(self):
        state = self.search("work")
        hits = self.hits(state)["hits"]
        page = self.client.get(f"/search/{state['search']}/hits", **{"from": hits[5]["ts"], "limit": 1})
        self.assertEqual(page["hits"][0]["ts"], hits[5]["ts"])
        frame = self.client.tiles(self.nodes[0]["node"], 54, -1, 2, mode="hits", search=state["search"])
        self.assertEqual(sum(frame.columns["count"]), int(state["hits"]))

    def test_tracks_with_hits(self):
        for text in ("work", "receive", "load", "no such name"):
            state = self.search(text)
            expected = sorted({hit["node"] for page in range(0, int(state["hits"]), 1000)
                               for hit in self.client.get(f"/search/{state['search']}/hits", offset=page)["hits"]})
            self.assertEqual(self.client.get(f"/search/{state['search']}/tracks")["tracks"], expected, text)
        self.client.get("/search/999999/tracks", expect=404)

    def test_limits_and_errors(self):
        state = self.search("work", limit=10)
        self.assertEqual(state["hits"], "10")
        self.assertGreater(int(state["total"]), 10)
        for text in ("", "re:(", "dur>x", "x" * 5000):
            self.assertEqual(self.search(text, expect=400)["code"], "bad_request")
        self.server.json("DELETE", f"/traces/1/search/{state['search']}", expect=204)
        self.client.get(f"/search/{state['search']}", expect=404)


class Socket(OneTrace):
    def test_tiles_then_done(self):
        page = WebSocket(self.server)
        node = self.track("slice")["node"]
        page.send(json.dumps({"op": "tiles", "id": 7, "trace": "1", "generation": 1, "level": 20,
                              "tiles": [[node, 0, 1], [MOST - 1, 0, 1], [node, 1, 1]]}))
        received = [page.receive() for _ in range(3)]
        self.assertEqual([kind for kind, _ in received], [2, 2, 1])
        self.assertEqual([frames.Frame(data).first for _, data in received[:2]], [0, 1])
        done = json.loads(received[2][1])
        self.assertEqual((done["op"], done["id"], done["cancelled"]), ("done", "7", False))
        self.assertEqual([(e["node"], e["code"]) for e in done["errors"]], [(MOST - 1, "not_found")])
        page.send(json.dumps({"op": "strings", "id": 8, "trace": "1", "ids": [0], "threads": []}))
        answer = page.until("strings")
        self.assertEqual((answer["id"], len(answer["texts"])), ("8", 1))
        page.close()

    def test_every_request_is_done_also_when_cancelled(self):
        page = WebSocket(self.server)
        node = self.nodes[0]["node"]
        for number in range(40):
            page.send(json.dumps({"op": "tiles", "id": number, "trace": "1", "generation": number,
                                  "level": 10 + number % 9, "tiles": [[node, 0, 32]]}))
        page.send(json.dumps({"op": "cancel", "id": 39}))
        done = set()
        while len(done) < 40:
            kind, data = page.receive()
            if kind == 1:
                message = json.loads(data)
                self.assertEqual(message["op"], "done")
                done.add(int(message["id"]))
        self.assertEqual(done, set(range(40)))
        page.close()

    def test_malformed_messages_close_it(self):
        for message in ({"op": "tiles"}, {"op": "tiles", "trace": "1", "level": 99, "tiles": [[0, 0, 1]]},
                        {"op": "strings", "trace": "1", "ids": "x"}):
            page = WebSocket(self.server)
            page.send(json.dumps(message))
            kind, data = page.receive()
            if kind == 1:  # strings are parsed by the thread that answers
                self.assertIn("error", json.loads(data))
            else:
                self.assertEqual((kind, struct.unpack(">H", data[:2])[0]), (8, 1008))
            page.close()


class EveryTrack(unittest.TestCase):
    """Check every_track: all rows of `track`, and all events of other tables, are in the tree."""

    def check(self, *files):
        with Server(*files) as server:
            if server.wait_for_trace()["state"] != "open":
                return False
            client = Client(server)
            tracks = [node for node in client.tree() if node["type"] == "track"]
            listed = collections.Counter(row for node in tracks for row in node["tracks"])
            rows = [row[0] for row in client.sql("SELECT id FROM track")]
            self.assertEqual(sorted(listed.elements()), rows, files)
            events = collections.Counter()
            for node in tracks:
                events[TABLES[node["kind"]]] += int(node["events"])
            for table in set(TABLES.values()):
                self.assertEqual(events[table], client.sql(f"SELECT count(*) FROM {table}")[0][0], (files, table))
        return True

    def test_examples(self):
        self.assertTrue(self.check(*example_files()))

    def test_vectors(self):
        """Some inputs of each folder, a different one of each kind of name."""
        opened = 0
        for folder in ("trace-event-format", "perfetto-proto", "other-formats", "ftrace-text"):
            inputs = sorted(glob.glob(os.path.join(VECTORS, folder, "*", "*")))
            for path in inputs[::max(1, len(inputs) // 8)]:
                if os.path.isfile(path):
                    opened += self.check(path)
        if not os.path.isdir(VECTORS):
            self.skipTest("the vectors are not built")
        self.assertGreater(opened, 10)



class Braids(unittest.TestCase):
    """A braid has the index of the timeline: answers are those of its input, also if the index is damaged."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.json = os.path.join(cls.folder.name, "trace.json")
        cls.braid = os.path.join(cls.folder.name, "trace.braid")
        with open(cls.json, "w") as out:
            out.write(made_trace())
        subprocess.run([TRACEBRAID, "export", cls.json, "--to", "braid", "--output", cls.braid], check=True,
                       capture_output=True)
        cls.expected, _ = cls.answers(cls.json)

    @staticmethod
    def answers(path):
        """The tree and tiles of all tracks, and the warnings of the trace afterwards."""
        with Server(path) as server:
            server.wait_for_trace()
            client = Client(server)
            nodes = [{key: node[key] for key in ("node", "title", "kind", "events", "lines", "first_ts", "last_ts")}
                     for node in client.tree()]
            columns = [client.tiles(node["node"], level, 0, 2).columns
                       for node in nodes if node["kind"] for level in (12, 20)]
            return (nodes, columns), server.json("GET", "/traces")["traces"][0]["warnings"]

    def test_answers_are_those_of_the_input(self):
        self.assertEqual(self.answers(self.braid), (self.expected, []))

    def test_a_damaged_index_is_made_anew(self):
        with open(self.braid, "rb") as file:
            whole = file.read()
        version, extras, parts, directory = *struct.unpack_from("<HHI", whole, 8), struct.unpack_from("<Q", whole, 32)[0]
        self.assertEqual(version, 7)
        self.assertGreater(extras, 5)
        entries = [struct.unpack_from("<QQQ", whole, directory + 24 * part) for part in range(parts)]
        # The last parts: the columns of tracks, the tracks, and the list of extras.
        for part in (parts - extras, parts - extras + 3, parts - 3, parts - 2, parts - 1):
            at, size, _ = entries[part]
            damaged = bytearray(whole)
            damaged[at + size // 2] ^= 0x55
            path = os.path.join(self.folder.name, f"damaged{part}.braid")
            with open(path, "wb") as file:
                file.write(damaged)
            answers, warnings = self.answers(path)
            self.assertEqual(answers, self.expected, part - parts)
            self.assertEqual([text for text in warnings if "index of the timeline" in text], warnings)
            self.assertEqual(len(warnings), 1, part - parts)


if __name__ == "__main__":
    unittest.main()
