#!/usr/bin/env python3
"""Tests of `tracebraid serve`: each route, and who may use it."""
import ctypes
import gzip
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(__file__))
from client import (EXAMPLES, TRACEBRAID, Server, WebSocket, code_blocks,  # noqa: E402
                    example_files, run_block, with_texts)

try:
    import pyarrow
    import pyarrow.ipc
except ImportError:
    pyarrow = None

ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"
JOIN = ("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000) "
        "SELECT count(*) FROM c AS a JOIN c AS b ON a.n + b.n < 0")
AGGREGATE = ("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100000000) "
             "SELECT sum(n * n % 7), group_concat(n % 3) FROM c")


def as_texts(row):
    """Numbers of documents may be texts, and flags are 0 and 1 in rows."""
    return [None if value is None else str(int(value) if isinstance(value, bool) else value) for value in row]


class OpenLifecycle(unittest.TestCase):
    def test_a_missing_file_is_listed_and_others_open(self):
        with Server(example_files()[0], "/nowhere/missing.json") as server:
            trace = server.wait_for_trace()
            self.assertEqual(trace["state"], "open")
            self.assertEqual([m["file"] for m in trace["missing"]], ["/nowhere/missing.json"])
            self.assertEqual(len(server.json("GET", "/traces/1/problems")["missing"]), 1)

    def test_no_file_is_exit_3(self):
        done = subprocess.run([TRACEBRAID, "serve", "--port", "0", "/nowhere/missing.json"],
                              capture_output=True, timeout=30)
        self.assertEqual(done.returncode, 3)

    def test_signals_end_it_and_remove_the_spool(self):
        for sent, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with Server(*example_files()) as server:
                self.assertEqual(len(os.listdir(server.spool)), 1)
                server.wait_for_trace()
                server.process.send_signal(sent)
                server.process.communicate(timeout=30)
                self.assertEqual(server.process.returncode, status)
                self.assertEqual(os.listdir(server.spool), [])

    def test_the_spool_of_a_killed_process_is_removed(self):
        with Server() as server:
            server.process.kill()
            server.process.wait()
            left = os.listdir(server.spool)
            self.assertEqual(len(left), 1)
            with Server(spool=server.spool):
                now = os.listdir(server.spool)
                self.assertEqual(len(now), 1)
                self.assertNotEqual(now, left)

    def test_a_taken_port_is_an_error(self):
        with Server() as server:
            done = subprocess.run([TRACEBRAID, "serve", "--port", str(server.port)],
                                  capture_output=True, text=True, timeout=30)
            self.assertIn("is taken", done.stderr)
            self.assertEqual(done.returncode, 3)

    def test_the_token_file_keeps_a_token(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "token")
            with Server("--token-file", file) as server:
                token = server.token
            self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
            with Server("--token-file", file) as server:
                self.assertEqual(server.token, token)


    def test_a_cookie_survives_a_restart_with_the_same_token(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "token")
            with Server("--token-file", file) as server:
                port = server.port
                _, headers, _ = server.request("POST", "/api/v1/login", {"token": server.token},
                                               with_token=False)
                cookie = headers["Set-Cookie"].split(";")[0]
            with Server("--token-file", file, port=port) as server:
                status, _, _ = server.request("GET", "/api/v1/status", with_token=False,
                                              headers={"Cookie": cookie})
                self.assertEqual(status, 200)
            os.remove(file)
            with Server("--token-file", file, port=port) as server:
                status, _, _ = server.request("GET", "/api/v1/status", with_token=False,
                                              headers={"Cookie": cookie})
                self.assertEqual(status, 401)

    def test_signals_end_running_queries(self):
        with Server(example_files()[0]) as server:
            server.wait_for_trace()
            connections = [server.connect() for _ in range(3)]
            for connection in connections:
                connection.request("POST", "/api/v1/traces/1/queries", json.dumps({"sql": ENDLESS}),
                                   {"Authorization": "Bearer " + server.token,
                                    "Content-Type": "application/json"})
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            server.process.communicate(timeout=30)
            self.assertEqual(server.process.returncode, 143)
            self.assertEqual(os.listdir(server.spool), [])
            for connection in connections:
                connection.close()


class OneServer(unittest.TestCase):
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*example_files(), "--root", EXAMPLES, *cls.arguments)
        cls.server.wait_for_trace()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def problem(self, expected_status, expected_code, *arguments, **named):
        status, headers, data = self.server.request(*arguments, **named)
        self.assertEqual(status, expected_status, data)
        self.assertEqual(headers["Content-Type"], "application/problem+json")
        problem = json.loads(data)
        self.assertEqual(problem["code"], expected_code)
        self.assertEqual(problem["status"], status)
        return problem


class Access(OneServer):
    def test_the_token_is_needed(self):
        self.problem(401, "unauthorized", "GET", "/api/v1/status", with_token=False)
        self.problem(401, "unauthorized", "GET", "/api/v1/status",
                     headers={"Authorization": "Bearer " + "0" * 64})

    def test_login_gives_a_cookie(self):
        status, headers, _ = self.server.request(
            "POST", "/api/v1/login", {"token": self.server.token}, with_token=False)
        self.assertEqual(status, 204)
        cookie = headers["Set-Cookie"]
        self.assertIn("HttpOnly; SameSite=Strict; Path=/", cookie)
        self.assertNotIn(self.server.token, cookie)
        status, _, _ = self.server.request("GET", "/api/v1/status", with_token=False,
                                           headers={"Cookie": cookie.split(";")[0]})
        self.assertEqual(status, 200)

    def test_failures_are_limited(self):
        time.sleep(1.1)
        connection = self.server.connect()
        statuses = [self.server.request("GET", "/api/v1/status", with_token=False,
                                        connection=connection)[0] for _ in range(20)]
        self.assertEqual(statuses[0], 401)
        self.assertEqual(statuses[-1], 429)
        connection.close()
        time.sleep(1.1)

    def test_foreign_hosts_and_origins(self):
        self.problem(403, "forbidden", "GET", "/api/v1/status", headers={"Host": "evil.example"})
        self.problem(403, "forbidden", "GET", "/", headers={"Host": "evil.example"})
        self.problem(403, "forbidden", "GET", "/api/v1/status",
                     headers={"Origin": "http://evil.example"})
        self.problem(403, "forbidden", "GET", "/api/v1/status", headers={"Origin": "null"})
        own = f"http://localhost:{self.server.port}"
        status, headers, _ = self.server.request("GET", "/api/v1/status", headers={"Origin": own})
        self.assertEqual(status, 200)
        self.assertFalse([name for name in headers if name.startswith("Access-Control")])

    def test_forms_cannot_change_anything(self):
        self.problem(415, "unsupported_media_type", "POST", "/api/v1/traces", "inputs=1",
                     {"Content-Type": "application/x-www-form-urlencoded"})

    def test_headers_of_pages(self):
        _, headers, _ = self.server.request("GET", "/", with_token=False)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])


class Documentation(unittest.TestCase):
    """The examples of docs/server.md."""

    def printed(self, sql, *files):
        done = subprocess.run([TRACEBRAID, "query", *(os.path.join(EXAMPLES, f) for f in files), "-f",
                               "csv", sql], capture_output=True, check=True, text=True)
        return done.stdout

    @unittest.skipIf(shutil.which("curl") is None, "there is no curl")
    def test_curl(self):
        blocks = code_blocks("sh")
        self.assertEqual(len(blocks), 1)
        rows = self.printed("SELECT name, count(*) AS n FROM slice GROUP BY name ORDER BY n DESC, name "
                            "LIMIT 3", "phone.pftrace", "watch.pftrace")
        self.assertEqual(run_block(["bash", "-c"], blocks[0]), rows)

    def test_python(self):
        blocks = [each for each in code_blocks("python") if "perfetto" not in each]
        self.assertEqual(len(blocks), 1)
        rows = self.printed("SELECT name, sum(dur) FROM slice WHERE dur > 1000 GROUP BY name",
                            "phone.pftrace")
        lines = run_block([sys.executable, "-c"], blocks[0]).splitlines()
        self.assertEqual(len(lines), len(rows.splitlines()) - 1)
        self.assertGreater(len(lines), 3)


