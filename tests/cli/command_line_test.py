#!/usr/bin/env python3
"""The command line: arguments, streams, exit statuses.

TRACEBRAID names the program. Uses small JSON traces only; other tests cover formats
and clocks.
"""
import gzip
import io
import json
import os
import pathlib
import select
import shutil
import subprocess
import tarfile
import tempfile
import time
import unittest

from pseudo_terminal import PseudoTerminal

VECTORS = pathlib.Path(os.environ['TRACEBRAID_VECTORS'])
PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
COMMANDS = ['info', 'check', 'query', 'shell', 'merge', 'export', 'manifest', 'formats', 'completions', 'man']


def trace(*names):
    """Returns a JSON trace with a slice for each name, 1 ms each, 10 ms apart."""
    return json.dumps([{'ph': 'X', 'ts': 10_000 * i, 'dur': 1000, 'name': name, 'pid': 1, 'tid': 1}
                       for i, name in enumerate(names)])


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix='tracebraid-cli-')
        self.addCleanup(shutil.rmtree, self.dir)
        self.a = self.write('a.json', trace('draw', 'wait', 'draw'))
        self.b = self.write('b.json', trace('send'))

    def write(self, name, text):
        path = os.path.join(self.dir, name)
        with open(path, 'wb') as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return path

    def run_it(self, *args, stdin=b'', status=0, env=None):
        done = subprocess.run([PROGRAM, *args], input=stdin, capture_output=True, timeout=60,
                              cwd=self.dir, env={**os.environ, **(env or {})})
        self.assertEqual(done.returncode, status,
                         f'{args}: {done.stdout.decode()}{done.stderr.decode()}')
        return done.stdout.decode(), done.stderr.decode()

    def rows(self, sql, *files, status=0):
        out, _ = self.run_it('query', *(files or [self.a]), sql, '--format', 'jsonl', status=status)
        return [json.loads(line) for line in out.splitlines() if line]


class Help(CommandLine):
    def test_lists_all_commands(self):
        out, err = self.run_it('--help')
        self.assertEqual(err, '')
        for command in COMMANDS:
            self.assertRegex(out, rf'(?m)^  {command} ')
        self.assertIn('Exit status:', out)

    def test_every_command_has_examples_and_exit_statuses(self):
        for command in COMMANDS + ['manifest validate']:
            out, _ = self.run_it(*command.split(), '--help')
            for section in ('Usage: tracebraid ' + command, 'Examples:', 'Exit status:'):
                self.assertIn(section, out, command)
            self.assertEqual(self.run_it('help', *command.split())[0], out)

    def test_help_fits_a_terminal(self):
        for command in COMMANDS + ['manifest validate']:
            out, _ = self.run_it(*command.split(), '--help')
            text = out.split('Examples:')[0]  # long commands are not wrapped
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_no_command(self):
        out, err = self.run_it(status=2)
        self.assertEqual(out, '')
        self.assertIn('Usage:', err)

    def test_version(self):
        self.assertRegex(self.run_it('--version')[0], r'^tracebraid \d+\.\d+\.\d+\n$')


class Usage(CommandLine):
    def test_unknown_words_suggest_the_nearest(self):
        self.assertIn('did you mean query?', self.run_it('qeury', status=2)[1])
        self.assertIn('did you mean --strict?', self.run_it('check', self.a, '--srtict', status=2)[1])
        self.assertIn('did you mean jsonl?',
                      self.run_it('query', self.a, 'select 1', '--format', 'jsnl', status=2)[1])

    def test_options_come_after_the_command(self):
        self.assertIn('options follow it', self.run_it('--strict', 'check', status=2)[1])

    def test_missing_arguments(self):
        for command in (['info'], ['check'], ['query'], ['manifest'],
                        ['manifest', 'validate'], ['completions'], ['query', 'select 1']):
            _, err = self.run_it(*command, status=2)
            self.assertIn('--help', err)

    def test_bad_values(self):
        for option in (['--threads', 'x'], ['--max-ratio', '-1'], ['--max-depth'],
                       ['--clock-model', 'cubic']):
            self.run_it('check', self.a, *option, status=2)


