"""A slow and plain importer of Perfetto traces, to compare tracebraid with.

It makes random traces, as packets that are plain lists, and computes the expected rows: track
events of several sequences with interned names, lost state and defaults; counters; scheduling, as
single events and in the compact form. Times of scheduler events are distinct.
"""
import random

BOOTTIME = 6
CLEARED, NEEDS = 1, 2  # sequence_flags


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def message(*fields):
    """Encodes fields (number, value): integers, texts, bytes, and lists of integers, which are packed."""
    out = bytearray()
    for number, value in fields:
        if isinstance(value, list):
            value = b''.join(map(varint, value))
        if isinstance(value, str):
            value = value.encode()
        if isinstance(value, bytes):
            out += varint(number << 3 | 2) + varint(len(value)) + value
        else:
            out += varint(number << 3) + varint(value)
    return bytes(out)


class Stack:
    """The slices of one track: open ones, and closed ones that contain others."""

    def __init__(self, rows, owner):
        self.rows, self.owner, self.entries = rows, owner, []

    def settle(self, ts, is_instant=False):
        for i, entry in enumerate(self.entries):
            closed = entry['end'] is not None and entry['end'] < ts
            if closed and any(inner['end'] is None for inner in self.entries[i + 1:]):
                for inner in self.entries[i + 1:]:
                    if inner['end'] is None:
                        inner['end'] = entry['end']
                del self.entries[i:]
                break
        while self.entries:
            top = self.entries[-1]
            both_empty = is_instant and top['end'] == top['ts'] == ts
            if top['end'] is None or top['end'] > ts or both_empty:
                break
            self.entries.pop()

    def push(self, ts, name, end):
        self.settle(ts, end == ts)
        parent = self.entries[-1] if self.entries else None
        entry = {'ts': ts, 'end': end, 'name': name, 'depth': len(self.entries), 'parent': parent}
        self.rows.append((self.owner, entry))
        self.entries.append(entry)

    def end(self, ts, name):
        self.settle(ts)
        for at in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[at]
            if entry['end'] is None and (name is None or entry['name'] in (None, name)):
                entry['end'] = ts
                if at == len(self.entries) - 1:
                    self.entries.pop()
                return


def slice_rows(rows):
    return [[owner, e['ts'], -1 if e['end'] is None else e['end'] - e['ts'], e['name'], e['depth'],
             e['parent'] and e['parent']['name'], e['parent'] and e['parent']['ts']]
            for owner, e in rows]


BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


