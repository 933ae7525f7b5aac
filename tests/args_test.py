#!/usr/bin/env python3
"""Args of JSON traces leave as they came: every event of an export has the args of the event in the
file, with null, empty containers, large integers and names with dots.

  args_test.py TRACEBRAID [--rounds N] [TRACES]

Compares random args and, if the folder TRACES exists, every real JSON trace in it, in exports as
JSON and, for random args, in exports as a protobuf trace that is imported again. Args are compared
as multisets by name of the event. Of real traces, complete events and instants are compared,
because other slices join the args of the events that begin and end them.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import json_counts

NAMES = ['a', 'b', 'k.with.dot', 'k', 'with', 'dot', '', '[0]', 'x[1].y', 'q"uote', 'back\\slash', 'line\n', 'é', 'a b',
         'args', 'debug', 'debug.x', '0', '["a"]', 'a["b"]', '.', 'a.', '.a', 'a..b', '[', ']', '[]', '[1', '[-1]', 'k[0]', 'k[0', '\0', '\x7f',
         '😀', '\u2028', 'e\u0301', "'", '"', '\\"', '\\u0041', '[18446744073709551615]']
REALS = [0.5, -1e300, 1e-9, 0.1, 1e308, 5e-324, -0.0, 1.0, 1e16, 1e22, 2.0**64, float('inf'), -float('inf')]
LARGE = [2**63 - 1, 2**63, 2**64 - 1, 10**19, -2**63, 2**53 + 1]
MARK = '__args_test'


def random_value(rng, depth):
    kind = rng.randrange(11 if depth < 4 else 8)
    if kind < 2:
        return None
    if kind == 2:
        return rng.choice(['', 'text', 'null', '{}', '\\', '"', '😀', '\0', '\x01x', '\u2028', 'a' * 3000, '[1,2]', '1e5', ' x '])
    if kind == 3:
        return rng.choice(LARGE)
    if kind == 4:
        return rng.randrange(-9, 9)
    if kind == 5:
        return rng.choice(REALS)
    if kind == 6:
        return rng.random() < 0.5
    if kind == 7:
        return rng.choice([[], {}])
    if kind == 8:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return random_object(rng, depth + 1)


def random_object(rng, depth=0):
    return {name: random_value(rng, depth) for name in rng.sample(NAMES, rng.randrange(5))}


def exact(value):
    """Returns a text that is equal for equal values of one type."""
    if isinstance(value, float):
        return f'real {value!r}'
    if isinstance(value, dict):
        return '{' + ','.join(sorted(f'{json.dumps(key)}:{exact(item)}' for key, item in value.items())) + '}'
    if isinstance(value, list):
        return '[' + ','.join(map(exact, value)) + ']'
    return json.dumps(value)


def leaves_of(value):
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return sum(map(leaves_of, children)) if children else 1


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def run(self, *arguments):
        done = subprocess.run([self.path, *map(str, arguments), '-q', '--no-progress'], capture_output=True, timeout=600)
        if done.returncode != 0:
            raise SystemExit(f'{arguments}: {done.stderr.decode()}')
        return done.stdout

    def export(self, path, kind):
        out = self.folder / f'out.{kind}'
        self.run('export', path, '--to', kind, '-o', out, '--force')
        return out

    def events_of_export(self, path):
        return json.loads(self.export(path, 'json').read_bytes(), strict=False)['traceEvents']

    def args_of_export(self, path):
        """Returns the args of all events of the JSON export, in order."""
        return [event.get('args', {}) for event in self.events_of_export(path) if event['ph'] == 'X']

    def args_by_sql(self, path):
        rows = self.run('query', path, 'SELECT __intrinsic_arg_set_to_json(arg_set_id) FROM slice ORDER BY ts',
                        '--format', 'jsonl').splitlines()[1:]
        sets = [json.loads(row)[0] for row in rows]
        return [json.loads(text, strict=False).get('args', {}) if text else {} for text in sets]


def check_random(program, rng, count):
    wanted = [random_object(rng) for _ in range(count)]
    path = program.folder / 'random.json'
    path.write_text(json.dumps([{'ph': 'X', 'pid': 1, 'tid': 1, 'ts': at * 2, 'dur': 1, 'name': 'e', 'args': args}
                                for at, args in enumerate(wanted)]))
    again = program.export(path, 'perfetto')
    braid = program.export(path, 'braid')
    ways = {'JSON': program.args_of_export(path), 'protobuf, JSON': program.args_of_export(again),
            'braid, JSON': program.args_of_export(braid)}
    for way, found in ways.items():
        for args, after in zip(wanted, found, strict=True):
            if exact(args) != exact(after):
                raise SystemExit(f'{way}: {json.dumps(args)} became {json.dumps(after)}')
    # Reals of SQL have 15 digits.
    for way, found in {'SQL': program.args_by_sql(path), 'protobuf, SQL': program.args_by_sql(again)}.items():
        for args, after in zip(wanted, found, strict=True):
            if exact(args) != exact(after) and 'real' not in exact(args):
                raise SystemExit(f'{way}: {json.dumps(args)} became {json.dumps(after)}')
    return count


def check_joined(program, rng, count):
    """The args of begins and ends: leaves of args_full form a tree, and those of args are among them."""
    events = []
    for at in range(count):
        events += [{'ph': phase, 'pid': 1, 'tid': 1, 'ts': at * 4 + n, 'name': 'e', 'args': random_object(rng)}
                   for n, phase in enumerate('BE')]
    path = program.folder / 'joined.json'
    path.write_text(json.dumps(events))
    sql = '''SELECT count(*) FROM args a WHERE NOT EXISTS (SELECT 1 FROM args_full f
        WHERE f.arg_set_id = a.arg_set_id AND f.flat_key = a.flat_key AND f.string_value IS a.string_value
        AND ((f.value_type = a.value_type AND f.int_value IS a.int_value AND f.real_value IS a.real_value)
        OR (a.value_type = 'real' AND f.value_type = 'uint')));
        SELECT count(*) FROM (SELECT 1 FROM args_full GROUP BY arg_set_id, key HAVING count(*) > 1)'''
    for file in (path, program.export(path, 'perfetto'), program.export(path, 'braid')):
        found = [line for line in program.run('query', file, sql, '--format', 'jsonl').splitlines() if line.startswith(b'[')]
        counts = [json.loads(line)[0] for line in found if line[1:2].isdigit()]
        if [n for n in counts if 'count' not in str(n)] != [0, 0]:
            raise SystemExit(f'{file}: {counts} args that are not in args_full, or are twice there')
        rows = program.run('query', file, """SELECT __intrinsic_arg_set_to_json(arg_set_id), (SELECT count(*) FROM args_full f
            WHERE f.arg_set_id = s.arg_set_id) FROM slice s WHERE arg_set_id IS NOT NULL""", '--format', 'jsonl')
        for text, leaves in map(json.loads, rows.splitlines()[1:]):
            if leaves_of(json.loads(text, strict=False)) != leaves:
                raise SystemExit(f'{file}: {leaves} leaves in args_full, others in {text}')
    once, twice = program.args_of_export(path), program.args_of_export(program.export(path, 'perfetto'))
    if list(map(exact, once)) != list(map(exact, twice)):
        raise SystemExit('joined args differ after a protobuf export')
    return count


def is_duration(value):
    number = json_counts.number(value)
    return number is not None and number >= 0


def complete_events(path):
    """Returns the events of a JSON trace that each become one slice; nothing for other files."""
    loaded = json_counts.load(path) if path.suffix in ('.json', '.gz') else None
    return [event for event in (loaded[0] if loaded else []) if isinstance(event.get('name'), str) and isinstance(event.get('args', {}), dict)
            and json_counts.number(event.get('ts')) is not None and (event.get('ph') in ('i', 'I') or (event.get('ph') == 'X' and is_duration(event.get('dur'))))]


def multiset(events):
    return collections.Counter((event['name'], exact(event.get('args') or {})) for event in events)


def check_real(program, root):
    files = compared = empty = 0
    for path in sorted(p for p in root.rglob('*') if p.is_file()):
        events = complete_events(path)
        if not events:
            continue
        wanted = multiset(events)
        found = multiset(event for event in program.events_of_export(path) if 'name' in event)
        lost = wanted - found
        if lost:
            (name, args), times = lost.most_common(1)[0]
            raise SystemExit(f'{path}: {lost.total()} events have other args, as {name} {args[:2000]} ({times} times)')
        files += 1
        compared += len(events)
        empty += sum(text.count('[]') + text.count('{}') + text.count('null') for (_, text), times in wanted.items()
                     if text != '{}' for _ in range(times))
    print(f'{files} real files: {compared} events with the same args, {empty} null or empty values in them')
    return compared


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tracebraid')
    parser.add_argument('traces', nargs='?', type=pathlib.Path)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.tracebraid, pathlib.Path(folder))
        checked = joined = 0
        for number in range(options.rounds):
            rng = random.Random(options.seed + number)
            checked += check_random(program, rng, 1500)
            joined += check_joined(program, rng, 500)
        print(f'{checked} random args are equal in every export, {joined} joined ones consistent')
        if options.traces and options.traces.is_dir():
            check_real(program, options.traces)
        else:
            print('skipped: no real traces')


if __name__ == '__main__':
    main()
