#!/usr/bin/env python3
"""Measures the server: figures P13, P15, P16 and P17 of docs/spec/viewer.md, RPC, and uploads.

  bench/server.py --tracebraid build/release/tracebraid [--check] [NAME ...]

Prints each figure, its limit, and the machine. --check fails beyond a limit. The load generator runs on the
same machine and in Python, which takes a part of the time.
"""
import argparse
import asyncio
import http.client
import json
import os
import pathlib
import platform
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "server"))
NUMBERS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {}) SELECT {} FROM c"
# Stored columns, which the engine scans: 4 columns of 64 bits.
MAKE = "CREATE PERFETTO TABLE numbers AS " + NUMBERS.format(
    "{rows}", "n, n * 1000003 AS a, n * 7919 + 123456789012 AS b, n * 0.5 AS c")
SCAN = "SELECT n, a, b, c FROM numbers"


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def p13(server_of):
    """A kept result of 10 M rows: its first rows, and rows at any place."""
    with server_of() as server:
        workspace = server.json("POST", "/traces/1/workspaces", {}, expect=201)["workspace"]
        server.query(MAKE.format(rows=10_000_000), workspace=workspace)
        begin = time.perf_counter()
        kept = server.json("POST", "/traces/1/queries", {"sql": SCAN, "keep": True,
                           "workspace": workspace}, {"Prefer": "respond-async"}, expect=202)
        path = f"/results/{kept['result']}"
        while not server.json("GET", f"{path}/rows?limit=100")["rows"]:
            pass
        first = time.perf_counter() - begin
        while server.json("GET", path)["state"] == "running":
            time.sleep(0.05)
        connection = server.connect()
        times = []
        for i in range(300):
            at = i * 7_919_731 % 10_000_000
            begin = time.perf_counter()
            status, headers, data = server.request("GET", f"/api/v1{path}/rows?offset={at}&limit=200",
                                                   connection=connection)
            times.append(time.perf_counter() - begin)
            assert status == 200 and headers["Tracebraid-Total"] == "10000000"
        connection.close()
    yield "P13 first rows of 10 M", first * 1000, 50, "ms"
    yield "P13 200 rows at any place, slowest of 300", max(times) * 1000, 100, "ms"


def p15(server_of):
    """The server with no trace: start, and resident memory."""
    starts, sizes = [], []
    for _ in range(10):
        begin = time.perf_counter()
        server = server_of(files=())
        starts.append(time.perf_counter() - begin)
        with server:
            server.json("GET", "/status")
            sizes.append(server.resident_kib() / 1024)
    yield "P15 start until the address is printed, median", percentile(starts, 0.5) * 1000, 50, "ms"
    yield "P15 resident memory", max(sizes), 40, "MB"


