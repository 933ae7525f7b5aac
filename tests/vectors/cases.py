"""Reads the folders of vectors/: an input, and files *.test with queries and their expected results.

    # `reference` · rendezvous · §6.4 step 2: a third machine.
    query [NAME] [OPTION ...]
    SELECT ...
    ----
    ["name", "ts"]
    ["a", 2100000000]

`---- error` begins the text of an error. vectors/README.md describes the files.
"""
import os
import pathlib
import re
import shlex

from vectors import inputs

PROJECT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = PROJECT / 'vectors'
DEFAULT_FILE = 'cases.test'
QUERY = re.compile(r'^query( |$)')
NAME = re.compile(r'[A-Za-z0-9_.]*')
ROWS, ERROR = '----', '---- error'
UNNAMED = 'query'  # name of files for a query without a name


class Error(ValueError):
    pass


class Case:
    def __init__(self, query, rows=None, error=None, name='', options=(), notes=()):
        self.name, self.options, self.notes = name, list(options), list(notes)
        self.query, self.rows, self.error = query, rows, error  # texts end with a line break

    def kind(self):
        match = re.search(r'\b(reference|ours)\b', ' '.join(self.notes))
        return match.group(1) if match else 'unknown'

    def text(self):
        notes = ''.join(f'# {note}'.rstrip() + '\n' for note in self.notes)
        words = ['query', self.name, *self.options] if self.name else ['query', *self.options]
        result = f'{ROWS}\n{self.rows}' if self.error is None else f'{ERROR}\n{self.error}'
        return f'{notes}{shlex.join(words)}\n{self.query}{result}'


def parse(text, where=''):
    cases, notes, at = [], [], 0
    lines = text.split('\n')

    def until(is_end):
        nonlocal at
        start = at
        while at < len(lines) and not is_end(lines[at]):
            at += 1
        return '\n'.join(lines[start:at]).strip('\n') + '\n'

    while at < len(lines):
        line, at = lines[at], at + 1
        if line.startswith('#'):
            notes.append(line[1:].strip())
        elif QUERY.match(line):
            words = shlex.split(line)[1:]
            name = words.pop(0) if words and not words[0].startswith('-') else ''
            if not NAME.fullmatch(name):
                raise Error(f'{where}:{at}: no name of a query: {name}')
            query = until(lambda line: line in (ROWS, ERROR))
            if at == len(lines):
                raise Error(f'{where}: query {name} has no line {ROWS}')
            is_error, at = lines[at] == ERROR, at + 1
            result = until(lambda line: QUERY.match(line) or line.startswith('#'))
            cases.append(Case(query, None if is_error else result, result if is_error else None, name, words, notes))
            notes = []
        elif line:
            raise Error(f'{where}:{at}: outside of a query: {line}')
    names = [case.name for case in cases]
    if len(set(names)) != len(names):
        raise Error(f'{where}: two queries of one name')
    return cases


def write(path, cases):
    """Writes the file, if reading it gives the same cases."""
    text = '\n'.join(case.text() for case in cases)
    if [vars(case) for case in parse(text, path)] != [vars(case) for case in cases]:
        raise Error(f'{path}: a query, its rows or its error have lines that begin a part of such a file')
    path.write_text(text, encoding='utf-8')


def full_name(folder, case):
    return f'{folder}/{case.name}'.rstrip('/')


class Folder:
    """An input with its queries."""

    def __init__(self, path, root=VECTORS):
        self.path, self.name = path, path.relative_to(root).as_posix()
        sources = sorted(file for file in path.iterdir() if file.name.startswith('trace.'))
        if len(sources) != 1:
            raise Error(f'{self.name}: needs one input named trace.*, has {[file.name for file in sources]}')
        self.source = sources[0]
        self.files = {file: parse(file.read_text(encoding='utf-8'), file) for file in sorted(path.glob('*.test'))}
        self.cases = [case for cases in self.files.values() for case in cases]
        if len({case.name for case in self.cases}) != len(self.cases):
            raise Error(f'{self.name}: two queries of one name')

    def full_name(self, case):
        return full_name(self.name, case)

    def input(self, schema):
        """Returns name and bytes of the input."""
        try:
            return inputs.built(self.source.name, self.source.read_bytes(), schema)
        except inputs.Error as error:
            raise Error(f'{self.name}/{error}') from None


def folders(root=VECTORS):
    """Returns all folders with an input, by name."""
    found = {path.parent for path in root.glob('*/*/*') if path.suffix == '.test' or path.name.startswith('trace.')}
    return [Folder(path, root) for path in sorted(found)]


def write_if_other(path, data):
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f'{path.name}.{os.getpid()}')  # other processes may read or write the same file
    part.write_bytes(data)
    part.replace(path)


def materialise(folder, to, schema):
    """Writes an input and, for each query NAME, NAME.sql and NAME.jsonl or NAME.error; returns the input's path."""
    name, data = folder.input(schema)
    wanted = {name: data}
    for case in folder.cases:
        stem = case.name or UNNAMED
        wanted[f'{stem}.sql'] = case.query.encode()
        wanted[f'{stem}.jsonl' if case.error is None else f'{stem}.error'] = (case.rows or case.error).encode()
    place = pathlib.Path(to) / folder.name
    for file, content in wanted.items():
        write_if_other(place / file, content)
    return place / name
