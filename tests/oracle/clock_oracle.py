"""Random files of several machines and clocks, and the trace times of their events.

In these worlds no clock drifts, and all evidence of files and the manifest is true. The time of an
event is therefore the true one for every chain of evidence from its clock to the timeline, and only
the existence of a chain matters. Events without a chain are called 'open' and not compared: they are
guessed or dropped.
"""
import io
import json
import random
import zipfile

from proto_oracle import message

REALTIME, MONOTONIC, BOOTTIME = 1, 3, 6
NAMES = {1: 'REALTIME', 3: 'MONOTONIC', 4: 'MONOTONIC_COARSE', 5: 'MONOTONIC_RAW', 6: 'BOOTTIME'}
GLOBAL = 128
SEQUENCE_CLOCKS = (64, 65)
STEP_NS = 100_000_000


def snapshot(readings):
    return message(*[(1, message((1, clock), (2, ts))) for clock, ts in readings])


def of_machine(raw_id):
    return [(98, raw_id)] if raw_id else []


class World:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.edges = []  # related pairs of clocks
        self.events = []  # (file, index in it, clock, true time)
        self.claims = []   # clocks that files propose as the timeline
        self.offsets = {}  # of a clock to true time
        self.wall_clock = 10**18 + self.random.randrange(10**9)
        self.files = []    # names, in reading order
        self.parts = {}  # name: functions that make its records, called when all names are known

    def offset(self, clock):
        if clock[0] == REALTIME:
            return self.wall_clock
        # Whole microseconds, for files with this resolution.
        return self.offsets.setdefault(clock, self.random.randrange(10**6, 10**7) * 1000)

    def show(self, clock, at):
        return at + self.offset(clock)

    def relate(self, clocks):
        self.edges += [(clocks[0], other) for other in clocks[1:]]

    def event(self, file, clock, at):
        self.events.append((file, len(self.events), clock, at))
        return len(self.events) - 1

    def add_proto(self, file, machines):
        """machines: machine by raw id. The first record belongs to the file's own machine."""
        rand, records, converted = self.random, [], set()
        kinds = [(kind, raw_id) for raw_id in machines
                 for kind in ['snapshot'] * rand.randint(0, 3) + ['event'] * rand.randint(1, 3)]
        kinds += [('ping', raw_id) for raw_id in machines if raw_id and rand.random() < 0.5]
        rand.shuffle(kinds)
        claims = []
        for at, (kind, raw_id) in enumerate([('event', 0)] + kinds, 1):
            machine, at = machines[raw_id], at * STEP_NS
            sequence = rand.randint(1, 2)

            def node(clock, machine=machine, sequence=sequence):
                if clock in SEQUENCE_CLOCKS:
                    return clock, machine, file, sequence
                # Equal numbers in other files may be other clocks.
                return (clock, machine, file) if clock == GLOBAL else (clock, machine)

            head = [(10, sequence)] + of_machine(raw_id)
            if kind == 'snapshot':
                clocks = rand.sample([*NAMES, GLOBAL, *SEQUENCE_CLOCKS], rand.randint(1, 3))
                readings = [(clock, self.show(node(clock), at)) for clock in clocks]
                self.relate([node(clock) for clock in clocks])
                if BOOTTIME in clocks and machine not in converted:
                    claims.append((BOOTTIME, machine))
                packet = message(*head, (6, snapshot(readings)))
                records.append(lambda names, packet=packet: packet)
            elif kind == 'ping':
                clocks = [BOOTTIME] + rand.sample([REALTIME, MONOTONIC], rand.randint(0, 1))
                host = machines[0]
                both = message((2, snapshot([(c, self.show((c, machine), at)) for c in clocks])),
                               (3, snapshot([(c, self.show((c, host), at)) for c in clocks])))
                packet = message(*head, (107, message((1, both), (1, both))))
                for clock in clocks:
                    self.relate([(clock, machine), (clock, host)])
                self.relate([(clock, machine) for clock in clocks])
                records.append(lambda names, packet=packet: packet)
            else:
                clock = rand.choice([*NAMES, BOOTTIME, GLOBAL, *SEQUENCE_CLOCKS])
                at += rand.randrange(STEP_NS)
                event = self.event(file, node(clock), at)
                converted.add(machine)
                head += [(8, self.show(node(clock), at)), (58, clock)]
                records.append(lambda names, head=head, event=event: message(
                    *head, (11, message((9, 3), (23, names[event])))))
        self.claims += claims[:1]
        self.parts[file] = lambda names: message(*[(1, record(names)) for record in records])

    def add_json(self, file):
        clock, at = ('own', file), self.random.randrange(10**6) * 1000
        event = self.event(file, clock, at)
        ts = self.show(clock, at) // 1000
        self.claims.append(clock)
        self.parts[file] = lambda names: json.dumps(
            {'traceEvents': [{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': ts, 'dur': 1,
                              'name': names[event]}]}).encode()

    def add_text(self, file, machine):
        clock, at = (MONOTONIC, machine), self.random.randrange(10**6) * 1000
        event = self.event(file, clock, at)
        ts = self.show(clock, at) // 1000
        self.claims.append(clock)
        self.parts[file] = lambda names: (
            '# tracer: nop\n  foo-10  (   10) [000] ...1 %d.%06d: tracing_mark_write: B|10|%s\n'
            % (ts // 10**6, ts % 10**6, names[event])).encode()

    def add_manifest(self, machines):
        rand, entries = self.random, []
        single = [file for file in self.files if len(machines[file]) == 1]
        for file in self.files:
            entry = {'path': file}
            if file in single:
                entry['machine'] = {'name': machines[file][0]}
            else:
                entry['machines'] = [{'id': i, 'name': n} for i, n in machines[file].items()]
            if file in single and rand.random() < 0.4:
                self.relate_files(entry, rand.choice(single), machines)
            entries.append(entry)
        body = {'version': 1, 'files': entries}
        if single and rand.random() < 0.5:
            file, clock = rand.choice(single), rand.choice([REALTIME, MONOTONIC, BOOTTIME])
            body['trace_time'] = {'clock': NAMES[clock], 'file': file}
            self.claims = [(clock, machines[file][0])]
        rand.shuffle(entries)
        self.parts['m.json'] = lambda names: json.dumps({'perfetto_manifest': body}).encode()

    def relate_files(self, entry, other, machines):
        def end(file):
            if file.endswith('.json'):
                return {}, ('own', file)
            clock = self.random.choice([REALTIME, MONOTONIC, BOOTTIME])
            return {'clock': NAMES[clock]}, (clock, machines[file][0])

        (here, source), (there, reference) = end(entry['path']), end(other)
        if source == reference:
            return
        entry['clocks'] = {**here, 'sync_to': {'file': other, **there},
                           'offset_ns': self.offset(reference) - self.offset(source)}
        self.relate([source, reference])

    def fill(self):
        rand = self.random
        kinds = sorted(rand.choices(['pb', 'pb', 'json', 'text'], k=rand.randint(2, 5)),
                       key=lambda kind: kind != 'pb')  # reading order
        has_manifest = rand.random() < 0.6
        machines, letters = {}, rand.choice(['A', 'A', 'AB', 'ABC'])
        for i, kind in enumerate(kinds):
            file = f'f{i}.{kind}'
            ids = [0] + (rand.sample([7, 8], rand.randint(0, 2)) if kind == 'pb' else [])
            machines[file] = {raw_id: rand.choice(letters) + str(raw_id) if has_manifest else raw_id
                              for raw_id in ids}
            self.files.append(file)
            if kind == 'pb':
                self.add_proto(file, machines[file])
            elif kind == 'json':
                self.add_json(file)
            else:
                self.add_text(file, machines[file][0])
        if has_manifest:
            self.add_manifest(machines)

    def find(self, parents, clock):
        while parents.setdefault(clock, clock) != clock:
            clock = parents[clock]
        return clock

    def sure_events(self):
        """Returns (event, trace time) of the events with a chain to the timeline."""
        if not self.claims:
            return []
        timeline, parents = self.claims[0], {}
        for a, b in self.edges:
            parents[self.find(parents, a)] = self.find(parents, b)
        home = timeline[1]
        if timeline[0] != 'own' and \
                self.find(parents, (REALTIME, home)) == self.find(parents, timeline):
            # Machines meet on wall-clock time.
            walls = {clock for clock in list(parents) + [e[2] for e in self.events]
                     if clock[0] == REALTIME and clock[1] != home}
            for clock in sorted(walls):
                parents[self.find(parents, clock)] = self.find(parents, timeline)
        return [(event, self.show(timeline, at)) for _, event, clock, at in self.events
                if self.find(parents, clock) == self.find(parents, timeline)]


def make(seed):
    world = World(seed)
    world.fill()
    sure = dict(world.sure_events())
    names = [('sure ' if i in sure else 'open ') + str(i) for i in range(len(world.events))]
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, 'w') as out:
        for file, record in world.parts.items():
            out.writestr(file, record(names))
    return archive.getvalue(), {'placed': sorted([names[i], ts] for i, ts in sure.items())}