def receive_all(port, request):
    """Returns bytes and seconds of one answer that ends with its connection."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        begin = time.perf_counter()
        connection.sendall(request)
        total, buffer = 0, bytearray(1 << 20)
        tail = b""
        while got := connection.recv_into(buffer):
            total += got
            tail = (tail + bytes(buffer[max(got - 64, 0):got]))[-64:]
        seconds = time.perf_counter() - begin
    assert tail.endswith(b"0\r\n\r\n"), tail
    return total, seconds


def p16(server_of):
    """An Arrow stream of a scan, in one answer."""
    with server_of() as server:
        workspace = server.json("POST", "/traces/1/workspaces", {}, expect=201)["workspace"]
        server.query(MAKE.format(rows=5_000_000), workspace=workspace)
        body = json.dumps({"sql": SCAN, "workspace": workspace}).encode()
        request = (f"POST /api/v1/traces/1/queries HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
                   f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
                   "Accept: application/vnd.apache.arrow.stream\r\nConnection: close\r\n"
                   f"Content-Length: {len(body)}\r\n\r\n").encode() + body
        best = max(total / seconds for total, seconds in
                   (receive_all(server.port, request) for _ in range(3)))
    yield "P16 Arrow stream of 5 M rows x 4 columns", best / 1e6, -200, "MB/s"


def rpc(server_of):
    """An answer of RPC of 5 M rows x 4 columns."""
    from rpc_messages import HttpRpc, field
    with server_of("--rpc", "0") as server:
        client = HttpRpc(server.rpc_port)
        assert "error" not in client.query(MAKE.format(rows=5_000_000))
        body = field(1, SCAN)
        request = (b"POST /query HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                   b"Content-Length: %d\r\n\r\n" % len(body)) + body
        best = max(total / seconds for total, seconds in
                   (receive_all(server.rpc_port, request) for _ in range(3)))
    yield "RPC query of 5 M rows x 4 columns", best / 1e6, -200, "MB/s"


async def open_loop(server, connections, rate, seconds):
    """Sends small queries at a fixed rate over keep-alive connections. Returns latencies, counted from when each
    request was due, and the number of answers that were no rows."""
    body = json.dumps({"sql": "SELECT 1"}).encode()
    request = (f"POST /api/v1/traces/1/queries HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
               f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
               f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    latencies, refused = [], 0

    async def client(number):
        nonlocal refused
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        due, step = begin + number / rate, connections / rate
        while due < begin + seconds:
            delay = due - time.perf_counter()
            if delay > 0:
                await asyncio.sleep(delay)
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head[:16]:
                refused += 1
            if b"chunked" in head:
                await reader.readuntil(b"\r\n0\r\n\r\n")
            else:
                at = head.index(b"Content-Length: ") + 16
                await reader.readexactly(int(head[at:head.index(b"\r", at)]))
            latencies.append(time.perf_counter() - due)
            due += step
        writer.close()
    begin = time.perf_counter() + 0.5
    await asyncio.gather(*(client(number) for number in range(connections)))
    return latencies, refused


def p17(server_of):
    """100 connections, small queries, open loop."""
    with server_of() as server:
        asyncio.run(open_loop(server, 100, 500, 1))  # warm
        for rate in (1000, 5000):
            latencies, refused = asyncio.run(open_loop(server, 100, rate, 5))
            yield (f"P17 {rate} queries a second, 99th percentile", percentile(latencies, 0.99) * 1000,
                   20 if rate == 5000 else None, "ms")
            yield f"P17 {rate} queries a second, refused", refused, 0, ""


def upload(server_of):
    """An upload of 1 GB in chunks of 64 MiB: memory stays flat."""
    with server_of() as server:
        before = server.resident_kib()
        up = server.json("POST", "/uploads", {"name": "x", "size": 1 << 30}, expect=201)["upload"]
        chunk, most = b"x" * (64 << 20), 0
        begin = time.perf_counter()
        for offset in range(0, 1 << 30, len(chunk)):
            server.json("PUT", f"/uploads/{up}?offset={offset}", chunk,
                        {"Content-Type": "application/octet-stream"})
            most = max(most, server.resident_kib())
        seconds = time.perf_counter() - begin
    yield "upload of 1 GB, growth of resident memory", (most - before) / 1024, 16, "MB"
    yield "upload of 1 GB", (1 << 30) / seconds / 1e6, None, "MB/s"


MEASURES = {each.__name__: each for each in (p13, p15, p16, p17, rpc, upload)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tracebraid", default=str(ROOT / "build" / "release" / "tracebraid"))
    parser.add_argument("--check", action="store_true", help="fail beyond a limit")
    parser.add_argument("names", nargs="*", help=", ".join(MEASURES))
    arguments = parser.parse_args()
    os.environ["TRACEBRAID"] = arguments.tracebraid
    from client import Server, example_files

    def server_of(*options, files=None):
        server = Server("--query-memory", "8G", *options, *(example_files() if files is None else files))
        if files is None:
            server.wait_for_trace()
        return server
    print(f"{platform.machine()}, {os.cpu_count()} processors, {platform.system()} {platform.release()}")
    failed = 0
    for name in arguments.names or MEASURES:
        for what, value, limit, unit in MEASURES[name](server_of):
            if limit is None:
                limit_text, is_fine = "", True
            elif limit < 0:  # at least
                limit_text, is_fine = f"at least {-limit} {unit}", value >= -limit
            else:
                limit_text, is_fine = f"at most {limit} {unit}", value <= limit
            failed += not is_fine
            print(f"{what}: {value:.1f} {unit} ({limit_text or 'no limit'})"
                  f"{'' if is_fine else '  BEYOND THE LIMIT'}", flush=True)
    return 1 if arguments.check and failed else 0


if __name__ == "__main__":
    sys.exit(main())
