#!/usr/bin/env python3
"""Exports open elsewhere: a strict reader (oracle/strict_reader.py) finds every row of an export at its exact time.

  strict_reader_test.py TRACEBRAID [GENERATE] INPUT...

Each INPUT is a file, files with '+' between them that are merged, or one of these: 'made:KIND' (made by GENERATE),
'worlds:N' (N random archives of several machines and clocks), 'fleets:N' (four files of four machines),
'logs-and-heaps:N' (two machines), 'cases:' (CASES below), 'vectors:FILTER' (the inputs of vectors; without a filter one
of six and those that differed once), 'traces:FOLDER' (the traces in a folder of less than 100 KB). With
TRACEBRAID_ALL_TRACES=1 all vectors and all traces, the smallest first.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / 'oracle'))
import clock_oracle  # noqa: E402
import strict_reader  # noqa: E402
from proto_oracle import message  # noqa: E402
from vectors import run as vectors_run, textproto  # noqa: E402

MACHINE = 'JOIN __intrinsic_machine m ON m.id = {}.machine_id'
TRACK = f"JOIN __intrinsic_track k ON k.id = x.track_id {MACHINE.format('k')}"
THREAD = f"JOIN __intrinsic_thread t ON t.id = x.utid {MACHINE.format('t')}"
QUERIES = {
    'slice': f'SELECT m.id, x.ts, x.dur, x.name, t.tid FROM __intrinsic_slice x {TRACK} LEFT JOIN __intrinsic_thread t ON t.id = k.utid',
    'counter': f'SELECT m.id, x.ts, x.value FROM __intrinsic_counter x {TRACK}',
    'state': f'SELECT m.id, x.ts, x.dur, x.value FROM __intrinsic_state x {TRACK}',
    'sched': f'SELECT m.id, x.ts, x.dur, x.ucpu % 4096, t.tid, x.end_state, x.priority FROM __intrinsic_sched_slice x {THREAD}',
    'thread_state': f'SELECT m.id, x.ts, x.dur, t.tid, x.state FROM __intrinsic_thread_state x {THREAD}',
    'thread': f"""SELECT m.id, t.tid, t.name, p.pid FROM __intrinsic_thread t {MACHINE.format('t')}
        LEFT JOIN __intrinsic_process p ON p.id = t.upid WHERE NOT (t.is_idle AND t.tid = 0 AND p.pid = 0)""",
    'process': f"SELECT m.id, x.pid, x.name FROM __intrinsic_process x {MACHINE.format('x')} WHERE x.pid <> 0 OR x.name IS NOT NULL",
    'log': 'SELECT x.ts, x.msg FROM __intrinsic_logs x',
    'sample': 'SELECT x.ts FROM __intrinsic_profiler_sample x',
    'heap_dump': f"SELECT m.id, x.ts_end FROM __intrinsic_heap_profile x JOIN __intrinsic_process p ON p.id = x.upid {MACHINE.format('p')}",
    'heap_graph': f"SELECT m.id, x.ts FROM __intrinsic_heap_graph x JOIN __intrinsic_process p ON p.id = x.upid {MACHINE.format('p')}",
}
MACHINES = 'SELECT count(*), (SELECT start_ts FROM trace_bounds) FROM __intrinsic_machine'
SECOND = 1_000_000_000
BEFORE_ZERO = ('track_event_invalid_timestamp', 'trace_sorter_negative_timestamp_dropped')


def strict_rows(whole, shift):
    """Returns the rows of a strict reader in the form of QUERIES; machines by their order."""
    def of(machine):
        return machine.row

    found = {
        'slice': [(of(s.track.machine), s.ts - shift, s.dur, s.name, s.track.thread and s.track.thread.tid) for s in whole.slices],
        'counter': [(of(m), ts - shift, value) for m, ts, value in whole.counters],
        'state': [(of(m), ts - shift, dur, value) for m, ts, dur, value in whole.states],
        'log': [(ts - shift, text) for _, ts, text in whole.logs],
        'sample': [(ts - shift,) for _, ts in whole.samples],
        'heap_dump': [(of(m), ts - shift) for m, ts in whole.dumps],
        'heap_graph': [(of(m), ts - shift) for m, ts in whole.graphs],
        'sched': [], 'thread_state': [], 'thread': [], 'process': [],
    }
    for m in whole.machines:
        found['sched'] += [(of(m), ts - shift, dur, cpu, t.tid, end, prio) for ts, dur, cpu, t, end, prio in m.scheduling.sched]
        found['thread_state'] += [(of(m), ts - shift, dur, t.tid, state) for ts, dur, t, state in m.scheduling.states]
        found['thread'] += [(of(m), t.tid, t.name, t.process and t.process.pid) for t in m.threads if t is not m.idle]
        found['process'] += [(of(m), p.pid, p.name) for p in m.processes if p.pid or p.name is not None]
    return {table: collections.Counter(rows) for table, rows in found.items()}


class Announced:
    """The differences that the export announces, because the format cannot represent the rows (docs/exports.md)."""

    def __init__(self, stderr):
        self.rows = {}  # table: lost and new rows
        for count, table, first, rest in re.findall(r'(\d+) rows? of (sched|thread_state) (?:is|are) (\w+)((?:, \d+ \w+)*)', stderr):
            numbers = collections.Counter({first: int(count)})
            for more, what in re.findall(r'(\d+) (\w+)', rest):
                numbers[what] += int(more)
            self.rows[table] = numbers['changed'] + numbers['lost'], numbers['changed'] + numbers['added']
        found = re.search(r'other programs drop (\d+) events? before 0', stderr)
        self.before_zero = int(found[1]) if found else 0
        self.has_wide_pids = 'a pid of more than 32 bits' in stderr
        self.has_thread_0 = 'show thread 0 of the process' in stderr

    def is_any(self):
        return bool(self.rows or self.before_zero or self.has_wide_pids or self.has_thread_0)

    def adapt(self, table, a, b):
        if self.before_zero and table in ('slice', 'counter', 'state', 'sched', 'thread_state', 'heap_dump', 'heap_graph'):
            a = collections.Counter({row: n for row, n in a.items() if row[1] >= 0})
        if self.has_wide_pids and table in ('thread', 'process'):
            known = {row[at] for row in a for at in (1, -1)}

            def shown(row, is_other):
                return tuple('other' if isinstance(cell, int) and is_other(cell) else cell for cell in row)
            a = collections.Counter({shown(row, lambda number: abs(number) >> 31): n for row, n in a.items()})
            b = collections.Counter({shown(row, lambda number: number > 1000 and number not in known): n
                                     for row, n in b.items()})
        if self.has_thread_0 and table == 'thread':
            b = collections.Counter({row: n for row, n in b.items() if row in a or row[1:3] != (0, None)})
        return a, b


def differences(ours, theirs, order, announced):
    """order: our row of each machine of the export."""
    problems = []
    for table in QUERIES:
        a, b = announced.adapt(table, ours[table], theirs[table])
        if table not in ('sample', 'log'):
            b = collections.Counter({(order[row[0]] if row[0] < len(order) else None, *row[1:]): n for row, n in b.items()})
        if table == 'thread':
            # The format gives each described thread a process (docs/exports.md): its own, if it has none.
            alone = {row for row in a if row[3] is None}
            b = collections.Counter({(*row[:3], None) if (*row[:3], None) in alone and row[3] == row[1] else row: n
                                     for row, n in b.items()})
        if table == 'process':
            own = {(row[0], row[1]) for row in ours['thread'] if row[3] is None}
            b = collections.Counter({row: n for row, n in b.items() if row in a or row[2] or row[:2] not in own})
        lost, new = a - b, b - a
        if (lost.total(), new.total()) == announced.rows.get(table, (0, 0)):
            continue
        if lost or new:
            problems.append(f'{table}: {a.total()} rows, {lost.total()} lost, {new.total()} new')
            problems += [f'  {sign} {str(row)[:200]}' for sign, rows in (('-', lost), ('+', new))
                         for row in sorted(rows, key=str)[:3]]
    return problems


class Check:
    def __init__(self, program, folder):
        self.program, self.folder, self.rows, self.inputs, self.bad, self.unread = program, pathlib.Path(folder), 0, 0, 0, 0

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=600, errors='replace')

    def our_rows(self, files):
        sql = self.folder / 'queries.sql'
        sql.write_text(';\n'.join([MACHINES, *QUERIES.values()]))
        sets = self.run('query', *files, '-q', '--no-progress', '--format', 'jsonl', '--sql-file', str(sql)).stdout.split('\n\n')
        rows = [[tuple(json.loads(line)) for line in rows.strip('\n').split('\n')[1:] if line] for rows in sets]
        machines, start = rows[0][0]
        return machines, start, {name: collections.Counter(r) for name, r in zip(QUERIES, rows[1:])}

    def check(self, name, files, wanted=()):
        """Prints what a strict reader of the export misses or has in addition. wanted: tables that must have rows."""
        out = self.folder / 'out.pftrace'
        out.unlink(missing_ok=True)
        done = self.run('export', *files, '--no-progress', '--to', 'perfetto', '-o', str(out))
        if done.returncode == 3 and self.run('query', *files, '-q', '--no-progress', 'SELECT 1').returncode == 3:
            self.unread += 1
            return
        self.inputs += 1
        if done.returncode != 0:
            self.bad += 1
            print(f'FAIL: {name}: export: status {done.returncode}: {done.stderr.strip()[:300]}')
            return
        machines, start, ours = self.our_rows(files)
        # Times before 0 would be dropped: such an export is later by whole seconds.
        announced = Announced(done.stderr)
        shift = -(start // SECOND) * SECOND if start < 0 and not announced.before_zero else 0
        whole = strict_reader.read(out.read_bytes())
        theirs = strict_rows(whole, shift)
        self.rows += sum(rows.total() for rows in ours.values())
        # The export has the machine of the timeline first. Any of ours may be that machine.
        orders = [[home, *(row for row in range(machines) if row != home)] for home in range(machines)]
        problems = min((differences(ours, theirs, order, announced) for order in orders or [[]]), key=len)
        problems += [f'no row of {table}' for table in wanted if not ours[table]]
        if announced.before_zero:
            dropped = sum(whole.stats.pop(stat, 0) for stat in BEFORE_ZERO)
            if dropped != announced.before_zero:
                problems.append(f'{dropped} events before 0, {announced.before_zero} announced')
        if announced.is_any() != (name in CANNOT):
            problems.append(f'announces differences: {done.stderr}')
        problems += [f'stat {stat}: {count}' for stat, count in sorted(whole.stats.items())
                     if count and ('clock' in stat or stat in BEFORE_ZERO or 'error' in stat)]
        judged = self.run('check', '--as-reference', '--strict', '--no-progress', str(out))
        if judged.returncode and not announced.before_zero:
            problems.append(f'check --as-reference: {judged.stdout[-500:]}{judged.stderr[:300]}')
        if problems:
            self.bad += 1
            print(f'FAIL: {name}')
            print('\n'.join('  ' + p for p in problems), flush=True)


NOT_TRACES = {'.md', '.txt.license', '.LICENSE'}


def sample_of(folder):
    files = sorted(p for p in pathlib.Path(folder).rglob('*') if p.is_file() and p.suffix not in NOT_TRACES)
    if os.environ.get('TRACEBRAID_ALL_TRACES'):
        return sorted(files, key=lambda p: p.stat().st_size)
    return [p for p in files if p.stat().st_size < 100_000]


def logs_and_heaps(folder, seed):
    """Returns the arguments for a merge of two machines: the second, whose clocks are stepped differently, has slices, a
    log and heap dumps, so its export has readings of REALTIME and MONOTONIC_COARSE for it."""
    wall = 1_700_000_000_000_000_000  # 2023-11-14 22:13:20
    machines = (('server', 7, 0), ('phone', 900, 1_300_000_007 * seed))
    files = []
    for name, boot, late in machines:
        boottime = boot * SECOND
        packets = []

        def packet(*fields):
            packets.append((1, message((10, 1), *fields)))

        def snapshot(at, step):
            clocks = ((6, boottime + at), (1, wall + late + at + step), (3, boottime + at - 5), (4, boottime + at - 1_000_005))
            packet((6, message(*((1, message((1, clock), (2, ns))) for clock, ns in clocks))))
        snapshot(0, 0)
        thread = message((1, 5), (2, 6), (5, name))
        packet((8, boottime), (13, 1), (60, message((1, 10), (4, thread))))
        for at in range(20):
            # The wall clock of each machine is set, forward on one and back on the other.
            if at == 10:
                snapshot(at * 100_000_000, 3_000_001 if name == 'server' else -2_000_003)
            ns = boottime + at * 100_000_000 + 17
            packet((8, ns), (11, message((9, 1), (11, 10), (23, f'step {at}'))))
            packet((8, ns + 40_000_000), (11, message((9, 2), (11, 10))))
            if name == 'phone' and at % 5 == 3:
                dump = message((1, 5), (9, ns - 1_000_000), (11, 'malloc'))
                packet((8, ns), (37, message((5, dump))))
        path = pathlib.Path(folder) / f'{name}-{seed}.pftrace'
        path.write_bytes(message(*packets))
        files.append((path, name))
    log = pathlib.Path(folder) / f'phone-{seed}.log'
    lines = [f'2023-11-14 22:13:{20 + (at * 70 + late // 1_000_000) // 1000:02}.{(at * 70 + late // 1_000_000) % 1000:03} '
             f'    5     6 I Tag     : line {at}\n' for at in range(25)]
    log.write_text('--------- beginning of main\n' + ''.join(lines))
    files.append((log, 'phone'))
    manifest = pathlib.Path(folder) / f'logs-{seed}.json'
    manifest.write_text(json.dumps({'perfetto_manifest': {'version': 1, 'files': [
        {'path': path.name, 'machine': {'name': name}} for path, name in files]}}))
    return [*(str(path) for path, _ in files), '--manifest', str(manifest)]


def fleet(generate, folder, seed):
    """Returns the arguments for a merge of four files, each of a machine of its own."""
    paths = []
    for at, kind in enumerate(FLEETS[seed % len(FLEETS)]):
        path = f'{folder}/fleet-{seed}-{at}'
        of = kind.partition('/')
        if of[1]:
            os.mkdir(path)
        subprocess.run([generate, of[0], '--seed', str(10 * seed + at), '--size', '60K', '-o', path], check=True,
                       capture_output=True)
        paths.append(path + of[1] + of[2])
    names = [os.path.basename(path) for path in paths]
    files = [{'path': name, 'machine': {'name': f'machine {at}'}} for at, name in enumerate(dict.fromkeys(names))]
    manifest = pathlib.Path(f'{folder}/fleet-{seed}.json')
    manifest.write_text(json.dumps({'perfetto_manifest': {'version': 1, 'files': files}}))
    return [*paths, '--manifest', str(manifest)]


# Files whose exports other programs changed.
CASES = {
    # An end that names the outer slice: the inner slice has no end, and the next one is beside it.
    'end_of_outer_slice.json': """[{"pid": 0, "tid": 0, "ph": "B", "name": "A", "ts": 0},
        {"pid": 0, "tid": 0, "ph": "B", "name": "B", "ts": 1}, {"pid": 0, "tid": 0, "ph": "E", "name": "A", "ts": 10},
        {"pid": 0, "tid": 0, "ph": "X", "name": "Z", "ts": 10, "dur": 1}]""",
    # Times before 0: the slice and the names of threads that were described with it.
    'before_zero.json': """[{"name": "thread_name", "ph": "M", "pid": 1, "tid": 19, "args": {"name": "Main Thread"}},
        {"name": "launch", "ph": "X", "ts": -1891000, "dur": 1891000, "pid": 1, "tid": 19},
        {"name": "go", "ph": "i", "ts": 0, "pid": 1, "tid": 19},
        {"name": "build", "ph": "X", "ts": 480554, "dur": 369, "pid": 1, "tid": 20}]""",
}
# Inputs of whose export a strict reader does not see everything, because the format cannot represent it. The export says so.
CANNOT = {
    'ftrace-text/sched_state_unknown': 'the state F|O has no bits',
    'other-formats/instruments_bad_thread_reference': 'a sample of a process without a thread',
    'perfetto-proto/p2_etw_cswitch': 'states of Windows, which the format has no names for',
    'perfetto-proto/p2_etw_ready_thread': 'states of Windows, which the format has no names for',
    'trace-event-format/number_rounds_long_fraction': 'times before 0 beside the largest time',
    'trace-event-format/field_pid_large_negative': 'a pid of 2^40',
    'trace-event-format/te_140_thread_states': 'states that end without a next one, and sched rows without an end state',
    'trace-event-format/thread_state': 'the same',
}
# Further vectors whose exports a strict reader read differently.
DIFFERED = {'fuchsia_scheduling', 'extreme_values', 'generic_kernel_errors', 'generic_kernel_switch', 'generic_kernel_tree',
            'te_pid_reuse_two_uuids', 'number_ts_overflow', 'manifest_trace_time_alone'}
# What each of four machines records.
FLEETS = [('track-event', 'sched', 'track-event-sdk', 'chrome-json'), ('sched', 'sched', 'sched', 'sched'),
          ('examples/phone.pftrace', 'examples/watch.pftrace', 'track-event', 'systrace'),
          ('systrace', 'chrome-json', 'kineto-json', 'track-event')]


def main():
    program, *rest = sys.argv[1:]
    generate = rest.pop(0) if rest and 'generate' in rest[0] else None
    with tempfile.TemporaryDirectory(prefix='strict-reader-') as folder:
        check = Check(program, folder)
        for name in rest:
            kind, _, value = name.partition(':')
            if kind == 'made':
                path = f'{folder}/{value}'
                subprocess.run([generate, value, '--size', '200K', '-o', path], check=True, capture_output=True)
                check.check(name, [path])
            elif kind == 'cases':
                for name, content in CASES.items():
                    path = pathlib.Path(folder) / name
                    path.write_text(content)
                    check.check(name, [str(path)])
            elif kind == 'fleets':
                for seed in range(1, int(value) + 1):
                    check.check(f'fleet {seed}', fleet(generate, folder, seed))
            elif kind == 'logs-and-heaps':
                for seed in range(1, int(value) + 1):
                    check.check(f'logs and heaps {seed}', logs_and_heaps(folder, seed), ('log', 'heap_dump'))
            elif kind == 'worlds':
                for seed in range(1, int(value) + 1):
                    path = pathlib.Path(folder) / f'world-{seed}.zip'
                    path.write_bytes(clock_oracle.make(seed)[0])
                    check.check(f'world {seed}', [str(path)])
            elif kind == 'vectors':
                inputs = {one.trace for one in vectors_run.prepare(folder + '/vectors', textproto.project_schema(),
                                                                [value] if value else [])}
                for at, path in enumerate(sorted(inputs)):
                    name = f'{path.parent.parent.name}/{path.parent.name}'
                    is_known = name in CANNOT or path.parent.name in DIFFERED
                    if value or at % 6 == 0 or is_known or os.environ.get('TRACEBRAID_ALL_TRACES'):
                        check.check(name, [str(path)])
            elif kind == 'traces':
                for path in sample_of(value):
                    check.check(str(path), [str(path)])
            else:
                check.check(name, name.split('+'))
        print(f'{check.rows} rows of {check.inputs} exports compared, {check.bad} exports differ; {check.unread} inputs are not read by either')
    sys.exit(1 if check.bad or not check.inputs else 0)


if __name__ == '__main__':
    main()
