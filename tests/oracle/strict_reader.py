#!/usr/bin/env python3
"""A strict reader of Perfetto traces: what a program that follows the reference's rules alone makes of a file.

  strict_reader.py FILE...      prints counts of rows and stats of each file as JSON

A file is a protobuf trace, or a ZIP or TAR of such traces with or without a manifest. Written from docs/spec
(clocks-and-merging, perfetto-proto) alone; it shares no code with src/.
"""
import gzip
import io
import json
import re
import sys
import tarfile
import zipfile
from collections import Counter

import strict_manifest
from strict_clocks import BOOTTIME, MONOTONIC, MONOTONIC_COARSE, MONOTONIC_RAW, PRIVATE, REALTIME, Clocks
from strict_tables import NAME_DESCRIPTOR, NAME_TREE, Machine, Track
from strict_tally import KERNEL, NO_EVENTS, NO_STATE, OWN_TIMES, Tally, sort_of_track_event, sorts_of
from strict_wire import CORRUPT, Corrupt, Fatal, fields, first, int32, packed, packets, real, signed, whole_fields

CLEARED, NEEDS = 1, 2
NO_PATH, NEGATIVE = 'clock_sync_failure_undeferrable_packet_loss', 'trace_sorter_negative_timestamp_dropped'
SLICE_BEGIN, SLICE_END, INSTANT, COUNTER, STATE = 1, 2, 3, 4, 5
FTRACE_SWITCH, FTRACE_WAKING, FTRACE_GENERIC = 4, 20, 327


class Sequence:
    def __init__(self):
        self.valid = False
        self.thread = None  # (pid, tid)
        self.clear()

    def clear(self):
        self.names, self.categories, self.counters = {}, {}, {}
        self.clock = self.track = None

    def read_defaults(self, message):
        self.clock = self.track = None
        for number, value in fields(message):
            if number == 58:
                self.clock = value
            elif number == 11:
                self.track = first(value, 11)

    def read_interned(self, message):
        for number, value in fields(message):
            known = self.categories if number == 1 else self.names if number == 2 else None
            if known is not None:
                known.setdefault(first(value, 1), first(value, 2, b'').decode(errors='replace'))


class Import:
    """All files of one input."""

    def __init__(self):
        self.clocks = Clocks()
        self.stats = self.clocks.stats
        self.machines, self.by_raw_id = [], {}
        self.events = []  # (ts, order, function, arguments)
        self.latest = 0
        self.slices, self.counters, self.states, self.logs, self.kernel_rows = [], [], [], [], []
        self.samples, self.dumps, self.graphs = [], [], []
        self.lost = Counter()  # events without a row, by (kind, cause)
        self.tally, self.at = Tally(), 0
        self.other_files = {}  # file: whether all its events are lost
        self.error = None  # (file, offset, message) of the error that ends the import

    def machine(self, raw_id):
        if raw_id not in self.by_raw_id:
            self.by_raw_id[raw_id] = Machine(len(self.machines), raw_id)
            self.machines.append(self.by_raw_id[raw_id])
        return self.by_raw_id[raw_id]

    def push(self, kind, ts, function, *arguments):
        if ts < 0:
            stat = 'track_event_invalid_timestamp' if kind == 'track_event' else NEGATIVE
            self.stats[stat] += 1
            self.lost[kind, stat] += 1
            return
        self.latest = max(self.latest, ts)
        self.events.append((ts, len(self.events), function, arguments))

    def finish(self):
        self.events.sort(key=lambda event: event[:2])
        for ts, _, function, arguments in self.events:
            function(ts, *arguments)
        self.events = []
        for machine in self.machines:
            self.stats.update(machine.scheduling.stats)


