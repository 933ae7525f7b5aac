#!/usr/bin/env python3
"""Mixed requests of many clients for some time; the server's memory must stay flat.

  TRACEBRAID=build/asan/tracebraid tests/server/soak.py [SECONDS]    by default 600

Prints the number of requests by kind, and resident memory over time.
"""
import collections
import json
import os
import random
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
from client import Server, example_files  # noqa: E402
from rpc_messages import HttpRpc, StreamRpc, field  # noqa: E402

ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"
ROWS = ("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000) "
        "SELECT n, n * 0.5 AS h, 'text ' || n AS t FROM c")
MOST_GROWTH_KIB = 100_000


class Client:
    def __init__(self, server, socket_path, seed):
        self.server, self.path = server, socket_path
        self.random = random.Random(seed)
        self.rpc = HttpRpc(server.rpc_port)

    def query(self):
        accept = self.random.choice(["application/json", "text/csv", "application/x-ndjson",
                                     "application/vnd.apache.arrow.stream"])
        sql = self.random.choice(["SELECT 1", "SELECT * FROM slice", "SELECT nope", ROWS,
                                  "CREATE PERFETTO TABLE t AS SELECT 1 AS x; SELECT * FROM t"])
        status, _, _ = self.server.request("POST", "/api/v1/traces/1/queries", {"sql": sql},
                                           {"Accept": accept})
        assert status in (200, 422, 429), status

    def keep(self):
        kept = self.server.query(ROWS, keep=True)
        path = f"/results/{kept['result']}"
        for _ in range(5):
            at = self.random.randrange(20000)
            rows = self.server.json("GET", f"{path}/rows?offset={at}&limit=10")["rows"]
            assert not rows or rows[0][0] == at + 1
        self.server.request("GET", f"/api/v1{path}/rows?sort=-t&limit=100")
        self.server.request("GET", f"/api/v1{path}/file?format=csv")
        self.server.json("DELETE", path, expect=204)

    def upload(self):
        with open(example_files()[0], "rb") as file:
            data = file.read()
        up = self.server.json("POST", "/uploads", {"name": "a.json", "size": len(data)},
                              expect=201)["upload"]
        self.server.json("PUT", f"/uploads/{up}?offset=0", data,
                         {"Content-Type": "application/octet-stream"})
        status, _, answer = self.server.request("POST", "/api/v1/traces",
                                                {"inputs": [{"upload": up}]})
        if status == 202:
            trace = json.loads(answer)["trace"]
            assert self.server.wait_for_trace(trace)["state"] == "open"
            self.server.query("SELECT count(*) FROM slice", trace=trace)
            self.server.json("GET", f"/traces/{trace}/report")
            self.server.json("DELETE", f"/traces/{trace}", expect=204)
        else:
            assert status == 507, status  # too many traces
        self.server.json("DELETE", f"/uploads/{up}", expect=204)

    def workspace(self):
        status, _, data = self.server.request("POST", "/api/v1/traces/1/workspaces", {})
        if status != 201:
            assert status in (429, 507), status
            return
        workspace = json.loads(data)["workspace"]
        self.server.query("CREATE PERFETTO TABLE mine AS SELECT * FROM slice", workspace=workspace)
        self.server.query("SELECT count(*) FROM mine", workspace=workspace)
        self.server.json("DELETE", f"/traces/1/workspaces/{workspace}", expect=204)

    def read(self):
        for path in ("/status", "/traces", "/traces/1/report", "/traces/1/problems",
                     "/traces/1/schema", "/settings", "/files?root=examples"):
            self.server.json("GET", path)

    def rpc_query(self):
        assert self.rpc.query("SELECT count(*) FROM slice")["rows"]
        assert len(self.rpc.query(ROWS)["rows"]) == 20000
        assert "error" in self.rpc.query("SELECT nope")

    def rpc_stream(self):
        stream = StreamRpc(self.path)
        assert len(stream.query(ROWS)["rows"]) == 20000
        stream.close()

    def cut(self):
        """Requests that are cut, malformed, or whose answer nobody reads."""
        body = json.dumps({"sql": self.random.choice([ENDLESS, "SELECT 1"])}).encode()
        whole = (f"POST /api/v1/traces/1/queries HTTP/1.1\r\nHost: localhost:{self.server.port}\r\n"
                 f"Authorization: Bearer {self.server.token}\r\nContent-Type: application/json\r\n"
                 f"Content-Length: {len(body)}\r\n\r\n").encode() + body
        with socket.create_connection(("127.0.0.1", self.server.port)) as client:
            client.sendall(whole[:self.random.randrange(len(whole))]
                           if self.random.random() < 0.5 else whole)
            time.sleep(self.random.random() * 0.2)

    def cancel(self):
        kept = self.server.json("POST", "/traces/1/queries", {"sql": ENDLESS, "keep": True},
                                {"Prefer": "respond-async"}, expect=202)
        time.sleep(0.05)
        self.server.json("DELETE", f"/queries/{kept['query']}", expect=204)
        self.server.json("DELETE", f"/results/{kept['result']}", expect=204)

    KINDS = [query] * 8 + [keep] * 2 + [upload, workspace, read, read, rpc_query, rpc_stream, cut, cut,
                                         cancel]

    def run(self, end, counts, failures):
        while time.monotonic() < end:
            kind = self.random.choice(self.KINDS)
            try:
                kind(self)
                counts[kind.__name__] += 1
            except Exception as error:  # counted, and shown at the end
                counts["failed"] += 1
                failures.append(f"{kind.__name__}: {error!r}")


def soak(seconds, clients=6):
    counts, failures = collections.Counter(failed=0), []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rpc.sock")
        with Server("--rpc", "0", "--rpc-socket", path, "--root",
                    os.path.dirname(example_files()[0]), *example_files()) as server:
            server.wait_for_trace()
            end = time.monotonic() + seconds
            threads = [threading.Thread(target=Client(server, path, seed).run,
                                        args=(end, counts, failures)) for seed in range(clients)]
            for thread in threads:
                thread.start()
            sizes = []
            while time.monotonic() < end:
                time.sleep(seconds / 20)
                sizes.append(server.resident_kib())
            for thread in threads:
                thread.join()
            load = server.json("GET", "/status")["load"]
    print(dict(counts), "resident MiB:", [size >> 10 for size in sizes])
    for failure in failures[:10]:
        print(failure)
    if not failures:
        assert load["queries_waiting"] == 0 and load["results_bytes"] == 0, load
    if seconds >= 60:  # after a quarter of the time, nothing more is needed
        assert max(sizes) - max(sizes[:5]) < MOST_GROWTH_KIB, sizes
    return counts


if __name__ == "__main__":
    sys.exit(1 if soak(float(sys.argv[1]) if len(sys.argv) > 1 else 600)["failed"] else 0)
