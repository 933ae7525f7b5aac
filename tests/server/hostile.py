#!/usr/bin/env python3
"""Check hostile_clients at its full size: all kinds of hostile clients at once send many requests. Others must be
answered, and the server's memory must stay flat.

  TRACEBRAID=build/release/tracebraid tests/server/hostile.py [REQUESTS]    by default 100000 hostile requests

Prints the number of requests by kind, and resident memory over time. server_faults_test.py runs a short version.
"""
import collections
import concurrent.futures
import json
import os
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from client import Server, WebSocket, example_files  # noqa: E402

ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"
SLOW, QUERIES = 300, 64
PIPELINED = 50
MOST_KIB, MOST_GROWTH_KIB = 1 << 20, 60_000


class Hostile:
    def __init__(self, server):
        self.server, self.ended = server, threading.Event()
        self.counts = collections.Counter()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=60)

    def head(self, method, path, extra=""):
        return (f"{method} /api/v1{path} HTTP/1.1\r\nHost: localhost:{self.server.port}\r\n"
                f"Authorization: Bearer {self.server.token}\r\n{extra}\r\n").encode()

    def post(self, path, body):
        data = json.dumps(body).encode()
        return self.head("POST", path, f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n") + data

    # Hostile clients. Each runs until `ended`; a connection that the server drops is made again.

    def slow_connections(self):
        """Each sends one byte a second."""
        open_ones, text = [], self.head("GET", "/status")
        while not self.ended.wait(1):
            while len(open_ones) < SLOW:
                open_ones.append([self.connect(), 0])
                self.counts["slow connections"] += 1
            for each in list(open_ones):
                try:
                    each[0].send(text[each[1] % len(text):][:1])
                    each[1] += 1
                except OSError:
                    each[0].close()
                    open_ones.remove(each)
        for connection, _ in open_ones:
            connection.close()

    def endless_queries(self):
        connections = []
        while not self.ended.wait(0.5):
            while len(connections) < QUERIES:
                connections.append(self.connect())
                connections[-1].sendall(self.post("/traces/1/queries", {"sql": ENDLESS}))
                self.counts["endless queries"] += 1
            connections.pop(0).close()
        for each in connections:
            each.close()

    def large_bodies(self):
        """1 GB in chunks, to a route that takes 1 MB."""
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        while not self.ended.is_set():
            with self.connect() as connection:
                connection.sendall(self.head("POST", "/traces", "Content-Type: application/json\r\n"
                                             "Transfer-Encoding: chunked\r\n"))
                for _ in range(16_000):
                    connection.sendall(chunk)

    def floods(self):
        """WebSockets that send without end, and read nothing."""
        while not self.ended.is_set():
            page = WebSocket(self.server)
            try:
                for i in range(2000):
                    page.send(json.dumps({"op": "strings", "id": i, "trace": 1, "ids": list(range(2000))}))
                    self.counts["messages"] += 1
            finally:
                page.close()

    def cut_requests(self):
        whole = self.post("/traces/1/queries", {"sql": "SELECT 1"})
        while not self.ended.is_set():
            for cut in range(len(whole)):
                with self.connect() as connection:
                    connection.sendall(whole[:cut])
                self.counts["cut requests"] += 1
                if self.ended.is_set():
                    return

    def requests_in_a_loop(self):
        """Sends many before it reads the answers."""
        with self.connect() as connection:
            while not self.ended.is_set():
                connection.sendall(self.head("GET", "/status") * PIPELINED)
                answers = b""
                while answers.count(b"HTTP/1.1 ") < PIPELINED or not answers.endswith(b"}"):
                    got = connection.recv(1 << 16)
                    if not got:
                        return
                    answers += got
                self.counts["requests in a loop"] += PIPELINED

    KINDS = [slow_connections, endless_queries, large_bodies, floods, cut_requests, requests_in_a_loop]
    COUNTED = ("messages", "cut requests", "requests in a loop")
    ALL = (*COUNTED, "slow connections", "endless queries", "answered")

    def attack(self, kind):
        while not self.ended.is_set():
            try:
                kind(self)
            except (OSError, IndexError):  # the server ended the connection, perhaps before its first answer
                self.counts[kind.__name__ + " ended"] += 1

    # Another client, which must be answered.

    def speak(self):
        tile = {"level": 20, "tiles": [[self.node, 0, 1]]}
        while not self.ended.is_set():
            self.server.json("GET", "/status")
            status, _, data = self.server.request("POST", "/api/v1/traces/1/tiles", tile)
            assert status == 200, (status, data[:200])
            self.counts["answered"] += 2

    def run(self, requests):
        """Returns resident memory over time in KiB."""
        tracks = self.server.json("GET", "/traces/1/tracks?grouping=machine_file&depth=16&empty=1")
        self.node = next(node["node"] for node in tracks["nodes"] if node["type"] == "track")
        with concurrent.futures.ThreadPoolExecutor(len(self.KINDS) + 1) as pool:
            running = [pool.submit(self.attack, kind) for kind in self.KINDS] + [pool.submit(self.speak)]
            sizes = []
            try:
                while (sum(self.counts[kind] for kind in self.COUNTED) < requests or
                       not all(self.counts[kind] for kind in self.ALL)) and \
                        not any(each.done() for each in running):
                    sizes.append(self.server.resident_kib())
                    time.sleep(0.1)
            finally:
                self.ended.set()
            for each in running:
                each.result()
        return sizes


def hostile(requests):
    """Returns the counts. Raises AssertionError if a request is not answered, or memory grows."""
    with Server("--max-queries", "1", *example_files()) as server:
        server.wait_for_trace()
        clients = Hostile(server)
        begin = time.monotonic()
        sizes = clients.run(requests)
        print(f"{time.monotonic() - begin:.0f} s", dict(clients.counts), "resident MiB:",
              [size >> 10 for size in sizes[::max(len(sizes) // 20, 1)]])
        assert server.query("SELECT 1")["sets"][0]["rows"] == [[1]]
    assert max(sizes) < MOST_KIB, sizes
    half = len(sizes) // 2
    assert requests < 50_000 or max(sizes[half:]) - max(sizes[:half]) < MOST_GROWTH_KIB, sizes
    return clients.counts


if __name__ == "__main__":
    hostile(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