class File:
    """Reads one protobuf trace: dispatches packets to machines (spec clocks 4.1)."""

    def __init__(self, whole, number, entry=None):
        self.whole, self.number, self.entry = whole, number, entry or strict_manifest.Entry()
        self.base, self.contexts = None, {}
        self.host_used = self.has_decided = False

    def add_base(self, raw_id):
        self.base = self.contexts[0] = Context(self, self.whole.machine(raw_id))
        return self.base

    def context(self, raw_id):
        if raw_id == 0:
            return self.base or self.add_base(self.entry.base if self.entry.base is not None else 0)
        if self.entry.is_of_one_machine:
            raise Fatal('perfetto_manifest: a `machine` override attributes the file to one machine')
        if self.entry.is_pinned:
            raise Fatal('perfetto_manifest: a `clocks` override applies only to a single-machine file')
        if not self.has_decided:
            self.has_decided = True
            # The file's own machine is that of its packets, if all have one id.
            if not self.host_used and self.entry.base is None and not self.entry.remap and raw_id not in self.whole.by_raw_id:
                self.contexts[raw_id] = self.add_base(raw_id)
        if raw_id not in self.contexts:
            if self.entry.remap and raw_id not in self.entry.remap:
                raise Fatal(f'perfetto_manifest: machines: trace has a packet from undeclared machine id {raw_id}')
            known = self.entry.remap.get(raw_id, raw_id)
            self.contexts[raw_id] = Context(self, self.whole.machine(known), self.base and self.base.tracker.default)
        return self.contexts[raw_id]

    def read(self, data):
        deferred = []
        for self.whole.at, packet in packets(data):
            self.whole.clocks.graph.place = self.number, self.whole.at
            self.read_packet(packet, deferred)
        for at, context, sequence, packet, known in deferred:
            self.whole.at = at
            self.whole.clocks.graph.place = self.number, at
            context.read_timed(packet, sequence, known, None)

    def read_packet(self, packet, deferred):
        known, rest = {}, []
        try:
            for number, value in whole_fields(packet):
                if number in HEAD:
                    known[number] = value
                elif isinstance(value, bytes):
                    rest.append((number, value))
        except Corrupt as corrupt:
            raise Fatal(CORRUPT) from corrupt
        raw_id = known.get(98, 0)
        if raw_id == 0 and 36 not in known:
            self.host_used = True
        self.context(raw_id).read(known, rest, deferred)


CLOCK = 'clock'  # of a packet that waits for the end of the file
HEAD = {3, 79, 8, 58, 10, 98, 12, 13, 41, 59, 42, 87, 36}


