#!/usr/bin/env python3
"""The strict reader in plain Python (oracle/strict_*.py) on the test vectors of spec clocks 14.

Section 14.1 and 14.2: the clock engine. Sections 14.3 to 14.6: inputs, as far as they are Perfetto traces and archives of
these; other formats are judged by their clock only.
"""
import io
import json
import pathlib
import random
import sys
import tarfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / 'oracle'))
import strict_reader  # noqa: E402
from proto_oracle import message  # noqa: E402
from strict_clocks import BOOTTIME as B, MONOTONIC as M, MONOTONIC_COARSE as MC, MONOTONIC_RAW as MR, PRIVATE, REALTIME as R, Clocks  # noqa: E402
from strict_reader import File, Import  # noqa: E402

MASK = (1 << 64) - 1
W = 1_700_000_000_000_000_000
G = 1_000_000_000


class World:
    """A host whose BOOTTIME is trace time."""

    def __init__(self):
        self.clocks = Clocks()
        self.clocks.set_trace_time((B, 0, 0, 0), None)
        self.host = self.clocks.tracker(7, 0)

    def add(self, *readings, tracker=None):
        """readings: (clock, ticks); a clock of a sequence is (clock, sequence). More: unit, whether it is incremental."""
        known = []
        for clock, ticks, *more in readings:
            unit, incremental = (*more, *(1, False)[len(more):])
            number, sequence = clock if isinstance(clock, tuple) else (clock, 0)
            known.append((number, sequence, ticks, unit, incremental))
        (tracker or self.host).snapshot(known)

    def time(self, clock, ticks, tracker=None):
        number, sequence = clock if isinstance(clock, tuple) else (clock, 0)
        return (tracker or self.host).to_trace_time(number, ticks, sequence)[0]

    def convert(self, source, ticks, target):
        def node(clock):
            return self.host.qualify(*clock) if isinstance(clock, tuple) else self.host.qualify(clock)
        return self.clocks.graph.convert(node(source), ticks, node(target))


USUAL = (((R, 10), (B, 10010)), ((R, 20), (B, 20220)), ((R, 30), (B, 30030)), ((M, 1000), (B, 100000)))