class Resources(OneServer):
    def test_methods(self):
        status, headers, _ = self.server.request("PUT", "/api/v1/status")
        self.assertEqual((status, headers["Allow"]), (405, "GET"))
        self.problem(404, "not_found", "GET", "/api/v1/nothing")
        self.problem(404, "not_found", "GET", "/api/v1/traces/99")
        self.problem(400, "bad_request", "GET", "/api/v1/%zz")

    def test_the_report_equals_check(self):
        printed = json.loads(subprocess.run([TRACEBRAID, "check", "--json", *example_files()],
                                            capture_output=True, check=True).stdout)

        report = self.server.json("GET", "/traces/1/report")
        command = report.pop("command")
        self.assertEqual(report, with_texts(printed))
        self.assertEqual(command.split()[:2], ["tracebraid", "check"])
        again = subprocess.run([TRACEBRAID, *shlex.split(command)[1:], "--json"],
                               capture_output=True, check=True).stdout
        self.assertEqual(json.loads(again), printed)

    def test_explain(self):
        found = self.server.json("GET", "/traces/1/explain?file=app.json")
        printed = subprocess.run([TRACEBRAID, "check", "--explain", "app.json", *example_files()],
                                 capture_output=True, check=True, text=True).stdout
        self.assertEqual(found["text"], printed)
        self.problem(404, "not_found", "GET", "/api/v1/traces/1/explain?file=none")
        self.problem(400, "bad_request", "GET", "/api/v1/traces/1/explain")

    def test_clocks_and_edges_are_those_of_the_tables(self):
        for path, name, columns, order in (
                ("clocks", "clocks", {"id": "id", "name": "name", "label": "label",
                 "machine": "machine_id", "file": "trace_id", "readings": "readings",
                 "segments": "segments", "next": "next_clock", "next_kind": "next_kind"}, "id"),
                ("clocks/edges", "edges", {"id": "id", "from": "from_clock", "to": "to_clock",
                 "kind": "kind", "source": "source", "observations": "observations",
                 "bound_ns": "uncertainty_ns", "file": "trace_id", "byte_offset": "byte_offset",
                 "is_used": "is_used"}, "is_used DESC, id")):
            table = {"clocks": "clock", "clocks/edges": "clock_edge"}[path]
            rows = self.server.query(f"SELECT {', '.join(columns.values())} FROM {table} "
                                     f"ORDER BY {order}")["sets"][0]["rows"]
            found = self.server.json("GET", f"/traces/1/{path}")
            self.assertEqual(found["total"], len(rows))
            self.assertEqual([as_texts(each[member] for member in columns) for each in found[name]],
                             [as_texts(row) for row in rows])
            part = self.server.json("GET", f"/traces/1/{path}?offset=1&limit=2")
            self.assertEqual((part["total"], part[name]), (len(rows), found[name][1:3]))
            self.problem(400, "bad_request", "GET", f"/api/v1/traces/1/{path}?limit=20001")
            self.problem(404, "not_found", "GET", f"/api/v1/traces/99/{path}")
        self.assertGreater(self.server.json("GET", "/traces/1/clocks/edges")["used"], 0)
        clocks = self.server.json("GET", "/traces/1/clocks")["clocks"]
        self.assertIn("watch", {each["machine_name"] for each in clocks})

    def test_observations_of_a_span(self):
        edge = max(self.server.json("GET", "/traces/1/clocks/edges")["edges"],
                   key=lambda each: each["observations"])
        path = f"/traces/1/clocks/edges/{edge['id']}/observations"
        whole = self.server.json("GET", path)["observations"]
        self.assertGreater(len(whole), 2)
        part = self.server.json("GET", f"{path}?from={whole[1]['ts']}&to={whole[2]['ts']}")
        self.assertEqual((part["total"], part["observations"]), ("2", whole[1:3]))
        none = self.server.json("GET", f"{path}?from={int(whole[-1]['ts']) + 1}")
        self.assertEqual((none["total"], none["observations"]), ("0", []))
        self.problem(400, "bad_request", "GET", f"/api/v1{path}?from=x")

    def test_observations_of_an_edge(self):
        rows = self.server.query("SELECT id, observations, uncertainty_ns, kind, is_used FROM clock_edge")
        for edge, count, bound, kind, is_used in rows["sets"][0]["rows"]:
            found = self.server.json("GET", f"/traces/1/clocks/edges/{edge}/observations")
            self.assertEqual((found["edge"], found["total"]), (str(edge), str(count)))
            seen = found["observations"]
            self.assertEqual(len(seen), count)
            if kind == "measured":
                self.assertEqual({each["bound_ns"] for each in seen}, {str(bound)})
                if is_used:
                    self.assertEqual([each["mapped"] for each in seen], [each["to"] for each in seen])
            self.assertEqual(found["model"] == "paths", not is_used)
            # The map is given at the observations and between them.
            self.assertEqual(len(found["curve"]), 2 * count - 1)
        edge = self.server.query("SELECT e.id FROM clock_edge e JOIN clock a ON a.id = e.from_clock "
                                 "JOIN clock b ON b.id = e.to_clock WHERE a.label = "
                                 "'BOOTTIME of watch' AND b.label = 'REALTIME of watch'")
        path = f"/traces/1/clocks/edges/{edge['sets'][0]['rows'][0][0]}/observations"
        whole = self.server.json("GET", path)
        # The bound of the map is at least that of the readings, and larger where the drift changes.
        bounds = [int(each["bound_ns"]) for each in whole["curve"]]
        readings = {int(each["bound_ns"]) for each in whole["observations"]}
        self.assertEqual(min(bounds), min(readings))
        self.assertGreater(max(bounds), max(readings))
        snapshots = self.server.query(
            "SELECT a.clock_value, b.clock_value, a.ts FROM clock_snapshot a JOIN clock_snapshot b "
            "USING (snapshot_id) JOIN machine m ON m.id = a.machine_id WHERE m.name = 'watch' "
            "AND a.clock_name = 'BOOTTIME' AND b.clock_name = 'REALTIME' ORDER BY snapshot_id")
        self.assertEqual([[each["from"], each["to"], each["ts"]] for each in whole["observations"]],
                         [[str(v) for v in row] for row in snapshots["sets"][0]["rows"]])
        few = self.server.json("GET", path + "?points=4")
        self.assertEqual(few["total"], whole["total"])
        self.assertLessEqual(len(few["observations"]), 6)
        self.assertEqual([few["observations"][0], few["observations"][-1]],
                         [whole["observations"][0], whole["observations"][-1]])
        self.problem(400, "bad_request", "GET", f"/api/v1{path}?points=1")
        for wrong in ("100000", "x", "-1"):
            self.problem(404, "not_found", "GET",
                         f"/api/v1/traces/1/clocks/edges/{wrong}/observations")

    def order(self, a, b):
        body = {"a": {"kind": "slice", "row": a}, "b": {"kind": "slice", "row": b}}
        return self.server.json("POST", "/traces/1/order", body)

    def test_order_of_two_machines_is_by_the_bound_between_their_clocks(self):
        """Check order_truth, for public clocks: the numbers are those of clock_error()."""
        slices = ("SELECT s.id, s.ts FROM slice s JOIN thread_track t ON t.id = s.track_id JOIN thread USING (utid) "
                  "JOIN machine m ON m.id = thread.machine_id WHERE m.name = '{}' ORDER BY s.ts")
        phone = self.server.query(slices.format("phone"))["sets"][0]["rows"]
        watch = self.server.query(slices.format("watch"))["sets"][0]["rows"]
        names = {"BOOTTIME of phone": "BOOTTIME", "own timeline of app.json": "PRIVATE"}
        seen, clocks, compared = set(), set(), 0
        rows = {label: row for row, label in self.server.query("SELECT id, label FROM clock")["sets"][0]["rows"]}
        for a, ts_a in phone[::25]:
            for b, ts_b in watch[::25]:
                found = self.order(a, b)
                gap, bound = int(found["gap_ns"]), int(found["bound_ns"])
                seen.add(found["order"])
                self.assertLessEqual(abs(gap - (ts_b - ts_a)), abs(gap) * 100e-6 + 1000)  # the clocks drift
                self.assertEqual(found["order"], "before" if gap > bound else "after" if gap < -bound
                                 else "undecided")
                self.assertFalse(found["at_most"])  # the clock of each track is known
                clocks.update((found["a"]["clock"], found["b"]["clock"]))
                related = {"a": rows[found["a"]["clock"]], "b": rows[found["b"]["clock"]], "reading": found["a"]["reading"]}
                self.assertEqual(self.server.json("POST", "/traces/1/relate", related)["bound_ns"], str(bound))
                compared += 1
                if found["a"]["clock"] not in names or found["b"]["clock"] != "BOOTTIME of watch":
                    continue  # a clock of a writer, which SQL cannot name
                clock = names[found["a"]["clock"]]
                error = self.server.query(f"SELECT clock_error({found['a']['reading']}, '{clock}', 'phone', "
                                          "'BOOTTIME', 'watch')")["sets"][0]["rows"][0][0]
                self.assertEqual(bound, error)
        self.assertEqual(seen, {"before", "after", "undecided"})
        self.assertGreater(compared, 20)
        self.assertGreater(len(clocks), 2)

    def test_readings_of_clocks_at_an_event(self):
        event = {"kind": "slice", "row": 0}
        found = self.server.json("POST", "/traces/1/convert", {"event": event})["clocks"]
        self.assertEqual([c["label"] for c in found if not c["own"]], ["REALTIME of phone", "REALTIME of watch"])
        self.assertTrue(found[0]["own"])
        ts = self.server.query("SELECT ts FROM slice WHERE id = 0")["sets"][0]["rows"][0][0]
        at = self.server.json("POST", "/traces/1/convert", {"ts": str(ts)})["clocks"]
        self.assertEqual([c["label"] for c in at], ["REALTIME of phone", "REALTIME of watch"])
        for clock in at:
            machine = clock["label"].split()[-1]
            for function, member in (("clock_convert", "reading"), ("clock_error", "bound_ns")):
                [[value]] = self.server.query(f"SELECT {function}({ts}, NULL, NULL, 'REALTIME', '{machine}')")[
                    "sets"][0]["rows"]
                self.assertEqual(str(value), clock[member])
        [own] = self.server.json("POST", "/traces/1/convert", {"ts": str(ts), "to": [found[0]["clock"]]})["clocks"]
        self.assertEqual(own["reading"], found[0]["reading"])
        for body, status in (({}, 400), ({"ts": "x"}, 400), ({"ts": "1", "to": [99999]}, 404), ({"ts": "1", "to": 3}, 400),
                             ({"event": {"kind": "slice", "row": 10**8}}, 404)):
            self.server.json("POST", "/traces/1/convert", body, expect=status)

    def test_order_along_a_flow_is_certain(self):
        flow = self.server.query("SELECT slice_out, slice_in FROM flow")["sets"][0]["rows"]
        for out, arrival in flow:
            forward, back = self.order(out, arrival), self.order(arrival, out)
            self.assertEqual((forward["order"], back["order"]), ("before", "after"))
            self.assertIn(forward["reason"], ("flow", "clock"))
        self.assertGreater(len(flow), 0)

    def test_rows_in_each_format_equal_the_command(self):
        sql = "SELECT id, ts, name, dur / 2.0 AS half, NULL AS n FROM slice"
        for accept, name in (("text/csv", "csv"), ("application/x-ndjson", "ndjson")):
            status, _, data = self.server.request("POST", "/api/v1/traces/1/queries", {"sql": sql},
                                                  {"Accept": accept})
            printed = subprocess.run([TRACEBRAID, "query", *example_files(), "-f", name, sql],
                                     capture_output=True, check=True).stdout
            self.assertEqual((status, data), (200, printed))

    def test_all_result_sets(self):
        answer = self.server.query("SELECT 1 AS a; SELECT 9007199254740993 AS b, 'x' AS c")
        self.assertEqual([s["rows"] for s in answer["sets"]], [[[1]], [["9007199254740993", "x"]]])
        self.assertEqual([c["name"] for c in answer["sets"][1]["columns"]], ["b", "c"])

    def test_csv_has_the_last_result_set(self):
        for sql, expected in (("SELECT 1 AS a; SELECT 2 AS b", b"b\r\n2\r\n"),
                              ("SELECT 1 AS a; CREATE PERFETTO TABLE t AS SELECT 1 AS x",
                               b"a\r\n1\r\n"),
                              ("SELECT 1 AS a; SELECT 2 AS b WHERE 0", b"b\r\n"),
                              ("CREATE PERFETTO TABLE t AS SELECT 1 AS x", b"")):
            status, _, data = self.server.request("POST", "/api/v1/traces/1/queries", {"sql": sql},
                                                  {"Accept": "text/csv"})
            self.assertEqual((status, data.replace(b"\r\n", b"\n")),
                             (200, expected.replace(b"\r\n", b"\n")), sql)
        self.problem(422, "sql_error", "POST", "/api/v1/traces/1/queries",
                     {"sql": "SELECT 1; SELECT nope; SELECT 2"}, {"Accept": "text/csv"})

    def arrow_rows(self, data):
        table = pyarrow.ipc.open_stream(data).read_all()
        table.validate(full=True)
        return table, [list(row.values()) for row in table.to_pylist()]

    @unittest.skipIf(pyarrow is None, "there is no pyarrow")
    def test_arrow_streams(self):
        """Check arrow_stream: pyarrow reads the rows of JSON."""
        kind = {"Accept": "application/vnd.apache.arrow.stream"}
        for sql in ("SELECT id, ts, dur, name, arg_set_id, NULL AS n FROM slice",
                    "SELECT * FROM slice WHERE 0",
                    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 30000) "
                    "SELECT n, n / 4.0 AS q, nullif('text ' || n % 7, 'text 3') AS t FROM c"):
            expected = self.server.query(sql)["sets"][0]
            for text in ("dictionary", "utf8"):
                status, headers, data = self.server.request(
                    "POST", "/api/v1/traces/1/queries", {"sql": sql, "text": text}, kind)
                self.assertEqual((status, headers["Content-Type"]), (200, kind["Accept"]))
                table, rows = self.arrow_rows(data)
                self.assertEqual(rows, expected["rows"])
                self.assertEqual(table.column_names, [c["name"] for c in expected["columns"]])
                if rows and "name" in table.column_names:
                    is_dictionary = pyarrow.types.is_dictionary(table.schema.field("name").type)
                    self.assertEqual(is_dictionary, text == "dictionary")
        self.problem(422, "sql_error", "POST", "/api/v1/traces/1/queries", {"sql": "SELECT nope"},
                     kind)
        self.problem(400, "bad_request", "POST", "/api/v1/traces/1/queries",
                     {"sql": "SELECT 1", "text": "nope"}, kind)

    @unittest.skipIf(pyarrow is None, "there is no pyarrow")
    def test_pages_as_arrow(self):
        sql = "SELECT id, dur / 2.0 AS half, name, ts FROM slice"
        kept = self.server.query(sql, keep=True)
        path = f"/results/{kept['result']}/rows"
        for view in ("limit=50&offset=7", "sort=-half,id&limit=100",
                     "filter=%5B%5B%22name%22,%22contains%22,%22a%22%5D%5D", "offset=1000000"):
            expected = self.server.json("GET", f"{path}?{view}")
            status, headers, data = self.server.request("GET", f"/api/v1{path}?{view}")
            self.assertEqual((status, headers["Content-Type"]),
                             (200, "application/vnd.apache.arrow.stream"))
            self.assertEqual(headers["Tracebraid-Total"], str(expected["total"]))
            table, rows = self.arrow_rows(data)
            types = [c["type"] for c in kept["columns"]]
            for found, wanted in zip(rows, expected["rows"], strict=True):
                for cell, value, type_ in zip(found, wanted, types):
                    if type_ == "mixed" and value is not None:  # a column of several types is text
                        self.assertEqual(type(value)(cell), value)
                    else:
                        self.assertEqual(cell, value)

    def test_downloads(self):
        sql = "SELECT id, ts, name, arg_set_id FROM slice"
        kept = self.server.query(sql, keep=True)
        path = f"/api/v1/results/{kept['result']}/file"
        for name in ("csv", "tsv", "json", "ndjson"):
            status, headers, data = self.server.request("GET", f"{path}?format={name}")
            printed = subprocess.run([TRACEBRAID, "query", *example_files(), "-f", name, sql],
                                     capture_output=True, check=True).stdout
            self.assertEqual((status, data), (200, printed), name)
            self.assertIn(f'filename="result-{kept["result"]}.{name}"',
                          headers["Content-Disposition"])
        _, _, data = self.server.request("GET", f"{path}?format=ndjson&sort=-id")
        ids = [json.loads(line)["id"] for line in data.splitlines()]
        self.assertEqual(ids, list(reversed(range(kept["rows"]))))
        status, _, data = self.server.request("GET", f"{path}?format=arrow")
        self.assertEqual((status, data[:4]), (200, b"\xff\xff\xff\xff"))
        self.problem(400, "bad_request", "GET", f"{path}?format=nope")
        kept = self.server.json("POST", "/traces/1/queries", {"sql": ENDLESS, "keep": True},
                                {"Prefer": "respond-async"}, expect=202)
        self.problem(409, "conflict", "GET", f"/api/v1/results/{kept['result']}/file")
        self.server.json("DELETE", f"/queries/{kept['query']}", expect=204)

    def test_head_has_no_body(self):
        """Not of a body in chunks either: the next answer would begin with it."""
        kept = self.server.query("SELECT 1 AS x", keep=True)
        for path in (f"/api/v1/results/{kept['result']}/file?format=csv", "/api/v1/status"):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=60) as connection:
                for method, last in (("HEAD", ""), ("GET", "Connection: close\r\n")):
                    connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost:{self.server.port}\r\n"
                                       f"Authorization: Bearer {self.server.token}\r\n{last}\r\n".encode())
                answers = b"".join(iter(lambda: connection.recv(1 << 16), b""))
            first, second = answers.split(b"\r\n\r\n", 1)
            self.assertTrue(first.startswith(b"HTTP/1.1 200 "))
            self.assertTrue(second.startswith(b"HTTP/1.1 200 "), second[:100])

    def test_settings(self):
        self.assertIn("settings", self.server.json("GET", "/status")["features"])
        self.assertEqual(self.server.json("GET", "/settings"), {})
        self.server.json("PUT", "/settings", {"theme": "dark"}, expect=204)
        self.assertEqual(self.server.json("GET", "/settings"), {"theme": "dark"})
        self.problem(400, "bad_request", "PUT", "/api/v1/settings", "[1]",
                     {"Content-Type": "application/json"})
        self.problem(413, "too_large", "PUT", "/api/v1/settings", {"x": "y" * 300_000})

    def test_states(self):
        folder = os.path.join(self.server.spool + ".state", "tracebraid", "states", "some-key")
        self.problem(404, "not_found", "GET", "/api/v1/states/some-key")
        for n in range(25):
            self.server.json("PUT", "/states/some-key", {"n": n}, expect=204)
        self.assertEqual(self.server.json("GET", "/states/some-key"), {"n": 24})
        files = sorted(os.listdir(folder))
        self.assertEqual(len(files), 20)
        newest = os.path.join(folder, "25.json")
        self.assertEqual(os.stat(newest).st_mode & 0o777, 0o600)
        with open(newest, "w") as file:  # a damaged file is kept aside
            file.write('{"n":')
        self.assertEqual(self.server.json("GET", "/states/some-key"), {"n": 23})
        self.assertIn("25.json.damaged", os.listdir(folder))
        for key in ("..%2Fx", ".x", "a%2Fb", "x" * 129):
            self.problem(400, "bad_request", "PUT", f"/api/v1/states/{key}", {"n": 1})
            self.problem(404, "not_found", "GET", f"/api/v1/states/{key}")

    def test_the_identity_of_inputs_is_their_content(self):
        with tempfile.TemporaryDirectory() as folder:
            first, second = os.path.join(folder, "first.json"), os.path.join(folder, "second.json")
            event = '{"ph":"X","name":"%s","pid":1,"tid":1,"ts":1,"dur":2}'
            for path, name in ((first, "a"), (second, "a")):
                with open(path, "w") as file:
                    file.write(f"[{event % name}]")
            keys = []
            for arguments in ((first,), (second,), (first, second)):
                with Server(*arguments) as server:
                    server.wait_for_trace()
                    identity = server.json("GET", "/traces/1/identity")
                keys.append(identity["key"])
                self.assertEqual([each["name"] for each in identity["inputs"]], [os.path.basename(each) for each in arguments])
                self.assertEqual({each["size"] for each in identity["inputs"]}, {os.path.getsize(first)})
            self.assertEqual(keys[0], keys[1])  # equal content
            with Server(first) as server:
                server.wait_for_trace()
                self.assertFalse(server.json("GET", "/traces/1/identity")["has_state"])
                server.json("PUT", f"/states/{keys[0]}", {"n": 1}, expect=204)
                self.assertTrue(server.json("GET", "/traces/1/identity")["has_state"])
            self.assertNotEqual(keys[0], keys[2])
            with open(second, "w") as file:
                file.write(f"[{event % 'b'}]")
            with Server(second) as server:
                server.wait_for_trace()
                self.assertNotEqual(server.json("GET", "/traces/1/identity")["key"], keys[0])

    def test_a_trace_says_where_it_begins_and_ends(self):
        trace = self.server.json("GET", "/traces/1")
        rows = self.server.query("SELECT start_ts, end_ts FROM trace_bounds")["sets"][0]["rows"]
        self.assertEqual([[int(trace["start_ts"]), int(trace["end_ts"])]], rows)
        self.assertNotIn("error", trace)

    def test_a_trace_that_fails_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "none.bin")
            with open(path, "w") as file:
                file.write("no trace at all")
            with Server(path) as server:
                trace = server.wait_for_trace()
                self.assertEqual(trace["state"], "failed")
                self.assertIn("none.bin", trace["error"]["detail"])
                self.assertNotIn("start_ts", trace)

    def test_a_manifest_of_the_request(self):
        with open(os.path.join(EXAMPLES, "manifest.json")) as file:
            manifest = json.load(file)
        inputs = [{"root": "examples", "path": name}
                  for name in ("phone.pftrace", "watch.pftrace", "app.json")]
        trace = self.server.json("POST", "/traces", {"inputs": inputs, "manifest": manifest},
                                 expect=202)["trace"]
        found = self.server.wait_for_trace(trace)
        self.assertEqual(found["state"], "open", found)
        paths = [os.path.join(EXAMPLES, each["path"]) for each in inputs]
        sql = "SELECT name FROM machine ORDER BY id"
        printed = subprocess.run([TRACEBRAID, "query", *paths, "--manifest",
                                  os.path.join(EXAMPLES, "manifest.json"), "-f", "csv", sql],
                                 capture_output=True, check=True).stdout
        _, _, data = self.server.request("POST", f"/api/v1/traces/{trace}/queries", {"sql": sql},
                                         {"Accept": "text/csv"})
        self.assertEqual(data, printed)
        self.assertIn("--manifest manifest.json", self.server.json("GET", f"/traces/{trace}/report")
                      ["command"])
        kept = self.server.json("GET", f"/traces/{trace}/manifest")
        self.assertEqual((json.loads(kept["manifest"]), kept["input"]), (manifest, None))
        self.assertEqual({each["root"] for each in found["inputs"]}, {"examples"})
        self.server.json("DELETE", f"/traces/{trace}", expect=204)
        self.problem(400, "bad_request", "POST", "/api/v1/traces",
                     {"inputs": inputs, "manifest": "x"})

    def test_the_manifest_among_the_inputs(self):
        found = self.server.json("GET", "/traces/1/manifest")
        names = [each["name"] for each in self.server.json("GET", "/traces/1")["inputs"]]
        self.assertTrue(names[found["input"]].endswith("manifest.json"))
        with open(os.path.join(EXAMPLES, "manifest.json")) as file:
            self.assertEqual(found["manifest"], file.read())

    def test_the_schema_of_manifests(self):
        printed = subprocess.run([TRACEBRAID, "manifest", "--schema"], capture_output=True,
                                 check=True).stdout
        self.assertEqual(self.server.json("GET", "/manifest.schema.json"), json.loads(printed))

    def draft(self, **members):
        """Returns the path of a draft of all examples but their manifest."""
        inputs = [{"path": file} for file in example_files() if not file.endswith("manifest.json")]
        started = self.server.json("POST", "/drafts", {"inputs": inputs, **members}, expect=202)
        path = f"/drafts/{started['draft']}"
        self.addCleanup(self.server.request, "DELETE", "/api/v1" + path)
        while self.server.json("GET", path)["state"] == "reading":
            time.sleep(0.01)
        return path

    def test_a_draft_places_its_inputs_again(self):
        with open(os.path.join(EXAMPLES, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        draft = self.draft(manifest=manifest)
        kept = self.server.json("GET", draft)
        self.assertEqual(kept["state"], "ready")
        self.assertEqual(json.loads(kept["manifest"]), manifest)
        self.assertGreater(int(kept["events"]), 0)
        report = self.server.json("GET", draft + "/report")
        whole = self.server.json("GET", "/traces/1/report")
        self.assertEqual(report["placements"], whole["placements"])
        self.assertEqual(report["version"], kept["version"])

        app = manifest["perfetto_manifest"]["files"][2]
        app["clocks"]["offset_ns"] += 1_000_000
        status, headers, _ = self.server.request("PUT", "/api/v1" + draft, {"manifest": json.dumps(manifest)},
                                                 {"If-Match": f'"{kept["version"]}"'})
        self.assertEqual((status, headers["ETag"]), (200, f'"{int(kept["version"]) + 1}"'))
        moved = self.server.json("GET", draft + "/report")
        [before] = [p for p in report["placements"] if p["clock"] == "private"]
        [after] = [p for p in moved["placements"] if p["clock"] == "private"]
        self.assertEqual(int(after["first_ts"]) - int(before["first_ts"]), 1_000_000)
        status, _, data = self.server.request("PUT", "/api/v1" + draft, {"manifest": manifest},
                                              {"If-Match": f'"{kept["version"]}"'})
        self.assertEqual((status, json.loads(data)["code"]), (412, "precondition_failed"))
        self.assertEqual(json.loads(self.server.json("GET", draft)["manifest"]), manifest)

    def wait_for_job(self, job):
        while (state := self.server.json("GET", f"/jobs/{job}"))["state"] in ("queued", "running"):
            time.sleep(0.01)
        return state

    def test_a_draft_is_opened_and_packed(self):
        with open(os.path.join(EXAMPLES, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        draft = self.draft()
        self.server.json("PUT", draft, {"manifest": manifest})
        opened = self.server.json("POST", draft + "/open", {}, expect=202)
        self.addCleanup(self.server.request, "DELETE", f"/api/v1/traces/{opened['trace']}")
        self.assertEqual(self.server.wait_for_trace(opened["trace"])["state"], "open")
        placed = self.server.json("GET", f"/traces/{opened['trace']}/report")["placements"]
        self.assertEqual(placed, self.server.json("GET", draft + "/report")["placements"])
        for ending in ("tar", "zip"):
            job = self.server.json("POST", draft + "/archive", {"format": ending}, expect=202)["job"]
            done = self.wait_for_job(job)
            self.assertEqual((done["state"], done["kind"], done["file"]), ("done", "archive", "merged." + ending))
            status, _, data = self.server.request("GET", f"/api/v1/jobs/{job}/file")
            self.assertEqual(status, 200)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "merged." + ending)
                with open(path, "wb") as file:
                    file.write(data)
                printed = subprocess.run([TRACEBRAID, "check", "--json", "-q", path], capture_output=True, check=True)
            checked = with_texts(json.loads(printed.stdout))["placements"]
            without_file = [{k: v for k, v in p.items() if k != "file"} for p in checked]
            self.assertEqual(sorted(map(str, without_file)),
                             sorted(str({k: v for k, v in p.items() if k != "file"}) for p in placed))
        self.server.json("POST", draft + "/archive", {"format": "rar"}, expect=400)
        self.server.json("POST", "/drafts/99999/open", {}, expect=404)
        self.server.json("POST", "/drafts/99999/archive", {}, expect=404)
        self.server.json("PUT", draft, {"manifest": {"perfetto_manifest": {"version": 9}}})
        job = self.server.json("POST", draft + "/archive", {}, expect=202)["job"]
        self.assertEqual(self.wait_for_job(job)["error"]["code"], "bad_manifest")

    def test_opening_reads_the_head_of_an_input_once(self):
        libc = ctypes.CDLL(None, use_errno=True)
        opened, closed = 0x20, 0x10  # IN_OPEN, IN_CLOSE_NOWRITE: equal events in a row would be one
        event = struct.Struct("iIII")
        watch = libc.inotify_init1(os.O_NONBLOCK)
        self.addCleanup(os.close, watch)
        path = example_files()[0]
        self.assertGreaterEqual(libc.inotify_add_watch(watch, path.encode(), opened | closed), 0)
        trace = self.server.json("POST", "/traces", {"inputs": [{"path": path}]}, expect=202)["trace"]
        self.addCleanup(self.server.request, "DELETE", f"/api/v1/traces/{trace}")
        self.server.wait_for_trace(trace)
        opens = sum(mask & opened != 0 for _, mask, _, _ in event.iter_unpack(os.read(watch, 65536)))
        # One for the head, one for the digest; the others are those of the merge.
        self.assertEqual(opens, 5)

    def test_an_archive_names_uploads_by_their_files(self):
        uploads = []
        for content in (b'[{"ph":"X","ts":1,"dur":1,"name":"a","pid":1,"tid":1}]',
                        b'[{"ph":"X","ts":2,"dur":1,"name":"b","pid":2,"tid":1}]'):
            upload = self.server.json("POST", "/uploads", {"name": "trace.json", "size": len(content)},
                                      expect=201)["upload"]
            self.server.json("PUT", f"/uploads/{upload}?offset=0", content, {"Content-Type": "application/octet-stream"})
            uploads.append({"upload": upload})
        draft = self.server.json("POST", "/drafts", {"inputs": uploads}, expect=202)["draft"]
        self.addCleanup(self.server.request, "DELETE", "/api/v1/drafts/" + draft)
        job = self.server.json("POST", f"/drafts/{draft}/archive", {"format": "zip"}, expect=202)["job"]
        self.assertEqual(self.wait_for_job(job)["state"], "done")
        data = self.server.request("GET", f"/api/v1/jobs/{job}/file")[2]
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            self.assertEqual(sorted(name.split("/")[-1] for name in packed.namelist()), ["trace.json", "trace.json"])

    def test_a_draft_is_placed_without_some_evidence(self):
        draft = self.draft()
        before = self.server.json("GET", draft + "/report")
        self.assertEqual(before["without"], [])
        worst = {p["file"]: p["rule"] for p in before["placements"] if p["machine"] == "watch"}
        self.assertEqual(set(worst.values()), {"rendezvous"})
        row = 0
        while True:
            self.server.json("PUT", draft, {"manifest": None, "without": [row]})
            report = self.server.json("GET", draft + "/report")
            if report["without"][0]["kind"] == "rendezvous":
                break
            row += 1
        self.assertEqual(self.server.json("GET", draft)["without"], [row])
        self.assertEqual({report["without"][0][end] for end in ("from", "to")},
                         {"REALTIME of watch", "REALTIME of phone"})
        self.assertEqual({p["rule"] for p in report["placements"] if p["machine"] == "watch"}, {"guessed"})

        def events(of):
            keys = [(p["file"], p["machine"], p["clock"], p["sequence"]) for p in of["placements"]]
            self.assertEqual(len(keys), len(set(keys)))
            return {key: int(p["placed"]) + int(p["lost"]) for key, p in zip(keys, of["placements"])}

        self.assertEqual(events(report), events(before))  # each file is placed once
        self.server.json("PUT", draft, {"manifest": None, "without": []})
        after = self.server.json("GET", draft + "/report")
        self.assertEqual(after["placements"], before["placements"])
        for bad in ([-1], ["x"], 3, {}, [0] * 1001):
            self.server.json("PUT", draft, {"manifest": None, "without": bad}, expect=400)
        self.server.json("PUT", draft, {"manifest": None, "without": [100000]})
        self.assertIn("100000", self.server.json("GET", draft + "/report", expect=404)["detail"])

    def test_a_draft_says_which_rule_its_manifest_breaks(self):
        draft = self.draft()
        for manifest in ({"perfetto_manifest": {"version": 9}}, "{"):
            self.server.json("PUT", draft, {"manifest": manifest})
            problem = self.server.json("GET", draft + "/report", expect=422)
            self.assertEqual(problem["code"], "bad_manifest")
            self.server.json("GET", draft + "/lanes", expect=422)
        self.assertIn("version", self.server.json("GET", draft + "/report", expect=422)["detail"]
                      if self.server.json("PUT", draft, {"manifest": {"perfetto_manifest": {}}}) else "")
        self.server.json("PUT", draft, {"manifest": None})
        self.server.json("GET", draft + "/report")
        for body in ({}, {"manifest": 3}, {"manifest": [1]}):
            self.server.json("PUT", draft, body, expect=400)

    def test_lanes_count_the_events_of_each_file(self):
        draft = self.draft()
        report = self.server.json("GET", draft + "/report")
        lanes = self.server.json("GET", draft + "/lanes?px=100")
        self.assertEqual((lanes["from"], lanes["px"]), (report["timeline"]["start_ts"], 100))
        placed = {}
        for clock in report["placements"]:
            if clock["first_ts"] is None:
                continue
            first, last = placed.get(clock["file"], (clock["first_ts"], clock["last_ts"]))
            placed[clock["file"]] = min(first, clock["first_ts"], key=int), max(last, clock["last_ts"], key=int)
        self.assertEqual({lane["path"]: (lane["first_ts"], lane["last_ts"]) for lane in lanes["lanes"]}, placed)
        for lane in lanes["lanes"]:
            self.assertEqual(sum(lane["counts"]), int(lane["events"]))
            self.assertEqual(len(lane["buckets"]), len(lane["firsts"]))
            self.assertEqual(lane["firsts"][0], lane["first_ts"])
        [last] = self.server.json("GET", f"{draft}/lanes?files={lanes['lanes'][-1]['file']}&px=1")["lanes"]
        self.assertEqual(last["counts"], [int(last["events"])])
        for bad in ("px=0", "px=5000", "from=5&to=5", "files=x", "from=1.5"):
            self.server.json("GET", f"{draft}/lanes?{bad}", expect=400)

    def test_drafts_are_limited_and_dropped(self):
        self.server.json("GET", "/drafts/99999/report", expect=404)
        self.server.json("POST", "/drafts", {"inputs": []}, expect=400)
        self.server.json("POST", "/drafts", {"inputs": [{"path": "/etc/passwd"}]}, expect=403)
        drafts = [self.draft() for _ in range(8)]
        inputs = [{"path": example_files()[0]}]
        self.assertEqual(self.server.json("POST", "/drafts", {"inputs": inputs}, expect=507)["code"], "limit")
        self.assertEqual(self.server.request("DELETE", "/api/v1" + drafts[0])[0], 204)
        self.server.json("GET", drafts[0], expect=404)
        self.server.json("POST", "/drafts", {"inputs": inputs}, expect=202)

    def test_nothing_outside_of_a_root_is_opened(self):
        with tempfile.TemporaryDirectory() as folder:
            root, secret = os.path.join(folder, "root"), os.path.join(folder, "secret")
            for each in (root, secret, os.path.join(root, "inner")):
                os.mkdir(each)
            with open(os.path.join(secret, "secret.json"), "w") as file:
                file.write('[{"name":"secret","ph":"X","ts":1,"dur":1,"pid":1,"tid":1}]')
            os.symlink(os.path.join(secret, "secret.json"), os.path.join(root, "inner", "link.json"))
            os.symlink(secret, os.path.join(root, "folder"))
            os.symlink("inner", os.path.join(root, "within"))
            os.mkfifo(os.path.join(root, "pipe"))
            with Server("--root", root) as server:
                for path in ("inner/link.json", "folder/secret.json", "folder", "../secret",
                             "/etc/passwd", "pipe", "inner/../../secret"):
                    status, _, data = server.request(
                        "POST", "/api/v1/traces", {"inputs": [{"root": "root", "path": path}]})
                    self.assertIn((status, json.loads(data)["code"]), ((403, "forbidden"),), path)
                # A folder is not opened with links that lead outside, but with others.
                status, _, data = server.request(
                    "POST", "/api/v1/traces", {"inputs": [{"root": "root", "path": "within"}]})
                self.assertEqual((status, json.loads(data)["code"]), (403, "forbidden"))
                os.remove(os.path.join(root, "inner", "link.json"))
                os.rename(os.path.join(secret, "secret.json"), os.path.join(root, "one.json"))
                os.symlink("../one.json", os.path.join(root, "inner", "link.json"))
                trace = server.json("POST", "/traces", {"inputs": [{"root": "root", "path": "within"}]},
                                    expect=202)["trace"]
                self.assertEqual(server.wait_for_trace(trace)["state"], "open")
                rows = server.query("SELECT count(*) FROM slice", trace=trace)["sets"][0]["rows"]
                self.assertEqual(rows, [[1]])

    def test_parameters(self):
        self.assertEqual(self.server.query("SELECT ?, ?", params=[1, "x"])["sets"][0]["rows"],
                         [[1, "x"]])
        self.assertEqual(self.server.query("SELECT :a", params={"a": 2.5})["sets"][0]["rows"],
                         [[2.5]])

    def test_errors_name_the_place(self):
        problem = self.problem(422, "sql_error", "POST", "/api/v1/traces/1/queries",
                               {"sql": "SELECT 1,\n  nope"})
        self.assertEqual(problem["where"], {"line": 2, "column": 3})
        problem = self.problem(400, "bad_request", "POST", "/api/v1/traces/1/queries", {"sql": 1})
        self.assertTrue(problem["detail"].startswith("sql:"))

    def test_an_error_behind_rows_ends_the_document(self):
        sql = ("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000) "
               "SELECT CASE WHEN n < 20000 THEN n ELSE abs(-9223372036854775808) END AS x FROM c")
        answer = self.server.query(sql)
        self.assertEqual(answer["error"]["code"], "sql_error")
        self.assertGreater(len(answer["sets"][0]["rows"]), 1000)
        with self.assertRaises(Exception):  # an incomplete chunked body
            self.server.request("POST", "/api/v1/traces/1/queries", {"sql": sql},
                                {"Accept": "text/csv"})

    def test_limits_of_a_query(self):
        self.problem(507, "limit", "POST", "/api/v1/traces/1/queries",
                     {"sql": ENDLESS, "timeout_s": 1})
        self.problem(507, "limit", "POST", "/api/v1/traces/1/queries",
                     {"sql": "SELECT id FROM slice", "max_rows": 3})

    def test_workspaces(self):
        one = self.server.json("POST", "/traces/1/workspaces", {}, expect=201)["workspace"]
        two = self.server.json("POST", "/traces/1/workspaces", {}, expect=201)["workspace"]
        self.server.query("CREATE PERFETTO TABLE mine AS SELECT 7 AS x", workspace=one)
        self.assertEqual(self.server.query("SELECT x FROM mine", workspace=one)["sets"][0]["rows"],
                         [[7]])
        for named in ({"workspace": two}, {}):
            self.problem(422, "sql_error", "POST", "/api/v1/traces/1/queries",
                         {"sql": "SELECT x FROM mine", **named})
        self.server.query("CREATE PERFETTO TABLE theirs AS SELECT 7 AS x")
        self.problem(422, "sql_error", "POST", "/api/v1/traces/1/queries",
                     {"sql": "SELECT x FROM theirs"})
        for each in (one, two):
            self.server.json("DELETE", f"/traces/1/workspaces/{each}", expect=204)
        self.problem(404, "not_found", "DELETE", f"/api/v1/traces/1/workspaces/{one}")

    def test_kept_rows_in_pages(self):
        kept = self.server.query("SELECT id, ts, dur, name FROM slice", keep=True)
        rows = self.server.query("SELECT id, ts, dur, name FROM slice")["sets"][0]["rows"]
        self.assertEqual(kept["rows"], len(rows))
        path = f"/results/{kept['result']}/rows"
        pages = []
        for offset in range(0, kept["rows"], 100):
            pages += self.server.json("GET", f"{path}?offset={offset}&limit=100")["rows"]
        self.assertEqual(pages, rows)
        page = self.server.json("GET", f"{path}?sort=-dur,id&limit=10000")
        self.assertEqual(page["rows"], sorted(rows, key=lambda r: (-(r[2] if r[2] is not None
                                                                     else -2), r[0])))
        wanted = [r for r in rows if r[2] > 1000 and "a" in (r[3] or "")]
        text = '[["dur",">",1000],["name","contains","a"]]'.replace('"', "%22").replace(">", "%3E")
        page = self.server.json("GET", f"{path}?filter={text}&limit=10000")
        self.assertEqual((page["total"], page["rows"]), (len(wanted), wanted))
        self.problem(400, "bad_request", "GET", f"/api/v1{path}?sort=nope")
        self.problem(400, "bad_request", "GET", f"/api/v1{path}?limit=10001")
        self.server.json("DELETE", f"/results/{kept['result']}", expect=204)
        self.problem(404, "not_found", "GET", f"/api/v1{path}")

    def test_rows_beyond_memory_are_in_the_spool(self):
        sql = ("WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 1500000) "
               "SELECT n, n * 3 AS m, 'text ' || n AS t FROM c")
        kept = self.server.query(sql, keep=True)
        path = f"/results/{kept['result']}"
        self.assertGreater(self.server.json("GET", path)["bytes"], 64 << 20)
        for n in (0, 777_777, 1_499_990):
            rows = self.server.json("GET", f"{path}/rows?offset={n}&limit=2")["rows"]
            self.assertEqual(rows, [[i, i * 3, f"text {i}"] for i in (n, n + 1)])
        self.assertGreater(self.server.json("GET", "/status")["load"]["spool_bytes"], 0)
        self.server.json("DELETE", path, expect=204)
        for _ in range(100):  # until the worker that sent the last page has released the rows
            left = self.server.json("GET", "/status")["load"]["spool_bytes"]
            if left < 1 << 20:
                break
            time.sleep(0.05)
        self.assertLess(left, 1 << 20)

    def test_rows_come_while_the_query_runs(self):
        sql = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"
        kept = self.server.json("POST", "/traces/1/queries", {"sql": sql, "keep": True},
                                {"Prefer": "respond-async"}, expect=202)
        page = {"rows": []}
        while not page["rows"]:
            page = self.server.json("GET", f"/results/{kept['result']}/rows?limit=3")
        self.assertEqual((page["rows"], page["complete"]), ([[1], [2], [3]], False))
        self.server.json("DELETE", f"/queries/{kept['query']}", expect=204)
        while self.server.json("GET", f"/queries/{kept['query']}")["state"] == "running":
            pass
        self.assertEqual(self.server.json("GET", f"/queries/{kept['query']}")["state"], "cancelled")
        self.server.json("DELETE", f"/results/{kept['result']}", expect=204)

    def test_files_below_a_root(self):
        roots = self.server.json("GET", "/files")["roots"]
        self.assertEqual([root["name"] for root in roots], ["examples"])
        listed = self.server.json("GET", "/files?root=examples&path=")
        self.assertEqual(sorted(e["name"] for e in listed["entries"]),
                         sorted(name for name in os.listdir(EXAMPLES)))
        for path in ("..", "../src", "/etc", "a/../../src", "%2e%2e"):
            self.problem(403, "forbidden", "GET", f"/api/v1/files?root=examples&path={path}")
        self.problem(404, "not_found", "GET", "/api/v1/files?root=examples&path=none")
        self.problem(403, "forbidden", "POST", "/api/v1/traces", {"inputs": [{"path": "/etc/passwd"}]})

    def test_uploads_open_as_a_trace(self):
        name = os.path.join(EXAMPLES, "app.json")
        with open(name, "rb") as file:
            data = file.read()
        up = self.server.json("POST", "/uploads", {"name": "../x.json", "size": len(data)},
                              expect=201)["upload"]
        kind = {"Content-Type": "application/octet-stream"}
        half = len(data) // 2
        self.problem(409, "conflict", "PUT", f"/api/v1/uploads/{up}?offset=5", data[:half], kind)
        self.assertEqual(self.server.json("PUT", f"/uploads/{up}?offset=0", data[:half], kind)
                         ["offset"], half)
        self.problem(400, "bad_request", "POST", "/api/v1/traces", {"inputs": [{"upload": up}]})
        self.assertTrue(self.server.json("PUT", f"/uploads/{up}?offset={half}", data[half:], kind)
                        ["complete"])
        self.assertEqual(self.server.request("HEAD", f"/api/v1/uploads/{up}")[1]["Upload-Offset"],
                         str(len(data)))
        trace = self.server.json("POST", "/traces", {"inputs": [{"upload": up}]},
                                 expect=202)["trace"]
        self.assertEqual(self.server.wait_for_trace(trace)["state"], "open")
        self.server.json("DELETE", f"/uploads/{up}", expect=204)
        printed = subprocess.run([TRACEBRAID, "query", name, "-f", "csv",
                                  "SELECT count(*) AS n FROM slice"], capture_output=True).stdout
        _, _, rows = self.server.request("POST", f"/api/v1/traces/{trace}/queries",
                                         {"sql": "SELECT count(*) AS n FROM slice"},
                                         {"Accept": "text/csv"})
        self.assertEqual(rows, printed)
        self.server.json("DELETE", f"/traces/{trace}", expect=204)

    def test_uploads_are_limited(self):
        self.problem(507, "limit", "POST", "/api/v1/uploads", {"name": "x", "size": 1 << 60})
        up = self.server.json("POST", "/uploads", {"name": "x", "size": 3}, expect=201)["upload"]
        self.problem(413, "too_large", "PUT", f"/api/v1/uploads/{up}?offset=0", b"1234",
                     {"Content-Type": "application/octet-stream"})
        self.server.json("DELETE", f"/uploads/{up}", expect=204)

    def test_exports_are_jobs(self):
        job = self.server.json("POST", "/traces/1/exports", {"kind": "csv", "tables": ["slice"]},
                               expect=202)["job"]
        while self.server.json("GET", f"/jobs/{job}")["state"] in ("queued", "running"):
            time.sleep(0.02)
        status, headers, data = self.server.request("GET", f"/api/v1/jobs/{job}/file")
        self.assertEqual(status, 200)
        self.assertIn("attachment", headers["Content-Disposition"])
        rows = self.server.query("SELECT count(*) FROM slice")["sets"][0]["rows"][0][0]
        self.assertEqual(data.count(b"\r\n"), rows + 1)
        self.problem(400, "bad_request", "POST", "/api/v1/traces/1/exports", {"kind": "nope"})

    def test_the_schema_names_tables(self):
        schema = self.server.json("GET", "/traces/1/schema")
        slices = next(r for r in schema["relations"] if r["name"] == "slice")
        self.assertIn("ts", [column["name"] for column in slices["columns"]])
        self.assertTrue(slices["about"])
        ts = next(column for column in slices["columns"] if column["name"] == "ts")
        self.assertEqual(ts["type"], "TIMESTAMP")
        self.assertTrue(ts["about"])
        module = next(m for m in schema["modules"] if m["key"] == "slices.with_context")
        self.assertTrue(module["about"])
        self.assertIn("thread_slice", [each["name"] for each in module["objects"]])


class OpenApi(OneServer):
    """Check openapi: answers are as their schemas say, and no route is missing."""

    def check(self, value, schema, at):
        kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
                 "number": (int, float)}
        if "enum" in schema:
            self.assertIn(value, schema["enum"], at)
        if isinstance(schema.get("type"), str):
            self.assertIsInstance(value, kinds[schema["type"]], at)
        for name in schema.get("required", []):
            self.assertIn(name, value, at)
        for name, inner in schema.get("properties", {}).items():
            if isinstance(value, dict) and name in value:
                self.check(value[name], inner, f"{at}.{name}")
        if "items" in schema:
            for each in value:
                self.check(each, schema["items"], at + "[]")

    def test_answers_are_as_described(self):
        status, _, data = self.server.request("GET", "/api/openapi.json", with_token=False)
        self.assertEqual(status, 200)
        document = json.loads(data)
        kept = self.server.query("SELECT id FROM slice", keep=True)
        job = self.server.json("GET", "/traces/1")["job"]
        up = self.server.json("POST", "/uploads", {"name": "x", "size": 1}, expect=201)["upload"]
        self.server.json("PUT", "/states/one", {"x": 1}, expect=204)
        search = self.server.json("POST", "/traces/1/search", {"text": "a"}, expect=202)["search"]
        draft = self.server.json("POST", "/drafts", {"inputs": [{"path": example_files()[0]}]}, expect=202)["draft"]
        while self.server.json("GET", "/drafts/" + draft)["state"] == "reading":
            time.sleep(0.01)
        ids = {"d": draft, "key": "one", "k": "0", "e": "0", "kind": "slice", "row": "0", "s": search, "t": "1", "j": job, "q": kept["query"], "r": kept["result"], "u": up}
        seen = 0
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                self.assertTrue(operation["summary"])
                names = re.findall(r"{(\w+)}", path)
                if method != "get" or path == "/ws" or \
                        path.endswith(("/file", "/explain", "/text")):
                    continue
                filled = re.sub(r"{(\w+)}", lambda m: ids[m[1]], path)
                answer = self.server.json("GET", filled)
                content = operation["responses"]["200"]["content"]["application/json"]
                self.check(answer, content["schema"], path)
                self.assertEqual([p["name"] for p in operation["parameters"]
                                  if p["in"] == "path"], names)
                seen += 1
        self.assertGreaterEqual(seen, 10)


class Pages(OneServer):
    def test_welcome_watch_and_cancel(self):
        page = WebSocket(self.server)
        self.assertEqual(page.status, b"101")
        page.send('{"op":"hello","client":"test"}')
        status = self.server.json("GET", "/status")
        welcome = page.until("welcome")
        self.assertEqual((welcome["session"], welcome["limits"]),
                         (status["session"], status["limits"]))
        self.assertEqual(status["load"]["pages"], 1)
        page.send('{"op":"watch","job":"2"}')
        while page.until("job")["state"] != "done":
            pass
        kept = self.server.json("POST", "/traces/1/queries", {"sql": ENDLESS, "keep": True},
                                {"Prefer": "respond-async"}, expect=202)
        page.send(json.dumps({"op": "watch", "query": kept["query"]}))
        page.until("query")
        page.send(json.dumps({"op": "cancel", "id": kept["query"]}))
        self.assertTrue(page.until("done")["cancelled"])
        while page.until("query")["state"] != "cancelled":
            pass
        page.close()

    def test_malformed_messages_close_it(self):
        for sent, opcode, code in (("{", 1, 1008), ('{"op":"nope"}', 1, 1008), ("x", 2, 1008)):
            page = WebSocket(self.server)
            page.send(sent, opcode)
            kind, data = page.receive()
            self.assertEqual((kind, int.from_bytes(data[:2], "big")), (8, code))
            page.close()
        page = WebSocket(self.server)
        page.socket.sendall(bytes([0x81, 0xFF]) + (9 << 20).to_bytes(8, "big") + bytes(4))
        kind, data = page.receive()
        self.assertEqual((kind, int.from_bytes(data[:2], "big")), (8, 1009))
        page.close()

    def test_the_subprotocol_is_required(self):
        page = WebSocket(self.server, "other")
        self.assertEqual(page.status, b"400")
        page.close()

    def test_a_flood_ends_and_others_are_answered(self):
        page = WebSocket(self.server)
        frame = bytes([0x81, 0x80 | 19]) + bytes(4) + b'{"op":"watch","x":1}'[:19]
        try:
            for _ in range(100):
                page.socket.sendall(frame * 100)
        except OSError:
            pass  # closed by the server
        self.assertEqual(self.server.json("GET", "/status")["api"], 1)
        page.close()


class ViewerFiles(OneServer):
    def get(self, path, coding):
        status, headers, data = self.server.request("GET", path, headers={"Accept-Encoding": coding})
        self.assertEqual(status, 200)
        return headers, data

    def test_files_are_the_same_in_each_encoding(self):
        _, page = self.get("/", "identity")
        paths = re.findall(rb'"(/assets/[^"]+)"', page)
        if not paths:
            self.skipTest("the program has no viewer")
        for path in map(bytes.decode, paths):
            headers, plain = self.get(path, "identity")
            self.assertNotIn("Content-Encoding", headers)
            packed_headers, packed = self.get(path, "gzip")
            self.assertEqual((packed_headers["Content-Encoding"], packed_headers["ETag"]), ("gzip", headers["ETag"]))
            self.assertEqual(gzip.decompress(packed), plain)
            self.assertEqual(headers["ETag"], f'"{hashlib.sha256(plain).hexdigest()[:32]}"')
            self.assertEqual(self.get(path, "gzip, br")[0]["Content-Encoding"], "br")


class QueryCancel(OneServer):
    """Check query_cancel: endless statements end, and their workspace answers the next one."""

    def test_cancel_and_disconnect(self):
        workspace = self.server.json("POST", "/traces/1/workspaces", {}, expect=201)["workspace"]
        for sql in (ENDLESS, JOIN, AGGREGATE):
            kept = self.server.json("POST", "/traces/1/queries",
                                    {"sql": sql, "keep": True, "workspace": workspace},
                                    {"Prefer": "respond-async"}, expect=202)
            path = f"/queries/{kept['query']}"
            while self.server.json("GET", path)["state"] == "queued":
                time.sleep(0.01)
            self.server.json("DELETE", path, expect=204)
            self.assertEqual(self.server.query("SELECT 1", workspace=workspace)["sets"][0]["rows"],
                             [[1]])
            self.assertEqual(self.server.json("GET", path)["state"], "cancelled")

            connection = self.server.connect()
            connection.request("POST", "/api/v1/traces/1/queries",
                               json.dumps({"sql": sql, "workspace": workspace}),
                               {"Authorization": "Bearer " + self.server.token,
                                "Content-Type": "application/json"})
            time.sleep(0.2)
            connection.close()
            self.assertEqual(self.server.query("SELECT 2", workspace=workspace)["sets"][0]["rows"],
                             [[2]])


if __name__ == "__main__":
    unittest.main()