class Sequence:
    """Writes the packets of one sequence and records the expected events."""

    def __init__(self, rng, number):
        self.rng, self.id, self.tid = rng, number, 1000 + number
        self.track, self.counter = 500 + number, 600 + number
        self.valid, self.names, self.default_track = False, {}, None
        self.ts = rng.randrange(1, 50)
        self.events = []  # (ts, kind, name or value)

    def packets(self):
        thread = message((1, self.track), (4, message((1, 77), (2, self.tid))))
        counter = message((1, self.counter), (2, f'load {self.id}'), (8, message((3, 2))))
        yield message((10, self.id), (8, self.ts), (60, thread))
        yield message((10, self.id), (8, self.ts), (60, counter))
        for _ in range(self.rng.randrange(5, 60)):
            yield self.packet()

    def packet(self):
        rng, fields, interned, flags = self.rng, [], [], 0
        if rng.random() < 0.12 or (not self.valid and rng.random() < 0.5):
            flags, self.valid, self.names, self.default_track = CLEARED, True, {}, None
        elif rng.random() < 0.06:
            fields.append((42, 1))
            self.valid = False
        needs = rng.random() < 0.8
        if flags == CLEARED or rng.random() < 0.1:
            self.default_track = self.track
            fields.append((59, message((11, message((11, self.track))))))
        self.ts += rng.choice([0, 1, 1, 5, 20])
        kind = rng.choice([BEGIN, BEGIN, END, END, INSTANT, COUNTER])
        event, name = [(9, kind)], None
        if kind == COUNTER:
            name = rng.randrange(-100, 100)
            event += [(11, self.counter), (30, name)]
        else:
            if self.default_track is None or rng.random() < 0.2:
                event.append((11, self.track))
            if kind != END or rng.random() < 0.6:
                name = self.choose_name(event, interned, needs)
        if interned:
            fields.append((12, b''.join(interned)))
        flags |= NEEDS if needs else 0
        fields += [(10, self.id), (8, self.ts), (13, flags), (11, message(*event))]
        if self.valid or not needs:
            self.events.append((self.ts, kind, name))
        return message(*fields)

    def choose_name(self, event, interned, needs):
        text = self.rng.choice('abcdef')
        # Interned data of a dropped packet may or may not apply: not tested here.
        if not self.valid or not needs or self.rng.random() < 0.3:
            event.append((23, text))
            return text
        iid = self.rng.randrange(1, 5)
        if iid not in self.names:
            self.names[iid] = f'{text}{self.id}'
            interned.append(message((2, message((1, iid), (2, self.names[iid])))))
        event.append((10, iid))
        return self.names[iid]

    def rows(self):
        slices, counters = [], []
        stack = Stack(slices, self.tid)
        for ts, kind, name in self.events:
            if kind == COUNTER:
                counters.append([f'load {self.id}', ts, float(name)])
            elif kind == END:
                stack.end(ts, name)
            else:
                stack.push(ts, name, ts if kind == INSTANT else None)
        return slice_rows(slices), counters


STATES = {0: 'R', 1: 'S', 2: 'D'}