class Engine(unittest.TestCase):
    def setUp(self):
        self.world = World()

    def assert_times(self, clock, times, tracker=None):
        for ticks, ns in times.items():
            self.assertEqual(self.world.time(clock, ticks, tracker), ns, f'{clock}@{ticks}')

    def assert_conversions(self, source, target, times):
        for ticks, ns in times.items():
            self.assertEqual(self.world.convert(source, ticks, target), ns, f'{source}@{ticks}')

    def test_clock_domain_conversions(self):
        self.assert_times(R, {0: None})
        for readings in USUAL:
            self.world.add(*readings)
        self.assert_times(R, {0: 10000, 1: 10001, 9: 10009, 10: 10010, 11: 10011, 19: 10019, 20: 20220, 21: 20221, 29: 20229,
                              30: 30030, 40: 30040})
        self.assert_times(M, {0: 99000, 999: 99999, 1000: 100000, 1000000: 1099000})

    def test_realtime_clock_moving_backwards(self):
        self.world.add((B, 10010), (R, 10))
        self.assert_times(R, {11: 10011})
        for readings in (((B, 10020), (R, 20)), ((B, 30040), (R, 40)), ((B, 40030), (R, 30))):
            self.world.add(*readings)
        self.assert_times(R, {11: None})
        self.assert_conversions(B, R, {10011: 11, 10029: 29, 40030: 30, 40040: 40})
        self.world.add((B, 50000), (R, 50))
        self.assert_conversions(B, R, {50005: 55})
        self.world.add((B, 60020), (R, 20))
        self.assert_conversions(B, R, {60020: 20})

    def test_chained_resolution(self):
        self.world.add((MC, 1), (M, 11))
        self.world.add((M, 100), (B, 1100))
        self.world.add((M, 200), (B, 2200))
        self.assert_times(M, {110: 1110})
        self.assert_times(MC, {100: 1110, 202: 2212})

    def test_chained_resolution_hard(self):
        for readings in (((MR, 10), (MC, 9)), ((MC, 100), (M, 50)), ((M, 1), (B, 1001), (R, 10001)),
                         ((M, 101), (B, 2101), (R, 9101))):
            self.world.add(*readings)
        self.assert_conversions(MR, MC, {2: 1, 100001: 100000})
        self.assert_conversions(MC, MR, {1: 2, 100000: 100001})
        self.assert_conversions(MR, M, {53: 2})
        self.assert_conversions(M, MR, {2: 53})
        self.assert_conversions(MR, B, {53: 1002, 753: 2702})
        self.assert_conversions(B, MR, {1002: 53, 2702: 753})
        self.assert_conversions(MR, R, {53: 10002, 753: 9702})

    def test_non_strictly_monotonic(self):
        for b, m in ((101, 51), (101, 51), (105, 55), (105, 55)):
            self.world.add((B, b), (M, m), (MC, 50))
        self.assert_conversions(MC, M, {49: 50, 50: 55, 51: 56})
        self.assert_conversions(MC, B, {40: 91, 50: 105, 55: 110})
        self.assert_conversions(B, MC, {91: 40, 105: 50, 110: 55})

    def test_sequence_scoped_clocks(self):
        a, b, c, d = (64, 1), (65, 1), (66, 1), (64, 2)
        self.world.add((M, 1000), (B, 100000))
        self.world.add((M, 10000), (a, 100000), (b, 100, 1000), (c, 10, 1000, True))
        self.assertEqual([self.world.convert(a, 150000, M), self.world.time(a, 150000)], [60000, 159000])
        self.assertEqual([self.world.convert(b, 150, M), self.world.time(b, 150)], [60000, 159000])
        self.assertEqual([self.world.convert(c, 1, M), self.world.convert(c, 1, M), self.world.time(c, 1),
                          self.world.time(c, 2)], [11000, 12000, 112000, 114000])
        self.world.add((M, 20000), (c, 20, 1000, True))
        self.world.add((M, 20000), (d, 20, 1000, True))
        found = [self.world.convert(c, 1, M), self.world.convert(d, 2, M), self.world.convert(c, 1, M),
                 self.world.convert(d, 2, M), self.world.time(c, 1), self.world.time(d, 2), self.world.time(c, 2),
                 self.world.time(d, 4)]
        self.assertEqual(found, [21000, 22000, 22000, 24000, 122000, 125000, 124000, 129000])

    def add_remote(self, tracker):
        for readings in (*USUAL, ((M, 2000), ((64, 1), 1200)), (((64, 1), 1300), ((64, 2), 2000, 10))):
            self.world.add(*readings, tracker=tracker)

    def test_clock_offset(self):
        self.world.clocks.graph.add([((B, 0, 0, 0), 10000, 1, False), ((B, 0, 0, 1), 0, 1, False)])
        remote = self.world.clocks.tracker(7, 1)
        self.add_remote(remote)
        self.assert_times(R, {0: 20000, 20: 30220, 30: 40030, 40: 40040}, remote)
        self.assert_times(M, {0: 109000, 1000: 110000}, remote)
        self.assert_times((64, 1), {1100: 110900}, remote)
        self.assert_times((64, 2), {2100: 112100}, remote)

    def test_remote_no_clock_offset(self):
        remote = self.world.clocks.tracker(7, 1, B)
        self.add_remote(remote)
        self.assert_times(R, {0: 10000, 20: 20220, 21: 20221}, remote)
        self.assert_times(M, {1000: 100000}, remote)
        self.assert_times((64, 1), {1100: 100900}, remote)
        self.assert_times((64, 2), {2100: 102100}, remote)

    def test_remote_non_primary_file_resolves_through_shared_realtime(self):
        self.world.add((R, 1000), (B, 1000))
        primary, other = self.world.clocks.tracker(8, 1, B), self.world.clocks.tracker(9, 1, B)
        self.world.add((R, 2000), (B, 200000), tracker=primary)
        self.assert_times(B, {200000: 2000}, primary)
        self.world.add((R, 3000), (B, 300000), tracker=other)
        self.assert_times(B, {300000: 3000}, other)

    def test_non_primary_files(self):
        self.world.add((R, 10), (B, 10010))
        self.world.add((M, 1000), (B, 100000))
        other = self.world.clocks.tracker(9, 0)
        self.assert_times(R, {10: 10010, 20: 10020}, other)
        self.assert_times(M, {1000: 100000}, other)

    def test_non_primary_switches_to_own_on_add_snapshot(self):
        # The fixture uses file 0, whose clocks are those of the machine.
        self.world.add((R, 10), (B, 10010))
        other = self.world.clocks.tracker(0, 0)
        self.assert_times(R, {10: 10010}, other)
        self.world.add((R, 100), (B, 200100), tracker=other)
        self.assert_times(R, {100: 200100, 110: 200110}, other)

    def test_deferred_edge_of_a_private_clock(self):
        file = self.world.clocks.tracker(7, 0, PRIVATE)
        self.assert_times(PRIVATE, {42: 42, 100: 100}, file)
        self.world.add((PRIVATE, 100), (B, 1100), tracker=file)
        self.assert_times(PRIVATE, {100: 1100}, file)
        self.assertEqual(self.world.clocks.trace_time, (B, 0, 0, 0))

    def test_set_global_clock(self):
        self.world.host.claim(M)
        self.world.add((R, 10), (M, 500))
        self.assert_times(R, {10: 500})

    def test_paths_and_caches(self):
        for m, b in ((100, 1000), (200, 2000), (300, 3000)):
            self.world.add((M, m), (B, b))
        self.assert_times(M, {99: 999, 100: 1000, 199: 1099, 200: 2000, 299: 2099, 300: 3000, 301: 3001})

    def test_cache_does_not_affect_results(self):
        rand, cached, plain = random.Random(1), World(), World()
        at = {R: 0, M: 0, B: 0}
        for _ in range(300):
            for clock in at:
                at[clock] += rand.randrange(100)
            pair = rand.sample(list(at), 2)
            for world in (cached, plain):
                world.add(*((clock, at[clock]) for clock in pair))
            plain.clocks.graph.paths.clear()
            source, ticks = rand.choice([R, M]), rand.randrange(10000)
            self.assertEqual(cached.time(source, ticks), plain.time(source, ticks))

    def test_documentation_examples(self):
        for m, b in ((1000, 2000), (1100, 2100), (1200, 2200), (1900, 2900), (2000, 3500), (2100, 3600)):
            self.world.add((M, m), (B, b))
        self.assert_times(M, {1104: 2104})
        world = self.world = World()
        for readings in (((200, 1000), (M, 1100)), ((M, 1200), (B, 5200)), ((200, 3000), (M, 3200)), ((M, 4000), (B, 9000))):
            world.add(*readings)
        self.assertEqual([world.convert(200, 3503, M), world.time(200, 3503)], [3703, 7703])

    def test_remote_clock_sync(self):
        def after(ticks, *elements):
            world = World()
            remote = world.clocks.tracker(7, 1, B)
            remote.remote_sync([([(B, c)], [(B, h)] if h is not None else []) for c, h in elements])
            return world.time(B, ticks, remote)
        later = 30 * G
        self.assertEqual(after(0, (10000, 120000), (25000, 135000)), 102500)
        self.assertEqual(after(0, (50000, 120000), (65000, 135000)), 62500)
        self.assertEqual(after(5000, (10000, 120000), (25000, None)), 5000)
        self.assertEqual(after(0, (10000, 120000), (20000, 140000)), 107500)
        self.assertEqual(after(5, (10000, 120000), (10000 + later, 120000 + later)), 5)
        self.assertEqual(after(0, (10000, 120000), (20000, 140000), (30000 + later, 160000 + later),
                               (45000 + later, 170000 + later)), 114375)


