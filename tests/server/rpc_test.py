#!/usr/bin/env python3
"""Tests of RPC: messages as a strict decoder of the specification reads them, and clients that misbehave.

  rpc_test.py [--write] [NAME ...]    --write: writes rpc_golden.json anew
"""
import concurrent.futures
import hashlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from client import TRACEBRAID, Server, example_files  # noqa: E402
from rpc_messages import (HttpRpc, StreamRpc, decode, decode_frames, field, frame,  # noqa: E402
                          request, varint)
from rpc_statements import FAILS_BEHIND_ROWS, STATEMENTS  # noqa: E402

GOLDEN = os.path.join(os.path.dirname(__file__), "rpc_golden.json")
ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"
MOST_CELLS = 60


def plain(value):
    """A cell as JSON: integers of more than 53 bits as texts, blobs as hexadecimal."""
    if isinstance(value, bytes):
        return {"blob": value.hex() if len(value) <= 32 else hashlib.sha256(value).hexdigest()}
    if isinstance(value, str) and any("\udc80" <= each <= "\udcff" for each in value):
        return {"bytes": value.encode("utf-8", "surrogateescape").hex()}
    if isinstance(value, str) and len(value) > 200:
        return {"text": hashlib.sha256(value.encode("utf-8", "surrogateescape")).hexdigest()}
    if isinstance(value, int) and abs(value) >= 1 << 53:
        return {"int": str(value)}
    if isinstance(value, float):
        return {"double": value.hex()}
    return value


def golden_of(result):
    """The fields of a result, without the time. Many rows as a digest, with the sizes of batches."""
    rows = [[plain(cell) for cell in row] for row in result["rows"]]
    fields = {name: result.get(name) for name in (
        "column_names", "statement_count", "statement_with_output_count", "last_statement_sql",
        "error") if name in result}
    fields["batches"] = [len(each["cells"]) for each in result["batch"]]
    if sum(map(len, rows)) <= MOST_CELLS:
        fields["rows"] = rows
    else:
        fields["rows_sha256"] = hashlib.sha256(json.dumps(rows).encode()).hexdigest()
    return fields


class OneServer(unittest.TestCase):
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "rpc.sock")
        cls.server = Server("--rpc", "0", "--rpc-socket", cls.path, "--rpc-origin",
                            "http://friend.example", *example_files(), *cls.arguments)
        cls.rpc = HttpRpc(cls.server.rpc_port)

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()
        cls.folder.cleanup()


