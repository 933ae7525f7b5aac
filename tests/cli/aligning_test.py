#!/usr/bin/env python3
"""Files that are placed by their content, and the check of causes and effects, on the command line. TRACEBRAID names the program."""
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
OFFSET_US = 7_000_000  # by which the clock of b.json is ahead


def flows(count, reused=0, ways=2):
    """Returns the events of a.json and b.json: flows between them of 100 us and more, of which `reused` end 1 s too early."""
    generator = random.Random(5)
    files = [], []
    for i in range(count):
        start, way = 10_000_000 + i * 20_000, i % ways
        end = start + 100 + generator.randrange(50) - (1_000_000 if i < reused else 0)
        flow = f'0x{generator.getrandbits(62) | 1 << 61 | 1:x}'  # looks like a global id
        for phase, ts, file in ('s', start, way), ('f', end, 1 - way):
            event = {'pid': 1, 'tid': 1, 'cat': 'c', 'name': 'n', 'ts': ts + file * OFFSET_US}
            files[file].append({**event, 'ph': 'X', 'dur': 10})
            files[file].append({**event, 'ph': phase, 'id': flow, 'bp': 'e'})
    return files


def calls(count):
    """Returns the events of a.json and b.json: calls of b's services by a, 2 ms there and back."""
    generator = random.Random(6)
    files = [], []
    for i in range(count):
        trace, client, server = (f'{generator.getrandbits(bits) | 1:0{bits // 4}x}' for bits in (128, 64, 64))
        start = 10_000_000 + i * 50_000 + generator.randrange(9_000)
        files[0].append({'ph': 'X', 'pid': 1, 'tid': 1, 'name': 'call', 'ts': start, 'dur': 5000,
                         'args': {'trace_id': trace, 'span_id': client, 'span.kind': 'client'}})
        files[1].append({'ph': 'X', 'pid': 2, 'tid': 2, 'name': 'serve', 'ts': start + OFFSET_US + 2000, 'dur': 1000,
                         'args': {'traceId': trace, 'spanId': server, 'parentSpanId': client, 'kind': 'SERVER'}})
    return files


def program(pids, period=0):
    """Returns the events of a.json and b.json: slices of one program by two recorders, up to 3 us apart."""
    generator = random.Random(7)
    files, now = ([], []), 10_000_000
    for i in range(1500):
        now += period or 100 + int(generator.expovariate(1 / 1000))
        name = 'tick' if period else f'work {generator.randrange(20)}'
        for file, pid in enumerate(pids):
            files[file].append({'ph': 'X', 'pid': pid, 'tid': pid + 1, 'name': name, 'dur': 1,
                                'ts': now + file * OFFSET_US + generator.randrange(4)})
    return files


def lines(count):
    """Returns the events of a.json and b.json: instants with messages, those of b up to 0.3 ms later."""
    generator = random.Random(8)
    files, now = ([], []), 10_000_000
    for i in range(count):
        now += 1000 + int(generator.expovariate(1 / 200_000))
        text = f'request {generator.getrandbits(40):x} of user {generator.getrandbits(30)} is done'
        for file in 0, 1:
            files[file].append({'ph': 'i', 's': 't', 'pid': 1, 'tid': 1, 'name': 'log', 'args': {'message': text},
                                'ts': now + file * (OFFSET_US + generator.randrange(300))})
    return files


def with_args(count, pairs):
    """Returns the events of a.json and b.json. pairs(i, way) are the slices or instants of step `i`: file, name, start in us, duration,
    args. The way is that of a message, from file 0 or 1."""
    generator = random.Random(9)
    files, now = ([], []), 10_000_000
    for i in range(count):
        now += 5_000 + int(generator.expovariate(1 / 20_000))
        for file, name, start, dur, args in pairs(i, i % 2, generator):
            kind = {'ph': 'X', 'dur': dur} if dur else {'ph': 'i', 's': 't'}
            files[file].append({**kind, 'pid': 1 + file, 'tid': 1 + file, 'name': name, 'args': args,
                                'ts': now + start + file * OFFSET_US})
    return files


def numbered_calls(i, way, _):
    args = {'rpc.service': f's{way}', 'rpc.request_id': i}
    return [(way, 'call', 0, 3000, {**args, 'span.kind': 'client'}), (1 - way, 'serve', 1000, 1000, {**args, 'kind': 'SERVER'})]


