#!/usr/bin/env python3
"""`check --as-reference`: what other programs lose of a file that the user hands on, and why.

TRACEBRAID names the program.
"""
import gzip
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / 'oracle'))
from clock_oracle import snapshot  # noqa: E402
from proto_oracle import message  # noqa: E402
from strict_wire import first, packets  # noqa: E402

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
REALTIME, MONOTONIC, BOOTTIME = 1, 3, 6
WALL = 1_795_176_332_000_000_000
MASK = (1 << 64) - 1


def trace(*packets):
    return message(*[(1, packet) for packet in packets])


def clocks(*readings, machine=0):
    return message((6, snapshot([(clock, ts & MASK) for clock, ts in readings])), *([(98, machine)] if machine else []))


def event(ts, name, clock=BOOTTIME, machine=0, kind=3, sequence=9):
    return message((8, ts & MASK), (58, clock), (10, sequence), *([(98, machine)] if machine else []),
                   (11, message((9, kind), (23, name))))


def old_export():
    """The clock snapshots of an export of two machines that other programs could not place."""
    ping = snapshot([(BOOTTIME, 11_726_689)])
    return trace(clocks((BOOTTIME, 147_757_000_000), (REALTIME, WALL), (MONOTONIC, 117_757_000_000)),
                 event(147_757_500_000, 'first'), clocks((BOOTTIME, 147_758_573_264)),
                 clocks((BOOTTIME, -1_795_176_183_551_805_530), (REALTIME, 0)), clocks((BOOTTIME, 0)),
                 clocks((BOOTTIME, 147_760_000_000), (REALTIME, WALL + 3_000_000), (MONOTONIC, 2_671_957_000_000), machine=2),
                 clocks((BOOTTIME, 147_763_338_932), machine=2),
                 clocks((BOOTTIME, -1_795_176_183_551_805_530), (REALTIME, 0), machine=2),
                 message((98, 2), (107, message(*[(1, message((2, ping), (3, ping)))] * 2))),
                 event(147_759_000_000, 'on host'), event(147_769_000_000, 'on watch', machine=2),
                 event(147_760_000_000, 'begin', kind=1), event(147_761_000_000, '', kind=2))


