#!/usr/bin/env python3
"""The program on a terminal: tables fit it, long results are cut, running queries show their progress.

TRACEBRAID names the program. Skipped where there are no pseudo terminals.
"""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unicodedata
import unittest

from pseudo_terminal import ESCAPES, PROGRAM, PseudoTerminal

LONG_NAME = '描画する関数 with a very long name that goes on and on and does not end before the terminal does'
EVENTS = [{'ph': 'X', 'ts': 10 * i, 'dur': 5, 'name': name, 'pid': 1, 'tid': 1, 'args': {'path': '/a/b\x1b[31m' + 'c' * 40}}
          for i, name in enumerate([LONG_NAME, '🚀 lift-off ⏰', 'e\u0301te\u0301', 'right \u202e left', 'plain'])]


def width_of(text):
    """Returns the columns of a terminal that the text takes."""
    return sum(0 if unicodedata.category(c) in ('Mn', 'Cf') else 2 if unicodedata.east_asian_width(c) in 'WF' else 1
               for c in text)


class OnTerminal(PseudoTerminal, unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix='tracebraid-terminal-')
        self.addCleanup(shutil.rmtree, self.dir)
        self.trace = self.write('t.json', json.dumps(EVENTS))
        self.many = self.write('many.json', json.dumps(
            [{'ph': 'X', 'ts': 10 * i, 'dur': 5, 'name': f'slice {i}', 'pid': 1, 'tid': 1} for i in range(500)]))

    def write(self, name, text):
        path = os.path.join(self.dir, name)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        return path

    def piped(self, *args):
        done = subprocess.run([PROGRAM, *args], capture_output=True, timeout=60, check=True, cwd=self.dir)
        return done.stdout.decode().splitlines()


class Tables(OnTerminal):
    def test_tables_fit_the_width(self):
        for width in (20, 40, 80, 200):
            for format_ in ('table', 'box'):
                for sql in ('select * from slice', 'select ts, name from slice', 'select * from args',
                            'select 1 as n', "select printf('%300s', 'x') as t"):
                    lines = self.output('query', self.trace, sql, '-f', format_, width=width)
                    self.assertGreater(len(lines), 2)
                    for line in lines:
                        if not line.startswith('('):
                            self.assertLessEqual(width_of(line), width, (sql, line))

    def test_columns_are_cut_with_an_ellipsis(self):
        lines = self.output('query', self.trace, 'select id, name, dur from slice', width=60)
        self.assertEqual(lines[2][4:].split('…')[0], LONG_NAME[:len(lines[2][4:].split('…')[0])])
        self.assertTrue(lines[2].endswith('…  5000'), lines[2])
        self.assertEqual({width_of(line) for line in lines[2:7]}, {60})
        self.assertIn('right \\u202e left', lines[5])
        whole = self.output('query', self.trace, 'select id, name, dur from slice', '--wide', width=60)
        self.assertIn(LONG_NAME, whole[2])

    def test_a_line_tells_of_columns_that_do_not_fit(self):
        lines = self.output('query', self.trace, 'select * from slice', width=80)
        self.assertRegex(lines[-2], r'^\(\d+ of \d+ columns; --wide prints all\)$')
        self.assertEqual(self.output('query', self.trace, 'select * from slice', '--wide', width=80)[:-1],
                         self.piped('query', self.trace, 'select * from slice'))

    def test_forty_rows(self):
        sql = "select id from slice; select 'next' as t"
        lines = self.output('query', self.many, sql)
        at = lines.index('39')
        self.assertEqual(lines[at + 1:], ['(40 of 500 rows; --rows 0 prints all, --format csv > FILE saves all)', '',
                                          't', '----', 'next', ''])
        self.assertEqual(self.output('query', self.many, sql, '--rows', '0')[:-1], self.piped('query', self.many, sql))
        self.assertIn('(2 of 500 rows;', self.output('query', self.many, sql, '--rows', '2')[4])
        self.assertEqual(len(self.output('query', self.many, 'select id from slice limit 40')), 43)

    def test_other_formats_and_pipes_get_everything(self):
        for format_ in ('csv', 'tsv', 'json', 'jsonl', 'ndjson'):
            sql = "select id, printf('%200s', 'x') as t from slice"
            lines = self.output('query', self.many, sql, '-f', format_)
            self.assertEqual(lines[:-1],
                             self.piped('query', self.many, sql, '-f', format_))
        self.assertEqual(len(self.piped('query', self.many, 'select id from slice')), 502)


