#!/usr/bin/env python3
"""Imports random traces with tracebraid and with plain importers in Python, and compares the rows.

    compare.py TRACEBRAID [--seed N] [--rounds N]

Prints format and seed of each trace that differs, and the rows that only one side has.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import clock_oracle
import json_oracle
import proto_oracle

JSON_QUERIES = {
    'slices': """SELECT th.tid, s.ts, s.dur, s.name, s.depth, p.name, p.ts
        FROM slice s JOIN thread_track t ON s.track_id = t.id JOIN thread th USING (utid)
        LEFT JOIN slice p ON p.id = s.parent_id WHERE t.type = 'thread_execution'""",
    'spilled': """SELECT th.tid, s.ts, s.dur, s.name
        FROM slice s JOIN thread_track t ON s.track_id = t.id JOIN thread th USING (utid)
        WHERE t.type = 'thread_overlapping_slice'""",
    'async': """SELECT s.ts, s.dur, s.name, s.depth, p.name, p.ts
        FROM slice s JOIN track t ON s.track_id = t.id LEFT JOIN slice p ON p.id = s.parent_id
        WHERE t.type = 'legacy_async_global_slice'""",
    'counters': """SELECT p.pid, t.name, c.ts, c.value FROM counter c
        JOIN process_counter_track t ON c.track_id = t.id JOIN process p USING (upid)""",
}
PROTO_QUERIES = {
    'slices': """SELECT th.tid, s.ts, s.dur, s.name, s.depth, p.name, p.ts
        FROM slice s JOIN thread_track t ON s.track_id = t.id JOIN thread th USING (utid)
        LEFT JOIN slice p ON p.id = s.parent_id""",
    'counters': 'SELECT t.name, c.ts, c.value FROM counter c JOIN track t ON c.track_id = t.id',
    'sched': """SELECT s.ts, s.dur, s.cpu, th.tid, s.end_state, s.priority
        FROM sched s JOIN thread th USING (utid)""",
    'states': """SELECT s.ts, s.dur, th.tid, s.state, s.cpu
        FROM thread_state s JOIN thread th USING (utid)""",
    'spurious': 'SELECT count(*) FROM spurious_sched_wakeup',
}
CLOCK_QUERIES = {'placed': "SELECT name, ts FROM slice WHERE name GLOB 'sure *'"}


def json_trace(seed):
    events = json_oracle.random_events(seed)
    return json.dumps(events).encode(), json_oracle.import_events(events)


FORMATS = {'json': (JSON_QUERIES, json_trace), 'proto': (PROTO_QUERIES, proto_oracle.make),
           'clocks': (CLOCK_QUERIES, clock_oracle.make)}


def tracebraid_rows(tracebraid, path, queries):
    done = subprocess.run(
        [tracebraid, 'query', path, ';'.join(queries.values()), '--format', 'jsonl'],
        capture_output=True, text=True, timeout=120, check=True)
    found = {}
    for name, part in zip(queries, done.stdout.split('\n\n')):
        found[name] = sorted((json.loads(line) for line in part.splitlines()[1:] if line), key=repr)
    return found


def differences(tracebraid, queries, trace, expected, path):
    with open(path, 'wb') as file:
        file.write(trace)
    ours = tracebraid_rows(tracebraid, path, queries)
    lines = []
    for name, rows in expected.items():
        lines += [f'  {name}: expected {row}' for row in rows if row not in ours[name]]
        lines += [f'  {name}: found    {row}' for row in ours[name] if row not in rows]
        if len(rows) != len(ours[name]):
            lines.append(f'  {name}: {len(rows)} rows expected, {len(ours[name])} found')
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tracebraid')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=30)
    parser.add_argument('--format', choices=FORMATS, action='append')
    options = parser.parse_args()
    bad = done = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.format or FORMATS:
            queries, make = FORMATS[kind]
            for seed in range(options.seed, options.seed + options.rounds):
                trace, expected = make(seed)
                path = os.path.join(folder, f'{kind}-{seed}')
                done += 1
                if lines := differences(options.tracebraid, queries, trace, expected, path):
                    bad += 1
                    print(f'{kind}, seed {seed}:')
                    print('\n'.join(lines[:20]))
    print(f'{done} random traces, {bad} differ')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
