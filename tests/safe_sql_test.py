#!/usr/bin/env python3
"""Untrusted SQL accesses no file, changes no table of the trace, and can be stopped
by --timeout and Ctrl-C.

Run by ctest with TRACEBRAID naming the binary.
"""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

TRACEBRAID = os.path.abspath(os.environ.get('TRACEBRAID', 'build/dev/tracebraid'))
SQL_ERROR, INTERRUPTED = 4, 130
# Statements that never end, one for each kind of work; none returns a row.
ENDLESS = {
    'rows of nothing': 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    'a scan for each row of a scan': 'SELECT count(*) FROM slice a, slice b, slice c, slice d, slice e '
                                     "WHERE a.ts + b.ts + c.ts + d.ts + e.ts < 0",
    'a scan without a row': "SELECT a.id FROM slice a, slice b, slice c, slice d, slice e WHERE e.name || a.id = 'none'",
    'a sort': 'SELECT * FROM slice a, slice b, slice c, slice d ORDER BY a.dur + b.dur DESC',
    'groups': 'SELECT a.id + b.id + c.id + d.id AS k, count(*) FROM slice a, slice b, slice c, slice d, slice e GROUP BY k',
    'functions': 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) '
                 "SELECT 1 FROM n WHERE regexp('x+y', 'xxxxxxxxxxxx' || i) OR like('%a%b%c', i)",
    'statements': ';'.join(['SELECT count(*) FROM slice a, slice b, slice c WHERE a.ts + b.ts + c.ts < 0'] * 300),
}


class SafeSql(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.trace = os.path.join(cls.folder.name, 'trace.json')
        with open(cls.trace, 'w', encoding='utf-8') as file:
            json.dump([{'ph': 'X', 'name': f'e{i % 50}', 'pid': 1, 'tid': i % 9, 'ts': i * 10, 'dur': 5}
                       for i in range(3000)], file)

    def start(self, sql, *options):
        return subprocess.Popen([TRACEBRAID, 'query', self.trace, sql, '--format', 'jsonl', *options],
                                cwd=self.folder.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, 'TMPDIR': self.folder.name})

    def query(self, sql, *options):
        process = self.start(sql, *options)
        out, said = process.communicate(timeout=120)
        self.assertEqual(os.listdir(self.folder.name), ['trace.json'], sql)
        return process.returncode, out, said

    def test_no_file_is_read_or_written(self):
        path = os.path.join(self.folder.name, 'made.db')
        for sql in (f"ATTACH '{path}' AS x", f"ATTACH 'file:{path}?mode=rwc' AS x", "ATTACH '/etc/passwd' AS x",
                    f"VACUUM INTO '{path}'", f"VACUUM main INTO 'file:{path}'",
                    "SELECT load_extension('/lib/x86_64-linux-gnu/libm.so.6')",
                    f"SELECT writefile('{path}', 'x')", "SELECT readfile('/etc/passwd')",
                    "SELECT * FROM fsdir('/etc')", "SELECT edit('x')", "SELECT fts3_tokenizer('x', 'y')",
                    f"PRAGMA temp_store_directory = '{self.folder.name}'", 'PRAGMA temp_store = FILE',
                    f"PRAGMA data_store_directory = '{self.folder.name}'", 'PRAGMA journal_mode = WAL',
                    'PRAGMA writable_schema = ON', 'PRAGMA trusted_schema = ON', 'PRAGMA mmap_size = 100000',
                    'PRAGMA hard_heap_limit = 1', 'PRAGMA cell_size_check = OFF', 'PRAGMA wal_checkpoint',
                    f"CREATE VIRTUAL TABLE c USING csv(filename='/etc/passwd')",
                    f"CREATE VIRTUAL TABLE z USING zipfile('{path}')",
                    "SELECT * FROM pragma_temp_store_directory"):
            code, out, said = self.query(sql)
            self.assertEqual(code, SQL_ERROR, (sql, out, said))
            self.assertNotIn('root:', out + said)

    def test_the_trace_stays_as_it_is(self):
        before = self.query('SELECT count(*), sum(dur) FROM slice')
        for sql in ('DELETE FROM slice', 'UPDATE slice SET dur = 0', 'DROP VIEW slice', 'DROP TABLE __intrinsic_slice',
                    'DELETE FROM __intrinsic_slice', 'UPDATE __intrinsic_slice SET dur = 0',
                    'INSERT INTO __intrinsic_slice(ts) VALUES (1)', 'ALTER TABLE __intrinsic_slice RENAME TO x',
                    'ALTER TABLE __intrinsic_slice DROP COLUMN dur', "DELETE FROM sqlite_schema",
                    "UPDATE sqlite_schema SET sql = 'x'", 'CREATE INDEX i ON __intrinsic_slice(dur)',
                    'CREATE TRIGGER t INSTEAD OF DELETE ON slice BEGIN SELECT 1; END; DROP VIEW slice'):
            code, out, said = self.query(f'{sql}; SELECT count(*) FROM slice')
            self.assertEqual(code, SQL_ERROR, (sql, out, said))
        self.assertEqual(self.query('SELECT count(*), sum(dur) FROM slice'), before)

    def test_tables_of_ones_own_can_be_made(self):
        code, out, said = self.query('CREATE TABLE mine AS SELECT dur FROM slice; DELETE FROM mine WHERE dur < 0; '
                                     "ATTACH ':memory:' AS other; CREATE TABLE other.x(a); DROP TABLE mine; "
                                     'SELECT count(*) AS n FROM other.x')
        self.assertEqual((code, out.splitlines()[-1]), (0, '[0]'), said)

    def test_what_takes_too_much_is_refused(self):
        for sql in ("SELECT length(zeroblob(4000000000))", "SELECT 'x' LIKE '" + '%a' * 30_000 + "'",
                    'SELECT ' + '(' * 5_000 + '1' + ')' * 5_000, 'SELECT ' + ' UNION ALL SELECT '.join('1' * 5_000)):
            code, _, said = self.query(sql)
            self.assertEqual(code, SQL_ERROR, (sql[:50], said))
            self.assertLess(len(said), 100_000)

    def test_a_time_out(self):
        for what, sql in ENDLESS.items():
            code, _, said = self.query(sql, '--timeout', '1')
            self.assertEqual(code, SQL_ERROR, (what, said))
            self.assertIn('--timeout', said, what)

    def test_ctrl_c(self):
        for what, sql in ENDLESS.items():
            process = self.start(sql)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=120)
            # A signal before the program handles it ends the program with the default action.
            self.assertIn(process.returncode, (INTERRUPTED, -signal.SIGINT), (what, said))
            self.assertEqual(os.listdir(self.folder.name), ['trace.json'])


if __name__ == '__main__':
    unittest.main()
