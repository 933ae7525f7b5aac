"""The clock rules of the reference alone (spec clocks 2 to 6, 8).

Nothing is averaged, interpolated or decided later: one step for each snapshot, at most 4 hops, the
smallest class of a pair of clocks, and no source clock whose readings went back.
"""
import bisect
from collections import Counter

from strict_wire import halve, wrap

REALTIME, REALTIME_COARSE, MONOTONIC, MONOTONIC_COARSE, MONOTONIC_RAW, BOOTTIME, PRIVATE = 1, 2, 3, 4, 5, 6, 11
MOST_HOPS = 4
MASK = 0xFFFFFFFFFFFFFFFF


class Refused(Exception):
    """A snapshot that breaks a rule of spec clocks 3.2."""

    def __init__(self, why, node):
        super().__init__(why)
        self.node = node


def mix(h):
    h ^= h >> 33
    h = h * 0xFF51AFD7ED558CCD & MASK
    h ^= h >> 33
    h = h * 0xC4CEB9FE1A85EC53 & MASK
    return h ^ h >> 33


def class_of(nodes):
    h = 0xE17A1465
    for node in nodes:
        for value in node:
            h ^= mix(value) + 0x9E3779B9 + (h << 6 & MASK) + (h >> 2) & MASK
    return h & 0xFFFFFFFF


class Domain:
    def __init__(self, unit, incremental):
        self.unit, self.incremental, self.last, self.classes = unit, incremental, 0, {}


class Graph:
    """All clocks of all files and machines. A node is (clock, sequence, file, machine)."""

    def __init__(self):
        self.domains, self.edges, self.refused_clocks = {}, {}, set()
        self.next_snapshot = 0
        self.trace_time = (PRIVATE, 0, 0, 0)
        self.stats = Counter()
        self.paths = {}
        self.place = 0, 0  # (file, offset) of the packet that is read
        self.refusals = []  # (file, offset, node, whether the snapshot is ignored)

    def add(self, readings):
        """readings: (node, timestamp, unit, incremental)."""
        snapshot, self.next_snapshot = self.next_snapshot, self.next_snapshot + 1
        self.paths = {}
        try:
            self.check_and_store(readings, snapshot)
        except Refused as refused:
            self.stats['invalid_clock_snapshots'] += 1
            self.refusals.append((*self.place, refused.node, True))
            raise

    def check_and_store(self, readings, snapshot):
        nodes = [reading[0] for reading in readings]
        kind = class_of(nodes)
        for node, ticks, unit, incremental in readings:
            domain = self.domains.get(node)
            if domain is None or not domain.classes:
                # The reading that makes a snapshot void leaves a record, too (spec clocks 3.3).
                domain = self.domains[node] = Domain(unit, incremental)
                if incremental and node[1] == 0:
                    raise Refused('global clock with incremental encoding', node)
            elif (domain.unit, domain.incremental) != (unit, incremental):
                raise Refused('different properties', node)
            if node == self.trace_time and unit != 1:
                raise Refused('unit of the trace clock', node)
            ns = wrap(ticks * unit)
            domain.last = ns
            ids, times = domain.classes.setdefault(kind, ([], []))
            if ids and ids[-1] == snapshot:
                raise Refused('duplicate clock', node)
            if times and ns < times[-1]:
                if node == self.trace_time:
                    raise Refused('the trace clock is not monotonic', node)
                if node not in self.refused_clocks:
                    self.refusals.append((*self.place, node, False))
                self.refused_clocks.add(node)
                self.edges.pop(node, None)
            ids.append(snapshot)
            times.append(ns)
        for i, a in enumerate(nodes):
            for b in nodes[i + 1:]:
                if a not in self.refused_clocks:
                    self.edges.setdefault(a, set()).add((b, kind))
                if b not in self.refused_clocks:
                    self.edges.setdefault(b, set()).add((a, kind))

    def path(self, source, target):
        key = source, target
        if key not in self.paths:
            self.paths[key] = self.search(source, target)
        return self.paths[key]

    def search(self, source, target):
        seen, level = {source}, [(source, [])]
        for _ in range(MOST_HOPS):
            following = []
            for node, path in level:
                for to, kind in sorted(self.edges.get(node, ())):
                    if to == target:
                        return path + [(node, to, kind)]
                    if to not in seen:
                        seen.add(to)
                        following.append((to, path + [(node, to, kind)]))
            level = following
        return None

    def convert(self, source, ticks, target):
        """Returns the reading of the target clock; None if there is no path."""
        if source == target:
            return ticks
        path = self.path(source, target)
        if path is None:
            return None
        domain = self.domains[source]
        ns = wrap(ticks * domain.unit)
        if domain.incremental:
            ns = domain.last = wrap(domain.last + ns)
        for a, b, kind in path:
            ids, times = self.domains[a].classes[kind]
            at = max(bisect.bisect_right(times, ns) - 1, 0)
            b_ids, b_times = self.domains[b].classes[kind]
            b_at = at if at < len(b_ids) and b_ids[at] == ids[at] else bisect.bisect_left(b_ids, ids[at])
            b_at = min(b_at, len(b_ids) - 1)  # an ignored snapshot may have stored one clock only
            ns = wrap(ns + b_times[b_at] - times[at])
        return ns

    def failure(self, source, target):
        if source not in self.domains:
            return 'clock_sync_failure_unknown_source_clock'
        if target not in self.domains:
            return 'clock_sync_failure_unknown_target_clock'
        return 'clock_sync_failure_no_path'