class AsReference(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix='tracebraid-as-reference-'))
        self.addCleanup(shutil.rmtree, self.dir)

    def write(self, name, content):
        (self.dir / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def run_it(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, cwd=self.dir)
        self.assertEqual(done.returncode, status, f'{arguments}: {done.stdout}{done.stderr}')
        return done.stdout, done.stderr

    def text(self, name, *options, status=0):
        return self.run_it('check', '--as-reference', *options, name, status=status)[0]

    def report(self, name, *options, status=0):
        return json.loads(self.text(name, '--json', *options, status=status))

    def assert_says(self, text, *parts):
        text = ' '.join(text.split())
        for part in parts:
            self.assertIn(part, text)

    def test_old_export_loses_a_machine(self):
        self.write('old.pftrace', old_export())
        takeover = next(at for at, packet in packets(old_export()) if first(packet, 98) == 2)
        self.assert_says(
            self.text('old.pftrace'), '1 of 1 slices, 1 of 1 ends of slices, 1 of 2 instants of host that read BOOTTIME',
            f'The clock snapshot at byte {takeover} of old.pftrace makes clock BOOTTIME of machine 2 the timeline, although '
            'times of host were placed before',
            'goes back from 147758573264 to 0, although it is the clock of trace time', 'the snapshot is ignored',
            'A strict reader loses 3 of 5 events: 1 of 1 slices, 1 of 1 ends of slices, 1 of 3 instants.',
            'tracebraid export old.pftrace --to perfetto -o OUT.pftrace')
        report = self.report('old.pftrace')
        self.assertEqual((report['events'], report['lost'], report['is_complete']), (5, 3, False))
        [host, watch] = report['clocks']
        self.assertEqual((host['machine'], host['lost'], host['first_ts']), ('host', 3, 147_757_500_000))
        self.assertEqual(host['losses'][0]['stat'], 'clock_sync_failure_no_path')
        self.assertEqual(host['losses'][0]['first_byte'], old_export().index(event(147_759_000_000, 'on host')))
        self.assertEqual((watch['machine'], watch['lost'], watch['first_ts']), ('machine 2', 0, 147_769_000_000))
        self.assertTrue(all(clock['ignores_snapshot'] for clock in report['refused']))

    def test_export_repairs_it(self):
        self.write('old.pftrace', old_export())
        self.run_it('export', 'old.pftrace', '--to', 'perfetto', '-o', 'new.pftrace')
        self.assert_says(self.text('new.pftrace', '--strict'), 'A strict reader places all')

    def test_clock_that_goes_back(self):
        back = clocks((BOOTTIME, 300), (REALTIME, 40))
        data = trace(clocks((BOOTTIME, 100), (REALTIME, 10)), clocks((BOOTTIME, 200), (REALTIME, 50)), back,
                     event(20, 'a', REALTIME), event(150, 'b'))
        self.write('a.pb', data)
        self.assert_says(self.text('a.pb'), f'Clock REALTIME of host goes back from 50 to 40 at byte {data.index(back)} of '
                         'a.pb, and a clock that goes back relates nothing from there on.')
        [refused] = self.report('a.pb')['refused']
        self.assertEqual((refused['clock'], refused['byte'], refused['ignores_snapshot']), ('REALTIME', data.index(back), False))

    def test_other_causes(self):
        no_state = message((8, 100), (10, 1), (13, 2), (11, message((9, 1))))
        chain = [clocks((200 + i, 1), (201 + i, 1)) for i in range(5)] + [clocks((205, 1), (BOOTTIME, 1))]
        self.write('a.pb', trace(clocks((BOOTTIME, 100), (MONOTONIC, 200)), event(150, 'early', MONOTONIC),
                                 event(10, 'before', MONOTONIC), no_state, *chain, event(5, 'far', 200),
                                 event(5, 'unknown', 5)))
        report = self.report('a.pb')
        why = {(row['clock'], loss['stat']): loss['why'] for row in report['clocks'] for loss in row['losses']}
        self.assertEqual(why, {
            ('MONOTONIC', 'trace_sorter_negative_timestamp_dropped'): 'their times are before 0 on the timeline',
            ('BOOTTIME', 'packet_skipped_seq_needs_incremental_state_invalid'):
                'packets before them are missing in their sequence, and they depend on these',
            ('200', 'clock_sync_failure_no_path'): 'clock 200 of host is more than 4 snapshots away from the timeline, '
                                                   'clock BOOTTIME of host',
            ('MONOTONIC_RAW', 'clock_sync_failure_unknown_source_clock'): 'no clock snapshot has clock MONOTONIC_RAW of host'})

    def test_strict(self):
        self.write('good.pb', trace(clocks((BOOTTIME, 100)), event(150, 'a')))
        self.write('old.pb', old_export())
        self.text('good.pb', '--strict')
        self.text('old.pb', '--strict', status=1)
        self.text('old.pb')

    def test_error_that_ends_the_import(self):
        needs = message((8, 100), (13, 2), (11, message((9, 1))))
        data = trace(event(1, 'a', 0), needs, event(2, 'b', 0))
        self.write('a.pb', data)
        report = self.report('a.pb', '--strict', status=1)
        self.assertEqual(report['error']['byte'], data.index(needs))
        self.assertIn('SEQ_NEEDS_INCREMENTAL_STATE', report['error']['message'])
        self.assert_says(self.text('a.pb'), 'the import ends with an error', 'A strict reader refuses this file.')

    def test_archives(self):
        self.write('a.pb', trace(clocks((BOOTTIME, 100), (REALTIME, 10**18)), event(150, 'a')))
        self.write('b.json', '[{"ph": "X", "ts": 1, "dur": 1, "name": "b", "pid": 1, "tid": 1}]')
        self.write('c.txt', '# tracer: nop\n foo-1 [000] ...1 1.0: tracing_mark_write: B|1|x\n')
        self.run_it('merge', 'a.pb', 'b.json', 'c.txt', '-o', 'm.zip')
        others = {f['file']: f for f in self.report('m.zip')['other_files']}
        self.assertFalse(others['m.zip/b.json']['is_lost'])
        self.assertTrue(others['m.zip/c.txt']['is_lost'])
        self.assertIn('no clock snapshot has clock MONOTONIC of host', others['m.zip/c.txt']['why'])
        self.assert_says(self.text('m.zip', '--strict', status=1), 'A strict reader loses files of this archive.')

    def test_additions_to_the_manifest_are_ignored(self):
        manifest = {'perfetto_manifest': {'version': 1, 'files': [
            {'path': 'a.json', 'start': '2026-11-20T12:00:00Z'}, {'path': 'b.json'}]}}
        with tarfile.open(self.dir / 'm.tar', 'w') as tar:
            for name, text in (('perfetto_manifest.json', json.dumps(manifest)), ('a.json', '[{"ph":"I","ts":1}]'),
                               ('b.json', '[{"ph":"I","ts":1}]')):
                info = tarfile.TarInfo(name)
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text.encode()))
        self.assert_says(self.text('m.tar'), 'uses start times of tracebraid, which other readers ignore')

    def test_compressed_and_truncated(self):
        data = trace(clocks((BOOTTIME, 100)), event(150, 'a'), event(160, 'b'))
        self.write('a.pb.gz', gzip.compress(data))
        self.write('cut.pb', data[:-3])
        self.assertEqual(self.report('a.pb.gz')['events'], 2)
        self.assert_says(self.text('cut.pb', '--strict'), 'The file cut.pb ends within the packet at byte',
                         'A strict reader places all 1 event.')

    def test_usage(self):
        self.write('a.pb', trace(event(150, 'a')))
        self.write('x.txt', 'no trace')
        self.write('m.json', '{"perfetto_manifest": {"version": 1}}')
        for arguments, says in ((('a.pb', 'a.pb'), 'give one file'), (('a.pb', '--explain', 'a.pb'), 'cannot be combined'),
                                (('.',), 'other readers open no folders'), (('a.pb', '--manifest', 'm.json'), 'no --manifest')):
            _, error = self.run_it('check', '--as-reference', *arguments, status=2)
            self.assertIn(says, error)
        _, error = self.run_it('check', '--as-reference', 'x.txt', status=3)
        self.assertIn('Unknown trace type', error)
        self.run_it('export', 'a.pb', '--to', 'braid', '-o', 'a.braid')
        _, error = self.run_it('check', '--as-reference', 'a.braid', status=3)
        self.assertIn('no other program reads a braid', error)


if __name__ == '__main__':
    unittest.main()