class Context:
    """One machine of one file."""

    def __init__(self, file, machine, default=None):
        self.file, self.whole, self.machine = file, file.whole, machine
        self.stats = self.whole.stats
        self.tracker = self.whole.clocks.tracker(file.number, machine.row, BOOTTIME)
        self.tracker.default = default
        machine.use_idle()
        self.sequences, self.descriptors, self.tracks = {}, {}, {}
        self.clock = 0  # of the packet that is read, for the tally
        self.last_tid = {}  # compact switches, by CPU
        self.last_stamp = None
        self.profiles = {}

    def sequence(self, number):
        if number not in self.sequences:
            self.sequences[number] = Sequence()
        return self.sequences[number]

    def read(self, known, rest, deferred):
        number = known.get(10, 0)
        sequence = self.sequence(number)
        if 10 in known:
            if known.get(41) or known.get(13, 0) & CLEARED:
                sequence.clear()
                sequence.valid = True
            elif known.get(42):
                sequence.valid = False
            if 59 in known:
                sequence.read_defaults(known[59])
            if 12 in known and sequence.valid:
                sequence.read_interned(known[12])
        for kind, value in rest:
            if kind == 6:
                self.read_snapshot(value, number)
                return
            if kind == 107:
                self.read_sync(value)
                return
            if kind == 69:
                clock = known.get(58) or BOOTTIME
                self.tracker.to_trace_time(clock, signed(known.get(8, 0)), number if 64 <= clock <= 127 else 0)
                return
        if rest and known.get(13, 0) & NEEDS and number == 0:
            raise Fatal("TracePacket specified SEQ_NEEDS_INCREMENTAL_STATE but the TraceWriter's sequence_id is zero")
        if rest and known.get(13, 0) & NEEDS and not sequence.valid:
            self.stats[NO_STATE] += 1
            clock = known.get(58) or sequence.clock or (self.tracker.default or [0])[0]
            for kind, value in rest:
                self.lose(clock, sorts_of(kind, TrackEvent(value, sequence) if kind == 11 else value), NO_STATE)
            return
        if rest:
            # Names are looked up now: the state of the sequence changes later.
            self.read_timed([self.prepared(kind, value, sequence) for kind, value in rest], number, known, deferred)

    def lose(self, clock, sorts, stat):
        self.whole.tally.lose((self.file.number, self.machine.row, clock), sorts, stat, self.whole.at)

    def place(self, clock, sort, ns):
        self.whole.tally.place((self.file.number, self.machine.row, clock), sort, ns, self.whole.at)

    def prepared(self, kind, value, sequence):
        return kind, (TrackEvent(value, sequence) if kind == 11 else value)

    def read_snapshot(self, message, number):
        if self.file.entry.is_pinned:
            raise Fatal('perfetto_manifest: clock overrides require the trace to use a single clock')
        clocks, primary = [], 0
        for field, value in fields(message):
            if field == 2:
                primary = value
            elif field == 1:
                clock = dict(fields(value))
                ident = clock.get(1, 0)
                if 64 <= ident <= 127 and number == 0:
                    raise Fatal(f'ClockSnapshot packet is specifying a sequence-scoped clock id ({ident}) but the '
                                'TracePacket sequence_id is zero')
                clocks.append((ident, number if 64 <= ident <= 127 else 0, signed(clock.get(2, 0)), clock.get(4, 0) or 1,
                               bool(clock.get(3))))
        idents = [clock[0] for clock in clocks]
        claimed = primary or (BOOTTIME if BOOTTIME in idents and 11 not in idents else 0)
        if claimed:
            sequence = number if 64 <= claimed <= 127 else 0
            self.tracker.claim(claimed, sequence)
            self.tracker.default = claimed, sequence
        self.tracker.snapshot(clocks)

    def read_sync(self, message):
        def clocks(side):
            return [(first(c, 1, 0), signed(first(c, 2, 0))) for n, c in fields(side) if n == 1]
        self.tracker.remote_sync([(clocks(first(e, 2, b'')), clocks(first(e, 3, b'')))
                                  for n, e in fields(message) if n == 1])

    # ---- time ----

    def convert(self, clock, ticks, sequence=0, stat_on_failure=True):
        ns, stat = self.tracker.to_trace_time(clock, ticks, sequence)
        if ns is None and stat_on_failure:
            self.stats[stat] += 1
        return ns

    def clock_of(self, known, number):
        if CLOCK in known:
            return known[CLOCK]
        clock = known.get(58) or self.sequence(number).clock
        found = (clock, number if 64 <= clock <= 127 else 0) if clock else self.tracker.default
        if found and 64 <= found[0] <= 127 and found[1] == 0:
            raise Fatal(f'TracePacket specified a sequence-local clock id ({found[0]}) but the TraceWriter\'s '
                        'sequence_id is zero')
        return found

    def read_timed(self, payloads, number, known, deferred):
        """Reads events; `deferred` is None at the end of the file."""
        is_last = deferred is None
        kinds = {kind for kind, _ in payloads}
        self.clock = 0
        if 8 not in known:
            ts = self.whole.latest
        else:
            ts = signed(known[8])
            is_chrome = kinds & {5, 51} and (known.get(58) or MONOTONIC) == MONOTONIC
            clock = None if is_chrome else self.clock_of(known, number)
            self.clock = MONOTONIC if is_chrome else clock[0] if clock else 0
            if is_chrome:
                converted = self.convert(MONOTONIC, ts)
                ts = ts if converted is None else converted
            elif clock is not None:
                ns, stat = self.tracker.to_trace_time(clock[0], ts, clock[1])
                if ns is None:
                    if not is_last:
                        known[CLOCK] = clock  # the defaults may change
                        deferred.append((self.whole.at, self, number, payloads, known))
                        return
                    self.stats[stat] += 1
                    self.stats[NO_PATH] += 1
                    for kind in kinds:
                        self.whole.lost[KINDS.get(kind, 'packet'), stat] += 1
                    for kind, value in payloads:
                        self.lose(clock[0], sorts_of(kind, value), stat)
                    return
                ts = ns
        self.whole.latest = max(self.whole.latest, ts)
        for kind, value in payloads:
            if kind not in OWN_TIMES and kind not in NO_EVENTS:
                self.place(self.clock, sorts_of(kind, value)[0], ts)
            reader = READERS.get(kind)
            if reader is not None:
                reader(self, ts, value, number, 8 in known)

    # ---- payloads ----

    def read_track_event(self, ts, event, number, has_time):
        if number == 0:
            return
        sequence = self.sequence(number)
        if event.absolute is not None:
            ns = max(min(event.absolute * 1000, (1 << 63) - 1), -(1 << 63))
            converted = self.convert(MONOTONIC, ns, stat_on_failure=False) if ns >= 0 else None
            ts = ns if converted is None else converted
            self.place(MONOTONIC, event.sort, ts)
        elif has_time or event.has_delta:
            self.place(self.clock, event.sort, ts)
        if event.absolute is None and not has_time:
            self.stats['track_event_missing_timestamp'] += 1
            return
        uuid = event.track if event.track is not None else event.default_track
        if event.kind == COUNTER and not self.descriptors.get(uuid, {}).get('counter'):
            self.stats['track_event_counter_invalid_track_uuid'] += 1
            return
        if event.kind == COUNTER:
            self.whole.push('track_event', ts, self.add_counter, event.value, uuid)
            return
        owner = sequence.thread if uuid is None else None
        self.whole.push('track_event', ts, self.add_track_event, event, uuid, owner)

    def add_counter(self, ts, value, uuid):
        if self.track(uuid) is not None:
            self.whole.counters.append((self.machine, ts, value))

    def add_track_event(self, ts, event, uuid, owner):
        track = self.track(uuid, owner)
        if track is None:
            return
        if event.kind == SLICE_BEGIN:
            track.begin(ts, -1, event.name, event.category, self.whole.slices, self.stats)
        elif event.kind == SLICE_END:
            track.end(ts, event.name, event.category, self.stats)
        elif event.kind == INSTANT:
            track.begin(ts, 0, event.name, event.category, self.whole.slices, self.stats)
        elif event.kind == STATE:
            track.set_state(ts, event.name, self.whole.states)

    def track(self, uuid, owner=None):
        """Returns the track of a uuid; None if its hierarchy is broken (spec proto 2.4)."""
        key = ('thread', owner) if uuid is None and owner else uuid or 0
        if key in self.tracks and self.is_current(key):
            return self.tracks[key]
        thread = None
        if isinstance(key, tuple):
            thread = self.machine.associate(owner[1], owner[0])
            key = 'thread', thread
            if key in self.tracks:
                return self.tracks[key]
        else:
            at, seen = key, set()
            while at in self.descriptors:
                about = self.descriptors[at]
                if at in seen or len(seen) > 100:
                    self.stats['track_event_parser_errors'] += 1
                    return None
                seen.add(at)
                if 'thread' in about:
                    pid, tid = about['thread']
                    thread = self.machine.thread_of_uuid(at, tid, pid)
                    break
                if 'process' in about:
                    self.machine.process_of_uuid(at, about['process'])
                    break
                parent = about.get('parent', 0)
                if parent and parent not in self.descriptors:
                    self.stats['track_hierarchy_missing_uuid'] += 1
                    return None
                at = parent if parent else None
        self.tracks[key] = track = Track(self.machine, thread)
        return track

    def is_current(self, key):
        return not isinstance(key, tuple) or key[1] is not None

    def read_descriptor(self, ts, message, number, has_time):
        about, uuid = {}, 0
        for field, value in fields(message):
            if field == 1:
                uuid = value
            elif field == 3:
                about['process'] = int32(first(value, 1, 0))
                about['process_name'] = first(value, 6)
            elif field == 4:
                about['thread'] = int32(first(value, 1, 0)), signed(first(value, 2, 0))
                about['thread_name'] = first(value, 5)
            elif field == 5 and value and about.get('process') is not None:
                about['chrome'] = value
            elif field == 7 and first(value, 3) and 'thread' in about:
                about['thread'] = about['thread'][0], about['thread'][0] << 32 | about['thread'][1]
            elif field == 8:
                about['counter'] = dict(fields(value)) or {0: 0}
            elif field == 5:
                pass
        parent = first(message, 5)
        if isinstance(parent, int):
            about['parent'] = parent
        self.descriptors.setdefault(uuid, about)
        sequence = self.sequence(number)
        if 'thread' in about and sequence.valid:
            sequence.thread = about['thread']
        self.whole.push('descriptor', ts, self.add_descriptor, uuid, about)

    def add_descriptor(self, ts, uuid, about):
        def text(name):
            return None if about.get(name) is None else about[name].decode(errors='replace')
        if 'thread' in about:
            pid, tid = about['thread']
            self.machine.thread_of_uuid(uuid, tid, pid).rename(text('thread_name'), NAME_DESCRIPTOR)
        elif 'process' in about:
            self.machine.process_of_uuid(uuid, about['process']).rename(text('process_name'), NAME_DESCRIPTOR)

    def read_ftrace(self, ts, message, number, has_time):
        bundle = {'events': [], 'compact': []}
        for field, value in fields(message):
            if field == 2:
                bundle['events'].append(value)
            elif field == 4:
                bundle['compact'].append(value)
            else:
                bundle[field] = value
        cpu = bundle.get(1)
        if cpu is None:
            self.stats['ftrace_bundle_tokenizer_errors'] += 1
            return
        if bundle.get(5, 0) not in (0, 2, 3, 4):
            raise Fatal('Unable to parse ftrace packets with unknown clock')
        clock, sequence = {0: (BOOTTIME, 0), 4: (MONOTONIC_RAW, 0)}.get(bundle.get(5, 0), (64, number))
        if 6 in bundle and 7 in bundle and bundle[6] != self.last_stamp:
            self.last_stamp = bundle[6]
            self.tracker.snapshot([(clock, sequence, signed(bundle[6]), 1, False),
                                   (BOOTTIME, 0, signed(bundle[7]), 1, False)])
        for event in bundle['events']:
            self.read_kernel_event(event, cpu, clock, sequence)
        for compact in bundle['compact']:
            self.read_compact(compact, cpu, clock, sequence)

    def own_time(self, sort, kind, clock, ticks, sequence=0):
        """Returns the time of an event that has one of its own, or None."""
        ns, stat = self.tracker.to_trace_time(clock, ticks, sequence)
        if ns is None:
            self.stats[stat] += 1
            self.whole.lost[kind, 'clock'] += 1
            self.lose(clock, [sort], stat)
        else:
            self.place(clock, sort, ns)
        return ns

    def time_of_kernel(self, sort, ticks, clock, sequence):
        return self.own_time(sort, 'ftrace', clock, signed(ticks), sequence)

    def read_kernel_event(self, message, cpu, clock, sequence):
        ticks, pid, kind, body = None, None, None, b''
        for field, value in fields(message):
            if field == 1:
                ticks = value
            elif field == 2:
                pid = int32(value)
            elif isinstance(value, bytes) and kind is None:
                kind, body = field, value
        if ticks is None or kind is None:
            self.stats['ftrace_bundle_tokenizer_errors' if ticks is None else 'ftrace_missing_event_id'] += 1
            return
        ts = self.time_of_kernel(KERNEL.get(kind, 'kernel events'), ticks, clock, sequence)
        if ts is not None:
            self.whole.push('ftrace', ts, self.add_kernel_event, cpu, pid or 0, kind, body)

    def add_kernel_event(self, ts, cpu, pid, kind, body):
        scheduling = self.machine.scheduling
        values = dict(fields(body)) if kind in (FTRACE_SWITCH, FTRACE_WAKING, FTRACE_GENERIC) else {}

        def text(field):
            return values[field].decode(errors='replace') if field in values else None
        if kind == FTRACE_GENERIC:
            self.whole.kernel_rows.append((self.machine, ts, text(1), cpu))
        if kind == FTRACE_SWITCH:
            scheduling.switch(ts, cpu, int32(values.get(2, 0)), text(1), signed(values.get(4, 0)),
                              int32(values.get(6, 0)), text(5), int32(values.get(7, 0)))
            return
        self.machine.thread(pid)
        if kind == FTRACE_WAKING:
            scheduling.waking(ts, int32(values.get(2, 0)), text(1))

    def read_compact(self, message, cpu, clock, sequence):
        lists, names = {}, []
        for field, value in fields(message):
            if field == 5:
                names.append(value.decode(errors='replace'))
            else:
                lists.setdefault(field, []).extend(packed(value))

        def rows(*numbers):
            return zip(*(lists.get(number, []) for number in numbers))
        ticks = 0
        for delta, state, tid, priority, name in rows(1, 2, 3, 4, 6):
            ticks += delta
            ts = self.time_of_kernel('switches', ticks, clock, sequence)
            if ts is not None:
                self.whole.push('ftrace', ts, self.add_compact_switch, cpu, signed(state), int32(tid), int32(priority),
                                names[name] if name < len(names) else None)
        ticks = 0
        for delta, tid in rows(7, 8):
            ticks += delta
            ts = self.time_of_kernel('wakeups', ticks, clock, sequence)
            if ts is not None:
                self.whole.push('ftrace', ts, self.add_compact_waking, cpu, int32(tid))

    def add_compact_switch(self, ts, cpu, state, tid, priority, comm):
        if cpu not in self.last_tid:
            self.stats['compact_sched_switch_skipped'] += 1
            self.machine.thread(tid).rename(comm, 1)
        else:
            self.machine.scheduling.switch(ts, cpu, self.last_tid[cpu], None, state, tid, comm, priority)
        self.last_tid[cpu] = tid

    def add_compact_waking(self, ts, cpu, tid):
        if cpu not in self.last_tid:
            self.stats['compact_sched_waking_skipped'] += 1
        else:
            self.machine.scheduling.waking(ts, tid)

    def read_log(self, ts, message, number, has_time):
        for field, value in fields(message):
            if field != 1:
                continue
            line = dict(fields(value))
            at = self.own_time('log lines', 'log', REALTIME, signed(line.get(5, 0)))
            if at is None:
                continue
            self.whole.push('log', at, self.add_log, int32(line.get(2, 0)), int32(line.get(3, 0)), line.get(8, b''))

    def add_log(self, ts, pid, tid, message):
        if tid or pid:
            self.machine.associate(tid, pid)
        self.whole.logs.append((self.machine, ts, message.decode(errors='replace')))

    def read_tree(self, ts, message, number, has_time):
        self.whole.push('process_tree', ts, self.add_tree, message)

    def add_tree(self, ts, message):
        threads = []
        for field, value in fields(message):
            if field == 2:
                threads.append(dict(fields(value)))
            if field != 1:
                continue
            words = [v.decode(errors='replace') for n, v in fields(value) if n == 3]
            if not words:
                continue
            about = {n: v for n, v in fields(value) if n in (1, 2)}
            self.machine.process(int32(about.get(2, 0)))
            name = words[0].split(' ')[0] if len(words) == 1 else words[0]
            self.machine.process(int32(about.get(1, 0))).rename(name, 4)
        for about in threads:
            name = about.get(2)
            thread = self.machine.associate(int32(about.get(1, 0)), int32(about.get(3, 0)))
            thread.rename(name.decode(errors='replace') if name is not None else None, NAME_TREE)

    def read_task(self, ts, message, number, has_time):
        self.whole.push('task', ts, self.add_task, dict(fields(message)))

    def add_task(self, ts, about):
        comm = about[2].decode(errors='replace') if 2 in about else None
        self.machine.scheduling.task_state(ts, about.get(1, 0), comm, signed(about.get(3, 0)), about.get(4, 0),
                                           int32(about.get(5, 0)))

    def read_task_tree(self, ts, message, number, has_time):
        self.whole.push('process_tree', ts, self.add_task_tree, message)

    def add_task_tree(self, ts, message):
        """Processes have no main thread of their own here (spec proto 6.1)."""
        for field, value in fields(message):
            about = dict(fields(value)) if field == 1 else {}
            if 3 in about:
                self.machine.process(signed(about.get(2, 0)), has_main_thread=False)
                process = self.machine.process(signed(about.get(1, 0)), has_main_thread=False)
                process.rename(about[3].decode(errors='replace').split(' ')[0], 4)
        for field, value in fields(message):
            if field == 2:
                about = dict(fields(value))
                process = self.machine.process(signed(about.get(2, 0)), has_main_thread=False)
                thread = self.machine.thread_in(signed(about.get(1, 0)), process)
                thread.rename(about[3].decode(errors='replace') if 3 in about else None, NAME_TREE)

    def read_system(self, ts, message, number, has_time):
        for field, value in fields(message):
            if field == 17:
                self.machine.name = value.decode(errors='replace')
            if field == 1:
                release = first(value, 3, b'').decode(errors='replace').split('.')
                sysname = first(value, 1, b'Linux')
                if len(release) > 1 and sysname == b'Linux':
                    digits = [''.join(c for c in part if c.isdigit()) for part in release[:2]]
                    if all(digits):
                        self.machine.scheduling.release = int(digits[0]), int(digits[1])

    def read_sample(self, ts, message, number, has_time):
        about = dict(fields(message))
        if 18 not in about:
            self.whole.push('sample', ts, self.add_sample, int32(about.get(2, 0)), int32(about.get(3, 0)))

    def add_sample(self, ts, pid, tid):
        self.machine.associate(tid, pid)
        self.whole.samples.append((self.machine, ts))

    def read_profile(self, ts, message, number, has_time):
        dumps = self.profiles.setdefault(number, {})
        for field, value in fields(message):
            if field == 5:
                about = {n: v for n, v in fields(value) if n in (1, 9, 11)}
                dumps[about.get(1, 0), about.get(11, b'malloc')] = signed(about.get(9, 0))
        if first(message, 6):
            return
        self.profiles[number] = {}
        for (pid, _), ticks in dumps.items():
            at = self.own_time('heap dumps', 'heap_dump', MONOTONIC_COARSE, ticks)
            if at is not None:
                self.whole.push('heap_dump', at, self.add_dump, pid)

    def add_dump(self, ts, pid):
        self.machine.process(pid)
        self.whole.dumps.append((self.machine, ts))

    def read_graph(self, ts, message, number, has_time):
        if not first(message, 5):
            self.whole.push('heap_graph', ts, lambda at: self.whole.graphs.append((self.machine, at)))