class Reports(OnTerminal):
    """The tables and lines of check, info, merge and manifest validate."""

    def setUp(self):
        super().setUp()
        folder = os.path.join(self.dir, 'a folder with a long name')
        os.mkdir(folder)
        self.long = os.path.join('a folder with a long name', 'recording of the 描画する関数 thread.json')
        flow = {'cat': 'f', 'name': 'f', 'pid': 1, 'tid': 1}
        self.write(self.long, json.dumps(EVENTS + [{'ph': 's', 'ts': 2, 'id': 7, **flow}, {'ph': 'f', 'ts': 999, 'id': 8, **flow},
                                                   {'ph': 'E', 'ts': 500, 'pid': 1, 'tid': 9}]))
        self.write('b.json', json.dumps(EVENTS[:1]))
        self.write('s.strace', '100 1700000000.000100 getpid() = 100\n')
        self.write('m.json', json.dumps({'perfetto_manifest': {'version': 1, 'files': [
            {'path': 's.strace'}, {'path': 'b.json', 'clocks': {'sync_to': {'file': 's.strace', 'clock': 'REALTIME'}, 'offset_ns': 5}}]}}))

    def commands(self):
        yield ('check', '-q', self.long, 'b.json')
        yield ('check', '-q', '--as-reference', self.long)
        yield ('info', '-q', self.long, 'b.json')
        yield ('merge', '-q', self.long, 'b.json', '-o', 'out.tar', '--force')
        yield ('manifest', 'validate', '-q', 'm.json', 'b.json', 's.strace')

    def test_lines_fit_the_width(self):
        for command in self.commands():
            for width in (50, 80, 130):
                lines = self.output(*command, width=width)
                self.assertGreater(len(lines), 5)
                for line in lines:
                    # The name of a file is whole, so that it can be copied.
                    if not line.startswith(('(', self.long)) and 'tracebraid export' not in line:
                        self.assertLessEqual(width_of(line), width, (command, line))

    def test_columns_are_cut_with_an_ellipsis(self):
        lines = self.output('check', '-q', self.long, 'b.json', width=80)
        table = lines[1:lines.index('')]
        self.assertIn('…', ''.join(table[1:]))
        self.assertRegex(table[0], r'^FILE +MACHINE +CLOCK +PLACED')
        table = self.output('check', '-q', self.long, 'b.json', width=60)
        self.assertRegex(table[table.index('') - 1], r'^\(\d of 9 columns; --wide prints all\)$')
        self.assertNotIn('columns;', ''.join(self.output('check', '-q', self.long, 'b.json', width=250)))

    def test_wide(self):
        for command in self.commands():
            if command[0] == 'merge':
                continue
            lines = self.output(*command, '--wide', width=40)[:-1]
            self.assertEqual(lines, self.piped(*command), command)
            self.assertEqual(self.piped(*command, '--wide'), self.piped(*command))


