#!/usr/bin/env python3
"""Random traces through tracebraid and through a plain importer in Python; the rows are equal.

    compare.py TRACEBRAID [--seed N] [--rounds N]

A round that differs prints its seed and the rows that one side alone has.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import json_oracle

QUERIES = {
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


def tracebraid_rows(tracebraid, path):
    done = subprocess.run(
        [tracebraid, 'query', path, ';'.join(QUERIES.values()), '--format', 'jsonl'],
        capture_output=True, text=True, timeout=120, check=True)
    found = {}
    for name, part in zip(QUERIES, done.stdout.split('\n\n')):
        found[name] = sorted((json.loads(line) for line in part.splitlines()[1:] if line), key=repr)
    return found


def differences(tracebraid, seed, folder):
    events = json_oracle.random_events(seed)
    path = os.path.join(folder, f'{seed}.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(events, file)
    ours, expected = tracebraid_rows(tracebraid, path), json_oracle.import_events(events)
    lines = []
    for name, rows in expected.items():
        lines += [f'  {name}: expected {row}' for row in rows if row not in ours[name]]
        lines += [f'  {name}: found    {row}' for row in ours[name] if row not in rows]
        if not lines and len(rows) != len(ours[name]):
            lines.append(f'  {name}: {len(rows)} rows expected, {len(ours[name])} found')
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tracebraid')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=40)
    options = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.rounds):
            if lines := differences(options.tracebraid, seed, folder):
                bad += 1
                print(f'seed {seed}:')
                print('\n'.join(lines[:20]))
    print(f'{options.rounds} random traces, {bad} differ')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
