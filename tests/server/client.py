"""A server process and requests to it, for the tests of the server."""
import atexit
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

TRACEBRAID = os.environ.get("TRACEBRAID", "build/dev/tracebraid")
EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")


def example_files():
    return sorted(os.path.join(EXAMPLES, name) for name in os.listdir(EXAMPLES)
                  if not name.endswith(".md"))


def with_texts(value, name=""):
    """The document of a command with its times as the server gives them: decimal texts."""
    if isinstance(value, dict):
        return {key: with_texts(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [with_texts(each) for each in value]
    is_time = name.endswith(("_ns", "_ts")) and isinstance(value, int)
    return str(value) if is_time else value


def code_blocks(language):
    """The blocks of code of docs/server.md, which run in examples/."""
    page = os.path.join(EXAMPLES, "..", "docs", "server.md")
    with open(page, encoding="utf-8") as file:
        return re.findall(rf"```{language}\n(.*?)```", file.read(), re.DOTALL)


def run_block(command, block):
    """Runs a block in a copy of examples/, with the program in PATH. Returns what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        for file in example_files():
            shutil.copy(file, folder)
        os.symlink(os.path.abspath(TRACEBRAID), os.path.join(folder, "tracebraid"))
        done = subprocess.run([*command, block], cwd=folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PATH": folder + ":" + os.environ["PATH"],
                                   "XDG_STATE_HOME": folder})
    assert done.returncode == 0, done.stderr
    return done.stdout


class Server:
    """`tracebraid serve` on a free port, as a context manager."""

    def __init__(self, *arguments, command="serve", spool=None, port=0, program=TRACEBRAID):
        self.spool = spool or tempfile.mkdtemp(prefix="spool")
        if not spool:
            for folder in (self.spool, self.spool + ".state"):
                atexit.register(shutil.rmtree, folder, ignore_errors=True)
        environment = {**os.environ}
        environment.setdefault("XDG_STATE_HOME", self.spool + ".state")
        # Tests that limit memory run under the address sanitizer, too, which keeps 256 MB of what is freed.
        environment["ASAN_OPTIONS"] = ":".join(filter(None, (environment.get("ASAN_OPTIONS"), "quarantine_size_mb=32")))
        self.process = subprocess.Popen(
            [program, command, "--json", "--port", str(port), "--spool", self.spool, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError("no address: " + self.process.stderr.read())
        address = json.loads(line)
        self.port, self.token, self.url = address["port"], address["token"], address["url"]
        self.rpc_port = address.get("rpc_port")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=30)

    def connect(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def request(self, method, path, body=None, headers=None, connection=None, with_token=True):
        """Returns status, headers and body."""
        own = connection is None
        connection = connection or self.connect()
        headers = dict(headers or {})
        if with_token:
            headers.setdefault("Authorization", "Bearer " + self.token)
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        data = response.read()
        if own:
            connection.close()
        return response.status, dict(response.getheaders()), data

    def json(self, method, path, body=None, headers=None, expect=200):
        headers = {"Accept": "application/json", **(headers or {})}
        status, _, data = self.request(method, "/api/v1" + path, body, headers)
        assert status == expect, (method, path, status, data[:500])
        return json.loads(data) if data else None

    def wait_for_trace(self, trace="1"):
        for _ in range(600):
            found = self.json("GET", f"/traces/{trace}")
            if found["state"] != "opening":
                return found
            time.sleep(0.05)
        raise AssertionError("the trace is not opened")

    def query(self, sql, trace="1", expect=200, **members):
        return self.json("POST", f"/traces/{trace}/queries", {"sql": sql, **members}, expect=expect)

    def resident_kib(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(next(line for line in status if line.startswith("VmRSS")).split()[1])


class WebSocket:
    """A client of the WebSocket of pages."""

    def __init__(self, server, protocol="tracebraid.1"):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        self.socket.sendall((f"GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                             f"Authorization: Bearer {server.token}\r\nConnection: Upgrade\r\n"
                             "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                             f"Sec-WebSocket-Protocol: {protocol}\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        self.status = self.file.readline().split(b" ")[1]
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def send(self, text, opcode=1):
        data = text if isinstance(text, bytes) else text.encode()
        assert len(data) < 1 << 16
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self.socket.sendall(bytes([0x80 | opcode]) + size + bytes(4) + data)

    def receive(self):
        """Returns the opcode and the data of the next frame that is no ping and no news of traces."""
        while True:
            first, size = self.file.read(2)
            if size >= 126:
                size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
            data = self.file.read(size)
            is_news = first & 15 == 1 and json.loads(data)["op"] in ("ping", "changed")
            if first & 15 != 9 and not is_news:
                return first & 15, data

    def until(self, op):
        while True:
            message = json.loads(self.receive()[1])
            if message["op"] == op:
                return message

    def close(self):
        self.file.close()
        self.socket.close()