def snapshot(*readings, primary=0):
    clocks = [(1, message((1, clock), (2, ticks), *([(4, unit[0])] if unit else []))) for clock, ticks, *unit in readings]
    return (6, message(*clocks, *([(2, primary)] if primary else [])))


def packet(*payload, machine=0, sequence=0, ts=None, clock=0, defaults=0):
    return message(*([(10, sequence)] if sequence else []), *([(98, machine)] if machine else []),
                   *([(8, ts & MASK)] if ts is not None else []), *([(58, clock)] if clock else []),
                   *([(59, message((58, defaults)))] if defaults else []), *payload)


def instant(name, ts, clock=0, machine=0, sequence=1, **more):
    return packet((11, message((9, 3), (23, name))), ts=ts, clock=clock, machine=machine, sequence=sequence, **more)


def trace(*packets):
    return message(*[(1, one) for one in packets])


def boot(name, b, at):
    return trace(packet(snapshot((B, b))), instant(name, at))


def with_realtime(name, b, r, at):
    return trace(packet(snapshot((B, b), (R, r))), instant(name, at))


SPINE = trace(packet(snapshot((B, G), (R, W + G), (M, G // 2))), instant('proto_slice', 1_100_000_000))
M7 = (packet(snapshot((B, 50 * G)), machine=7), instant('vm_slice', 50_100_000_000, machine=7))
JSON = b'{"traceEvents":[{"ph":"X","ts":2000,"dur":1,"name":"json","pid":1,"tid":1}]}'


def manifest(*files, **more):
    return json.dumps({'perfetto_manifest': {'version': 1, 'files': list(files), **more}}).encode()


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as archive:
        for name, data in members.items():
            archive.writestr(name.replace('_pb', '.pb').replace('_json', '.json').replace('_zip', '.zip'), data)
    return out.getvalue()


def slices(data):
    """Returns {name: (ts, name of the machine)} and the Import."""
    whole = strict_reader.read(data)
    return {s.name: (s.ts, s.track.machine.name) for s in whole.slices}, whole


def file_of(name, **more):
    return {'path': name, 'machine': {'name': name.split('.')[0]}, **more}


class Inputs(unittest.TestCase):
    def assert_times(self, data, **times):
        found, whole = slices(data)
        self.assertEqual({name: ts for name, (ts, _) in found.items()}, times)
        return whole

    def test_clock_sync(self):
        whole = strict_reader.read(trace(
            instant('0', 1), packet(snapshot((M, 1), (B, 101))), instant('1', 2, M),
            packet(snapshot((128, 1), (B, 1001))), packet(snapshot((128, 2), (129, 1))), instant('2', 3, 128),
            instant('3', 4, 129), packet(snapshot((64, 1), (B, 2001)), sequence=2),
            packet(snapshot((64, 1), (B, 3001)), sequence=3), instant('4', 7, 64, sequence=3), instant('5', 6, 64, sequence=2),
            instant('6', 10, sequence=2, defaults=64), instant('7', 2013, B, sequence=2), instant('8', 3010, sequence=3)))
        self.assertEqual(sorted(s.ts for s in whole.slices), sorted([1, 102, 1003, 1005, 2006, 2010, 2013, 3007, 3010]))

    def test_primary_trace_clock(self):
        self.assert_times(trace(packet(snapshot((M, 1000), (B, 11000), primary=3)), instant('m', 1000, M), instant('b', 12000, B)),
                          m=1000, b=2000)

    def test_deferred_clock_snapshot(self):
        whole = self.assert_times(trace(instant('early', 1000, 64), packet(snapshot((64, 10), (B, 10000)), sequence=1)),
                                  early=10990)
        self.assertFalse(whole.stats['clock_sync_failure_unknown_source_clock'])

    def test_negative_absolute_timestamp(self):
        def event(absolute):
            return packet((11, message((9, 3), (23, 'a'), (16, absolute & MASK))), sequence=1)
        whole = strict_reader.read(trace(packet(snapshot((M, 1), (MC, 0), primary=4)), event(1000), event(-9223372036854776)))
        self.assertEqual([s.ts for s in whole.slices], [999999])
        self.assertEqual(whole.stats['track_event_invalid_timestamp'], 1)

    def test_remote_sync_of_a_file(self):
        both = message((2, message((1, message((1, B), (2, 10_000))))), (3, message((1, message((1, B), (2, 1_000_000))))))
        self.assert_times(trace(packet(snapshot(primary=B)), instant('h', 3_000_000),
                                packet((107, message((1, both), (1, both))), machine=1),
                                instant('m', 2_000_000, B, machine=1)), h=3_000_000, m=2_990_000)

    # ---- 14.4 ----

    def test_trace_time(self):
        self.assert_times(zipped(m_json=manifest(trace_time={'clock': 'REALTIME'}), a_pb=SPINE),
                          proto_slice=1_700_000_001_100_000_000)
        whole = strict_reader.read(manifest(trace_time={'clock': 'REALTIME'}))
        self.assertEqual(whole.clocks.trace_time[0], R)

    def test_realtime_of_machines(self):
        a, b = with_realtime('a', G, W + G, 1_100_000_000), with_realtime('b', G, W + 2 * G, 1_100_000_000)
        c = with_realtime('c', G, W + 3 * G, 1_100_000_000)
        self.assert_times(zipped(m_json=manifest(file_of('a.pb'), file_of('b.pb'), file_of('c.pb')), a_pb=a, b_pb=b, c_pb=c),
                          a=1_100_000_000, b=2_100_000_000, c=3_100_000_000)
        found, _ = slices(zipped(m_json=manifest(file_of('a.pb'), file_of('b.pb')), a_pb=a, b_pb=b))
        self.assertEqual(found, {'a': (1_100_000_000, 'a'), 'b': (2_100_000_000, 'b')})
        self.assert_times(zipped(m_json=manifest(file_of('a.pb'), file_of('b.pb')), a_pb=a,
                                 b_pb=with_realtime('b', 5 * G, W + G, 5_100_000_000)), a=1_100_000_000, b=1_100_000_000)

    def test_same_domain(self):
        both = manifest(file_of('a.pb'), file_of('b.pb'))
        self.assert_times(zipped(m_json=both, a_pb=with_realtime('a', G, W + G, 1_100_000_000), b_pb=boot('b', G, 3 * G)),
                          a=1_100_000_000, b=3 * G)
        self.assert_times(zipped(m_json=both, a_pb=boot('a', G, 1_100_000_000),
                                 b_pb=with_realtime('b', G, W + 2 * G, 1_100_000_000)), a=1_100_000_000, b=1_100_000_000)
        self.assert_times(zipped(m_json=both, a_pb=boot('a', G, 1_100_000_000), b_pb=boot('b', G, 3 * G)),
                          a=1_100_000_000, b=3 * G)

    def test_cross_domain_clocks_are_not_assumed(self):
        whole = self.assert_times(zipped(m_json=manifest(file_of('phone.pb'), file_of('server.pb'), trace_time={'clock': 'REALTIME'}),
                                         phone_pb=with_realtime('phone', G, W + 1_500_000_000, 1_100_000_000),
                                         server_pb=boot('server', G, 1_100_000_000)), phone=1_700_000_001_600_000_000)
        self.assertEqual(whole.stats['clock_sync_unrelatable_clock_domains'], 1)

    def test_sync_to_file(self):
        phone, server = boot('phone', G, 1_100_000_000), boot('server', G, 1_100_000_000)
        moved = file_of('server.pb', clocks={'clock': 'BOOTTIME', 'offset_ns': 500,
                                             'sync_to': {'file': 'phone.pb', 'clock': 'BOOTTIME'}})
        self.assert_times(zipped(m_json=manifest(file_of('phone.pb'), moved), phone_pb=phone, server_pb=server),
                          phone=1_100_000_000, server=1_100_000_500)
        self.assert_times(zipped(m_json=manifest(file_of('phone.pb'), moved, trace_time={'clock': 'BOOTTIME', 'file': 'server.pb'}),
                                 phone_pb=phone, server_pb=server), phone=1_099_999_500, server=1_100_000_000)

    def test_machines(self):
        multi = {'path': 'multi.pb', 'machines': [{'id': 0, 'name': 'phone'}, {'id': 7, 'name': 'vm'}]}
        found, _ = slices(zipped(m_json=manifest(multi), multi_pb=SPINE + trace(*M7)))
        self.assertEqual(found, {'proto_slice': (1_100_000_000, 'phone'), 'vm_slice': (50_100_000_000, 'vm')})
        server = boot('server', 50 * G, 50_100_000_000)
        moved = file_of('server.pb', clocks={'clock': 'BOOTTIME', 'offset_ns': 500,
                                             'sync_to': {'file': 'multi.pb', 'machine': 'vm', 'clock': 'BOOTTIME'}})
        self.assert_times(zipped(m_json=manifest(multi, moved, trace_time={'clock': 'BOOTTIME', 'file': 'multi.pb', 'machine': 'vm'}),
                                 multi_pb=SPINE + trace(*M7), server_pb=server),
                          proto_slice=1_100_000_000, vm_slice=50_100_000_000, server=50_100_000_500)
        source = {**multi, 'clocks': {'machine': 'vm', 'clock': 'BOOTTIME', 'offset_ns': 500,
                                      'sync_to': {'file': 'server.pb', 'clock': 'BOOTTIME'}}}
        self.assert_times(zipped(m_json=manifest(file_of('server.pb'), source, trace_time={'clock': 'BOOTTIME', 'file': 'server.pb'}),
                                 multi_pb=SPINE + trace(*M7), server_pb=server),
                          proto_slice=1_100_000_000, server=50_100_000_000, vm_slice=50_100_000_500)

    def test_embedded_ids(self):
        def machines(path, host, guest):
            return {'path': path, 'machines': [{'id': 0, 'name': host}, {'id': 7, 'name': guest}]}
        data = SPINE + trace(*M7)
        whole = strict_reader.read(zipped(m_json=manifest(machines('p.pb', 'pa', 'pb'), machines('q.pb', 'qa', 'qb')), p_pb=data,
                                          q_pb=data))
        self.assertEqual(sorted((s.name, s.track.machine.name) for s in whole.slices),
                         [('proto_slice', 'pa'), ('proto_slice', 'qa'), ('vm_slice', 'pb'), ('vm_slice', 'qb')])
        whole = strict_reader.read(zipped(m_json=manifest(machines('p.pb', 'pa', 'shared'), machines('q.pb', 'qa', 'shared')),
                                          p_pb=data, q_pb=data))
        self.assertEqual([m.name for m in whole.machines].count('shared'), 1)
        # Without a manifest the id of all packets is that of the machine, in all files.
        one = trace(*M7)
        self.assertEqual([m.raw_id for m in strict_reader.read(zipped(p_pb=one, q_pb=one)).machines], [7])

    def assert_places_private_clock(self, data, name, ns):
        """The private clock of a file reads 2000000 at the trace time `ns`."""
        whole = strict_reader.read(data)
        self.assertIsNone(whole.error)
        row = next(node.row for node in strict_reader.tree(data) if node.name == name)
        at = next(node for node in whole.clocks.graph.domains if node[0] == PRIVATE and node[2] == row)
        self.assertEqual(whole.clocks.graph.convert(at, 2_000_000, whole.clocks.trace_time), ns)

    def test_pins(self):
        phone = with_realtime('phone', G, W, 1_100_000_000)
        app = file_of('app.json', clocks={'offset_ns': 500, 'sync_to': {'file': 'phone.pb', 'clock': 'BOOTTIME'}})
        self.assert_places_private_clock(zipped(m_json=manifest(file_of('phone.pb'), app), app_json=JSON, phone_pb=phone),
                                         'app.json', 2_000_500)
        # Over the private clock of another file, and on to a third: several hops.
        chain = [{'path': 'a.json', 'clocks': {'offset_ns': 1, 'sync_to': {'file': 'b.json'}}},
                 {'path': 'b.json', 'clocks': {'offset_ns': 20, 'sync_to': {'file': 'c.json'}}},
                 {'path': 'c.json', 'clocks': {'offset_ns': 300, 'sync_to': {'file': 'phone.pb', 'clock': 'REALTIME'}}},
                 {'path': 'phone.pb'}]
        data = zipped(m_json=manifest(*chain), a_json=JSON, b_json=JSON, c_json=JSON, phone_pb=phone)
        self.assert_places_private_clock(data, 'c.json', 2_000_300 - W + G)
        self.assert_places_private_clock(data, 'b.json', 2_000_320 - W + G)
        self.assert_places_private_clock(data, 'a.json', 2_000_321 - W + G)

    def test_pin_of_a_file_in_an_inner_archive(self):
        inner = zipped(app_json=JSON)
        pinned = [{'path': 'phone.pb'}, {'path': 'app.json', 'clocks': {'offset_ns': 7, 'sync_to': {'file': 'phone.pb', 'clock': 'BOOTTIME'}}}]
        data = zipped(m_json=manifest(*pinned), in_zip=inner, phone_pb=boot('phone', G, 1_100_000_000))
        self.assert_places_private_clock(data, 'app.json', 2_000_007)
        # Names in inner archives are bare.
        pinned[1]['path'] = 'in.zip/app.json'
        data = zipped(m_json=manifest(*pinned), in_zip=inner, phone_pb=boot('phone', G, 1_100_000_000))
        self.assertIn('could not resolve file', strict_reader.read(data).error[2])

    def test_errors(self):
        def error(*files, **members):
            found = strict_reader.read(zipped(m_json=manifest(*files), **members)).error
            return found and found[2]
        pinned = {'clocks': {'sync_to': {'file': 'b.json'}}}
        b = {'path': 'b.json'}
        self.assertIn('single clock', error({'path': 'a.pb', **pinned}, b, a_pb=SPINE, b_json=JSON))
        self.assertIn('a `clocks` override', error({'path': 'a.pb', **pinned}, b, a_pb=trace(*M7[1:]), b_json=JSON))
        self.assertIn('a `machine` override', error(file_of('a.pb'), a_pb=SPINE + trace(*M7)))
        self.assertIn('undeclared machine id 7', error({'path': 'a.pb', 'machines': [{'id': 8, 'name': 'x'}]}, a_pb=SPINE + trace(*M7)))
        self.assertIn("unknown file 'ghost.pb'", error({'path': 'a.pb', 'clocks': {'sync_to': {'file': 'ghost.pb'}}}, a_pb=SPINE))
        self.assertIn('multiple perfetto_manifest', error(n_json=manifest()))

    def test_tar(self):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode='w') as tar:
            for name, data in (('m.json', manifest(file_of('b.pb'))), ('./.hidden.pb', SPINE), ('b.pb', SPINE)):
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        self.assert_times(out.getvalue(), proto_slice=1_100_000_000)

    def test_adoption(self):
        for packets, rows in (((M7[1],), [7]), ((instant('h', 1), M7[1]), [0, 7])):
            whole = Import()
            File(whole, 0).read(trace(*packets))
            self.assertEqual([m.raw_id for m in whole.machines], rows)


if __name__ == '__main__':
    unittest.main()