class TrackEvent:
    def __init__(self, message, sequence):
        self.track = self.name = self.absolute = self.value = None
        self.kind, categories, name_iid, phase, self.has_delta = 0, [], None, 0, False
        for number, value in fields(message):
            if number == 9:
                self.kind = value
            elif number == 11:
                self.track = value
            elif number == 10:
                name_iid = value
            elif number == 23:
                self.name = value.decode(errors='replace')
            elif number == 3:
                categories += [sequence.categories.get(iid) for iid in packed(value)]
            elif number == 22:
                categories.append(value.decode(errors='replace'))
            elif number == 30:
                self.value = float(signed(value))
            elif number == 44:
                self.value = real(value)
            elif number == 16:
                self.absolute = signed(value)
            elif number == 1:
                self.has_delta = True
            elif number == 6:
                phase = next((v for n, v in reversed(list(fields(value))) if n == 2), 0)
        self.sort = sort_of_track_event(self.kind, phase)
        if name_iid is not None:
            self.name = sequence.names.get(name_iid)
        self.category = ','.join(c for c in categories if c is not None) if categories else None
        self.default_track = sequence.track


KINDS = {11: 'track_event', 1: 'ftrace', 39: 'log', 60: 'descriptor', 66: 'sample', 2: 'process_tree', 37: 'heap_dump',
         56: 'heap_graph'}
