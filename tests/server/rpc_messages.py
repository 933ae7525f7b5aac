"""The messages of RPC (spec viewer 4.3): a strict decoder and an encoder, and connections.

The decoder fails for unknown fields, wrong wire types, and fields that occur twice though they are
not repeated.
"""
import http.client
import socket
import struct


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """Encodes an int, text or bytes field."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def take_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
        assert shift < 70, "a varint of more than 10 bytes"
    assert value < 1 << 64, "a varint of more than 64 bits"
    return value, at


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def fields(data, base=0):
    """Yields number, wire type, value, and where the value begins in the whole answer."""
    at = 0
    while at < len(data):
        tag, at = take_varint(data, at)
        number, wire = tag >> 3, tag & 7
        assert number > 0, "field 0"
        if wire == 0:
            value, at = take_varint(data, at)
            yield number, wire, value, base + at
        elif wire == 1:
            assert at + 8 <= len(data), "a cut fixed64"
            yield number, wire, data[at:at + 8], base + at
            at += 8
        elif wire == 2:
            size, at = take_varint(data, at)
            assert at + size <= len(data), "a cut field"
            yield number, wire, data[at:at + size], base + at
            at += size
        else:
            raise AssertionError(f"wire type {wire}")


def packed_varints(data):
    values, at = [], 0
    while at < len(data):
        value, at = take_varint(data, at)
        values.append(value)
    return values


TEXT = "text"      # bytes, decoded later: bytes that are no UTF-8 pass
INT = "int"
BOOL = "bool"
MESSAGES = {  # number: (name, type, repeated)
    "StatusResult": {1: ("loaded_trace_name", TEXT, False), 2: ("version", TEXT, False),
                     3: ("api_version", INT, False), 4: ("version_code", TEXT, False)},
    "AppendTraceDataResult": {1: ("total_bytes_parsed", INT, False), 2: ("error", TEXT, False)},
    "QueryResult": {1: ("column_names", TEXT, True), 2: ("error", TEXT, False),
                    3: ("batch", "CellsBatch", True), 4: ("statement_count", INT, False),
                    5: ("statement_with_output_count", INT, False),
                    6: ("last_statement_sql", TEXT, False),
                    7: ("elapsed_time_ms", "double", True)},  # one a message, and /query joins them
    "StatementResult": {1: ("result", "QueryResult", False), 2: ("tail_offset", INT, False),
                        3: ("statement_executed", BOOL, False)},
    "MetatraceResult": {1: ("metatrace", "bytes", False), 2: ("error", TEXT, False)},
    "ExportResult": {1: ("data", "bytes", False), 2: ("error", TEXT, False),
                     3: ("has_more", BOOL, False)},
    "Error1": {1: ("error", TEXT, False)},
    "Error2": {2: ("error", TEXT, False)},
    "Error3": {3: ("error", TEXT, False)},
    "Error6": {6: ("error", TEXT, False)},
    "Empty": {},
    "TraceProcessorRpc": {
        1: ("seq", INT, False), 3: ("response", INT, False), 4: ("invalid_request", INT, False),
        5: ("fatal_error", TEXT, False), 201: ("result", "AppendTraceDataResult", False),
        203: ("result", "QueryResult", False), 205: ("result", "Error2", False),
        206: ("result", "Empty", False), 209: ("result", "MetatraceResult", False),
        210: ("result", "StatusResult", False), 211: ("result", "Error1", False),
        212: ("result", "Error1", False), 214: ("result", "Error3", False),
        215: ("result", "Error2", False), 216: ("result", "Error2", False),
        217: ("result", "Error6", False), 218: ("result", "Error1", False),
        219: ("result", "StatementResult", False), 220: ("result", "ExportResult", False)},
}


def decode(kind, data, base=0):
    """Decodes a message. `base` is its place in the answer."""
    if kind == "CellsBatch":
        return decode_batch(data, base)
    message = {}
    for number, wire, value, at in fields(data, base):
        assert number in MESSAGES[kind], f"{kind} has no field {number}"
        name, type_, is_repeated = MESSAGES[kind][number]
        expected = {TEXT: 2, "bytes": 2, INT: 0, BOOL: 0, "double": 1}.get(type_, 2)
        assert wire == expected, f"{kind}.{name} has wire type {wire}"
        if type_ == TEXT:
            value = value.decode("utf-8", "surrogateescape")
        elif type_ == INT:
            value = signed(value)
        elif type_ == BOOL:
            assert value in (0, 1)
            value = bool(value)
        elif type_ == "double":
            value = struct.unpack("<d", value)[0]
        elif type_ != "bytes":
            value = decode(type_, value, at)
        if is_repeated:
            message.setdefault(name, []).append(value)
        else:
            assert name not in message, f"{kind}.{name} occurs twice"
            message[name] = value
    return message


NULL, VARINT, FLOAT64, STRING, BLOB = 1, 2, 3, 4, 5


def decode_batch(data, base):
    """Returns {"cells", "is_last_batch", "bytes"}: the values of the cells in order."""
    found, blobs = {}, []
    for number, wire, value, at in fields(data, base):
        if number == 4:
            assert wire == 2
            blobs.append(value)
            continue
        assert number not in found, f"CellsBatch: field {number} occurs twice"
        assert wire == (0 if number in (6, 7) else 2), f"CellsBatch: field {number} has type {wire}"
        assert 1 <= number <= 7
        if number == 3:
            assert at % 8 == 0, f"doubles begin at {at}, which is no multiple of 8"
            assert len(value) % 8 == 0
        found[number] = value
    assert 5 in found, "string_cells is missing"
    types = packed_varints(found.get(1, b""))
    ints = [signed(each) for each in packed_varints(found.get(2, b""))]
    reals = [each[0] for each in struct.iter_unpack("<d", found.get(3, b""))]
    texts = found[5].split(b"\0")
    assert texts.pop() == b"", "string_cells does not end with a NUL"
    queues = {VARINT: iter(ints), FLOAT64: iter(reals), BLOB: iter(blobs),
              STRING: iter(each.decode("utf-8", "surrogateescape") for each in texts)}
    for kind, values in ((VARINT, ints), (FLOAT64, reals), (STRING, texts), (BLOB, blobs)):
        assert types.count(kind) == len(values), f"cells of type {kind}: other number of values"
    assert set(types) <= {NULL, VARINT, FLOAT64, STRING, BLOB}
    if 6 in found:
        assert found[6] == 1
    return {"cells": [None if each == NULL else next(queues[each]) for each in types],
            "is_last_batch": 6 in found, "bytes": len(data)}


def decode_query(data):
    """Decodes the answer of /query: messages that parse as one. Checks what holds for each."""
    return check_query(decode("QueryResult", data))


def check_query(result):
    batches = result.get("batch", [])
    assert [each["is_last_batch"] for each in batches] == [False] * (len(batches) - 1) + [True]
    width = len(result.get("column_names", []))
    cells = []
    for each in batches:
        assert len(each["cells"]) <= 50_000 or len(each["cells"]) == width
        assert not each["cells"] or len(each["cells"]) % width == 0, "a batch has parts of rows"
        cells += each["cells"]
    result["rows"] = [cells[i:i + width] for i in range(0, len(cells), width)] if width else []
    return result


class HttpRpc:
    """Requests to the endpoints of RPC."""

    def __init__(self, port):
        self.port = port

    def request(self, path, body=b"", method="POST", headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, dict(response.getheaders()), data

    def query(self, sql):
        data = sql if isinstance(sql, bytes) else sql.encode("utf-8", "surrogateescape")
        status, headers, data = self.request("/query", field(1, data))
        assert status == 200, data
        assert headers["Content-Type"] == "application/x-protobuf"
        return decode_query(data)


def frame(message):
    return field(1, message)


def request(seq, method, args=b""):
    return frame(field(1, seq) + field(2, method) + args)


class StreamRpc:
    """A connection to the UNIX socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")
        self.seq = 0

    def send(self, data):
        self.socket.sendall(data)

    def call(self, method, args=b""):
        self.seq += 1
        self.send(request(self.seq, method, args))

    def receive(self):
        """Returns the next message, or None if the connection was closed."""
        tag = self.file.read(1)
        if not tag:
            return None
        assert tag == b"\x0a", tag
        head = bytearray()
        while not head or head[-1] >= 0x80:
            head += self.file.read(1)
        size, _ = take_varint(bytes(head), 0)
        data = self.file.read(size)
        assert len(data) == size
        return decode("TraceProcessorRpc", data, 1 + len(head))

    def query(self, sql):
        self.call(3, field(103, field(1, sql)))
        return join_results(self.until_last(lambda m: m["result"]))

    def until_last(self, result_of):
        messages = []
        while True:
            message = self.receive()
            assert message is not None, "the connection was closed"
            assert "fatal_error" not in message, message
            result = result_of(message)
            messages.append(result)
            assert len(result.get("batch", [])) == 1, "a message of a stream has one batch"
            if result["batch"][-1]["is_last_batch"]:
                return messages

    def close(self):
        self.file.close()
        self.socket.close()


def join_results(messages):
    """Joins the messages of a query as a parser does that reads them behind each other."""
    whole = {}
    for message in messages:
        for name, value in message.items():
            if isinstance(value, list):
                whole.setdefault(name, []).extend(value)
            else:
                assert name not in whole, f"{name} is in two messages"
                whole[name] = value
    return check_query(whole)


def decode_frames(data):
    """Decodes the answer of /rpc. Doubles are aligned within each message."""
    messages, at = [], 0
    while at < len(data):
        assert data[at] == 0x0A
        size, begin = take_varint(data, at + 1)
        messages.append(decode("TraceProcessorRpc", data[begin:begin + size], begin - at))
        at = begin + size
    return messages