class Golden(OneServer):
    """Check rpc_golden: the committed fields, over HTTP, the UNIX socket and /rpc."""

    def fresh(self, sql):
        self.rpc.request("/restore_initial_tables")
        return self.rpc.query(sql)

    def test_fields(self):
        found = {sql: golden_of(self.fresh(sql)) for sql in STATEMENTS}
        if WRITE:
            with open(GOLDEN, "w", encoding="utf-8") as file:
                json.dump(found, file, indent=1, ensure_ascii=False)
                file.write("\n")
        with open(GOLDEN, encoding="utf-8") as file:
            expected = json.load(file)
        self.assertGreaterEqual(len(expected), 60)
        self.assertEqual(list(found), list(expected))
        for sql in STATEMENTS:
            self.assertEqual(found[sql], expected[sql], sql)

    def test_streams_give_the_same(self):
        stream = StreamRpc(self.path)
        for sql in STATEMENTS[::2]:
            expected = golden_of(self.fresh(sql))
            self.rpc.request("/restore_initial_tables")
            over_socket = golden_of(stream.query(sql))
            self.assertEqual(over_socket, expected, sql)
        stream.close()

    def test_rows_equal_the_command(self):
        for sql in STATEMENTS[1::7]:
            done = subprocess.run([TRACEBRAID, "query", *example_files(), "-f", "json", sql],
                                  capture_output=True, text=True, errors="surrogateescape")
            result = self.fresh(sql)
            if done.returncode != 0:
                self.assertIn("error", result, sql)
                continue
            self.assertNotIn("error", result, sql)

    def test_rows_of_sqlite(self):
        """Statements that SQLite alone answers, with its own client."""
        import sqlite3
        base = sqlite3.connect(":memory:")
        base.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        compared = 0
        for sql in STATEMENTS:
            text = sql.replace("\u00a0", " ")
            if ";" in text or "PERFETTO" in text or not text.strip():
                continue
            try:
                expected = base.execute(text)
                names = [each[0] for each in expected.description or []]
                rows = [list(row) for row in expected.fetchall()]
            except sqlite3.Error:
                continue
            if not names:
                continue
            for row in rows:  # texts end at a NUL
                row[:] = [cell.split("\0")[0] if isinstance(cell, str) else cell for cell in row]
            result = self.fresh(sql)
            self.assertEqual(result["rows"], rows, sql)
            self.assertEqual(result.get("column_names"), names, sql)
            compared += 1
        self.assertGreater(compared, 25)

    def test_errors_are_those_of_the_command(self):
        for sql in ("SELECT nope", "SELECT 1,\n  nope", "SELECT 1; SELECT nope", "SELEC 1"):
            with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
                file.write(sql)
                file.flush()
                done = subprocess.run([TRACEBRAID, "query", *example_files(), "--sql-file",
                                       file.name], capture_output=True, text=True)
            self.assertEqual(done.returncode, 4)
            error = self.fresh(sql)["error"]
            # The file is called "stdin" here, and the program puts its own name in front.
            self.assertIn(error.splitlines()[-1], done.stderr)
        result = self.fresh("SELECT nope")
        self.assertEqual((result["statement_count"], result["statement_with_output_count"],
                          result["last_statement_sql"]), (0, 0, ""))

    def test_an_error_behind_rows(self):
        result = self.fresh(FAILS_BEHIND_ROWS)
        self.assertIn("integer overflow", result["error"])
        self.assertGreater(len(result["rows"]), 1000)
        self.assertEqual(result["rows"][:2], [[1], [2]])

    def test_the_example_of_the_specification(self):
        stream = StreamRpc(self.path)
        sql = "SELECT 1 AS a, 'x' AS b, NULL AS c, 2.5 AS d"
        stream.send(request(0, 3, field(103, field(1, sql))))
        message = stream.receive()
        self.assertEqual((message["seq"], message["response"]), (0, 3))
        result = message["result"]
        self.assertEqual((result["column_names"], result["statement_count"],
                          result["statement_with_output_count"], result["last_statement_sql"]),
                         (["a", "b", "c", "d"], 1, 1, sql))
        self.assertEqual([b["cells"] for b in result["batch"]], [[1, "x", None, 2.5]])
        stream.close()