class Clocks:
    """The graph, trace time and its owner: one for an import."""

    def __init__(self):
        self.graph = Graph()
        self.owner = None
        self.has_trace_time = False
        self.primaries = {}  # machine row: file of its first tracker
        self.stats = self.graph.stats

    @property
    def trace_time(self):
        return self.graph.trace_time

    def set_trace_time(self, node, owner):
        self.graph.trace_time, self.owner, self.has_trace_time = node, owner, True

    def tracker(self, file, machine, from_clock=None):
        return Tracker(self, file, machine, from_clock)


class Tracker:
    """The clocks of one machine in one file."""

    def __init__(self, clocks, file, machine, from_clock):
        self.clocks, self.graph = clocks, clocks.graph
        self.file, self.machine = file, machine
        self.is_primary = clocks.primaries.setdefault(machine, file) == file
        self.tag = self.conversions = 0
        self.has_snapshot = False
        self.deferred = from_clock
        self.default = None  # (clock, sequence)

    def qualify(self, clock, sequence=0):
        if sequence:
            return clock, sequence, self.file, self.machine
        if clock == PRIVATE:
            return clock, 0, self.file, self.machine
        return clock, 0, self.tag, self.machine

    def claim(self, clock, sequence=0):
        if self.conversions:
            return
        if self.clocks.owner not in (None, self.file):
            return
        self.clocks.set_trace_time((clock, sequence, self.file if sequence or clock == PRIVATE else 0, self.machine),
                                   self.file)

    def snapshot(self, readings):
        """readings: (clock, sequence, ticks, unit, incremental)."""
        if not self.has_snapshot and not self.is_primary:
            self.tag = self.file
            if self.conversions:
                self.clocks.stats['clock_sync_mixed_clock_sources'] += 1
        self.has_snapshot = True
        known = [(self.qualify(clock, sequence), ticks, unit, incremental)
                 for clock, sequence, ticks, unit, incremental in readings]
        if not self.is_primary and self.machine != self.clocks.trace_time[3]:
            known += [((clock, 0, 0, self.machine), ticks, unit, incremental)
                      for clock, _, ticks, unit, incremental in readings if clock in (REALTIME, REALTIME_COARSE)]
        try:
            self.graph.add(known)
        except Refused:
            pass

    def identity(self, a, b):
        try:
            self.graph.add([(a, 0, 1, False), (b, 0, 1, False)])
        except Refused:
            pass

    def run_deferred(self):
        clock, self.deferred = self.deferred, None
        if clock is None:
            return
        trace_time = self.clocks.trace_time
        own = self.qualify(clock)
        shared = own if clock == PRIVATE else (clock, 0, 0, self.machine)
        convert = self.graph.convert
        if own != shared and convert(own, 0, shared) is None:
            self.identity(own, shared)
        if shared == trace_time or convert(shared, 0, trace_time) is not None:
            return
        here, there = (REALTIME, 0, 0, self.machine), (REALTIME, 0, 0, trace_time[3])
        if here != there and convert(shared, 0, here) is not None and convert(there, 0, trace_time) is not None:
            if convert(here, 0, there) is None:
                self.identity(here, there)
        elif PRIVATE in (shared[0], trace_time[0]) or shared[0] == trace_time[0]:
            self.identity(shared, trace_time)
        else:
            self.clocks.stats['clock_sync_unrelatable_clock_domains'] += 1

    def to_trace_time(self, clock, ticks, sequence=0):
        """Returns (ns, None), or (None, stat)."""
        if self.deferred is not None:
            self.run_deferred()
        self.conversions += 1
        source, target = self.qualify(clock, sequence), self.clocks.trace_time
        ns = self.graph.convert(source, ticks, target)
        return (ns, None) if ns is not None else (None, self.graph.failure(source, target))

    def remote_sync(self, elements):
        """elements: (client, host), each a list of (clock, ticks) (spec clocks 8)."""
        rounds = []
        for client, host in elements:
            self.snapshot([(clock, 0, ticks, 1, False) for clock, ticks in client])
            shown = {}
            for side, readings in enumerate((client, host)):
                for clock, ticks in readings:
                    shown.setdefault(clock, [0, 0])[side] = ticks
            rounds.append(shown)
        offsets = {}
        for before, after in zip(rounds, rounds[1:]):
            passed = (after.get(BOOTTIME, (0, 0))[0] - before.get(BOOTTIME, (0, 0))[0]) & MASK
            if passed >= 30_000_000_000:
                continue
            for clock, (c1, h1) in before.items():
                c2, h2 = after.get(clock, (0, 0))
                if c1 and h1 and c2 and h2:
                    offsets.setdefault(clock, []).extend((halve(wrap(c1 + c2)) - h1, c2 - halve(wrap(h1 + h2))))
        for clock, found in sorted(offsets.items()):
            total = sum(found)
            offset = -(-total // len(found)) if total < 0 else total // len(found)
            anchor = [shown[clock][1] for shown in rounds if clock in shown and shown[clock][1]][-1]
            try:
                self.graph.add([((clock, 0, 0, self.clocks.trace_time[3]), anchor, 1, False),
                                ((clock, 0, 0, self.machine), anchor + offset, 1, False)])
            except Refused:
                pass
