#!/usr/bin/env python3
"""Pages of docs/ that the program prints are what it prints.

TRACEBRAID names the program.
"""
import difflib
import os
import pathlib
import subprocess
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
DOCS = pathlib.Path(__file__).resolve().parent.parent / 'docs'


def docs(*arguments):
    return subprocess.run([PROGRAM, 'docs', *arguments], capture_output=True, text=True, timeout=60)


class Docs(unittest.TestCase):
    def test_pages_are_current(self):
        for page, file in (('tables', 'sql-tables.md'), ('formats', 'formats.md')):
            with self.subTest(page):
                printed = docs(page)
                self.assertEqual(printed.returncode, 0, printed.stderr)
                difference = '\n'.join(difflib.unified_diff(
                    (DOCS / file).read_text().splitlines(), printed.stdout.splitlines(),
                    f'docs/{file}', f'tracebraid docs {page}', n=1, lineterm=''))
                if difference:
                    self.fail(f'run: tracebraid docs {page} > docs/{file}\n{difference}')

    def test_each_format_says_all_of_itself(self):
        listed = subprocess.run([PROGRAM, 'formats'], capture_output=True, text=True, timeout=60).stdout
        read = listed[:listed.index('Archives and compression')]
        formats = [line for line in read.splitlines() if line and not line.startswith(' ')]
        self.assertGreater(len(formats), 15)
        for fact in ('times', 'tables'):
            self.assertEqual(sum(line.startswith(f'    {fact} ') for line in read.splitlines()), len(formats), fact)

    def test_manifest_schema_is_current(self):
        printed = subprocess.run([PROGRAM, 'manifest', '--schema'], capture_output=True, text=True, timeout=60)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertEqual((DOCS / 'manifest.schema.json').read_text(), printed.stdout,
                         'run: tracebraid manifest --schema > docs/manifest.schema.json')

    def test_unknown_page_is_a_usage_error(self):
        for arguments in ((), ('tabels',), ('tables', 'tables')):
            refused = docs(*arguments)
            self.assertEqual((refused.returncode, refused.stdout), (2, ''), arguments)
            self.assertIn('name a page', refused.stderr)


if __name__ == '__main__':
    unittest.main()
