"""Clients of RPC: over HTTP, and over a UNIX socket."""
from __future__ import annotations

import http.client
import os
import re
import socket
from collections.abc import Iterator
from typing import Protocol

from ..common.exceptions import PerfettoException
from ..common.query_result_iterator import QueryResultIterator
from . import _wire

EXPORT_FORMATS = {"perfetto": 1, "arrow_tar": 2, "sqlite": 3}

# Methods of RPC: the number, and the fields of the request and of the response.
_METHODS = {"/parse": (1, 101, 201), "/notify_eof": (2, 0, 212), "/query": (3, 103, 203),
            "/enable_metatrace": (8, 106, 0), "/disable_and_read_metatrace": (9, 0, 209), "/export": (21, 116, 220)}


class Transport(Protocol):
    """Sends requests to a server."""

    def ask(self, endpoint: str, body: bytes) -> Iterator[bytes]:
        """The messages of the answer."""

    def close(self) -> None:
        """Ends the connection."""


class HttpTransport:
    """Requests over HTTP. Not for several threads at once."""

    def __init__(self, address: str) -> None:
        self._connection = http.client.HTTPConnection(address.removeprefix("http://").rstrip("/"))

    def ask(self, endpoint: str, body: bytes) -> Iterator[bytes]:
        self._connection.request("POST", endpoint, body=body)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise PerfettoException(answer.decode("utf-8", "replace").strip() or response.reason)
        if endpoint == "/export":
            answer = _wire.encode((1, answer))
        yield answer

    def close(self) -> None:
        self._connection.close()


class SocketTransport:
    """Requests over a UNIX socket, each message with its length. Not for several threads at once."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self._file = self._socket.makefile("rb")
        self._sequence = 0

    def ask(self, endpoint: str, body: bytes) -> Iterator[bytes]:
        method, request_field, response_field = _METHODS[endpoint]
        self._sequence += 1
        message = _wire.encode((1, self._sequence), (2, method), *([(request_field, body)] if request_field else []))
        self._socket.sendall(_wire.encode((1, message)))
        while True:
            answer = self._read()
            _wire.raise_error(answer, 5)
            result = _wire.bytes_field(answer, response_field)
            yield result
            if not _has_more(endpoint, result):
                return

    def _read(self) -> bytes:
        head = self._file.read(2)
        while head and head[-1] > 0x7F:
            head += self._file.read(1)
        if len(head) < 2 or head[0] != 0x0A:
            raise PerfettoException("the server ended the connection")
        size, _ = _wire.read_varint(head, 1)
        message = self._file.read(size)
        if len(message) != size:
            raise PerfettoException("the server ended the connection")
        return message

    def close(self) -> None:
        self._file.close()
        self._socket.close()


def _has_more(endpoint: str, result: bytes) -> bool:
    """Returns whether another message of the answer follows."""
    if endpoint == "/query":
        batches = [value for number, value in _wire.fields_of(result) if number == 3 and isinstance(value, bytes)]
        return not any(number == 6 and value for batch in batches for number, value in _wire.fields_of(batch))
    if endpoint == "/export":
        return any(number == 3 and value for number, value in _wire.fields_of(result))
    return False


def transport_of(remote: str) -> Transport:
    """The server of an address: HOST:PORT, a URL, the path of a socket, or the name of a session."""
    if remote.startswith("http://") or re.fullmatch(r"[^/]+:\d+", remote):
        return HttpTransport(remote)
    if "/" in remote or remote.endswith(".sock"):
        return SocketTransport(remote)
    folder = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("TMPDIR") or "/tmp"
    return SocketTransport(os.path.join(folder, "perfetto", f"{remote}.sock"))


class RemoteBackend:
    """Runs statements on a server."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _one(self, endpoint: str, body: bytes = b"") -> bytes:
        return b"".join(self._transport.ask(endpoint, body))

    def load(self, chunks: Iterator[bytes]) -> None:
        """Sends a trace, which replaces the one that the server has."""
        for chunk in chunks:
            _wire.raise_error(self._one("/parse", chunk), 2)
        _wire.raise_error(self._one("/notify_eof"), 1)

    def query(self, sql: str) -> QueryResultIterator:
        """Runs all statements, and returns the rows of the last one."""
        result = _wire.WireResult()
        for message in self._transport.ask("/query", _wire.encode((1, sql))):
            result.add(message)
        if result.error:
            raise PerfettoException(result.error)
        if not result.is_complete:
            raise PerfettoException("the server ended the answer before its last row")
        return QueryResultIterator(result.columns, list(result.batches))

    def export(self, path: str, kind: str) -> None:
        """Writes the trace of the server to a file."""
        with open(path, "wb") as file:
            for message in self._transport.ask("/export", _wire.encode((1, EXPORT_FORMATS[kind]))):
                _wire.raise_error(message, 2)
                file.write(_wire.bytes_field(message, 1))

    def enable_metatrace(self) -> None:
        """Begins a trace of the statements."""
        self._one("/enable_metatrace")

    def read_metatrace(self) -> bytes:
        """Ends the trace of the statements, and returns its bytes."""
        answer = self._one("/disable_and_read_metatrace")
        _wire.raise_error(answer, 2)
        return _wire.bytes_field(answer, 1)

    def close(self) -> None:
        """Ends the connection."""
        self._transport.close()