class Scheduler:
    """Switches and wakings of several CPUs; CPUs with odd numbers use the compact form."""

    def __init__(self, rng, cpus=4):
        self.rng, self.cpus = rng, cpus
        self.current = {}      # CPU: [tid, row of sched]
        self.sched, self.states = [], []
        self.last, self.blocked = {}, {}  # tid: row of states
        self.spurious = 0

    def threads_of(self, cpu):
        return [0] + [100 * (cpu + 1) + i for i in range(4)]

    def bundles(self):
        """Returns packets, each with some events of one CPU."""
        ts, packets = 1000, []
        for _ in range(self.rng.randrange(1, 12)):
            # A bundle of each CPU for one time range, with interleaved events.
            events = {cpu: [] for cpu in range(self.cpus)}
            for _ in range(self.rng.randrange(1, 40)):
                ts += self.rng.randrange(1, 30)
                cpu = self.rng.randrange(self.cpus)
                events[cpu].append(self.event(ts, cpu))
            order = list(events)
            self.rng.shuffle(order)
            for cpu in order:
                write = self.compact_bundle if cpu % 2 else self.plain_bundle
                packets.append(message((10, 90), (1, write(cpu, events[cpu]))))
        return packets

    def event(self, ts, cpu):
        now = self.current.get(cpu)
        if now is None or self.rng.random() < 0.7:
            prev = now[0] if now else self.rng.choice(self.threads_of(cpu))
            following = self.rng.choice([t for t in self.threads_of(cpu) if t != prev])
            state = self.rng.choice(list(STATES))
            self.switch(ts, cpu, prev, state, following)
            return ('switch', ts, prev, state, following)
        woken = self.rng.choice(self.threads_of(self.rng.randrange(self.cpus))[1:])
        self.waking(ts, woken)
        return ('waking', ts, now[0], woken, None)

    def switch(self, ts, cpu, prev, state, following):
        is_first_compact = cpu % 2 == 1 and cpu not in self.current
        if not is_first_compact:
            if cpu in self.current:
                row = self.current[cpu][1]
                if row is not None:
                    row[1], row[4] = ts - row[0], STATES[state]
            row = [ts, -1, cpu, following, None, 120]
            self.sched.append(row)
            self.state_of_prev(ts, prev, state)
            self.state_of_next(ts, cpu, following)
            self.current[cpu] = [following, row]
        else:
            self.current[cpu] = [following, None]

    def open_state(self, ts, tid, state, cpu=None):
        if tid == 0:
            return
        self.last[tid] = [ts, -1, tid, state, cpu]
        self.states.append(self.last[tid])
        if state == 'Running':
            self.blocked.pop(tid, None)
        elif state != 'R':
            self.blocked[tid] = self.last[tid]

    def close_state(self, ts, tid):
        if tid in self.last and self.last[tid][1] == -1:
            self.last[tid][1] = ts - self.last[tid][0]

    def state_of_prev(self, ts, tid, state):
        if tid in self.last and self.last[tid][3] == 'Running':
            self.close_state(ts, tid)
        self.open_state(ts, tid, STATES[state])

    def state_of_next(self, ts, cpu, tid):
        self.close_state(ts, tid)
        self.open_state(ts, tid, 'Running', cpu)

    def waking(self, ts, tid):
        if tid not in self.last:
            self.open_state(ts, tid, 'R')
        elif self.last[tid][3] not in ('R', 'Running'):
            self.close_state(ts, tid)
            self.open_state(ts, tid, 'R')
        else:
            self.spurious += 1

    @staticmethod
    def plain_bundle(cpu, events):
        fields = [(1, cpu)]
        for kind, ts, pid, state_or_woken, following in events:
            if kind == 'switch':
                body = (4, message((1, f't{pid}'), (2, pid), (3, 120), (4, state_or_woken),
                                   (5, f't{following}'), (6, following), (7, 120)))
            else:
                body = (20, message((1, f't{state_or_woken}'), (2, state_or_woken), (3, 120), (4, 1),
                                    (5, 0)))
            fields.append((2, message((1, ts), (2, pid), body)))
        return message(*fields)

    @staticmethod
    def compact_bundle(cpu, events):
        comms = []

        def comm(tid):
            if f't{tid}' not in comms:
                comms.append(f't{tid}')
            return comms.index(f't{tid}')

        def deltas(times):
            return [ts - before for ts, before in zip(times, [0] + times)]

        switches = [e for e in events if e[0] == 'switch']
        wakings = [e for e in events if e[0] == 'waking']
        fields = [(1, deltas([e[1] for e in switches])), (2, [e[3] for e in switches]),
                  (3, [e[4] for e in switches]), (4, [120] * len(switches)),
                  (6, [comm(e[4]) for e in switches]),
                  (7, deltas([e[1] for e in wakings])), (8, [e[3] for e in wakings]),
                  (9, [0] * len(wakings)), (10, [120] * len(wakings)),
                  (11, [comm(e[3]) for e in wakings]), (12, [0] * len(wakings))]
        fields = [f for f in fields if f[1]] + [(5, name) for name in comms]
        return message((1, cpu), (4, message(*fields)))

    def rows(self):
        return ([list(row) for row in self.sched], [list(row) for row in self.states])


def make(seed):
    """Returns the bytes of a trace, and the rows of the queries of compare.py."""
    rng = random.Random(seed)
    sequences = [Sequence(rng, number) for number in range(1, rng.randrange(2, 7))]
    scheduler = Scheduler(rng)
    streams = [list(s.packets()) for s in sequences] + [scheduler.bundles()]
    packets = []
    while any(streams):
        stream = rng.choice([s for s in streams if s])
        packets.append(stream.pop(0))
    slices, counters = [], []
    for sequence in sequences:
        rows, values = sequence.rows()
        slices += rows
        counters += values
    sched, states = scheduler.rows()
    expected = {'slices': slices, 'counters': counters, 'sched': sched, 'states': states,
                'spurious': [[scheduler.spurious]]}
    return b''.join(message((1, packet)) for packet in packets), {
        name: sorted(rows, key=repr) for name, rows in expected.items()}
