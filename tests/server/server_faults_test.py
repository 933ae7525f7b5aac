#!/usr/bin/env python3
"""Clients of the server that misbehave, and faults: a full spool, kill -9, clients that vanish."""
import collections
import concurrent.futures
import http.client
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from client import Server, WebSocket, example_files  # noqa: E402
from frames import Frame  # noqa: E402
from hostile import hostile  # noqa: E402
from rpc_messages import HttpRpc, StreamRpc, decode, field  # noqa: E402
from server_test import ENDLESS, OneServer  # noqa: E402
from soak import soak  # noqa: E402

ROWS = ("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000000) "
        "SELECT n, n * 7 AS m, 'text ' || n AS t FROM c")
ENDLESS_ROWS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"
BYTES = {"Content-Type": "application/octet-stream"}


class HostileClients(OneServer):
    """Check hostile_clients: others are answered, and memory stays within limits."""
    arguments = ("--rpc", "0")

    def head(self, method="GET", path="/api/v1/status", extra=""):
        return (f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                f"Authorization: Bearer {self.server.token}\r\n{extra}\r\n").encode()

    def test_slow_connections_make_room(self):
        slow = []
        for _ in range(300):
            slow.append(socket.create_connection(("127.0.0.1", self.server.port)))
            slow[-1].send(b"G")
        self.assertEqual(self.server.json("GET", "/status")["api"], 1)
        for each in slow:
            each.close()

    def test_requests_cut_at_each_byte(self):
        body = json.dumps({"sql": "SELECT 1"}).encode()
        whole = self.head("POST", "/api/v1/traces/1/queries", "Content-Type: application/json\r\n"
                          f"Content-Length: {len(body)}\r\n") + body
        for cut in range(len(whole)):
            with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
                connection.send(whole[:cut])
        self.assertEqual(self.server.query("SELECT 1")["sets"][0]["rows"], [[1]])

    def test_bodies_without_a_length_are_limited(self):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=60) as connection:
            connection.sendall(self.head("POST", "/api/v1/traces", "Content-Type: application/json\r\n"
                                         "Transfer-Encoding: chunked\r\n"))
            chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
            try:
                for _ in range(16_000):  # 1 GB
                    connection.sendall(chunk)
            except OSError:
                pass  # closed by the server
            try:
                self.assertEqual(connection.recv(1000).split(b" ")[1], b"413")
            except ConnectionError:
                pass  # the answer was lost with the bytes that the server did not read
        self.assertLess(self.server.resident_kib(), 1 << 20)
        self.assertEqual(self.server.json("GET", "/status")["api"], 1)

    def test_many_large_bodies_at_once_are_limited(self):
        """Each may be 64 MiB, all together 256 MiB."""
        part = b"x" * (1 << 20)
        rpc = []
        for _ in range(8):
            rpc.append(socket.create_connection(("127.0.0.1", self.server.rpc_port), timeout=60))
            rpc[-1].sendall(b"POST /parse HTTP/1.1\r\nHost: localhost\r\n"
                            b"Content-Length: 67108864\r\n\r\n")
        refused = 0
        for connection in rpc:
            try:
                for _ in range(63):
                    connection.sendall(part)
                connection.settimeout(1)  # an answer before the last byte is a refusal
                refused += b" 507 " in connection.recv(1000)
            except TimeoutError:
                pass
            except OSError:
                refused += 1
        self.assertGreaterEqual(refused, 1)
        self.assertLess(self.server.resident_kib(), 1 << 20)
        for connection in rpc:
            connection.close()
        self.assertEqual(self.server.query("SELECT 1")["sets"][0]["rows"], [[1]])

    def test_garbage_is_refused(self):
        for sent, status in ((b"\x00\x01\x02\r\n\r\n", b"400"), (b"GET / HTTP/9.9\r\n\r\n", b"400"),
                             (self.head(extra="X: " + "y" * 20000 + "\r\n"), b"431"),
                             (self.head("POST", "/api/v1/traces", "Content-Type: application/json\r\n"
                                        "Content-Length: 1000000000\r\n"), b"413")):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
                connection.sendall(sent)
                self.assertEqual(connection.recv(1000).split(b" ")[1], status)

    def test_endless_queries_leave_the_api_alive(self):
        stop = threading.Event()
        connections = [self.server.connect() for _ in range(64)]
        for connection in connections:
            connection.request("POST", "/api/v1/traces/1/queries", json.dumps({"sql": ENDLESS}),
                               {"Authorization": "Bearer " + self.server.token,
                                "Content-Type": "application/json"})
        load = self.server.json("GET", "/status")["load"]
        self.assertGreaterEqual(load["queries_waiting"], 32)
        for _ in range(100):  # work of a lower class does not wait for SQL
            self.server.json("GET", "/traces/1/report")
        for connection in connections:
            connection.close()
        stop.set()
        self.assertEqual(self.server.query("SELECT 1")["sets"][0]["rows"], [[1]])

    def test_server_priorities(self):
        """Check server_priorities: with endless queries in every slot, 1,000 requests for tiles are answered."""
        with Server(*example_files()) as server:
            server.wait_for_trace()
            nodes = server.json("GET", "/traces/1/tracks?grouping=flat&depth=16&limit=1000")["nodes"]
            tracks = [node["node"] for node in nodes if node["type"] == "track"]
            queries = [server.json("POST", "/traces/1/queries", {"sql": ENDLESS, "keep": True},
                                   {"Prefer": "respond-async"}, expect=202)["query"] for _ in range(16)]
            while not server.json("GET", "/status")["load"]["queries_running"]:
                pass
            page, frames_of, done = WebSocket(server), collections.Counter(), set()
            for first in range(0, 1000, 100):
                for number in range(first, first + 100):
                    page.send(json.dumps({"op": "tiles", "id": number, "trace": "1", "generation": 1,
                                          "level": number % 30, "tiles": [[tracks[number % len(tracks)], 0, 2]]}))
                while len(done) < first + 100:
                    kind, data = page.receive()
                    if kind == 2:
                        frames_of[str(Frame(data).request)] += 1
                        continue
                    message = json.loads(data)
                    self.assertEqual((message["op"], message["cancelled"], message.get("errors", [])),
                                     ("done", False, []))
                    done.add(message["id"])
            page.close()
            self.assertEqual(set(frames_of), {str(number) for number in range(1000)})
            states = [server.json("GET", f"/queries/{query}")["state"] for query in queries]
            self.assertLessEqual(set(states), {"running", "queued"})
            self.assertIn("running", states)

    def test_clients_that_stop_reading_do_not_block_others(self):
        body = json.dumps({"sql": ENDLESS_ROWS}).encode()
        stuck = []
        for _ in range(5):
            stuck.append(socket.create_connection(("127.0.0.1", self.server.port)))
            stuck[-1].sendall(self.head("POST", "/api/v1/traces/1/queries",
                                        "Content-Type: application/json\r\n"
                                        f"Content-Length: {len(body)}\r\n") + body)
        self.assertEqual(self.server.query("SELECT 1")["sets"][0]["rows"], [[1]])
        self.assertLess(self.server.resident_kib(), 1 << 20)
        for each in stuck:
            each.close()

    def test_messages_cut_at_each_byte(self):
        text = b'{"op":"strings","id":1,"trace":1,"ids":[0,1]}'
        frame = bytes([0x81, 0x80 | len(text)]) + bytes(4) + text
        for cut in range(len(frame)):
            page = WebSocket(self.server)
            page.socket.sendall(frame[:cut])
            page.close()
        page = WebSocket(self.server)
        page.socket.sendall(frame)
        self.assertEqual(len(page.until("strings")["texts"]), 2)
        page.close()

    def test_many_requests_keep_memory_flat(self):
        def ask(count):
            connection = self.server.connect()
            for _ in range(count):
                self.server.request("POST", "/api/v1/traces/1/queries", {"sql": "SELECT 1"},
                                    connection=connection)
            connection.close()
        ask(500)
        before = self.server.resident_kib()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(ask, [500] * 4))
        self.assertLess(self.server.resident_kib() - before, 20_000)


    def test_all_at_once(self):
        """A short version of tests/server/hostile.py."""
        self.assertGreater(hostile(1000)["answered"], 0)