def packets(_, way, generator):
    args = {'src': f'10.0.0.{way}', 'dst': f'10.0.0.{1 - way}', 'srcport': 7, 'dstport': 8, 'flags': '0x18', 'len': 100,
            'seq': generator.getrandbits(32), 'ack': generator.getrandbits(32)}
    return [(way, 'tcp', 0, 0, {**args, 'direction': 'out'}), (1 - way, 'tcp', 150, 0, {**args, 'direction': 'in'})]


def messages(_, way, generator):
    args = {'comm': 'MPI_COMM_WORLD', 'tag': 5, 'bytes': generator.getrandbits(20)}
    return [(way, 'MPI_Send', 0, 10, {**args, 'rank': way, 'dest': 1 - way}),
            (1 - way, 'MPI_Recv', 50, 70, {**args, 'rank': 1 - way, 'source': way})]


def barriers(i, way, generator):
    args = {'barrier': 'step', 'generation': i, 'parties': 2}
    late = generator.randrange(1000)
    return [(way, 'wait', 0, 1000 + generator.randrange(5), {**args, 'rank': way}),
            (1 - way, 'wait', late, 1000 - late + generator.randrange(5), {**args, 'rank': 1 - way})]


def kernel_text(rows):
    """Returns ftrace text of rows: time in us, pid, cpu, event."""
    lines = [f'task-{pid} [{cpu:03}] d..1 {us // 1_000_000}.{us % 1_000_000:06}: {event}' for us, pid, cpu, event in sorted(rows)]
    return '# tracer: nop\n#\n' + '\n'.join(lines) + '\n'


def kernel_calls(count):
    """Returns the texts of two machines: calls of NFS both ways, 2 ms there and back."""
    generator = random.Random(10)
    files, now = ([], []), 10_000_000
    for i in range(count):
        now += 5_000 + int(generator.expovariate(1 / 20_000))
        xid, way = f'xid=0x{generator.getrandbits(32):08x}', i % 2
        for file, us, event in ((way, 0, f'xprt_transmit: task:1@1 {xid} seqno=0 status=8'),
                                (1 - way, 1000, f'svc_process: addr=10.0.0.1 {xid} service=nfsd vers=4 proc=READ'),
                                (1 - way, 1500, f'svc_send: addr=10.0.0.1 {xid} dropme=0 status=5'),
                                (way, 2500, f'xprt_lookup_rqst: peer=[10.0.0.2]:2049 {xid} status=0')):
            files[file].append((now + us + file * OFFSET_US, 7, 0, event))
    return [kernel_text(rows) for rows in files]


def wakeups(count):
    """Returns the texts of two recorders of one kernel: switches, and the wakings before them."""
    generator = random.Random(11)
    switches, wakings, now = [], [], 10_000_000
    last = {}
    for _ in range(count):
        now += 1_000 + int(generator.expovariate(1 / 3_000))
        pid = 100 + generator.randrange(50)
        if now - last.get(pid, 0) < 10_000:
            continue
        ran = now + 20 + generator.randrange(30)
        slept = last[pid] = ran + 100
        wakings.append((now + OFFSET_US, 9, 0, f'sched_waking: comm=t pid={pid} prio=120 target_cpu=000'))
        for us, prev, state, following in (ran, 0, 'R', pid), (slept, pid, 'S', 0):
            switches.append((us, prev, 0, f'sched_switch: prev_comm=t prev_pid={prev} prev_prio=120 prev_state={state} ==> '
                                          f'next_comm=t next_pid={following} next_prio=120'))
    return [kernel_text(switches), kernel_text(wakings)]


