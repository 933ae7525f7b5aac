#!/usr/bin/env python3
"""Malicious archives and traces: each gives an error that says what to do, or the rows that
can be read, in bounded time and memory, and writes no files.

Run by ctest with TRACEBRAID naming the binary.
"""
import gzip
import io
import json
import lzma
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
import zlib

TRACEBRAID = os.environ.get('TRACEBRAID', 'build/dev/tracebraid')
TRACE = b'[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2}]'
TIMEOUT = 300
MEMORY = 3 << 30  # address space is not counted: files are mapped
IS_LIMITED = False  # whether the address space is limited


def tar_of(entries, mode='w'):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as tar:
        for entry, content in entries:
            info = entry if isinstance(entry, tarfile.TarInfo) else tarfile.TarInfo(entry)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return out.getvalue()


def zip_of(entries, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return out.getvalue()


def zeros_gzip(size, level=9):
    """Returns zeros, compressed as well as gzip can, without storing them."""
    packer = zlib.compressobj(level, zlib.DEFLATED, 31)
    block = bytes(1 << 20)
    out = [packer.compress(block) for _ in range(size >> 20)]
    return b''.join(out) + packer.flush()


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def packet_of_machine(machine, *fields):
    return field(1, b''.join(fields) + field(10, machine + 1) + field(98, machine))


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def query(self, content, *options, sql="SELECT count(*) AS n FROM slice"):
        """Runs in a folder of its own. Returns the rows (or None), and the messages."""
        work = os.path.join(self.folder.name, 'work')
        os.makedirs(work, exist_ok=True)
        path = os.path.join(self.folder.name, 'input')
        with open(path, 'wb') as file:
            file.write(content)
        done = subprocess.run(
            [os.path.abspath(TRACEBRAID), 'query', path, sql, '--format', 'jsonl', *options],
            cwd=work, capture_output=True, text=True, timeout=TIMEOUT, check=False,
            env={**os.environ, 'TMPDIR': self.folder.name})
        self.assertGreaterEqual(done.returncode, 0, done.stderr)
        self.status = done.returncode
        self.assertNotIn('Sanitizer', done.stderr)
        self.assertEqual(os.listdir(work), [])
        self.assertEqual(sorted(os.listdir(self.folder.name)), ['input', 'work'])
        rows = done.stdout.splitlines()[1:] if done.returncode == 0 else None
        return rows, done.stderr

    def rows_of(self, braid, sql):
        """Returns the rows of a braid, or None if it is refused."""
        ran = subprocess.run([TRACEBRAID, 'query', braid, sql, '--format', 'csv'], capture_output=True, check=False,
                             timeout=TIMEOUT)
        self.assertGreaterEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout if ran.returncode == 0 else None

    def test_bombs_are_stopped_by_their_ratio(self):
        text = b' ' * (70 << 20)
        for bomb in (gzip.compress(text), zip_of([('a.json', text)]),
                     lzma.compress(text, preset=0)):
            rows, said = self.query(bomb, '--max-ratio', '500')
            self.assertIsNone(rows)
            self.assertIn('--max-ratio', said)

    def test_a_bomb_is_skipped_alone(self):
        bomb = zeros_gzip(70 << 20)
        rows, said = self.query(tar_of([('bomb.json.gz', bomb), ('a.json', TRACE)]),
                                '--max-ratio', '500')
        self.assertEqual(rows, ['[1]'])
        self.assertIn('bomb.json.gz', said)
        rows, said = self.query(tar_of([('bomb.json.gz', bomb), ('a.json', TRACE)]),
                                '--max-ratio', '500', '--strict')
        self.assertIsNone(rows)

    def test_limits_of_bytes(self):
        packed = gzip.compress(TRACE + b' ' * (1 << 20))
        for option in ('--max-member-bytes', '--max-total-bytes'):
            _, said = self.query(packed, option, '1k')
            self.assertIn(option, said)
            rows, said = self.query(packed, option, '1k', '--strict')
            self.assertIsNone(rows)
            self.assertIn(option, said)
            rows, _ = self.query(packed, option, '10M')
            self.assertEqual(rows, ['[1]'])

    def test_endless_nesting(self):
        for wrap in (gzip.compress, lambda b: zip_of([('x', b)]), lambda b: tar_of([('x', b)])):
            nested = TRACE
            for _ in range(40):
                nested = wrap(nested)
            rows, said = self.query(nested)
            self.assertIsNone(rows)
            self.assertIn('--max-depth', said)
            rows, _ = self.query(nested, '--max-depth', '50')
            self.assertEqual(rows, ['[1]'])

    def test_an_archive_that_contains_itself(self):
        """Tests a stored member whose bytes are the archive around it, from its start."""
        entry = zip_of([('self.zip', b'')], zipfile.ZIP_STORED)
        header = bytearray(entry[:38])
        for size in (18, 22):
            header[size:size + 4] = (1 << 20).to_bytes(4, 'little')
        rows, _ = self.query(bytes(header) * 1000)
        self.assertIsNone(rows)

    def test_names_that_lead_elsewhere(self):
        names = ['../../up.json', '/etc/passwd', 'C:\\\\x.json', 'a/../../b.json', 'x' * 5000,
                 'line\nfeed.json', '\x1b[31mred.json', './/z.json']
        sql = 'SELECT count(*) AS n FROM slice'
        for archive in (tar_of([(name, TRACE) for name in names]),
                        zip_of([(name, TRACE) for name in names])):
            rows, said = self.query(archive, sql=sql)
            self.assertEqual(rows, [f'[{len(names)}]'], said)
            self.assertNotIn('\x1b', said)

    def test_links_devices_and_pipes_in_a_tar(self):
        entries = [('a.json', TRACE)]
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE,
                     tarfile.FIFOTYPE):
            info = tarfile.TarInfo(f'{kind!r}.json')
            info.type = kind
            info.linkname = '/etc/passwd'
            entries.append((info, b''))
        rows, _ = self.query(tar_of(entries), sql="SELECT count(*) AS n, sum(t.trace_type = 'json')"
                             " AS json FROM trace_file t")
        self.assertEqual(rows, ['[2,1]'])

    def test_many_tiny_members(self):
        block = tar_of([('m', b'')])[:512]
        archive = gzip.compress(block * 200_000 + bytes(1024), 1)
        rows, said = self.query(archive, sql='SELECT count(*) AS n FROM trace_file')
        self.assertEqual(rows, ['[200002]'], said[:1000])
        rows, said = self.query(archive, '--max-members', '1000',
                                sql='SELECT count(*) AS n FROM trace_file')
        self.assertIn('--max-members', said)
        self.assertLess(len(said), 100_000)

    def test_a_trace_of_ten_thousand_machines(self):
        """Tests machines whose wall clocks are each 1 us ahead of the one before."""
        count, packets = 10_000, []
        for machine in range(1, count + 1):
            clocks = [field(1, field(1, 6) + field(2, 10**9)),
                      field(1, field(1, 1) + field(2, 17 * 10**17 + machine * 1000))]
            packets.append(packet_of_machine(machine, field(6, b''.join(clocks))))
        for machine in range(1, count + 1):
            packets.append(packet_of_machine(machine, field(8, 2 * 10**9),
                                             field(11, field(9, 3) + field(23, b'e'))))
        rows, said = self.query(
            b''.join(packets), sql='SELECT count(*) AS n, count(DISTINCT t.machine_id) AS machines,'
            ' max(s.ts) - min(s.ts) AS span FROM slice s JOIN track t ON s.track_id = t.id')
        self.assertEqual(rows, [f'[{count},{count},{(count - 1) * 1000}]'], said)

    def test_args_ten_thousand_deep(self):
        depth = 10_000
        event = '{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2,"args":%s}'
        shapes = ('{"a":' * depth + '1' + '}' * depth, '[' * depth + ']' * depth,
                  '{"a":[' * (depth // 2) + ']}' * (depth // 2))
        sql = "SELECT count(*) FROM slice; SELECT count(*) FROM args WHERE length(key) > 60000"
        for args in shapes:
            text = f"[{event % args},{event % '{}'}]".encode()
            rows, said = self.query(text, sql=sql)
            self.assertIn('--max-json-depth', said)
            self.assertEqual(rows[0], '[2]', 'only the args are left out')
            if IS_LIMITED:  # a build without a limit has a sanitizer, whose stack frames are several times as large
                rows, said = self.query(text, '--max-json-depth', '20000', sql=sql)
                self.assertIsNotNone(rows, said)
                self.assertEqual(rows[0], '[2]', said)
            rows, said = self.query(text, '--strict')
            self.assertIsNone(rows)
            self.assertIn('--max-json-depth', said)
        rows, said = self.query(b'[]', '--max-json-depth', '20001')
        self.assertIsNone(rows)
        self.assertIn('at most 20000', said)

    def test_annotations_ten_thousand_deep(self):
        for number in (11, 12):  # dict_entries, array_values
            annotation = field(10, b'leaf') + field(3, 1)
            for _ in range(10_000):
                annotation = field(10, b'a') + field(number, annotation)
            event = field(9, 3) + field(23, b'e') + field(4, annotation)
            rows, said = self.query(field(1, field(8, 10) + field(10, 1) + field(11, event)),
                                    sql='SELECT count(*), name FROM slice')
            self.assertEqual(rows, ['[1,"e"]'], said)

    def test_args_that_each_change_of_a_transaction_repeats(self):
        changes, barriers = 2_000, 20_000
        transaction = b''.join([field(11, field(1, b't') + field(2, 2))] * barriers
                               + [field(7, field(1, layer)) for layer in range(changes)])
        rows, said = self.query(
            field(1, field(8, 10) + field(10, 1) + field(94, field(1, 9) + field(3, transaction))),
            sql='SELECT (SELECT count(*) FROM __intrinsic_surfaceflinger_transaction),'
            ' (SELECT count(*) FROM args) < 1000000')
        self.assertEqual(rows, [f'[{changes},1]'], said)
        self.assertIn('winscope_sf_transactions_parse_errors', said)

    def test_texts_that_each_line_of_a_log_repeats(self):
        lines, params, size = 500, 1_000, 10_000  # 5 GB of text
        message = field(1, 5) + field(2, b'%s' * params) + field(3, 1) + field(4, 1)
        packets = [field(8, 1) + field(105, field(1, message)),
                   field(8, 1) + field(12, field(36, field(1, 1) + field(2, b'x' * size)))]
        packets += [field(8, 1) + field(104, field(1, 5) + field(2, 1) * params)] * lines
        rows, said = self.query(
            b''.join(field(1, packet + field(10, 1)) for packet in packets),
            sql='SELECT count(*), sum(length(message)) BETWEEN 1000000 AND 10000000 FROM protolog')
        self.assertEqual(rows, [f'[{lines},1]'], said)
        self.assertIn('winscope_protolog_message_decoding_failed', said)

    def test_a_very_long_name(self):
        size = 64 << 20
        text = b'[{"ph":"X","name":"' + b'n' * size + b'","pid":1,"tid":1,"ts":1,"dur":2},' + TRACE[1:]
        rows, said = self.query(text, sql='SELECT length(name) FROM slice ORDER BY 1 DESC')
        self.assertEqual(rows, [f'[{size}]', '[1]'], said)
        rows, said = self.query(gzip.compress(text, 1), sql='SELECT length(name) FROM slice ORDER BY 1 DESC')
        self.assertEqual(rows, [f'[{size}]', '[1]'], said)
        rows, said = self.query(text.replace(b'"pid"', b'"pid', 1), sql='SELECT count(*) AS n FROM slice')
        self.assertLess(len(said), 100_000)

    def test_a_damaged_braid_gives_no_other_rows(self):
        events = [{'ph': 'X', 'name': f'n{i % 50}', 'pid': 1, 'tid': i % 3, 'ts': i * 10, 'dur': 12 - i % 10,
                   'args': {'n': i * 7919 % 100003, 'text': f't{i % 977}'}} for i in range(60_000)]
        path, braid = (os.path.join(self.folder.name, name) for name in ('events.json', 'events.braid'))
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(events, file)
        subprocess.run([TRACEBRAID, 'export', path, '-q', '--to', 'braid', '-o', braid], check=True, timeout=TIMEOUT)
        with open(braid, 'rb') as file:
            whole = file.read()
        statements = ["SELECT sum(extract_arg(arg_set_id, 'args.n')) FROM slice",
                      "SELECT count(extract_arg(arg_set_id, 'args.text')) FROM slice",
                      'SELECT name, count(*), sum(dur) FROM slice GROUP BY name ORDER BY name',
                      'SELECT sum(p.dur) FROM slice s JOIN slice p ON s.parent_id = p.id',
                      'SELECT count(*), sum(a.dur) FROM slice s, ancestor_slice(s.id) a',
                      "SELECT sum(clock_convert(ts, NULL, NULL, NULL, NULL) + dur) FROM slice",
                      "SELECT sum(int_value), count(DISTINCT string_value) FROM args"]

        expected = [self.rows_of(braid, sql) for sql in statements]
        self.assertNotIn(None, expected)
        refused = 0
        for at in range(13, len(whole), len(whole) // 24):
            with open(braid, 'wb') as file:
                file.write(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
            for sql, right in zip(statements, expected, strict=True):
                found = self.rows_of(braid, sql)
                refused += found is None
                self.assertIn(found, (None, right), f'{sql} with byte {at} of {len(whole)} changed')
        self.assertGreater(refused, 20)

    def test_limits_that_make_no_sense(self):
        for option in ('--max-members', '--max-depth', '--max-ratio', '--max-member-bytes'):
            rows, said = self.query(tar_of([('a.json', TRACE)]), option, 'none')
            self.assertIsNone(rows)
            self.assertIn(option, said)
            rows, said = self.query(tar_of([('a.json', TRACE)]), option, '0')
            self.assertNotIn('internal', said)


def limit_memory():
    """Limits the address space, unless the program cannot start then: sanitizers reserve terabytes."""
    started = subprocess.run(
        [TRACEBRAID, '--version'], capture_output=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))
    if started.returncode == 0:
        global IS_LIMITED
        IS_LIMITED = True
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    else:
        print('no limit of memory: the program cannot start under one')


if __name__ == '__main__':
    limit_memory()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.argv = sys.argv[:1]
    unittest.main()