class Http(OneServer):
    def test_heads(self):
        status, headers, data = self.rpc.request("/status", method="GET")
        self.assertEqual((status, headers["Content-Type"], headers["Cache-Control"]),
                         (200, "application/x-protobuf", "no-cache"))
        self.assertIn("Connection", headers)
        self.rpc.query("SELECT 1")  # waits until the trace is open
        found = decode("StatusResult", self.rpc.request("/status")[2])
        self.assertEqual(found["api_version"], 14)
        self.assertRegex(found["loaded_trace_name"], r"^.+ \(\d+ MB\)$")
        self.assertEqual(self.rpc.request("/query", field(1, "SELECT 1"))[1]["Transfer-Encoding"],
                         "chunked")
        status, headers, data = self.rpc.request("/")
        self.assertEqual((status, headers["Content-Type"][:10]), (200, "text/plain"))
        status, headers, _ = self.rpc.request("/nothing")
        self.assertEqual((status, headers["Connection"]), (404, "close"))

    def test_methods_are_not_checked(self):
        for method in ("GET", "POST", "PUT", "DELETE"):
            self.assertEqual(self.rpc.request("/status", method=method)[0], 200)

    def test_foreign_hosts_and_origins(self):
        for headers, expected in (
                ({"Host": "evil.example"}, 403), ({"Host": "localhost.evil.example:9001"}, 403),
                ({"Host": "localhost:1:2"}, 403),
                ({"Host": "localhost"}, 200), ({"Host": f"[::1]:{self.server.rpc_port}"}, 200),
                ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
                ({"Origin": "http://friend.example"}, 200),
                ({"Sec-Fetch-Site": "cross-site"}, 403),
                ({"Sec-Fetch-Site": "cross-site", "Origin": "http://friend.example"}, 200),
                ({"Sec-Fetch-Site": "none"}, 200)):
            self.assertEqual(self.rpc.request("/status", headers=headers)[0], expected, headers)

    def test_cross_origin_requests(self):
        origin = {"Origin": "http://friend.example"}
        status, headers, _ = self.rpc.request("/query", method="OPTIONS", headers=origin)
        self.assertEqual(status, 204)
        self.assertEqual(headers["Access-Control-Allow-Methods"], "POST, GET, OPTIONS")
        self.assertEqual(headers["Access-Control-Allow-Headers"], "*")
        self.assertEqual(headers["Access-Control-Max-Age"], "86400")
        for path in ("/status", "/query"):
            _, headers, _ = self.rpc.request(path, field(1, "SELECT 1"), headers=origin)
            self.assertEqual(headers["Access-Control-Allow-Origin"], "http://friend.example")
            self.assertEqual(headers["Vary"], "Origin")
        self.assertNotIn("Access-Control-Allow-Origin", self.rpc.request("/status")[1])
        self.assertEqual(self.rpc.request("/query", method="OPTIONS",
                                          headers={"Origin": "http://evil.example"})[0], 403)

    def test_large_bodies_are_refused(self):
        with socket.create_connection(("127.0.0.1", self.server.rpc_port), timeout=30) as client:
            client.sendall(b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 67108865\r\n\r\n")
            answer = client.recv(10000)
            self.assertEqual(answer.split(b" ")[1], b"413")
            self.assertIn(b"Connection: close", answer)

    def test_a_trace_in_chunks(self):
        with open(example_files()[0], "rb") as file:
            data = file.read()
        try:
            total = 0
            for begin in range(0, len(data), 10_000):
                _, _, answer = self.rpc.request("/parse", data[begin:begin + 10_000])
                total += len(data[begin:begin + 10_000])
                self.assertEqual(decode("AppendTraceDataResult", answer)["total_bytes_parsed"], total)
            self.assertEqual(self.rpc.request("/notify_eof", method="GET")[0::2], (200, b""))
            printed = subprocess.run([TRACEBRAID, "query", example_files()[0], "-f", "csv",
                                      "SELECT count(*) FROM slice"], capture_output=True, text=True)
            count = int(printed.stdout.split()[-1])
            self.assertEqual(self.rpc.query("SELECT count(*) FROM slice")["rows"], [[count]])
            found = decode("StatusResult", self.rpc.request("/status")[2])
            self.assertEqual(found["loaded_trace_name"], "trace (0 MB)")
            # The next bytes begin a new trace. A failed import is the error of each later query.
            self.rpc.request("/parse", b"no trace at all")
            self.rpc.request("/notify_eof")
            for _ in range(2):
                self.assertIn("trace", self.rpc.query("SELECT 1")["error"])
            self.rpc.request("/parse", data)
            self.rpc.request("/notify_eof")
            self.assertEqual(self.rpc.query("SELECT count(*) FROM slice")["rows"], [[count]])
        finally:
            self.tearDownClass()
            self.setUpClass()

    def test_tables_stay_until_they_are_restored(self):
        self.rpc.query("CREATE PERFETTO TABLE mine AS SELECT 5 AS x")
        self.assertEqual(self.rpc.query("SELECT x FROM mine")["rows"], [[5]])
        stream = StreamRpc(self.path)
        self.assertEqual(stream.query("SELECT x FROM mine")["rows"], [[5]])
        stream.close()
        self.assertEqual(self.rpc.request("/restore_initial_tables")[0::2], (200, b""))
        self.assertIn("no such table", self.rpc.query("SELECT x FROM mine")["error"])

    def test_metrics_and_summaries_are_out_of_scope(self):
        self.assertTrue(decode("Error2", self.rpc.request("/compute_metric", field(1, "x"))[2])["error"])
        self.assertTrue(decode("Error3", self.rpc.request("/trace_summary")[2])["error"])

    def test_metatrace(self):
        found = decode("MetatraceResult", self.rpc.request("/disable_and_read_metatrace")[2])
        self.assertTrue(found["error"])
        self.rpc.request("/enable_metatrace")
        self.rpc.query("SELECT 41 + 1")
        found = decode("MetatraceResult", self.rpc.request("/disable_and_read_metatrace")[2])
        with tempfile.NamedTemporaryFile(suffix=".pftrace") as file:
            file.write(found["metatrace"])
            file.flush()
            done = subprocess.run([TRACEBRAID, "query", file.name, "-f", "csv",
                                   "SELECT name FROM slice"], capture_output=True, text=True)
        self.assertIn("SELECT 41 + 1", done.stdout)

    def test_exports(self):
        for number, begin in ((1, None), (3, b"SQLite format 3\0")):
            status, headers, data = self.rpc.request("/export", field(1, number))
            self.assertEqual((status, headers.get("Transfer-Encoding")), (200, "chunked"))
            self.assertGreater(len(data), 1000)
            if begin:
                self.assertTrue(data.startswith(begin))
        for wrong in (b"", field(1, 9)):
            status, headers, data = self.rpc.request("/export", wrong)
            self.assertEqual((status, headers["Content-Type"][:10]), (400, "text/plain"))
            self.assertTrue(data)

    def test_a_client_that_goes_ends_its_query(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.rpc_port)
        connection.request("POST", "/query", field(1, ENDLESS))
        time.sleep(0.3)
        connection.close()
        self.assertEqual(self.rpc.query("SELECT 1")["rows"], [[1]])

    def test_a_client_that_reads_nothing_does_not_hold_the_api(self):
        body = field(1, ENDLESS.replace("count(*)", "n"))
        with socket.create_connection(("127.0.0.1", self.server.rpc_port)) as stuck:
            stuck.sendall(b"POST /query HTTP/1.1\r\nHost: localhost\r\n"
                          b"Content-Length: %d\r\n\r\n" % len(body) + body)
            time.sleep(0.5)
            self.assertEqual(self.server.query("SELECT 1")["sets"][0]["rows"], [[1]])
        self.assertEqual(self.rpc.query("SELECT 1")["rows"], [[1]])

    def test_two_clients_at_once(self):
        sql = STATEMENTS[-6]  # 100,000 rows
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for rows in pool.map(lambda _: self.rpc.query(sql)["rows"], range(4)):
                self.assertEqual((len(rows), rows[-1][0]), (100_000, 100_000))


class Streams(OneServer):
    def setUp(self):
        self.stream = StreamRpc(self.path)

    def tearDown(self):
        self.stream.close()

    def test_the_socket_is_private(self):
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)

    def test_messages_cut_in_any_way(self):
        data = b"".join(request(i + 1, 3, field(103, field(1, f"SELECT {i}"))) for i in range(5))
        for byte in range(len(data)):
            self.stream.send(data[byte:byte + 1])
        for i in range(5):
            message = self.stream.receive()
            self.assertEqual((message["seq"], message["result"]["batch"][0]["cells"]), (i, [i]))

    def test_sequence_numbers(self):
        self.stream.send(request(5, 10) + request(6, 10) + request(0, 10) + request(9, 10))
        self.assertEqual([self.stream.receive()["seq"] for _ in range(4)], [0, 1, 2, 3])
        self.stream.send(request(11, 10))
        self.assertEqual(self.stream.receive(), {"seq": 4, "fatal_error":
                         "RPC request out of order. Expected 10, got 11 (ERR:rpc_seq)"})
        self.assertIsNone(self.stream.receive())

    def test_framing(self):
        for wrong in (b"\x12\x00", b"\x0a" + varint(65 << 20), b"\x0a" + b"\xff" * 11):
            stream = StreamRpc(self.path)
            stream.send(wrong)
            self.assertEqual(stream.receive(), {"seq": 0, "fatal_error": "RPC framing error"})
            self.assertIsNone(stream.receive())
            stream.close()

    def test_arguments_that_are_missing(self):
        error = "RPC error: request field not set"
        for method in (1, 3, 5, 13, 15, 16, 17, 18, 19, 20, 21):
            self.stream.call(method)
            message = self.stream.receive()
            self.assertEqual(message["response"], method)
            result = message["result"]
            if method == 20:
                self.assertEqual(result["result"]["batch"][0]["cells"], [])
                result = result["result"]
            self.assertEqual(result["error"], error, method)

    def test_unknown_methods(self):
        for method in (4, 12, 14, 99):
            self.stream.call(method)
            message = self.stream.receive()
            self.assertEqual(message["invalid_request"], method)
            self.assertNotIn("response", message)

    def test_methods_without_scope(self):
        for method, args in ((5, 105), (15, 110), (16, 111), (17, 112), (18, 113), (19, 114)):
            self.stream.call(method, field(args, b""))
            self.assertTrue(self.stream.receive()["result"]["error"])
        self.stream.call(6)
        self.assertEqual(self.stream.receive()["result"], {})

    def statement(self, sql, offset):
        self.stream.call(20, field(115, field(1, sql) + field(2, offset)))
        messages = []
        while True:
            result = self.stream.receive()["result"]
            messages.append(result)
            if result["result"]["batch"][0]["is_last_batch"]:
                return messages

    def test_one_statement_after_the_other(self):
        sql = "SELECT 1 AS a;\u00a0SELECT 2 AS b;\n-- end\n"
        found, offset = [], 0
        while True:
            first = self.statement(sql, offset)[0]
            if not first["statement_executed"]:
                break
            found.append((first["result"]["last_statement_sql"], first["result"]["batch"][0]["cells"]))
            self.assertGreater(first["tail_offset"], offset)
            offset = first["tail_offset"]
        self.assertEqual([cells for _, cells in found], [[1], [2]])
        self.assertEqual(first["result"]["batch"][0], {"cells": [], "is_last_batch": True, "bytes": 4})
        self.assertNotIn("error", first["result"])
        beyond = self.statement(sql, 1000)[0]["result"]
        self.assertEqual(beyond["error"], "StatementArgs.start_offset out of range")
        failed = self.statement("SELECT nope", 0)[0]["result"]
        self.assertIn("no such column", failed["error"])

    def test_the_status(self):
        self.stream.call(10)
        self.assertEqual(self.stream.receive()["result"]["api_version"], 14)

    def test_an_export_in_chunks(self):
        self.stream.call(21, field(116, field(1, 3)))
        data, more = b"", True
        while more:
            result = self.stream.receive()["result"]
            self.assertNotIn("error", result)
            data += result.get("data", b"")
            more = result["has_more"]
        self.assertTrue(data.startswith(b"SQLite format 3\0"))
        self.stream.call(21, field(116, field(1, 7)))
        self.assertTrue(self.stream.receive()["result"]["error"])

    def test_packages(self):
        module = field(1, "mine.one") + field(2, "CREATE PERFETTO TABLE of_mine AS SELECT 3 AS x")
        self.stream.call(13, field(108, field(1, "mine") + field(2, module)))
        self.assertEqual(self.stream.receive()["result"], {})
        rows = self.stream.query("INCLUDE PERFETTO MODULE mine.one; SELECT x FROM of_mine")["rows"]
        self.assertEqual(rows, [[3]])
        self.stream.call(13, field(108, field(1, "mine") + field(2, module)))
        self.assertTrue(self.stream.receive()["result"]["error"])

    def test_a_trace_over_the_stream(self):
        with open(example_files()[0], "rb") as file:
            data = file.read()
        try:
            self.stream.call(11, field(107, b""))
            self.assertEqual(self.stream.receive()["response"], 11)
            self.assertEqual(self.stream.query("SELECT count(*) FROM slice")["rows"], [[0]])
            self.stream.call(1, field(101, data))
            self.assertEqual(self.stream.receive()["result"], {"total_bytes_parsed": len(data)})
            self.stream.call(2)
            self.assertEqual(self.stream.receive()["result"], {})
            self.assertGreater(self.stream.query("SELECT count(*) FROM slice")["rows"][0][0], 10)
        finally:
            self.tearDownClass()
            self.setUpClass()
            self.stream.close()
            self.stream = StreamRpc(self.path)

    def test_the_path_rpc(self):
        body = request(1, 3, field(103, field(1, "SELECT 1"))) + request(2, 10)
        status, headers, data = self.rpc.request("/rpc", body)
        self.assertEqual((status, headers["Transfer-Encoding"]), (200, "chunked"))
        messages = decode_frames(data)
        self.assertEqual([m["response"] for m in messages], [3, 10])
        self.assertEqual([m["seq"] for m in messages], [0, 1])
        messages = decode_frames(self.rpc.request("/rpc", b"\x12\x00")[2])
        self.assertEqual(messages[0]["fatal_error"], "RPC framing error")

    def test_the_websocket(self):
        client = socket.create_connection(("127.0.0.1", self.server.rpc_port), timeout=60)
        client.sendall(b"GET /websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                       b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                       b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        file = client.makefile("rb")
        self.assertIn(b"101", file.readline())
        while file.readline() != b"\r\n":
            pass
        data = request(1, 3, field(103, field(1, STATEMENTS[-6]))) + request(2, 10)
        for begin in range(0, len(data), 50):  # the borders of frames mean nothing
            part = data[begin:begin + 50]
            client.sendall(bytes([0x82, 0x80 | len(part)]) + bytes(4) + part)
        received = b""
        while True:
            first, size = file.read(2)
            if size == 126:
                size = int.from_bytes(file.read(2), "big")
            elif size == 127:
                size = int.from_bytes(file.read(8), "big")
            content = file.read(size)
            if first & 15 in (0, 2):
                received += content
            try:
                messages = decode_frames(received)
            except (AssertionError, IndexError):
                continue  # a message that is not complete
            if messages and messages[-1]["response"] == 10:
                break
        self.assertEqual([m["seq"] for m in messages], list(range(len(messages))))
        cells = sum(len(m["result"]["batch"][0]["cells"]) for m in messages[:-1])
        self.assertEqual(cells, 400_000)
        file.close()
        client.close()

    def test_a_client_that_goes_ends_its_query(self):
        self.stream.call(3, field(103, field(1, ENDLESS)))
        time.sleep(0.3)
        self.stream.close()
        self.stream = StreamRpc(self.path)
        self.assertEqual(self.stream.query("SELECT 1")["rows"], [[1]])


class Fuzz(OneServer):
    """Check rpc_fuzz: any bytes to every endpoint. fuzz/rpc_fuzz.cc does the same within a process."""

    def test_any_bytes(self):
        random_ = random.Random(23)
        seeds = [field(1, "SELECT 1"), field(1, 1), request(1, 3, field(103, field(1, "SELECT 1"))),
                 request(1, 20, field(115, field(1, "SELECT 1; SELECT 2"))), request(1, 10),
                 request(1, 13, field(108, field(1, "p") + field(2, field(1, "p.m") + field(2, "x")))),
                 b"", b"\x0a", b"\xff" * 30]
        paths = ["/", "/status", "/query", "/restore_initial_tables", "/compute_metric",
                 "/trace_summary", "/enable_metatrace", "/disable_and_read_metatrace", "/rpc",
                 "/export", "/nothing"]
        connection = http.client.HTTPConnection("127.0.0.1", self.server.rpc_port, timeout=120)
        for i in range(400):
            data = bytearray(random_.choice(seeds))
            for _ in range(random_.randrange(4)):
                at = random_.randrange(len(data) + 1)
                kind = random_.randrange(3)
                if kind == 0:
                    data[at:at] = bytes([random_.randrange(256)])
                elif kind == 1:
                    del data[at:at + random_.randrange(1, 4)]
                elif at < len(data):
                    data[at] = random_.randrange(256)
            connection.request("POST", paths[i % len(paths)], bytes(data))
            response = connection.getresponse()
            response.read()
            self.assertIn(response.status, (200, 400, 404))
            with socket.socket(socket.AF_UNIX) as stream:
                stream.connect(self.path)
                stream.sendall(bytes(data))
        connection.close()
        self.rpc.request("/restore_initial_tables")
        self.assertEqual(self.rpc.query("SELECT 1")["rows"], [[1]])

    def test_requests_cut_at_each_byte(self):
        body = field(1, "SELECT 1")
        whole = (b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
                 + body)
        for cut in range(len(whole)):
            with socket.create_connection(("127.0.0.1", self.server.rpc_port)) as client:
                client.send(whole[:cut])
        self.assertEqual(self.rpc.query("SELECT 1")["rows"], [[1]])


class CommandLine(unittest.TestCase):
    def start(self, *arguments, env=None):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = subprocess.Popen([TRACEBRAID, "-D", "--http-port", str(port), *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(200):
            try:
                HttpRpc(port).request("/status")
                break
            except OSError:
                time.sleep(0.05)
        return process, HttpRpc(port)

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        output = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 143)
        return output

    def test_the_command_line_of_the_reference(self):
        process, rpc = self.start("--no-ftrace-raw", "--dev", *example_files())
        self.assertGreater(rpc.query("SELECT count(*) FROM slice")["rows"][0][0], 10)
        self.assertEqual(rpc.request("/api/v1/status")[0], 404)  # no API
        out, _ = self.stop(process)
        self.assertEqual(out, "")

    def test_packages_of_sql(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "one.sql"), "w") as file:
                file.write("CREATE PERFETTO TABLE of_folder AS SELECT 4 AS x;")
            process, rpc = self.start("--add-sql-package", folder + "@mine")
            result = rpc.query("INCLUDE PERFETTO MODULE mine.one; SELECT x FROM of_folder")
            self.assertEqual(result["rows"], [[4]], result)
            self.stop(process)

    def test_access_to_files_is_refused(self):
        done = subprocess.run([TRACEBRAID, "-D", "--allow-sql-file-access"], capture_output=True,
                              timeout=30)
        self.assertEqual(done.returncode, 2)

    def test_a_taken_port(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            for command in (["-D", "--http-port", port], ["serve", "--port", "0", "--rpc", port],
                            ["serve", "--port", "0", f"--rpc={port}"]):
                done = subprocess.run([TRACEBRAID, *command], capture_output=True, text=True,
                                      timeout=30)
                self.assertEqual(done.returncode, 3)
                self.assertIn("is taken", done.stderr)

    def test_names_of_sockets(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "XDG_RUNTIME_DIR": folder}
            process = subprocess.Popen(
                [TRACEBRAID, "serve", "--port", "0", "--rpc-socket", "my-session",
                 example_files()[0]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env=environment)
            process.stdout.readline()
            path = os.path.join(folder, "perfetto", "my-session.sock")
            self.assertEqual(os.stat(os.path.dirname(path)).st_mode & 0o777, 0o700)
            stream = StreamRpc(path)
            self.assertEqual(stream.query("SELECT 1")["rows"], [[1]])
            stream.close()
            second = subprocess.run([TRACEBRAID, "serve", "--port", "0", "--rpc-socket",
                                     "my-session"], capture_output=True, text=True, timeout=30,
                                    env=environment)
            self.assertNotEqual(second.returncode, 0)
            self.assertIn("another program listens", second.stderr)
            self.stop(process)
            self.assertFalse(os.path.exists(path))
            os.chmod(os.path.dirname(path), 0o777)
            done = subprocess.run([TRACEBRAID, "serve", "--rpc-socket", "my-session"],
                                  capture_output=True, timeout=30, env=environment)
            self.assertEqual(done.returncode, 3)
        done = subprocess.run([TRACEBRAID, "serve", "--rpc-socket", "my session"],
                              capture_output=True, timeout=30)
        self.assertEqual(done.returncode, 2)

    def test_a_signal_ends_running_queries(self):
        process, rpc = self.start(example_files()[0])
        rpc.query("SELECT 1")
        connection = http.client.HTTPConnection("127.0.0.1", rpc.port)
        connection.request("POST", "/query", field(1, ENDLESS))
        time.sleep(0.3)
        self.stop(process)
        connection.close()


WRITE = "--write" in sys.argv
if __name__ == "__main__":
    unittest.main(argv=[each for each in sys.argv if each != "--write"])
