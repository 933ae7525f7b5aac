#!/usr/bin/env python3
"""Documents agree with the program: generated pages, the picture and the examples of README.md, the glossary.

TRACEBRAID names the program. --update-readme writes what the program prints into README.md.
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / 'docs'
CHECKED = 'check examples/phone.pftrace examples/watch.pftrace examples/app.json --manifest examples/manifest.json'

sys.path.insert(0, str(ROOT / 'tools'))
import terminal_svg  # noqa: E402


def docs(*arguments):
    return subprocess.run([PROGRAM, 'docs', *arguments], capture_output=True, text=True, timeout=60)


BLOCK = re.compile(r'^```\n(tracebraid .*?)^```\n(?:\n```text\n(.*?)^```\n)?', re.M | re.S)


def readme_blocks(text):
    """Returns the commands of each block, and what they print as README.md shows it."""
    return [(command, shown or '') for command, shown in BLOCK.findall(text)]


def masked(text):
    """Returns the text without the times that work took."""
    return re.sub(r'\bin [\d.]+ [mu]?s$', 'in TIME', text, flags=re.M)


def run_blocks(blocks):
    """Runs the blocks in one folder with the examples. Returns the exit status and the output of each."""
    with tempfile.TemporaryDirectory(prefix='tracebraid-docs-') as folder:
        shutil.copytree(ROOT / 'examples', folder + '/examples')
        os.symlink(shutil.which(PROGRAM), folder + '/tracebraid')
        environment = {**os.environ, 'PATH': folder + ':' + os.environ['PATH']}
        done = [subprocess.run(['bash', '-euc', command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, timeout=120) for command, _ in blocks]
    return [(each.returncode, each.stdout) for each in done]


def update_readme():
    text = (ROOT / 'README.md').read_text()
    outputs = iter(run_blocks(readme_blocks(text)))

    def replaced(match):
        _, printed = next(outputs)
        return f'```\n{match[1]}```\n' + (f'\n```text\n{printed}```\n' if printed else '')

    (ROOT / 'README.md').write_text(BLOCK.sub(replaced, text))


class Docs(unittest.TestCase):
    def test_pages_are_current(self):
        for page, file in (('tables', 'sql-tables.md'), ('modules', 'sql-modules.md'), ('formats', 'formats.md'),
                           ('stats', 'stats.md'), ('api', 'api.md')):
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

    def test_picture_is_current(self):
        printed = subprocess.run([PROGRAM, *CHECKED.split()], cwd=ROOT, capture_output=True, text=True, timeout=60)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertEqual((DOCS / 'images/check.svg').read_text(),
                         terminal_svg.picture('tracebraid ' + CHECKED, printed.stdout),
                         f"run: tracebraid {CHECKED} | tools/terminal_svg.py 'tracebraid {CHECKED}' > docs/images/check.svg")

    def test_readme_shows_what_the_program_prints(self):
        blocks = readme_blocks((ROOT / 'README.md').read_text())
        self.assertGreater(len(blocks), 4)
        self.assertTrue(all(shown for _, shown in blocks[:-1]), 'a command without its output')
        for (command, shown), (status, printed) in zip(blocks, run_blocks(blocks), strict=True):
            with self.subTest(command):
                self.assertEqual(status, 0, printed)
                self.assertEqual(masked(printed), masked(shown),
                                 f'{command}\nrun: TRACEBRAID={PROGRAM} tests/docs_test.py --update-readme')

    def test_names_in_the_glossary_exist(self):
        words = set()
        for file in (ROOT / 'src').rglob('*'):
            if file.suffix in ('.h', '.cc', '.inc', '.sql'):
                words.update(re.findall(r'\w+', file.read_text()))
        rows = re.findall(r'^\| (?!Term|-)([^|]+) \|[^|]*\|([^|]*)\|$', (DOCS / 'glossary.md').read_text(), re.M)
        self.assertGreater(len(rows), 40)
        for term, names in rows:
            for name in re.findall(r'`(\w+)`', names):
                self.assertTrue({name, '__intrinsic_' + name} & words, f'{term}: {name}')

    def test_links_and_paths_exist(self):
        tracked = subprocess.run(['git', 'ls-files'], cwd=ROOT, capture_output=True, text=True, timeout=60).stdout.split()
        if not tracked:
            self.skipTest('not a checkout')
        top = {path.split('/')[0] for path in tracked}
        for page in (ROOT / path for path in tracked if path.endswith('.md') and path != 'CHANGELOG.md'):
            text = page.read_text()
            for link in re.findall(r'\]\(([^)#:]+)(?:#[^)]*)?\)', text):
                self.assertTrue((page.parent / link).exists(), f'{page}: {link}')
            if page.parent.name == 'spec':  # specifications also name code that is not built yet
                continue
            for path in re.findall(r'`([\w.-]+/[\w./*-]*)`', text):
                if path.split('/')[0] in top - {'build'}:
                    self.assertTrue(list(ROOT.glob(path)), f'{page}: {path}')

    def test_a_header_of_each_folder_says_what_goes_in_and_out(self):
        for folder in {header.parent for header in (ROOT / 'src').rglob('*.h')}:
            headers = [h for h in folder.glob('*.h') if h.name != 'stats.h' and not h.name.startswith('test_')]
            if len(headers) < 4 or folder.name == 'base':  # the folder above describes small folders; base is no stage
                continue
            heads = [h.read_text().split('#pragma once')[0] for h in headers]
            self.assertTrue(any(re.search(r'\bIn(put)?:.*\bOut(put)?:', h, re.S) for h in heads), folder)

    def test_unknown_page_is_a_usage_error(self):
        for arguments in ((), ('tabels',), ('tables', 'tables')):
            refused = docs(*arguments)
            self.assertEqual((refused.returncode, refused.stdout), (2, ''), arguments)
            self.assertIn('name a page', refused.stderr)


if __name__ == '__main__':
    if sys.argv[1:] == ['--update-readme']:
        update_readme()
    else:
        unittest.main()
