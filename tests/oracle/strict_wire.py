"""Decodes protobuf messages: the wire facts of spec clocks 1."""
import struct
import zlib


class Corrupt(Exception):
    pass


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
    """Yields (number, value): an integer, or the bytes of a length-delimited field."""
    at, end = 0, len(data)
    while at < end:
        key = data[at]
        at += 1
        if key >= 0x80:
            key, at = varint(data, at - 1)
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
        elif kind == 5:
            value = int.from_bytes(data[at:at + 4], 'little')
            at += 4
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


def packets(data):
    """Yields the packets of a Trace; bundles are unpacked. An incomplete packet at the end is ignored."""
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
                    yield from unpacked(data[at:at + size])
                at += size
            elif kind == 0:
                _, at = varint(data, at)
            elif kind in (1, 5):
                at += 8 if kind == 1 else 4
            else:
                raise Corrupt('wire type of a trace')
        except Corrupt:
            if at >= end:
                return
            raise


COMPRESSED = 50


def unpacked(packet):
    bundle = first(packet, COMPRESSED) if b'\x92\x03' in packet[:64] else None
    if bundle is None:
        yield packet
        return
    for number, inner in fields(zlib.decompress(bundle)):
        if number == 1 and inner:
            yield inner
