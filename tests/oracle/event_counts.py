"""Counts the events of a trace file without tracebraid, to balance its books (../books_test.py).

Each function returns counts by kind, or None for a file that it does not understand. They know the framing
of a format only: which records are events, and of which kind.
"""
import gzip
import re

# "task-123 (123) [001] d..2 12.345678: event: args", as the kernel and atrace print it
LINE = re.compile(rb'^\s*(?:\S.*)?-\d+\s+(?:\([^)]*\)\s+)?\[\d+\].*?\d+\.\d+: ')


def unpacked(path):
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data


def text_lines(data):
    """Returns the number of lines of kernel events in ftrace text."""
    return sum(LINE.match(line) is not None for line in data.splitlines())


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError('varint')


def fields(data):
    """Yields (number, wire type, value) of a message; raises ValueError or IndexError if it is damaged."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = data[at:at + 8], at + 8
        elif wire == 5:
            value, at = data[at:at + 4], at + 4
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise ValueError('wire type')
        if at > len(data) or number == 0:
            raise ValueError('length')
        yield number, wire, value


PACKET, FTRACE_EVENTS, TRACK_EVENT, COMPRESSED = 1, 1, 11, 50
BUNDLE_EVENT, BUNDLE_COMPACT = 2, 4
SWITCH_TIMES, WAKING_TIMES = 1, 7
EVENT_TYPE, LEGACY_EVENT = 9, 6


def packed(value):
    count = at = 0
    while at < len(value):
        _, at = varint(value, at)
        count += 1
    return count


def count_packets(data, counts):
    for number, wire, packet in fields(data):
        if number != PACKET or wire != 2:
            continue
        counts['packets'] += 1
        for of_packet, kind, value in fields(packet):
            if kind != 2:
                continue
            if of_packet == FTRACE_EVENTS:
                for of_bundle, _, part in fields(value):
                    counts['ftrace'] += of_bundle == BUNDLE_EVENT
                    if of_bundle == BUNDLE_COMPACT:
                        for of_compact, _, times in fields(part):
                            if of_compact == SWITCH_TIMES:
                                counts['compact_switches'] += packed(times)
                            if of_compact == WAKING_TIMES:
                                counts['compact_wakings'] += packed(times)
            elif of_packet == TRACK_EVENT:
                counts['track_events'] += 1
                members = {member: content for member, _, content in fields(value)}
                if LEGACY_EVENT in members:
                    counts['legacy'] += 1
                else:
                    counts[f'type_{members.get(EVENT_TYPE, 0)}'] += 1
            elif of_packet == COMPRESSED:
                counts['compressed'] += 1


class Counts(dict):
    def __missing__(self, key):
        return 0


def packets(data):
    """Returns the counts of a protobuf trace; None if it is damaged or has compressed packets."""
    counts = Counts()
    try:
        count_packets(data, counts)
    except (ValueError, IndexError):
        return None
    return None if counts['compressed'] else counts