class Progress(OnTerminal):
    SLOW = ('with recursive n(i) as (select 1 union all select i + 1 from n limit 6000000) '
            'select sum(i * i % 7) as total from n')

    def test_a_running_query_shows_rows_and_time(self):
        self.start('query', self.trace, 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n')
        shown = self.expect(r'running  [\d,]+ rows  0:0[1-9]')
        self.assertIn('39', ESCAPES.sub('', shown))  # the first rows come at once
        self.type('\x03')
        self.expect(r'error.*interrupted')
        self.assertEqual(self.wait(), 130)

    def test_rows_are_not_mixed_with_the_progress(self):
        sql = ('with recursive n(i) as (select 1 union all select i + 1 from n limit 3000000) '
               'select i from n where i % 1000000 = 0')
        self.assertEqual(self.output('query', self.trace, sql, '-f', 'csv'), ['i', '1000000', '2000000', '3000000', ''])

    def test_no_progress(self):
        lines = self.output('query', self.trace, self.SLOW, '--no-progress')
        self.assertEqual(lines[0].strip(), 'total')
        self.assertNotIn('running', self.seen)


class Shell(OnTerminal):
    def shell(self, *lines, **options):
        """Returns what the shell prints after each line."""
        self.start('shell', self.many, **options)
        self.await_editor()
        texts = []
        for line in lines:
            self.type(line + '\n')
            self.expect(re.escape(line[-20:]) + r'[^\n]*\n')
            texts.append(ESCAPES.sub('', self.expect(r'tracebraid> ')).replace('\r', ''))
        self.type('.quit\n')
        self.assertEqual(self.wait(), 0)
        return texts

    def test_limits(self):
        limited, _, few, _, whole = self.shell('select id from slice;', '.rows 3', 'select id from slice;',
                                               '.wide on', "select printf('%120s', 'x') as t;")
        self.assertIn('(40 of 500 rows; .rows 0 prints all, .pager on shows all in a pager)', limited)
        self.assertIn('(3 of 500 rows;', few)
        self.assertIn(' ' * 119 + 'x', whole)

    def test_pager(self):
        pager = self.write('pager', '#!/bin/sh\necho "pages $LESS:"\nwc -l\n')
        os.chmod(pager, 0o755)
        _, paged, _, unpaged, _, missing = self.shell(
            '.pager on', 'select id from slice;', '.pager off', 'select 41 + 1 as n;', '.pager no-such-pager', 'select 1;',
            env={'PAGER': pager})
        self.assertIn('pages FRSX:', paged)
        self.assertRegex(paged, r'502\n')
        self.assertIn('42', unpaged)
        self.assertIn('cannot run the pager no-such-pager', missing)

    def test_completes_columns_functions_and_values(self):
        self.write('script.sql', 'select 7 * 6;\n')
        self.start('shell', self.many)
        self.await_editor()
        self.type("select '<' || s.nam from slice s limit 1;" + '\x1b[D' * len(' from slice s limit 1;') + '\t\n')
        self.expect(r'<slice 0\r')  # the relation is behind the cursor
        self.expect(r'tracebraid> ')
        self.type('select group_con\t')
        self.expect(r'cat\(')
        self.type("name, '+') as t\n")
        self.expect(r'\.\.\.> ')
        self.type('from slice z where z.track_i\t')
        self.expect(r'd ')
        self.type('>= 0 and id < 2;\n')
        self.expect(r'slice 0\+slice 1\r')
        self.expect(r'tracebraid> ')
        self.type('.mode nd\t')
        self.expect(r'json')
        self.type('\n')
        self.expect(r'tracebraid> ')
        self.type('.read scr\t')
        self.expect(r'ipt\.sql')
        self.type('\n')
        self.expect(r'{"7 \* 6":42}')
        self.assertEqual(self.leave(), 0)

    def test_examples_run(self):
        listed = self.shell('.examples')[0]
        count = len(re.findall(r'^-- \d+\. ', listed, re.M))
        self.assertGreater(count, 5)
        for text in self.shell(*(f'.examples {n + 1}' for n in range(count))):
            self.assertNotIn('error:', text)

    def test_errors_of_typed_sql_are_short(self):
        text = self.shell('select nope from slice;')[0]
        self.assertIn('line 1, column 8:\n  select nope from slice;\n         ^\nno such column: nope\n', text)
        self.assertNotIn('Traceback', text)


if __name__ == '__main__':
    unittest.main()
