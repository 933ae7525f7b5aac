"""Which events a strict reader places and loses, by file, machine and clock.

Counts packets and the events in them as `tracebraid check --as-reference` does: a track event without a type counts by
the phase of its legacy event, and settings, statistics and names of the recorder are no events.
"""
from collections import Counter

from strict_wire import fields, packed

TRACK_EVENT, FTRACE, LOG, SAMPLE, PROFILE, HEAP_GRAPH, DESCRIPTOR, TREE = 11, 1, 39, 66, 37, 56, 60, 2
OWN_TIMES = {FTRACE, LOG, PROFILE, TRACK_EVENT}
# Settings, statistics and names.
NO_EVENTS = {33, 34, 35, 45, 51, 61, 64, 67, 72, 78, 82, 89, 124, 125, 126}
TYPES = {1: 'slices', 2: 'ends of slices', 3: 'instants', 4: 'counter values', 5: 'states'}
PHASES = {**dict.fromkeys(map(ord, 'BXbS'), 'slices'), **dict.fromkeys(map(ord, 'EeF'), 'ends of slices'),
          **dict.fromkeys(map(ord, 'Iin'), 'instants')}
KERNEL = {4: 'switches', 20: 'wakeups'}
OTHERS = {SAMPLE: 'samples', PROFILE: 'heap dumps', HEAP_GRAPH: 'heap graphs', DESCRIPTOR: 'track descriptors',
          TREE: 'process lists'}
NO_STATE = 'packet_skipped_seq_needs_incremental_state_invalid'
BEFORE_ZERO = 'trace_sorter_negative_timestamp_dropped'


def sort_of_track_event(kind, phase):
    return PHASES.get(phase, 'track events') if kind == 0 else TYPES.get(kind, 'track events')


def kernel_sorts(bundle):
    """Returns the sort of each kernel event of a bundle, without their times."""
    sorts, has_cpu = [], False
    for number, value in fields(bundle):
        has_cpu |= number == 1
        if number == 2:
            inner = list(fields(value))
            payload = next((n for n, v in inner if n not in (1, 2) and isinstance(v, bytes)), None)
            if payload is not None and any(n == 1 for n, _ in inner):
                sorts.append(KERNEL.get(payload, 'kernel events'))
        if number == 4:
            lists = {}
            for field, v in fields(value):
                if field != 5:
                    lists.setdefault(field, []).extend(packed(v))
            sorts += ['switches'] * min(len(lists.get(n, ())) for n in (1, 2, 3, 4, 6))
            sorts += ['wakeups'] * min(len(lists.get(n, ())) for n in (7, 8))
    return sorts if has_cpu else []


def sorts_of(field, value):
    """Returns the sorts of the events of a payload."""
    if field in NO_EVENTS:
        return []
    if field == TRACK_EVENT:
        return [value.sort]
    if field == FTRACE:
        return kernel_sorts(value)
    if field == LOG:
        return ['log lines' for number, _ in fields(value) if number == 1]
    return [OTHERS.get(field, 'other packets')]


class Row:
    def __init__(self):
        self.all, self.lost, self.times = Counter(), {}, []


class Tally:
    def __init__(self):
        self.rows = {}  # (file, machine row, clock): Row

    def row(self, key):
        return self.rows.setdefault(key, Row())

    def place(self, key, sort, ns, at):
        if ns < 0:
            self.lose(key, [sort], BEFORE_ZERO, at)
            return
        row = self.row(key)
        row.all[sort] += 1
        row.times = [min(row.times[0], ns), max(row.times[1], ns)] if row.times else [ns, ns]

    def lose(self, key, sorts, stat, at):
        if not sorts:
            return
        row = self.row(key)
        row.all.update(sorts)
        counts, _ = row.lost.setdefault(stat, (Counter(), at))
        counts.update(sorts)