READERS = {11: Context.read_track_event, 60: Context.read_descriptor, 1: Context.read_ftrace, 39: Context.read_log,
           2: Context.read_tree, 117: Context.read_task, 122: Context.read_task_tree, 45: Context.read_system, 66: Context.read_sample, 37: Context.read_profile,
           56: Context.read_graph}


class Node:
    """A file: a row of trace_file."""

    def __init__(self, name, data, parent=None):
        self.name, self.data, self.parent, self.children = name, data, parent, []
        self.row = 0

    def rank(self):
        """Reading order within an archive (spec clocks 11.3)."""
        if strict_manifest.is_manifest(self.data):
            return -1
        if is_archive(self.data):
            return 1
        if is_symbols(self.data):
            return 3
        return 0 if is_proto(self.data) else 2


def is_symbols(data):
    """The first field of the first packet is module_symbols (spec clocks 11.1)."""
    return re.match(rb'\n[\x01-\x7f]\xea\x03|\n[\x80-\xff]+[\x00-\x7f]\xea\x03', data[:16], re.DOTALL) is not None


def is_proto(data):
    return data[:1] == b'\x0a' and not re.match(rb'\s*\[?\s*\{\s*"', data[:128])


def is_archive(data):
    return data[:2] == b'\x1f\x8b' or data[:4] == b'PK\x03\x04' or data[257:262] == b'ustar'