class Query(CommandLine):
    def test_jsonl(self):
        out, err = self.run_it(
            'query', self.a, '--format', 'jsonl',
            "select 1 a, 2.0 b, null c, 'x' d, x'00ff' e, 9223372036854775807 f, 1e300 g")
        self.assertEqual(out, '["a","b","c","d","e","f","g"]\n'
                              '[1,2.0,null,"x",{"blob":"00ff"},9223372036854775807,1e+300]\n')
        self.assertEqual(err, '')

    def test_several_statements(self):
        out, _ = self.run_it('query', self.a, '--format', 'jsonl', 'select 1 a; select 2 b where 0; select 3 c')
        self.assertEqual(out, '["a"]\n[1]\n\n["b"]\n\n["c"]\n[3]\n')

    def test_reads_the_trace(self):
        self.assertEqual(self.rows('select name, dur from slice order by ts'),
                         [['name', 'dur'], ['draw', 1_000_000], ['wait', 1_000_000], ['draw', 1_000_000]])

    def test_stats(self):
        sql = 'SELECT id, name FROM slice WHERE id = 0; SELECT count(*) FROM slice'
        out, err = self.run_it('query', self.a, sql, '--stats', '--quiet', '--format', 'jsonl')
        self.assertEqual(out, self.run_it('query', self.a, sql, '--quiet', '--format', 'jsonl')[0])
        lines = err.splitlines()
        self.assertRegex(lines[0], r'^statement 1: [0-9.]+ ms, 1 rows$')
        self.assertEqual(lines[1].split(), ['ms', 'rows', 'scanned', 'rows', 'found', 'starts', 'operator'])
        self.assertRegex(lines[2], r'^ +[0-9.]+ +1 +1 +1  scan slice: row number; id = const$')
        self.assertRegex(err, r'(?m)^statement 2: [0-9.]+ ms, 1 rows$')

    def test_without_a_trace(self):
        out, _ = self.run_it('query', '--no-trace', 'SELECT count(*) AS n FROM slice', '--format', 'jsonl')
        self.assertEqual(out, '["n"]\n[0]\n')
        out, _ = self.run_it('query', '--no-trace', '--format', 'jsonl',
                             stdin=b'INCLUDE PERFETTO MODULE time.conversion; SELECT time_from_ms(2) AS t')
        self.assertEqual(out, '["t"]\n[2000000]\n')
        self.run_it('query', '--no-trace', self.a, 'SELECT 1', status=2)

    def test_modules_of_the_user(self):
        os.makedirs(os.path.join(self.dir, 'mods', 'sub'))
        self.write('mods/top.sql', 'INCLUDE PERFETTO MODULE mine.sub.numbers;\n'
                                   'CREATE PERFETTO VIEW tops AS SELECT max(n) AS n FROM numbers;')
        self.write('mods/sub/numbers.sql', 'CREATE PERFETTO TABLE numbers AS SELECT 3 AS n UNION ALL SELECT 4;')
        self.write('secret.sql', 'CREATE PERFETTO VIEW secret AS SELECT 1 AS a;')
        os.symlink('../secret.sql', os.path.join(self.dir, 'mods', 'secret.sql'))
        os.symlink('sub/numbers.sql', os.path.join(self.dir, 'mods', 'inside.sql'))
        folder = ['--no-trace', '--sql-path', 'mods@mine', '--format', 'jsonl']
        out, _ = self.run_it('query', *folder, 'INCLUDE PERFETTO MODULE mine.top; SELECT * FROM tops')
        self.assertEqual(out, '["n"]\n[4]\n')
        self.run_it('query', *folder, 'INCLUDE PERFETTO MODULE mine.inside')
        _, err = self.run_it('query', *folder, 'INCLUDE PERFETTO MODULE mine.secret', status=4)
        self.assertIn("INCLUDE: unknown module 'mine.secret'", err)
        out, _ = self.run_it('query', '--no-trace', '--sql-path', 'mods', '--format', 'jsonl',
                             'INCLUDE PERFETTO MODULE mods.sub.*; SELECT count(*) AS n FROM numbers')
        self.assertEqual(out, '["n"]\n[2]\n')
        self.run_it('query', '--no-trace', '--sql-path', 'mods@slices', 'SELECT 1', status=2)
        self.run_it('query', '--no-trace', '--sql-path', 'nothing', 'SELECT 1', status=3)

    def test_errors_in_statements_of_a_module(self):
        os.makedirs(os.path.join(self.dir, 'mods'))
        self.write('mods/bad.sql', 'CREATE PERFETTO MACRO m(x Expr) RETURNS Expr AS nope + $x;\n'
                                   'CREATE PERFETTO VIEW v AS\n  SELECT m!(2) FROM slice;')
        _, err = self.run_it('query', '--no-trace', '--sql-path', 'mods', stdin=b'INCLUDE PERFETTO MODULE mods.bad',
                             status=4)
        self.assertTrue(err.endswith(
            'Traceback (most recent call last):\n'
            '  File "stdin" line 1 col 1\n    INCLUDE PERFETTO MODULE mods.bad\n    ^\n'
            '  Module include "mods.bad" line 3 col 10\n    SELECT m!(2) FROM slice\n           ^\n'
            '  Module include "mods.bad" line 1 col 49\n    nope + $x\n    ^\nno such column: nope\n'), err)

    def test_descriptors_of_extensions(self):
        # As in vectors/perfetto-proto/ext_self_described: the trace's own descriptors go to a file.
        described = bytes.fromhex(
            '0aae010a086d792e70726f746f12026d791a07782e70726f746f223a0a05496e6e6572120b0a036e756d18012001'
            '2805120c0a047461677318022003280912160a046d6f646518032001280e32082e6d792e4d6f6465223f0a045772'
            '617032370a066d795f657874121b2e706572666574746f2e70726f746f732e547261636b4576656e7418ad4d2001'
            '280b32092e6d792e496e6e65722a180a044d6f646512070a034d5f41100012070a034d5f421001')
        trace = self.write('t.pb', bytes.fromhex(
            '0a06400050016801' '0a1c400a50015a164803ba010161eaea040c080712027431120274321801'))
        names = self.write('names.pb', described)
        sql = 'SELECT key, display_value FROM args WHERE key LIKE \'my_ext%\' ORDER BY key'
        self.assertEqual(self.rows(sql, trace)[1:], [])
        out, _ = self.run_it('query', trace, '--proto-descriptors', names, sql, '--format', 'jsonl')
        self.assertEqual([json.loads(line) for line in out.splitlines()[1:]],
                         [['my_ext.mode', 'M_B'], ['my_ext.num', '7'], ['my_ext.tags[0]', 't1'],
                          ['my_ext.tags[1]', 't2']])
        self.run_it('query', trace, '--proto-descriptors', 'missing.pb', sql, status=3)

    def test_no_raw_ftrace(self):
        text = self.write('t.txt', '# tracer: nop\n  bash-7 [000] .... 1.000000: cpu_idle: state=1 cpu_id=0\n')
        counts = 'SELECT (SELECT count(*) FROM ftrace_event), (SELECT count(*) FROM counter)'
        self.assertEqual(self.rows(counts, text)[1:], [[1, 1]])
        self.assertEqual(self.rows(counts, text, '--no-ftrace-raw')[1:], [[0, 1]])

    def test_several_files(self):
        self.assertEqual(self.rows('select count(*) n from slice', self.a, self.b), [['n'], [4]])

    def test_sql_from_file_and_stdin(self):
        sql = self.write('q.sql', 'select 7 as n;\n')
        for args, stdin in ((['--sql-file', sql], b''), ([], b'select 7 as n'),
                            (['--sql-file', '-'], b'select 7 as n')):
            out, _ = self.run_it('query', self.a, *args, '--format', 'jsonl', stdin=stdin)
            self.assertEqual(out, '["n"]\n[7]\n')

    def test_trace_from_stdin(self):
        out, _ = self.run_it('query', '-', 'select count(*) n from slice', '--format', 'jsonl',
                             stdin=trace('x', 'y').encode())
        self.assertEqual(out, '["n"]\n[2]\n')
        self.run_it('query', '-', stdin=b'', status=2)

    def test_a_comment_is_no_option(self):
        self.assertEqual(self.rows('-- how many\nselect 1 n'), [['n'], [1]])

    def test_formats(self):
        sql = "select 12 n, 'a\"b' t"
        want = {
            'table': ' n  t\n--  ---\n12  a"b\n',
            'csv': 'n,t\r\n12,"a""b"\r\n',
            'tsv': 'n\tt\n12\ta"b\n',
            'json': '[\n{"n":12,"t":"a\\"b"}\n]\n',
            'jsonl': '["n","t"]\n[12,"a\\"b"]\n',
        }
        for name, text in want.items():
            done = subprocess.run([PROGRAM, 'query', self.a, sql, '-f', name], capture_output=True, timeout=60)
            self.assertEqual(done.stdout.decode(), text)
        self.assertIn('│ 12 │ a"b │', self.run_it('query', self.a, sql, '--format=box')[0])

    def test_sql_errors(self):
        out, err = self.run_it('query', self.a, 'selec 1', status=4)
        self.assertEqual(out, '')
        self.assertIn('tracebraid: error: ', err)
        self.assertIn('selec', err)
        self.run_it('query', self.a, 'select * from no_such_table', status=4)

    def test_errors_of_sql_in_an_argument_are_short(self):
        sql = "select 'é漢', nope\nfrom slice"
        _, err = self.run_it('query', self.a, sql, status=4)
        self.assertEqual(err, "tracebraid: error: line 1, column 17:\n  select 'é漢', nope\n                ^\n"
                              'no such column: nope\n')
        for arguments, stdin in ((['--sql-file', self.write('q.sql', sql)], b''), ([], sql.encode())):
            _, err = self.run_it('query', self.a, *arguments, stdin=stdin, status=4)
            self.assertEqual(err, 'tracebraid: error: Traceback (most recent call last):\n  File "stdin" line 1 col 17\n'
                                  "    select 'é漢', nope\n" + ' ' * 20 + '^\nno such column: nope\n')

    def test_time_limit(self):
        endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c'
        _, err = self.run_it('query', self.a, endless, '--timeout', '1', status=4)
        self.assertIn('took longer than 1 s', err)
        self.run_it('query', self.a, 'SELECT count(*) FROM slice', '--timeout', '60')

    def test_results_before_an_error_are_printed(self):
        out, _ = self.run_it('query', self.a, 'select 1 a; selec', '--format', 'table', status=4)
        self.assertEqual(out, 'a\n-\n1\n')

    def test_slow_rows_are_printed_when_they_come(self):
        sql = ('WITH RECURSIVE step(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM step WHERE i < 20000), '
               'endless(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM endless) '
               'SELECT i, (SELECT sum(step.i * endless.i) FROM step) FROM endless')
        process = subprocess.Popen([PROGRAM, 'query', '-f', 'csv', self.a, sql], stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        ready, _, _ = select.select([process.stdout], [], [], 60)
        self.assertTrue(ready)
        rows = os.read(process.stdout.fileno(), 1 << 20)
        self.assertIn(b'\r\n1,200010000\r\n', rows)
        self.assertLess(len(rows), 1 << 16)

    def test_a_reader_that_goes_away(self):
        sql = ('with recursive n(i) as (select 1 union all select i + 1 from n limit 3000000) '
               'select i from n')
        done = subprocess.run(f'{PROGRAM} query {self.a} "{sql}" --format csv | head -2; exit ${{PIPESTATUS[0]}}',
                              shell=True, executable='/bin/bash', capture_output=True, timeout=60)
        self.assertEqual(done.stdout, b'i\r\n1\r\n')
        self.assertEqual(done.stderr, b'')
        self.assertEqual(done.returncode, 0)

    @unittest.skipUnless(os.path.exists('/dev/full'), 'no /dev/full')
    def test_a_full_disk(self):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([PROGRAM, 'query', self.a, 'select 1'], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b'No space left', done.stderr)

    def test_invalid_utf8_becomes_valid_json(self):
        out, _ = self.run_it('query', self.a, "select cast(x'61ff62' as text) t", '--format', 'jsonl')
        self.assertEqual(json.loads(out.splitlines()[1]), ['a\ufffdb'])


class BadInput(CommandLine):
    def test_missing_file(self):
        for command in ('info', 'check', 'shell', 'manifest'):
            _, err = self.run_it(command, 'missing.json', status=3)
            self.assertIn('missing.json', err)
        self.assertIn('missing.json', self.run_it('query', 'missing.json', 'select 1', status=3)[1])
        self.assertIn('misspelt.json', self.run_it('query', self.a, 'misspelt.json', status=3)[1])

    def test_unknown_format(self):
        odd = self.write('odd.bin', b'\x00\x01\x02 nothing of the kind')
        self.assertIn('odd.bin', self.run_it('info', odd, status=3)[1])
        out, err = self.run_it('query', self.a, odd, 'select count(*) n from slice', '--format', 'jsonl', '--skip-unknown')
        self.assertEqual(out, '["n"]\n[3]\n')
        self.assertRegex(err, r'tracebraid: warning: .*odd\.bin: .')
        for option in ('--strict', '--quiet'):
            self.run_it('query', self.a, odd, 'select 1', option, status=3)
        self.run_it('query', self.a, odd, 'select 1', '--strict', '--skip-unknown', status=3)
        self.assertEqual(self.run_it('query', self.a, odd, 'select 1', '--quiet', '--skip-unknown')[1], '')

    def test_messages_say_what_the_input_is(self):
        for text, says in ((b'\x00\x01\x02 odd', 'binary data that begins with the bytes 00 01 02 20 6f 64 64; binary formats are'),
                           (b'\x7fELF\x02', 'a program or library'),
                           (b'hello world\n', 'text that begins "hello world"; text formats are'),
                           (b'read(3, "", 0) = 0\n', 'record with strace -ttt')):
            self.assertIn(says, self.run_it('info', self.write('odd', text), status=3)[1])
        odd = self.write('odd', b'hello')
        self.assertIn('Unknown trace type provided (ERR:fmt)', self.run_it('info', odd, status=3)[1])

    def test_json_that_is_no_trace_is_warned_of(self):
        no_trace = self.write('package.json', '{"foo": 1, "bar": {}}')
        out, err = self.run_it('query', no_trace, 'select count(*) n from slice', '-f', 'csv')
        self.assertEqual(out, 'n\r\n0\r\n')
        self.assertIn('not a trace? no traceEvents, but "foo"', err)
        self.run_it('query', no_trace, 'select 1', '--strict', status=3)
        for empty in ('[]', '{}', '{"traceEvents": []}', '{"foo": 1, "otherData": {}}'):
            self.assertEqual(self.run_it('query', self.write('empty.json', empty), 'select 1 n')[1], '', empty)

    def test_skipped_data_is_reported(self):
        whole = trace('draw', 'wait')
        cut = self.write('cut.json', whole[:-20])
        out, err = self.run_it('query', cut, 'select count(*) from slice', '--format', 'tsv')
        self.assertEqual(out, 'count(*)\n1\n')
        self.assertRegex(err, r'cut\.json: json_truncated at byte \d+: the file is truncated')
        self.assertRegex(self.run_it('info', cut)[0], r'problem +json_truncated at byte')
        _, err = self.run_it('query', cut, 'select 1', '--strict', status=3)
        self.assertIn('error: ', err)
        self.assertIn('cut.json: json_truncated at byte', err)

    def test_empty_input(self):
        empty = self.write('empty', '')
        self.assertIn('empty: the file is empty', self.run_it('info', empty, status=3)[1])
        self.assertIn('--skip-unknown', self.run_it('info', self.a, empty, status=3)[1])
        self.assertIn('warning: ', self.run_it('info', self.a, empty, '--skip-unknown')[1])
        self.run_it('info', self.a, empty, '--strict', status=3)
        os.mkdir(os.path.join(self.dir, 'folder'))
        self.assertIn('holds no files', self.run_it('info', 'folder', status=3)[1])

    def test_names_cannot_move_the_cursor(self):
        odd = self.write('odd\x1b[2J.bin', b'\x00\x01\x02 nothing of the kind')
        _, err = self.run_it('info', self.a, odd, '--skip-unknown')
        self.assertNotIn('\x1b', err)
        self.assertIn('\\x1b[2J', err)


class Reports(CommandLine):
    def test_check(self):
        out, _ = self.run_it('check', self.a)
        self.assertIn('timeline', out)
        self.assertRegex(out, r'FILE +MACHINE +CLOCK +PLACED BY +OFFSET +WITHIN +EVENTS +LOST')
        self.assertIn('a.json', out)

    def test_check_explains_a_file(self):
        out, _ = self.run_it('check', self.a, self.b, '--explain', 'b.json')
        self.assertIn('b.json (json)', out)
        self.assertIn('which is a guess', out)
        self.assertNotIn('a.json (json)', out)
        _, err = self.run_it('check', self.a, '--explain', 'gone.json', status=2)
        self.assertIn('gone.json', err)

    def test_check_explains_each_way_to_place(self):
        for vector, file, sentence in (
                ('anchor_gecko_start', 'b.json', 'gives its start in wall-clock time; this is accurate to +-10 ms'),
                ('anchor_capture_date_one_origin', 'b.json', 'agrees with both clocks counting from the same moment'),
                ('anchor_start_date', 'c.json', 'gives the date of the recording, to the second'),
                ('bugreport_logs_in_text', 'bugreport-dev-AB12-2023-11-14-22-14-00.txt', 'in REALTIME of host'),
                ('other-formats/collapsed_stacks', 'trace.txt', 'names no clock'),
                ('bugreport_two_logs', 'bugreport-dev-AB12-2023-11-14-22-14-00.txt', 'no events with a time'),
                ('late_realtime_evidence', 'b.pb', 'both follow wall-clock time'),
                ('machines_map_with_ping', 'm.pb', 'exchanged timed messages'),
                ('ftrace_global_without_stamps', 'trace.pb', 'no path of clocks leads to the timeline'),
                ('clock_set_back', 'trace.pb', 'may have shown that time twice'),
                ('merge_health_counts', 'j.json', 'before the start of trace time'),
                ('missing_timestamp_is_per_file', 'b.pb', 'without a time'),
                ('drift_between_snapshots', 'trace.pb', 'at the last')):
            area = '' if '/' in vector else 'clocks-and-merging'
            inputs = list((VECTORS / area / vector).glob('trace.*'))
            with self.subTest(vector):
                done = subprocess.run([PROGRAM, 'check', inputs[0], '--explain', file], capture_output=True, text=True,
                                      timeout=60)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertIn(sentence, done.stdout)

    def test_check_draws_the_clocks(self):
        for end, start in ('svg', '<svg '), ('dot', 'digraph '):
            picture = os.path.join(self.dir, 'clocks.' + end)
            self.run_it('check', self.a, self.b, '--graph', picture)
            with open(picture) as f:
                text = f.read()
            self.assertTrue(text.startswith(start), text[:80])
            self.assertIn('own timeline of b.json', text)
        self.run_it('check', self.a, '--graph', 'clocks.png', status=2)

    def test_flows_join_on_request(self):
        for path, phase, ts in (self.a, 's', 500), (self.b, 'f', 100):
            event = {'pid': 1, 'tid': 1, 'cat': 'c', 'name': 'n'}
            with open(path, 'w') as f:
                json.dump([{**event, 'ph': 'X', 'ts': ts - 50, 'dur': 100},
                           {**event, 'ph': phase, 'bp': 'e', 'id': 7, 'ts': ts}], f)
        sql = 'SELECT off_by_at_least_ns FROM flow_violation'
        files = [self.a, self.b]
        self.assertEqual(self.rows(sql, *files)[1:], [])
        out, _ = self.run_it('query', *files, sql, '--format', 'jsonl', '--join-flows', 'all')
        self.assertEqual(out.splitlines()[1:], ['[400000]'])
        out, _ = self.run_it('check', *files, '--join-flows', 'all')
        self.assertIn('1 of 1 flow from', out)

    def test_drop_negative(self):
        with open(self.a, 'w') as f:
            json.dump([{'ph': 'X', 'ts': ts, 'dur': 1, 'name': 'x', 'pid': 1, 'tid': 1} for ts in (-5, 5)], f)
        sql = ("SELECT (SELECT count(*) FROM slice), value FROM stats "
               "WHERE name = 'trace_sorter_negative_timestamp_dropped'")
        self.assertEqual(self.rows(sql)[1], [2, 0])
        out, _ = self.run_it('query', self.a, sql, '--format', 'jsonl', '--drop-negative')
        self.assertEqual(json.loads(out.splitlines()[1]), [1, 1])

    def test_archives_within_limits(self):
        deep = trace('x').encode()
        for _ in range(20):
            packed = io.BytesIO()
            with tarfile.open(fileobj=packed, mode='w') as tar:
                member = tarfile.TarInfo('in.tar')
                member.size = len(deep)
                tar.addfile(member, io.BytesIO(deep))
            deep = packed.getvalue()
        _, err = self.run_it('info', self.write('deep.tar', deep), status=3)
        self.assertIn('--max-depth', err)
        self.run_it('info', os.path.join(self.dir, 'deep.tar'), '--max-depth', '32')
        bomb = self.write('bomb.gz', gzip.compress(b' ' * (80 << 20) + b'[]'))
        _, err = self.run_it('info', bomb, '--max-member-bytes', '1M', status=3)
        self.assertIn('--max-member-bytes', err)

    def test_check_json(self):
        report = json.loads(self.run_it('check', '--json', self.a, self.b)[0])
        self.assertEqual(len(report['placements']), 2)
        self.assertEqual(report['lost'], 0)

    def test_check_strict_finds_guesses(self):
        # Two files without a common clock: the second is placed by a guess.
        self.run_it('check', self.a, self.b)
        _, err = self.run_it('check', '--strict', self.a, self.b, status=1)
        self.assertIn('guess', err)

    def test_info(self):
        out, _ = self.run_it('info', self.a, self.b)
        for text in ('a.json', 'b.json', 'json', '3 slice', '1 slice', 'all files'):
            self.assertIn(text, out)
        report = json.loads(self.run_it('info', '--json', self.a)[0])
        self.assertEqual(report['rows']['slice'], 3)
        self.assertEqual(report['files'][0]['format'], 'json')

    def test_timing(self):
        self.assertIn('read took', self.run_it('info', self.a, '--timing')[1])


class Merge(CommandLine):
    MANIFEST = json.dumps({'perfetto_manifest': {'version': 1, 'files': [
        {'path': 'a.json', 'machine': {'name': 'host'}},
        {'path': 'b.json', 'machine': {'name': 'host'},
         'clocks': {'sync_to': {'file': 'a.json'}, 'offset_ns': 5_000_000}}]}})

    def test_packs_and_opens(self):
        manifest = self.write('m.json', self.MANIFEST)
        for name in ('out.tar', 'out.zip'):
            out, _ = self.run_it('merge', self.a, self.b, '--manifest', manifest, '-o', name)
            self.assertIn('Validation: all traces line up on the shared timeline.', out)
            self.assertIn('FILE', out)
            archive = os.path.join(self.dir, name)
            self.assertEqual(
                self.rows("select name, ts - trace_start() t from slice where name in ('send', 'draw') order by ts",
                          archive)[1:],
                [['draw', 0], ['send', 5_000_000], ['draw', 20_000_000]])

    def test_manifest_comes_first(self):
        manifest = self.write('m.json', self.MANIFEST)
        self.run_it('merge', self.a, self.b, '--manifest', manifest, '-o', 'out.tar', '--no-validate')
        listing = subprocess.run(['tar', 'tf', 'out.tar'], cwd=self.dir, capture_output=True, check=True)
        self.assertEqual(listing.stdout.decode().split(), ['perfetto_manifest.json', 'a.json', 'b.json'])

    def test_messages(self):
        other = self.write('other.json', '{"perfetto_manifest":{"version":1,"files":[{"path":"c.json"}]}}')
        none = self.write('none.json', '{"version":1}')
        cases = [
            ([], 'merge: at least one input trace file is required.', 2),
            ([self.a], 'merge: an output path is required (-o FILE).', 2),
            ([self.a, self.a, '-o', 'o.tar'],
             "merge: two input files share the name 'a.json'; archive members must be unique. Rename one of the files.", 2),
            ([self.a, '-o', 'o.tar', '--manifest', 'missing'], "merge: cannot read manifest file 'missing'.", 3),
            ([self.a, '-o', 'o.tar', '--manifest', none],
             'merge: the manifest must be a JSON object with a top-level perfetto_manifest key.', 3),
            ([self.a, '-o', 'o.tar', '--manifest', other],
             "merge: the manifest names file 'c.json' but no input file has that name. "
             "Manifest paths must match the input files' base names.", 3),
        ]
        for args, message, status in cases:
            self.assertIn(message, self.run_it('merge', *args, status=status)[1])
        self.assertFalse(os.path.exists(os.path.join(self.dir, 'o.tar')))

    def test_output_that_cannot_be_written(self):
        self.assertIn('no/such/dir', self.run_it('merge', self.a, '-o', 'no/such/dir/o.tar', status=3)[1])


class ManifestCommand(CommandLine):
    def test_template_is_valid(self):
        out, _ = self.run_it('manifest', self.a, self.b)
        document = json.loads(out)['perfetto_manifest']
        self.assertEqual([f['path'] for f in document['files']], ['a.json', 'b.json'])
        manifest = self.write('m.json', out)
        self.run_it('manifest', 'validate', manifest)
        self.run_it('manifest', 'validate', manifest, self.a, self.b)

    def test_template_to_a_file(self):
        self.assertEqual(self.run_it('manifest', self.a, '-o', 'm.json')[0], '')
        self.run_it('manifest', 'validate', 'm.json')

    def test_validate_finds_trouble(self):
        bad = self.write('bad.json', '{"perfetto_manifest":{"version":2}}')
        _, err = self.run_it('manifest', 'validate', bad, status=1)
        self.assertIn('perfetto_manifest: unsupported version: 2. Only version 1 is supported; set "version": 1.', err)
        self.run_it('manifest', 'validate', 'missing.json', status=3)

    def test_schema(self):
        self.assertIn('perfetto_manifest', json.loads(self.run_it('manifest', '--schema')[0])['properties'])


class Shell(CommandLine):
    def test_without_files(self):
        out, err = self.run_it('shell', stdin=b'INCLUDE PERFETTO MODULE slices.*;\nselect count(*) as n from thread_slice;')
        self.assertEqual(out, 'n\n-\n0\n')
        self.assertEqual(err, '')

    def test_pipe(self):
        out, err = self.run_it('shell', self.a, stdin=b'select 1\n as n;\n.mode csv\nselect 2 as n;\n.quit\nselect 3;\n')
        self.assertEqual(out, 'n\n-\n1\nn\r\n2\r\n')
        self.assertEqual(err, '')

    def test_errors_do_not_end_it(self):
        out, err = self.run_it('shell', self.a, stdin=b'selec;\n.tabels\nselect 2 as n;\n', status=4)
        self.assertIn('n\n-\n2\n', out)
        self.assertIn('did you mean .tables?', err)

    def test_dot_commands(self):
        script = self.write('s.sql', 'select 42 as n;')
        out, _ = self.run_it('shell', self.a,
                             stdin=f'.tables slic*\n.schema slice\n.help\n.mode\n.timer on\n.read {script}\n'.encode())
        for text in ('slice', '.schema', 'jsonl', '42', '1 row, '):
            self.assertIn(text, out)

    def test_last_statement_needs_no_semicolon(self):
        self.assertIn('5', self.run_it('shell', self.a, stdin=b'select 5 as n')[0])


class Terminal(PseudoTerminal, CommandLine):
    """The shell in a pseudo terminal, as a user runs it."""

    def test_statements_history_and_completion(self):
        self.start('shell', self.a)
        self.expect(r'tracebraid> ')
        self.type('select 40 +\n')
        self.expect(r'\.\.\.> ')
        self.type('2 as n;\n')
        self.expect(r'42\r\n')
        self.expect(r'tracebraid> ')
        self.type('.timer on\n')
        self.await_editor()
        self.type('\x1b[A\x1b[A\x1b[A')  # up: "select 40 +"
        self.expect(r'select 40 \+')
        self.type(' 3 as n;\n')
        self.expect(r'43\r\n')
        self.expect(r'1 row, ')
        self.assertEqual(self.leave(), 0)
        with open(os.path.join(self.dir, 'tracebraid', 'history'), encoding='utf-8') as f:
            self.assertIn('select', f.read())

    def test_ctrl_c_forgets_the_line(self):
        self.start('shell', self.a)
        self.await_editor()
        self.type('select nonsense\x03')
        self.expect(r'tracebraid> ')
        self.type('select 6*7 as n;\n')
        self.expect(r'42\r\n')
        self.assertEqual(self.leave(), 0)

    def test_ctrl_c_stops_a_query(self):
        self.start('shell', self.a)
        self.expect(r'tracebraid> ')
        self.type('with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n;\n')
        time.sleep(0.5)
        self.type('\x03')
        self.expect(r'error.*interrupted')
        self.expect(r'tracebraid> ')
        self.type('select 6*7 as n;\n')
        self.expect(r'42\r\n')
        self.assertEqual(self.leave(), 0)


class Generated(CommandLine):
    def test_man_page_names_everything(self):
        page, _ = self.run_it('man')
        for command in COMMANDS:
            self.assertIn(f'.SS tracebraid {command}', page)
        for option in ('\\-\\-strict', '\\-\\-format', '\\-\\-no\\-validate', '\\-\\-sql\\-file'):
            self.assertIn(option, page)
        if shutil.which('groff'):
            done = subprocess.run(['groff', '-man', '-Tutf8', '-ww', '-z'], input=page.encode(), capture_output=True)
            self.assertEqual(done.stderr, b'')

    def complete(self, *words):
        """Returns the completions of bash for the last word."""
        script, _ = self.run_it('completions', 'bash')
        line = ' '.join(f"'{w}'" for w in ('tracebraid', *words))
        code = (f'{script}\ncompopt() {{ :; }}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; _tracebraid; '
                'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(['bash', '-c', code], capture_output=True, timeout=20, cwd=self.dir, check=True)
        self.assertEqual(done.stderr, b'')
        return [w for w in done.stdout.decode().split('\n') if w]

    def test_bash_completion(self):
        self.assertEqual(self.complete('qu'), ['query'])
        self.assertEqual(self.complete('query', '--form'), ['--format'])
        self.assertEqual(self.complete('query', '--format', 'js'), ['json', 'jsonl'])
        self.assertEqual(self.complete('export', 'a.json', '--to', 'per'), ['perfetto'])
        self.assertEqual(self.complete('export', 'a.json', '--to', 'nd'), ['ndjson'])
        self.assertEqual(self.complete('export', '--clock', 'MON'), ['MONOTONIC'])
        self.assertEqual(self.complete('check', '--clock-model', 'st'), ['step'])
        self.assertEqual(self.complete('query', '--format', '=', 'ts'), ['tsv'])
        self.assertEqual(self.complete('completions', 'z'), ['zsh'])
        self.assertEqual(self.complete('manifest', 'val'), ['validate'])
        self.assertEqual(self.complete('info', 'a.j'), ['a.json'])
        self.assertEqual(self.complete('manifest', 'validate', '--thr'), ['--threads'])
        self.assertEqual(self.complete('formats', 'a'), [])

    def test_other_shells(self):
        for shell in ('zsh', 'fish'):
            script, _ = self.run_it('completions', shell)
            for command in COMMANDS:
                self.assertIn(command, script)
            self.assertIn('sql-file', script)
            self.assertRegex(script, r'(?m)^.*--?l? ?to\b.*\(?perfetto braid json .* ndjson')
            if shutil.which(shell):
                path = self.write('completion', script)
                subprocess.run([shell, '-n', path], check=True)
        self.assertIn('did you mean zsh?', self.run_it('completions', 'zhs', status=2)[1])

    def test_formats(self):
        out, _ = self.run_it('formats')
        for name in ('json', 'proto', 'zip'):
            self.assertIn(name, out)


if __name__ == '__main__':
    unittest.main()
