#!/usr/bin/env python3
"""`check --as-reference` agrees with the strict reader in plain Python (oracle/strict_reader.py): for each file, machine
and clock the events, the lost ones by cause with the first byte, the first and last time, and the clocks that are refused.

  reference_check_test.py TRACEBRAID INPUT...

Each INPUT is a file, 'export:A+B' (the export of A and B), 'damaged:FILE' (cuts of the file, and copies with packets
missing, repeated or in another order), 'worlds:N' (random archives), or 'traces:FOLDER' (a sample of the files in a
folder; all of them with TRACEBRAID_ALL_TRACES=1).
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent / 'oracle'))
import clock_oracle  # noqa: E402
import strict_reader  # noqa: E402
import strict_wire  # noqa: E402
from proto_oracle import message  # noqa: E402

NOT_TRACES = {'.md', '.txt', '.license', '.LICENSE', '.sql', '.jsonl', '.error'}


def lost_of(lost):
    return {stat: (dict(counts), at) for stat, (counts, at) in lost.items()}


def of_oracle(data):
    whole = strict_reader.read(data)
    rows = {key: (dict(row.all), lost_of(row.lost), *(row.times or [None, None])) for key, row in whole.tally.rows.items()}
    refused = [(file, at, node[3], node[0], node[1], is_void) for file, at, node, is_void in whole.clocks.graph.refusals]
    return {'rows': rows, 'refused': refused, 'others': whole.other_files, 'error': whole.error}


def of_program(report):
    rows = {(r['file_row'], r['machine_row'], r['clock_id']): (
        r['events'], {loss['stat']: (loss['events'], loss['first_byte']) for loss in r['losses']}, r['first_ts'], r['last_ts'])
        for r in report['clocks']}
    refused = [(r['file_row'], r['byte'], r['machine_row'], r['clock_id'], r['sequence'], r['ignores_snapshot'])
               for r in report['refused']]
    error = report.get('error')
    others = {r['file_row']: r['is_lost'] for r in report['other_files'] if 'no reader' not in r['why']}
    return {'rows': rows, 'refused': refused, 'others': others,
            'error': error and (error['file_row'], error['byte'], error['message'])}


def differences(ours, oracle):
    found = []
    for key in sorted(ours['rows'].keys() | oracle['rows'].keys()):
        a, b = ours['rows'].get(key), oracle['rows'].get(key)
        if a != b:
            found.append(f'file, machine, clock {key}: {a} instead of {b}')
    # The oracle detects few formats: it takes any JSON for a trace.
    oracle['others'] = {row: is_lost for row, is_lost in oracle['others'].items() if row in ours['others']}
    for what in ('refused', 'others') if not oracle['error'] else ('refused',):
        if ours[what] != oracle[what]:
            found.append(f'{what}: {ours[what]} instead of {oracle[what]}')
    a, b = ours['error'], oracle['error']
    if (a is None) != (b is None) or (a and (a[0] != b[0] or not a[2].startswith(b[2][:60]))):
        found.append(f'error: {a} instead of {b}')
    return found


class Check:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.files = self.bad = self.events = self.lost = self.refused = self.unread = 0

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=600, errors='replace')

    def check(self, name, path):
        done = self.run('check', '--as-reference', '--json', '--no-progress', str(path))
        if done.returncode == 3:  # a manifest that breaks a rule, or no trace
            self.unread += 1
            return
        try:
            oracle = of_oracle(pathlib.Path(path).read_bytes())
        except (ValueError, OSError, EOFError, tarfile.TarError, zipfile.BadZipFile, zlib.error) as error:
            if done.returncode in (0, 1):
                self.unread += 1
                return
            raise error
        self.files += 1
        problems = [f'status {done.returncode}: {done.stderr.strip()[:300]}'] if done.returncode else []
        if not problems:
            report = json.loads(done.stdout)
            if 'CRC' in report.get('error', {}).get('message', ''):  # of the container; this test judges clocks
                self.unread += 1
                return
            self.events += report['events']
            self.lost += report['lost']
            self.refused += len(report['refused'])
            problems = differences(of_program(report), oracle)
        if problems:
            self.bad += 1
            print(f'FAIL: {name}')
            print('\n'.join('  ' + p[:1500] for p in problems[:6]), flush=True)

    def check_bytes(self, name, data):
        path = self.folder / 'input'
        path.write_bytes(data)
        self.check(name, path)

    def check_damaged(self, path):
        data = pathlib.Path(path).read_bytes()
        rand = random.Random(1)
        for _ in range(12):
            size = rand.randrange(len(data))
            self.check_bytes(f'{path} up to byte {size}', data[:size])
        whole = [packet for _, packet in strict_wire.packets(data)]
        for seed in range(12):
            rand = random.Random(seed)
            kept = [packet for packet in whole if rand.random() > 0.2]
            if seed % 3 == 1:
                kept += rand.sample(whole, min(len(whole), 5))
            if seed % 3 == 2:
                rand.shuffle(kept)
            self.check_bytes(f'{path} with packets changed, seed {seed}', message(*[(1, packet) for packet in kept]))

    def check_export(self, files):
        out = self.folder / 'out.pftrace'
        out.unlink(missing_ok=True)
        done = self.run('export', *files, '-q', '--no-progress', '--to', 'perfetto', '-o', str(out))
        if done.returncode:
            self.bad += 1
            print(f'FAIL: export of {files}: {done.stderr[:300]}')
        self.check('+'.join(files), out)


def sample_of(folder):
    files = sorted(p for p in pathlib.Path(folder).rglob('*') if p.is_file() and p.suffix not in NOT_TRACES)
    if os.environ.get('TRACEBRAID_ALL_TRACES'):
        return files
    return [p for p in files if p.stat().st_size < 100_000]


def main():
    program, *rest = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix='reference-check-') as folder:
        check = Check(program, folder)
        for name in rest:
            kind, _, value = name.partition(':')
            if kind == 'worlds':
                for seed in range(1, int(value) + 1):
                    check.check_bytes(f'world {seed}', clock_oracle.make(seed)[0])
            elif kind == 'damaged':
                check.check_damaged(value)
            elif kind == 'export':
                check.check_export(value.split('+'))
            elif kind == 'traces':
                for path in sample_of(value):
                    check.check(str(path), path)
            else:
                check.check(name, name)
        print(f'{check.files} files compared: {check.events} events, {check.lost} lost, {check.refused} clocks and snapshots '
              f'refused; {check.bad} differ; {check.unread} are no input of both readers')
    sys.exit(1 if check.bad or not check.files else 0)


if __name__ == '__main__':
    main()
