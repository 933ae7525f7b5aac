"""Decodes protobuf messages: the wire facts of spec clocks 1."""
import struct
import zlib


class Corrupt(Exception):
    pass


class Fatal(Exception):
    """An error that ends the import."""


def varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Corrupt('varint')
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7


def fields(data):
    """Yields (number, value): an integer, or the bytes of a length-delimited field. Ends where the bytes are damaged."""
    try:
        yield from whole_fields(data if isinstance(data, bytes) else b'')
    except Corrupt:
        return


def whole_fields(data):
    """The same, but raises Corrupt where the bytes are damaged."""
    at, end = 0, len(data)
    while at < end:
        key = data[at]
        at += 1
        if key >= 0x80:
            key, at = varint(data, at - 1)
        if key < 8 or key > 0xFFFFFFFF:
            raise Corrupt('field number')
        kind = key & 7
        if kind == 0:
            value = data[at] if at < end else 0x80
            if value < 0x80:
                at += 1
            else:
                value, at = varint(data, at)
        elif kind == 2:
            size = data[at] if at < end else 0x80
            if size < 0x80:
                at += 1
            else:
                size, at = varint(data, at)
            if at + size > end:
                raise Corrupt('length')
            value = data[at:at + size]
            at += size
        elif kind == 1:
            value = int.from_bytes(data[at:at + 8], 'little')
            at += 8
            if at > end:
                raise Corrupt('end')
        elif kind == 5:
            value = int.from_bytes(data[at:at + 4], 'little')
            at += 4
            if at > end:
                raise Corrupt('end')
        else:
            raise Corrupt('wire type')
        if at > end:
            raise Corrupt('end')
        yield key >> 3, value


def first(data, number, default=None):
    for at, value in fields(data):
        if at == number:
            return value
    return default


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def int32(value):
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def wrap(value):
    return signed(value & 0xFFFFFFFFFFFFFFFF)


def halve(value):
    """Division by 2 that truncates toward zero."""
    return -(-value // 2) if value < 0 else value // 2


def packed(value):
    """The varints of a packed field, or the one integer of an unpacked one."""
    if isinstance(value, int):
        return [value]
    out, at = [], 0
    while at < len(value):
        number, at = varint(value, at)
        out.append(number)
    return out


def real(value):
    return struct.unpack('<d', value.to_bytes(8, 'little'))[0]


CORRUPT = 'Failed to parse proto packet fully; the trace is probably corrupt. (ERR:tp-corrupt)'


def packets(data):
    """Yields (offset, packet) of a Trace; bundles are unpacked. An incomplete packet at the end is ignored."""
    at, end = 0, len(data)
    while at < end:
        try:
            key, at = varint(data, at)
            kind = key & 7
            if kind == 2:
                size, at = varint(data, at)
                if at + size > end:
                    return
                if key >> 3 == 1 and size:
                    for packet in unpacked(data[at:at + size]):
                        yield at, packet
                at += size
            elif kind == 0:
                _, at = varint(data, at)
            elif kind in (1, 5):
                at += 8 if kind == 1 else 4
            else:
                raise Fatal(CORRUPT)
        except Corrupt as corrupt:
            if end - at < 20:
                return
            raise Fatal(CORRUPT) from corrupt


DEFLATED, ZSTANDARD = 50, 133
BAD_BUNDLE = 'Failed to decompress compressed_packets (ERR:tp-corrupt)'


def unpacked(packet, depth=0):
    has_bundle = b'\x92\x03' in packet or b'\xaa\x08' in packet
    for number, bundle in whole_fields(packet) if has_bundle else ():
        if number not in (DEFLATED, ZSTANDARD) or not isinstance(bundle, bytes):
            continue
        if depth or number == ZSTANDARD:
            raise Fatal(BAD_BUNDLE if depth else 'zstd is not read by this test')
        try:
            inside = zlib.decompress(bundle)
        except zlib.error as error:
            raise Fatal(BAD_BUNDLE) from error
        at = 0
        while at < len(inside):
            try:
                key, at = varint(inside, at)
                size, at = varint(inside, at)
            except Corrupt as corrupt:
                raise Fatal('Invalid packet size (ERR:tp-corrupt)') from corrupt
            if key != 10:
                raise Fatal('Expected TracePacket tag (ERR:tp-corrupt)')
            if at + size > len(inside):
                raise Fatal('Invalid packet size (ERR:tp-corrupt)')
            if size:
                yield from unpacked(inside[at:at + size], depth + 1)
            at += size
        return
    yield packet
