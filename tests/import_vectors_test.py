#!/usr/bin/env python3
"""vectors/import.py: adds vectors of the other layout to the folder of their input, each once, and the
text forms of inputs encode to the same bytes.
"""
import gzip
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.dont_write_bytecode = True
from vectors import cases, inputs, textproto  # noqa: E402

SCHEMA = textproto.project_schema()
# As protoc writes it: by field number.
TRACE = textproto.encode('packet { timestamp: 5 trusted_packet_sequence_id: 1 }', SCHEMA)
TEXT = 'packet { trusted_packet_sequence_id: 1 timestamp: 5 }\n'
ROWS = '["a"]\n[1]\n'


def zip_of(parts, date=(2020, 2, 3, 4, 5, 6)):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as archive:
        for name, data in parts:
            archive.writestr(zipfile.ZipInfo(name, date), data)
    return out.getvalue()


class Import(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.old, self.new = (pathlib.Path(folder.name, name) for name in ('old', 'new'))
        self.new.mkdir()

    def vector(self, name, trace=None, query='SELECT 1 a;', rows=ROWS, error=None, text=None, note=None):
        folder = self.old / name
        folder.mkdir(parents=True)
        for file, content in (('query.sql', query), ('expected.jsonl', rows), ('expected_error.txt', error),
                              ('trace.textproto', text), ('note.md', note)):
            if content is not None:
                (folder / file).write_text(content)
        if trace:
            (folder / trace[0]).write_bytes(trace[1])
        return folder

    def run_it(self, status=0):
        program = pathlib.Path(__file__).resolve().parent.parent / 'vectors/import.py'
        done = subprocess.run([sys.executable, program, self.old, '--into', self.new], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def inputs(self):
        return {folder.name: folder.input(SCHEMA) for folder in cases.folders(self.new)}

    def cases(self):
        return {folder.full_name(case): case for folder in cases.folders(self.new) for case in folder.cases}

    def test_queries_over_one_input_share_its_folder(self):
        json = ('trace.json', b'[]')
        self.vector('area/one__x', json, query='SELECT 1 x;')
        self.vector('area/one__y', json, query='SELECT 1 y;', note='`ours` \u00b7 y\n')
        self.vector('area/other', json, query='SELECT 1 z;')
        options = self.vector('area/other/more', query='SELECT 1 z;')
        (options / 'options').write_text('--clock-model step\n')
        self.assertEqual(self.run_it(), '4 imported, 0 there already, 0 left alone\n')
        found = self.cases()
        self.assertEqual(sorted(found), ['area/one/other', 'area/one/other__more', 'area/one/x', 'area/one/y'])
        self.assertEqual(found['area/one/other__more'].options, ['--clock-model', 'step'])
        self.assertEqual((found['area/one/y'].query, found['area/one/y'].rows), ('SELECT 1 y;\n', ROWS))
        self.assertEqual((found['area/one/y'].kind(), found['area/one/x'].kind()), ('ours', 'unknown'))
        self.assertEqual(self.run_it(), '0 imported, 4 there already, 0 left alone\n')

    def test_what_differs_is_left_alone(self):
        folder = self.vector('area/a', ('trace.json', b'[]'))
        self.vector('area/error', ('trace.json', b'[]'), query='SELECT nope;', rows=None,
                    error='Traceback\n  line 2\n    ^\nno such column: nope\n')
        self.run_it()
        self.assertEqual(self.cases()['area/a/error'].error, 'Traceback\n  line 2\n    ^\nno such column: nope\n')
        before = {path: path.read_bytes() for path in self.new.rglob('*.*')}
        (folder / 'expected.jsonl').write_text('["a"]\n[2]\n')
        self.vector('area/error__x', ('trace.json', b'[ ]'))
        out = self.run_it(status=1)
        self.assertIn('area/a: area/a expects something else', out)
        self.assertIn('1 imported, 1 there already, 1 left alone', out)
        (folder / 'trace.json').write_bytes(b'[  ]')
        self.assertIn('area/a: another input has that name', self.run_it(status=1))
        self.assertEqual(before, {path: path.read_bytes() for path in before})

    def test_traces_become_text(self):
        self.vector('area/sorted', ('trace.pb', TRACE), text=TEXT)
        self.vector('area/comment', ('trace.pb', TRACE + b'\x98\x06\x07'),
                    text=TEXT + '# followed by raw bytes (hex): 980607\n')
        self.vector('area/cut', ('trace.pb', TRACE[:-1]))
        self.vector('area/text', ('trace.pb', b'no trace\n'))
        self.run_it()
        self.assertEqual({name: data for name, (_, data) in self.inputs().items()},
                         {'area/sorted': TRACE, 'area/comment': TRACE + b'\x98\x06\x07', 'area/cut': TRACE[:-1],
                          'area/text': b'no trace\n'})
        self.assertEqual(sorted(path.name for path in self.new.rglob('trace.*')),
                         ['trace.pb', 'trace.pb', 'trace.pb.textproto', 'trace.pb.textproto'])
        self.assertIn('99: 7', (self.new / 'area/comment/trace.pb.textproto').read_text())

    def test_archives_become_lists_of_parts(self):
        inner = zip_of([('x.json', b'[]\n'), ('y.json', b'[]')])
        parts = [('a.pb', TRACE), ('in.zip', inner), ('d/\u00fc.bin', b'\xff\0'), ('empty', b''), ('line', b'\n')]
        self.vector('area/zip', ('trace.zip', zip_of(parts)))
        broken = bytearray(zip_of(parts))
        broken[60] ^= 1
        self.vector('area/broken', ('trace.zip', bytes(broken)))
        self.vector('area/gz', ('trace.json.gz', gzip.compress(b'[1]') + gzip.compress(b'[2]\n')))
        self.run_it()
        self.assertEqual(sorted(os.listdir(self.new / 'area/zip')), ['cases.test', 'trace.zip.txtar'])
        text = (self.new / 'area/zip/trace.zip.txtar').read_text()
        for line in ('-- a.pb.textproto --', '-- in.zip!/x.json --', '-- d/\u00fc.bin.hex --\nff00\n'):
            self.assertIn(line, text)
        found = self.inputs()
        with zipfile.ZipFile(io.BytesIO(found['area/zip'][1])) as archive:
            read = {entry.filename: archive.read(entry) for entry in archive.infolist()}
        with zipfile.ZipFile(io.BytesIO(read.pop('in.zip'))) as archive:
            self.assertEqual([archive.read(name) for name in ('x.json', 'y.json')], [b'[]\n', b'[]'])
        self.assertEqual(list(read.items()), [part for part in parts if part[0] != 'in.zip'])
        self.assertEqual(found['area/broken'], ('trace.zip', bytes(broken)))
        self.assertEqual(gzip.decompress(found['area/gz'][1]), b'[1][2]\n')
        self.assertEqual(self.run_it(), '0 imported, 3 there already, 0 left alone\n')


class Texts(unittest.TestCase):
    def test_hexadecimal_digits_have_comments(self):
        self.assertEqual(inputs.built('trace.x.hex', b'# magic\nff 00  # ab\n\n01\n', SCHEMA), ('trace.x', b'\xff\0\1'))
        with self.assertRaisesRegex(inputs.Error, 'trace.x.hex: '):
            inputs.built('trace.x.hex', b'fg', SCHEMA)

    def test_each_type(self):
        self.assertEqual(textproto.encode('packet { timestamp: 0x10 3: 2 }', SCHEMA), b'\x0a\x04\x40\x10\x18\x02')
        for text, data in (('1: -1', b'\x08' + b'\xff' * 9 + b'\x01'), ('1: 0x00000005', b'\x0d\5\0\0\0'),
                           ('1: 0x0000000000000005', b'\x09\5\0\0\0\0\0\0\0'), ('1: "a\\n\\377" "b"', b'\x0a\4a\n\xffb'),
                           ('2 { 1: 1 }', b'\x12\2\x08\1'), ('# nothing', b'')):
            self.assertEqual(textproto.encode(text, SCHEMA, ''), data, text)
        with self.assertRaisesRegex(textproto.Error, "line 2: no field of perfetto.protos.Trace at 'nope'"):
            textproto.encode('packet {}\nnope: 1', SCHEMA)

    def test_text_of_every_vector_gives_its_bytes(self):
        for folder in cases.folders():
            name, data = folder.input(SCHEMA)
            if folder.source.name == name + inputs.TEXTPROTO:
                self.assertEqual(textproto.encode(textproto.decode(data, SCHEMA), SCHEMA), data, folder.name)


if __name__ == '__main__':
    unittest.main()