class Faults(unittest.TestCase):
    def await_empty_spool(self, server):
        for _ in range(100):
            if server.json("GET", "/status")["load"]["spool_bytes"] == 0:
                break
            time.sleep(0.05)
        self.assertEqual(server.json("GET", "/status")["load"]["spool_bytes"], 0)

    def test_a_full_spool(self):
        with Server("--spool-limit", "1M", "--rpc", "0", example_files()[0]) as server:
            server.wait_for_trace()
            status, _, data = server.request("POST", "/api/v1/uploads", {"name": "x", "size": 2 << 20})
            self.assertEqual((status, json.loads(data)["code"]), (507, "limit"))
            self.assertIn("--spool-limit", json.loads(data)["detail"])
            # Rows beyond 64 MiB would be in the spool.
            status, _, data = server.request("POST", "/api/v1/traces/1/queries",
                                             {"sql": ROWS, "keep": True})
            self.assertEqual((status, json.loads(data)["code"]), (507, "limit"))
            # An export whose size is not known before ends while it grows.
            job = server.json("POST", "/traces/1/exports", {"kind": "csv", "query": ENDLESS_ROWS}, expect=202)["job"]
            while (state := server.json("GET", f"/jobs/{job}"))["state"] in ("queued", "running"):
                time.sleep(0.05)
            self.assertEqual((state["state"], state["error"]["code"]), ("failed", "limit"))
            self.assertIn("--spool-limit", state["error"]["detail"])
            rpc = HttpRpc(server.rpc_port)
            self.assertNotIn("error", decode("AppendTraceDataResult",
                                             rpc.request("/parse", b"x" * 500_000)[2]))
            self.assertIn("--spool-limit", decode("AppendTraceDataResult",
                                                  rpc.request("/parse", b"x" * 800_000)[2])["error"])
            rpc.request("/notify_eof")  # no trace: gives the bytes back
            up = server.json("POST", "/uploads", {"name": "x", "size": 1_000_000}, expect=201)["upload"]
            server.json("DELETE", f"/uploads/{up}", expect=204)
            self.await_empty_spool(server)
            self.assertEqual(server.query("SELECT 1")["sets"][0]["rows"], [[1]])

    def test_exports_of_rpc_count_in_the_spool(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rpc.sock")
            with Server("--spool-limit", "200k", "--rpc", "0", "--rpc-socket", path, example_files()[0]) as server:
                server.wait_for_trace()
                stream = StreamRpc(path)
                stream.call(21, field(116, field(1, 3)))
                self.assertIn("--spool-limit", stream.receive()["result"]["error"])
                stream.close()
                # The connection ends without the last chunk.
                with self.assertRaises(http.client.IncompleteRead):
                    HttpRpc(server.rpc_port).request("/export", field(1, 3))
                self.await_empty_spool(server)

    def test_an_export_whose_query_gives_no_row_ends(self):
        """When it is cancelled, at the limit of time, and with the server."""
        def export(server):
            job = server.json("POST", "/traces/1/exports", {"kind": "csv", "query": ENDLESS}, expect=202)["job"]
            while server.json("GET", f"/jobs/{job}")["state"] == "queued":
                time.sleep(0.01)
            return job

        def error_of(server, job):
            while (state := server.json("GET", f"/jobs/{job}"))["state"] == "running":
                time.sleep(0.01)
            return state["error"]["code"]
        with Server("--query-timeout", "1", example_files()[0]) as server:
            server.wait_for_trace()
            self.assertEqual(error_of(server, export(server)), "limit")
        with Server(example_files()[0]) as server:
            server.wait_for_trace()
            job = export(server)
            server.json("DELETE", f"/jobs/{job}", expect=204)
            self.assertEqual(error_of(server, job), "cancelled")
            export(server)
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(30), 143)

    def test_a_folder_without_room(self):
        """/dev/full accepts no byte; here a limit of file sizes has the same effect."""
        with tempfile.TemporaryDirectory() as folder:
            server = Server.__new__(Server)
            server.spool = folder
            from client import TRACEBRAID
            server.process = subprocess.Popen(
                ["bash", "-c", 'ulimit -f 64; exec "$0" serve --json --port 0 --spool "$1"',
                 TRACEBRAID, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            address = json.loads(server.process.stdout.readline())
            server.port, server.token = address["port"], address["token"]
            with server:
                up = server.json("POST", "/uploads", {"name": "x", "size": 1 << 20},
                                 expect=201)["upload"]
                status, _, data = server.request("PUT", f"/api/v1/uploads/{up}?offset=0",
                                                 b"x" * (1 << 20), BYTES)
                self.assertEqual((status, json.loads(data)["code"]), (507, "limit"))
                self.assertEqual(server.json("GET", "/status")["api"], 1)

    def test_killed_in_the_middle_of_everything(self):
        with Server("--rpc", "0", *example_files()) as server:
            server.wait_for_trace()
            up = server.json("POST", "/uploads", {"name": "x", "size": 1 << 20}, expect=201)["upload"]
            server.json("PUT", f"/uploads/{up}?offset=0", b"x" * 1000, BYTES)
            kept = server.json("POST", "/traces/1/queries", {"sql": ROWS, "keep": True},
                               {"Prefer": "respond-async"}, expect=202)
            server.json("POST", "/traces/1/exports", {"kind": "perfetto"}, expect=202)
            HttpRpc(server.rpc_port).request("/parse", b"x" * 1000)
            while server.json("GET", f"/results/{kept['result']}")["rows"] < 100_000:
                pass
            server.process.kill()
            server.process.wait()
            self.assertTrue(os.listdir(server.spool))
            with Server(example_files()[0], spool=server.spool) as next_server:
                self.assertEqual(next_server.wait_for_trace()["state"], "open")
                self.assertEqual(len(os.listdir(server.spool)), 1)  # its own
            self.assertEqual(os.listdir(server.spool), [])

    def test_clients_that_vanish(self):
        """Connections that are reset, and clients that stop: their queries end, others go on."""
        with Server("--max-queries", "2", example_files()[0]) as server:
            server.wait_for_trace()
            body = json.dumps({"sql": ENDLESS}).encode()
            head = (f"POST /api/v1/traces/1/queries HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
                    f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n").encode()
            for _ in range(10):
                client = socket.create_connection(("127.0.0.1", server.port))
                client.sendall(head + body)
                time.sleep(0.05)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()  # a reset
            self.assertEqual(server.query("SELECT 1")["sets"][0]["rows"], [[1]])
            for _ in range(100):
                if server.json("GET", "/status")["load"]["queries_running"] == 0:
                    break
                time.sleep(0.05)
            self.assertEqual(server.json("GET", "/status")["load"]["queries_running"], 0)

    def test_a_page_that_reads_nothing(self):
        """Its answers are limited, and waiting for it takes no threads from others."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "long.json")
            name = "x" * 1000
            with open(path, "w", encoding="utf-8") as file:
                json.dump([{"name": name, "ph": "X", "ts": 1, "dur": 1, "pid": 1, "tid": 1}], file)
            with Server(path) as server:
                server.wait_for_trace()
                texts = server.json("POST", "/traces/1/strings", {"ids": list(range(300))})["texts"]
                before = server.resident_kib()
                page = WebSocket(server)
                question = {"op": "strings", "trace": 1, "ids": [texts.index(name)] * 4096}  # 4 MB of answer
                for i in range(150):  # more than TaskPool::kMostBlocked and all threads
                    page.send(json.dumps({**question, "id": i}))
                ended = threading.Event()

                def stay():  # a silent page would be closed after 45 s
                    while not ended.wait(1):
                        page.send('{"op":"unwatch"}')
                staying = threading.Thread(target=stay)
                staying.start()
                self.addCleanup(staying.join)
                self.addCleanup(ended.set)
                for _ in range(20):
                    server.json("GET", "/traces/1/report")
                    self.assertLess(server.resident_kib() - before, 200_000)
                self.assertEqual(server.query("SELECT 1")["sets"][0]["rows"], [[1]])
                ended.set()
                staying.join()
                page.close()
                for _ in range(600):
                    if server.json("GET", "/status")["load"]["pages"] == 0:
                        break
                    time.sleep(0.05)
                self.assertEqual(server.json("GET", "/status")["load"]["pages"], 0)

    def test_half_open_connections(self):
        """A client that closes only its sending side gets the answer to what it sent, or an end."""
        with Server(example_files()[0]) as server:
            for _ in range(20):
                with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
                    client.sendall(f"GET /api/v1/status HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
                                   f"Authorization: Bearer {server.token}\r\n\r\n".encode())
                    client.shutdown(socket.SHUT_WR)
                    while client.recv(4096):
                        pass
            self.assertLess(server.json("GET", "/status")["load"]["connections"], 10)


class Soak(unittest.TestCase):
    def test_memory_stays_flat(self):
        """A short version of tests/server/soak.py."""
        counts = soak(8)
        self.assertGreater(sum(counts.values()), 10)
        self.assertEqual(counts["failed"], 0)


if __name__ == "__main__":
    unittest.main()
