#!/usr/bin/env python3
"""Measures the server: figures P13 to P17 of docs/spec/viewer.md, RPC, and uploads.

  bench/server.py --tracebraid build/release/tracebraid [--check] [NAME ...]

Prints each figure, its limit, and the machine. --check fails beyond a limit. Clients run on the same machine. P17
needs the target server_load, built beside the program.
"""
import argparse
import json
import os
import pathlib
import platform
import socket
import subprocess
import sys
import tempfile
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


def waited(server):
    """The seconds for which the main thread could have run, but other programs used the processors."""
    with open(f"/proc/{server.process.pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[1]) / 1e9


def cpu_seconds(server):
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


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


def wait_for_draft(server, path):
    while server.json("GET", path)["state"] == "reading":
        time.sleep(0.05)
    return server.json("GET", path)


def p14(server_of):
    """Another manifest for 100 files of 100,000 events each."""
    files, events, tries = 100, 100_000, 20
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/f0.json", "w", encoding="utf-8") as file:
            file.write("[" + ",\n".join(f'{{"ph":"X","ts":{i * 10 + i % 7},"dur":3,"name":"e{i % 50}","pid":1,"tid":{i % 8}}}'
                                        for i in range(events)) + "]")
        for i in range(1, files):
            os.link(f"{folder}/f0.json", f"{folder}/f{i}.json")
        names = [f"f{i}.json" for i in range(files)]
        with server_of("--root", folder, files=()) as server:
            begin = time.perf_counter()
            inputs = [{"root": os.path.basename(folder), "path": name} for name in names]
            draft = "/drafts/" + server.json("POST", "/drafts", {"inputs": inputs}, expect=202)["draft"]
            read = wait_for_draft(server, draft)
            assert read["state"] == "ready" and int(read["events"]) == files * events, read
            seconds = time.perf_counter() - begin
            placing, answers, lanes = [], [], []
            for i in range(tries):
                entries = [{"path": names[0]}] + [
                    {"path": name, "clocks": {"sync_to": {"file": names[0]}, "offset_ns": (k + i) * 1_000_003}}
                    for k, name in enumerate(names[1:])]
                begin = time.perf_counter()
                server.json("PUT", draft, {"manifest": {"perfetto_manifest": {"version": 1, "files": entries}}})
                report = server.json("GET", draft + "/report")
                answers.append(time.perf_counter() - begin)
                placing.append(report["placed_in_ms"])
                begin = time.perf_counter()
                server.json("GET", draft + "/lanes?px=1000&files=" + ",".join(map(str, range(40))))
                lanes.append(time.perf_counter() - begin)
    yield "P14 reading 100 files, 10 M events", seconds, None, "s"
    yield "P14 another manifest, placing, median", percentile(placing, 0.5), None, "ms"
    yield "P14 another manifest, placing, slowest of 20", max(placing), 200, "ms"
    yield "P14 the same with its report as JSON, median", percentile(answers, 0.5) * 1000, None, "ms"
    yield "P14 40 lanes of 4 M events, median", percentile(lanes, 0.5) * 1000, None, "ms"
    yield "P14 memory of the readings", int(read["memory"]) / 1e6, None, "MB"


def merge_10000(server_of):
    """Another manifest for 10,000 files of 20 events each."""
    with tempfile.TemporaryDirectory() as folder:
        events = ",".join(f'{{"ph":"X","ts":{i * 10},"dur":3,"name":"e{i}","pid":1,"tid":1}}' for i in range(20))
        for i in range(10_000):
            with open(f"{folder}/rank{i:05}.json", "w", encoding="utf-8") as file:
                file.write(f"[{events}]")
        with server_of("--root", folder, files=()) as server:
            inputs = [{"root": os.path.basename(folder), "path": "."}]
            draft = "/drafts/" + server.json("POST", "/drafts", {"inputs": inputs}, expect=202)["draft"]
            assert int(wait_for_draft(server, draft)["events"]) == 200_000
            answers = []
            for offset in (0, 5000, 10_000):
                files = [{"path": "rank00000.json"}, {"path": "rank*.json", "glob": True, "clocks": {
                    "sync_to": {"file": "rank00000.json"}, "offset_ns": offset}}]
                begin = time.perf_counter()
                server.json("PUT", draft, {"manifest": {"perfetto_manifest": {"version": 1, "files": files}}})
                report = server.json("GET", draft + "/report")
                answers.append(time.perf_counter() - begin)
                assert len(report["placements"]) == 10_000
    yield "merge_10000, another manifest with its report, slowest of 3", max(answers), 5, "s"


def p15(server_of):
    """The server with no trace: start, and resident memory."""
    starts, works, sizes = [], [], []
    for _ in range(10):
        begin = time.perf_counter()
        server = server_of(files=())
        starts.append(time.perf_counter() - begin)
        works.append(starts[-1] - waited(server))
        with server:
            server.json("GET", "/status")
            sizes.append(server.resident_kib() / 1024)
    yield "P15 start until the address is printed, median", percentile(starts, 0.5) * 1000, None, "ms"
    yield "P15 the same, without waiting for a processor", percentile(works, 0.5) * 1000, 50, "ms"
    yield "P15 resident memory", max(sizes), 40, "MB"


def receive_all(server, port, request, what):
    """Sends a request three times, whose answers end with their connections, and yields the figures: bytes a second
    of the fastest, and bytes a second of the server's processor time, which other programs do not slow down."""
    rates, cpu, total = [], cpu_seconds(server), 0
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            begin = time.perf_counter()
            connection.sendall(request)
            size, buffer, tail = 0, bytearray(1 << 20), b""
            while got := connection.recv_into(buffer):
                size += got
                tail = (tail + bytes(buffer[max(got - 64, 0):got]))[-64:]
            rates.append(size / (time.perf_counter() - begin))
        assert tail.endswith(b"0\r\n\r\n"), tail
        total += size
    yield what, max(rates) / 1e6, -200, "MB/s"
    yield what + ", a second of processor time", total / (cpu_seconds(server) - cpu) / 1e6, None, "MB/s"


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
        yield from receive_all(server, server.port, request, "P16 Arrow stream of 5 M rows x 4 columns")


def rpc(server_of):
    """An answer of RPC of 5 M rows x 4 columns."""
    from rpc_messages import HttpRpc, field
    with server_of("--rpc", "0") as server:
        client = HttpRpc(server.rpc_port)
        assert "error" not in client.query(MAKE.format(rows=5_000_000))
        body = field(1, SCAN)
        request = (b"POST /query HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                   b"Content-Length: %d\r\n\r\n" % len(body)) + body
        yield from receive_all(server, server.rpc_port, request, "RPC query of 5 M rows x 4 columns")


def p17(server_of):
    """100 connections, small queries, open loop."""
    body = json.dumps({"sql": "SELECT 1"}).encode()
    generator = pathlib.Path(os.environ["TRACEBRAID"]).parent / "server_load"
    with server_of() as server:
        request = (f"POST /api/v1/traces/1/queries HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
                   f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
                   f"Content-Length: {len(body)}\r\n\r\n").encode() + body

        def load(rate, seconds):
            done = subprocess.run([generator, str(server.port), "100", str(rate), str(seconds)], input=request,
                                  capture_output=True, check=True)
            return json.loads(done.stdout)
        load(500, 1)  # warm
        for rate in (1000, 5000):
            before = cpu_seconds(server)
            found = load(rate, 5)
            cpu = (cpu_seconds(server) - before) / found["requests"]
            yield f"P17 {rate} queries a second, 99th percentile", found["p99_ms"], (
                20 if rate == 5000 else None), "ms"
            yield f"P17 {rate} queries a second, refused", found["refused"], 0, ""
            yield f"P17 {rate} queries a second, processor time of the server for each", cpu * 1e6, None, "us"
            yield f"P17 {rate} queries a second, processor time of the client for each", found["own_cpu_us"], None, "us"


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


MEASURES = {each.__name__: each for each in (p13, p14, merge_10000, p15, p16, p17, rpc, upload)}


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