def members(data):
    """Returns (name, bytes) of the files of an archive in physical order."""
    if data[:2] == b'\x1f\x8b':
        return [('', gzip.decompress(data))]
    if data[:4] == b'PK\x03\x04':
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [(entry.filename, archive.read(entry)) for entry in archive.infolist() if not entry.is_dir()]
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return [(entry.name, archive.extractfile(entry).read()) for entry in archive if entry.isfile()]


def tree(data):
    """Returns all files: the members of an archive one after another, then those of the archives among them."""
    nodes = [Node(None, data)]

    def expand(node):
        if not is_archive(node.data):
            return
        found = [m for m in members(node.data)
                 if not any(part.startswith('.') and part not in ('.', '..') for part in m[0].split('/'))]
        node.children = [Node(name, content, node) for name, content in found]
        for child in node.children:
            child.row = len(nodes)
            nodes.append(child)
        for child in sorted(node.children, key=lambda child: child.name.encode()):
            expand(child)
    expand(nodes[0])
    return nodes


def in_reading_order(node):
    for child in sorted(node.children, key=lambda child: (child.rank(), child.name.encode(), child.row)):
        yield child
        yield from in_reading_order(child)


OTHER_CLOCKS = ((r'\{"(meta|libs)"', PRIVATE), (r'\[?\{"', PRIVATE), (r'#tracer', MONOTONIC), (r'#ninjalog', 0))


