"""Comparison of operators with brute-force versions in plain SQL, on random tables.

A test fills tables with random rows and states pairs of queries that give the same rows. All pairs of a
test run in one session of the program that the environment variable TRACEBRAID names.
"""
import json
import os
import random
import subprocess
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')


def literal(value):
    if value is None:
        return 'NULL'
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


def results_of(text):
    """The result sets of --format json."""
    decoder = json.JSONDecoder()
    sets, at = [], 0
    while (at := next((i for i in range(at, len(text)) if not text[i].isspace()), None)) is not None:
        rows, at = decoder.raw_decode(text, at)
        sets.append([tuple(row.values()) for row in rows])
    return sets


def order(row):
    return [(0, 0) if value is None else (1, value) if isinstance(value, (int, float)) else (2, value)
            for value in row]


class Checks(unittest.TestCase):
    """Statements of one session. Subclasses call table(), sql() and same(), then run()."""
    inputs = ['--no-trace']

    def setUp(self):
        self.random = random.Random(self.id())
        self.statements = []
        self.checks = []

    def sql(self, statement):
        self.statements.append(statement)

    def include(self, *modules):
        for module in modules:
            self.sql(f'INCLUDE PERFETTO MODULE {module}')

    def table(self, name, columns, rows):
        """Replaces a table. No rows: an empty table."""
        self.sql(f'DROP TABLE IF EXISTS {name}')
        self.sql(f'CREATE TABLE {name}({", ".join(columns)})')
        if rows:
            self.sql(f'INSERT INTO {name} VALUES '
                     + ', '.join('(' + ', '.join(map(literal, row)) + ')' for row in rows))

    def same(self, operator, brute_force, ordered=False):
        self.checks.append((len(self.statements), operator, brute_force, ordered))
        self.statements += [operator, brute_force]

    def query(self, statements):
        text = ';\n'.join(statements) + ';\n'
        done = subprocess.run([PROGRAM, 'query', *self.inputs, '--format', 'json', '--sql-file', '-'], input=text,
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return results_of(done.stdout)

    def run_all(self):
        sets = self.query(self.statements)
        self.assertEqual(len(sets), 2 * len(self.checks))
        rows = 0
        for i, (at, operator, brute_force, ordered) in enumerate(self.checks):
            got, expected = sets[2 * i], sets[2 * i + 1]
            rows += len(expected)
            if not ordered:
                got, expected = sorted(got, key=order), sorted(expected, key=order)
            if got != expected:
                tables = '\n'.join(statement for statement in self.statements[:at] if 'INSERT' in statement)
                self.fail(f'{operator}\ngives {got}\n{brute_force}\ngives {expected}\n{tables[-4000:]}')
        self.assertGreater(rows, 0, 'no check has rows')

    def error(self, *statements):
        """The error of a script that fails."""
        done = subprocess.run([PROGRAM, 'query', *self.inputs, '--sql-file', '-'], input=';\n'.join(statements) + ';\n',
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        return done.stderr