class Aligning(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix='tracebraid-aligning-')
        self.addCleanup(self.folder.cleanup)
        self.write(flows(200))

    def write(self, files):
        self.files = []
        for name, events in zip(('a.json', 'b.json'), files):
            path = pathlib.Path(self.folder.name) / name
            path.write_text(events if isinstance(events, str) else json.dumps(events))
            self.files.append(str(path))

    def run_it(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def rows(self, sql, *options):
        done = subprocess.run([PROGRAM, 'query', *self.files, sql, '--format', 'jsonl', *options],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()[1:]]

    def test_flows_both_ways_place_a_file(self):
        out = self.run_it('check', *self.files, '--strict', '--wide')
        self.assertIn('flows both ways (200 of 200)', out)
        self.assertIn('causality: 200 pairs, 0 certain, 0 within uncertainty (before: 100)', out)
        [[offset, bound, used]] = self.rows("SELECT abs(offset_ns), bound_ns, used FROM clock_match_set WHERE kind = 'flows'")
        self.assertLess(abs(offset - OFFSET_US * 1000), 60_000)
        self.assertLess(bound, 300_000)
        self.assertEqual(used, 200)
        self.assertEqual(self.rows('SELECT count(*), sum(used) FROM clock_match WHERE used'), [[200, 200]])
        self.assertEqual(self.rows("SELECT matched, assumes FROM placement WHERE rule = 'relayed'"),
                         [[200, 'symmetric_delay']])
        self.assertGreater(self.rows('SELECT count(*) FROM clock_residual')[0][0], 200)
        report = json.loads(self.run_it('check', *self.files, '--json'))
        self.assertEqual([row['verdict'] for row in report['matched'] if row['kind'] == 'flows'], ['used'])
        self.assertEqual(sum(row['pairs'] for row in report['causality']), 200)
        self.assertIn('200 of 200 matches are used', self.run_it('check', *self.files, '--explain', 'b.json'))
        graph = os.path.join(self.folder.name, 'clocks.svg')
        self.run_it('check', *self.files, '--graph', graph)
        self.assertIn('flows', pathlib.Path(graph).read_text())

    def test_kinds_are_chosen(self):
        for kinds, placed in ('off', 0), ('verify', 0), ('collectives', 0), ('flows', 1), ('collectives,flows', 1):
            with self.subTest(kinds):
                out = self.run_it('check', *self.files, '--align', kinds, '--strict', status=0 if placed else 1)
                self.assertEqual('flows both ways' in out, bool(placed))
        self.assertIn('task_switches, collectives, flows', self.run_it('check', *self.files, '--align', 'x', status=2))

    def test_a_manifest_chooses_kinds(self):
        manifest = os.path.join(self.folder.name, 'manifest.json')
        for align, status in ('"off"', 1), ('["flows"]', 0), ('["collectives"]', 1):
            text = f'{{"perfetto_manifest": {{"version": 1, "align": {align}}}}}'
            pathlib.Path(manifest).write_text(text)
            self.run_it('check', *self.files, '--manifest', manifest, '--strict', status=status)
        self.run_it('check', *self.files, '--manifest', manifest, '--strict', '--align', 'flows')
        pathlib.Path(manifest).write_text('{"perfetto_manifest": {"version": 1, "align": ["x"]}}')
        self.assertIn('align must be', self.run_it('check', *self.files, '--manifest', manifest, status=3))

    def test_certain_violations_fail_and_some_may_be_allowed(self):
        self.write(flows(1000, reused=8))
        out = self.run_it('check', *self.files, '--strict', '--wide', status=1)
        self.assertIn('8 certain', out)
        self.run_it('check', *self.files, '--strict=all', status=1)
        self.run_it('check', *self.files, '--strict', '--allow-violations', '8')
        self.run_it('check', *self.files, '--strict', '--allow-violations', '7', status=1)
        self.run_it('check', *self.files, '--strict', '--allow-violations', '1%')
        self.run_it('check', *self.files, '--allow-violations', 'many', status=2)
        found = self.rows('SELECT verdict, gap_ns < -999000000, slice_out IS NOT NULL FROM causality_violation')
        self.assertEqual(found, [['certain', 1, 1]] * 8)

    def test_flows_one_way_are_refused(self):
        self.write(flows(200, ways=1))
        out = self.run_it('check', *self.files, '--wide')
        self.assertIn('refused, one_sided', out)
        self.assertIn('guess', out)
        self.assertEqual(self.rows("SELECT value FROM stats WHERE name = 'align_sets_refused' AND idx = 9"), [[1]])

    def placed_within(self, most_ns):
        [[kind, verdict, offset]] = self.rows('SELECT kind, verdict, abs(offset_ns) FROM clock_match_set')
        self.assertEqual(verdict, 'used')
        self.assertLess(abs(offset - OFFSET_US * 1000), most_ns)
        return kind

    def test_spans_place_a_service(self):
        self.write(calls(100))
        self.assertIn('spans within spans (200 of 200)', self.run_it('check', *self.files, '--strict', '--wide'))
        self.assertEqual(self.placed_within(100_000), 'spans')
        self.assertEqual(self.rows('SELECT kind, sum(pairs), sum(certain) FROM causality GROUP BY 1'), [['spans', 200, 0]])
        self.assertEqual(self.rows('SELECT count(*) FROM clock_match WHERE length(key) = 16'), [[200]])
        self.run_it('check', *self.files, '--strict', '--align', 'flows', status=1)
        self.assertIn('have parents in the other', self.run_it('check', *self.files, '--explain', 'b.json'))

    def test_the_same_events_place_a_file(self):
        self.write(program((5, 5)))
        self.assertIn('same events (', self.run_it('check', *self.files, '--strict', '--wide'))
        self.assertEqual(self.placed_within(5_000), 'same_events')
        [[bits, bound]] = self.rows('SELECT surprise_bits, bound_ns FROM clock_match_set')
        self.assertGreater(bits, 1000)
        self.assertLess(bound, 20_000)
        self.assertIn('Two recorders noted', self.run_it('check', *self.files, '--explain', 'b.json'))
        self.write(program((5, 6)))
        self.assertEqual(self.rows('SELECT count(*) FROM clock_match_set'), [[0]])

    def test_a_tick_is_aliased(self):
        self.write(program((5, 5), period=16_700))
        self.assertEqual(self.rows('SELECT verdict, reason, round(alias_period_ns / 1e5) FROM clock_match_set'),
                         [['refused', 'aliased', 167]])
        self.assertIn('the pattern repeats every 16.7', self.run_it('check', *self.files, '--wide'))

    def test_log_lines_place_a_file(self):
        self.write(lines(200))
        self.assertIn('log lines (200 of 200)', self.run_it('check', *self.files, '--strict', '--wide'))
        self.assertEqual(self.placed_within(400_000), 'logs')
        self.run_it('check', *self.files, '--strict', '--align', 'same_events', status=1)

    def test_calls_packets_messages_and_barriers_place_a_file(self):
        for kind, make, words, why in (('rpc', numbered_calls, 'calls and replies (', 'were answered'),
                                       ('packets', packets, 'packets both ways (', 'received packets'),
                                       ('mpi', messages, 'messages of MPI (', 'received messages'),
                                       ('barriers', barriers, 'barriers (', 'passed the same barriers')):
            with self.subTest(kind):
                self.write(with_args(300, make))
                self.assertIn(words, self.run_it('check', *self.files, '--strict', '--wide', '--align', kind))
                self.assertEqual(self.placed_within(20_000), kind)
                self.assertIn(why, self.run_it('check', *self.files, '--explain', 'b.json'))
                self.run_it('check', *self.files, '--strict', '--align', 'flows', status=1)
                self.assertEqual(self.rows('SELECT DISTINCT kind, certain FROM causality'), [[kind, 0]])
                self.assertEqual(self.rows('SELECT DISTINCT kind FROM causality', '--align', 'off'), [[kind]])
                manifest = os.path.join(self.folder.name, 'manifest.json')
                pathlib.Path(manifest).write_text(f'{{"perfetto_manifest": {{"version": 1, "align": ["{kind}"]}}}}')
                self.run_it('check', *self.files, '--manifest', manifest, '--strict')

    def test_calls_of_kernels_match(self):
        self.write(kernel_calls(200))
        # Text of the kernel has a clock, which the machine shares: the calls show another machine.
        self.assertEqual(self.rows('SELECT kind, candidates, outliers, reason FROM clock_match_set', '--align', 'rpc'),
                         [['rpc', 400, 0, None]])

    def test_wakeups_match_switches(self):
        self.write(wakeups(3000))
        [[kind, verdict, outliers]] = self.rows('SELECT kind, verdict, outliers * 20 < candidates FROM clock_match_set')
        self.assertEqual((kind, outliers), ('wakeups', 1))
        self.assertIn(verdict, ('used', 'verified'))

    def test_the_order_of_files_does_not_matter(self):
        def result():
            return self.rows('SELECT abs(offset_ns), bound_ns, used, outliers, verdict FROM clock_match_set')
        first = result()
        self.files.reverse()
        self.assertEqual([row[2:] for row in result()], [row[2:] for row in first])

    def test_the_number_of_threads_does_not_matter(self):
        self.write(flows(5000, reused=20))
        for table in 'clock_match_set', 'clock_match', 'clock_residual', 'causality', 'causality_violation':
            found = [self.rows(f'SELECT * FROM {table}', '--threads', threads) for threads in ('1', '16')]
            self.assertEqual(*found, table)
            self.assertGreater(len(found[0]), 0, table)


if __name__ == '__main__':
    unittest.main()