def read_other(whole, node, entry):
    """Reads a file of another format: its clock is related to trace time, or all its events are lost."""
    head = re.sub(r'\s', '', node.data[:128].decode('latin-1'))
    clock = next((clock for start, clock in OTHER_CLOCKS if re.match(start, head)), None)
    if clock is None:
        raise ValueError(f'{node.name}: not a format that is read')
    if head.startswith('#ninjalog') and node.parent:
        raise Fatal('Ninja traces currently do not support being contained inside other trace formats.')
    whole.other_files[node.row] = False
    if not clock:
        return
    base = entry.base if entry and entry.base is not None else 0
    whole.clocks.graph.place = node.row, 0
    tracker = whole.clocks.tracker(node.row, whole.machine(base).row, clock)
    tracker.claim(clock)
    whole.other_files[node.row] = tracker.to_trace_time(clock, 0)[0] is None


def read(data):
    """Reads an input and returns the Import."""
    whole, manifest, has_read = Import(), None, False
    nodes = tree(data)
    numbers = {node.name: node.row for node in reversed(nodes) if node.name}
    for node in [nodes[0], *in_reading_order(nodes[0])]:
        whole.at = 0
        try:
            if strict_manifest.is_manifest(node.data):
                if manifest:
                    raise Fatal('multiple perfetto_manifest files in archive')
                if has_read:
                    raise Fatal('perfetto_manifest file must be the first trace file in the input')
                whole.clocks.graph.place = node.row, 0
                manifest = strict_manifest.Manifest(node.data, whole, node.row, numbers)
            elif node.data and not is_archive(node.data):
                has_read = True
                entry = manifest.entry(node.name) if manifest else None
                if is_symbols(node.data):
                    whole.other_files[node.row] = False
                elif is_proto(node.data):
                    File(whole, node.row, entry).read(node.data)
                else:
                    read_other(whole, node, entry)
        except Fatal as error:
            whole.error = node.row, whole.at, str(error)
            break
    whole.finish()
    return whole


def summary(whole):
    tables = {'slice': len(whole.slices), 'counter': len(whole.counters), 'state': len(whole.states),
              'sched': sum(len(m.scheduling.sched) for m in whole.machines),
              'thread': sum(len(m.threads) for m in whole.machines),
              'process': sum(len(m.processes) for m in whole.machines), 'log': len(whole.logs),
              'sample': len(whole.samples), 'heap_dump': len(whole.dumps)}
    lost = [{'kind': kind, 'cause': cause, 'count': count} for (kind, cause), count in sorted(whole.lost.items())]
    return {'tables': tables, 'stats': {k: v for k, v in sorted(whole.stats.items()) if v}, 'lost': lost}


def main():
    for path in sys.argv[1:]:
        with open(path, 'rb') as file:
            print(json.dumps({'file': path, **summary(read(file.read()))}, indent=1))


if __name__ == '__main__':
    main()
