#!/usr/bin/env python3
"""Imports vectors of another layout, with one folder with `query.sql` per vector.

  vectors/import.py DIR [--into VECTORS]

Vectors are DIR/AREA/NAME/query.sql. A vector is added to the folder with the same input, as
AREA/FOLDER/NAME; AREA/X__Y is the query Y of AREA/X. Vectors that exist are skipped. A vector that exists
with other rows, or under its name with another input, is reported and not changed; the exit status is
then 1. Inputs become text (tests/vectors/inputs.py) if the text encodes to the same bytes; in archives,
only dates and permissions may change.
"""
import argparse
import io
import os
import pathlib
import shlex
import struct
import sys
import tarfile
import zipfile
import zlib

VECTORS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(VECTORS.parent / 'tests'))
sys.dont_write_bytecode = True
from vectors import cases, inputs, textproto  # noqa: E402

# Notes cite a specification by its short name (docs/spec/README.md).
SHORT_NAMES = {'perfetto-proto-2.md': 'proto-2'}
READ_AS_TEXT = ('.textproto', '.txtpb', '.md', '.sql')


def text_of(data):
    """Returns the text of data that a list of members can contain; None for other data."""
    try:
        text = data.decode('utf-8')
    except UnicodeDecodeError:
        return None
    printable = all(c >= ' ' or c in '\n\r\t' for c in text)
    return text if printable and not any(inputs.PART.match(line) for line in text.split('\n')) else None


def without_dates(data):
    """Returns a ZIP archive with the dates and permissions of our archives."""
    out = bytearray(data)
    date = struct.pack('<HH', 0, (inputs.ZIP_DATE[0] - 1980) << 9 | inputs.ZIP_DATE[1] << 5 | inputs.ZIP_DATE[2])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        at = archive.start_dir
        for entry in archive.infolist():
            out[entry.header_offset + 10:entry.header_offset + 14] = date
            out[at + 12:at + 16] = date
            out[at + 38:at + 42] = struct.pack('<I', inputs.FILE_MODE << 16)
            at += 46 + sum(struct.unpack('<HHH', data[at + 28:at + 34]))
    return bytes(out)


def unpack_zip(name, data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        parts = [(entry.filename, archive.read(entry)) for entry in entries]
    options = ['deflated'] if any(entry.compress_type for entry in entries) else []
    return (parts, options) if inputs.pack(name, parts, options) == without_dates(data) else None


def unpack_tar(name, data):
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        parts = [(entry.name + '/' * entry.isdir(), archive.extractfile(entry).read() if entry.isfile() else b'')
                 for entry in archive]
    for options in ([], ['gnu'], ['pax']):
        try:
            if inputs.pack(name, parts, options) == data:
                return parts, options
        except ValueError:  # a name that is too long for the format
            pass
    return None


def gzip_streams(data):
    while data:
        if data[:4] != b'\x1f\x8b\x08\x00':  # with fields that our archives lack
            raise zlib.error('no plain header')
        stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        yield stream.decompress(data)
        if not stream.eof:
            raise zlib.error('cut off')
        data = stream.unused_data


def unpack(name, data):
    """Returns (members, options) of an archive that inputs.pack reproduces; None for others."""
    lower = name.lower()
    try:
        if lower.endswith('.zip'):
            return unpack_zip(name, data)
        if lower.endswith('.tar'):
            return unpack_tar(name, data)
        if lower.endswith('.gz') and data:
            streams = list(gzip_streams(data))
            inner = name[:-3]
            if inner.lower().endswith('.tar'):
                return unpack_tar(inner, streams[0]) if len(streams) == 1 else None
            return [(inner, stream) for stream in streams], []
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError):
        pass
    return None


class Sources:
    """Finds the source of an input."""

    def __init__(self, schema):
        self.schema = schema
        self.texts = {}  # text protos of the vector, by their bytes

    def bring(self, texts):
        self.texts = {}
        for text in texts:
            try:
                self.texts[textproto.encode(text, self.schema)] = text
            except textproto.Error:
                pass

    def of_proto(self, name, data, is_described):
        text = self.texts.get(data)
        looks_like_one = is_described or name.endswith('.pb') or data[:1] == b'\n'  # the tag of a packet
        if text is None and looks_like_one and text_of(data) is None:
            try:
                text = textproto.decode(data, self.schema)
                if textproto.encode(text, self.schema) != data:
                    text = None
            except textproto.Error:
                pass
        return text

    def parts(self, parts, prefix=''):
        """Returns (name, text) of each member; None if one has no text."""
        out = []
        for name, data in parts:
            archive = unpack(name, data)
            inside = self.parts(archive[0], f'{prefix}{name}{inputs.INSIDE}') if archive and not archive[1] else None
            text = self.of_proto(name, data, False)
            if inside:
                out += inside
            elif text is not None:
                out.append((f'{prefix}{name}{inputs.TEXTPROTO}', text.rstrip('\n')))
            elif text_of(data) is not None and not name.endswith((inputs.TEXTPROTO, inputs.HEX)):
                out.append((prefix + name, text_of(data)))
            else:
                out.append((f'{prefix}{name}{inputs.HEX}', '\n'.join(
                    data[at:at + 32].hex(' ', 4) for at in range(0, len(data), 32))))
        return out

    def source(self, name, data, is_described):
        """Returns name and bytes of the source, and the bytes that it encodes to."""
        archive = unpack(name, data)
        if archive:
            parts, options = self.parts(archive[0]), archive[1]
            text = ''.join(word + '\n' for word in options)
            text += ''.join(f'-- {part} --\n{content}\n' for part, content in parts)
            source = name + inputs.TXTAR, text.encode()
        else:
            text = self.of_proto(name, data, is_described)
            source = (name, data) if text is None else (name + inputs.TEXTPROTO, text.encode())
        built = inputs.built(*source, self.schema)[1]
        if built != data and not archive:
            raise SystemExit(f'{name}: the source gives other bytes')
        return *source, built


class Vector:
    """A folder of the other layout."""

    def __init__(self, path, name, notes, outer=None):
        self.path, self.name = path, name
        files = [file for file in sorted(path.iterdir()) if file.name.startswith('trace.') and file.suffix not in READ_AS_TEXT]
        self.input = outer.input if outer else files[0]
        self.texts = outer.texts if outer else [file.read_text(encoding='utf-8') for file in sorted(
            [*path.glob('trace.textproto'), *path.glob('members/*.textproto')])]
        self.is_described = (self.input.parent / 'trace.textproto').exists()
        note = path / 'note.md'
        if note.exists():
            notes = note.read_text(encoding='utf-8').strip().splitlines()
            for file, short in SHORT_NAMES.items():
                notes = [line.replace(f'{file} §', f'{short} §') for line in notes]
        if (path / 'expected.jsonl').exists() == (path / 'expected_error.txt').exists():
            raise SystemExit(f'{path}: needs expected.jsonl or expected_error.txt')
        options = path / 'options'
        self.case = cases.Case(self.text('query.sql'), self.text('expected.jsonl'), self.text('expected_error.txt'), '',
                               shlex.split(options.read_text()) if options.exists() else [], notes)

    def text(self, name):
        file = self.path / name
        return file.read_text(encoding='utf-8').strip('\n') + '\n' if file.exists() else None


def notes_of_index(area):
    """Returns the notes in INDEX.tsv of vectors without a note: their rows are those of the reference."""
    index = area / 'INDEX.tsv'
    lines = index.read_text(encoding='utf-8').splitlines()[1:] if index.exists() else []
    rows = [line.split('\t') for line in lines]
    return {row[0]: [' · '.join(['`reference`', *filter(None, row[1:])])] for row in rows}


def vectors_of(root):
    for area in sorted(path for path in root.iterdir() if path.is_dir()):
        notes = notes_of_index(area)
        for path in sorted(area.iterdir()):
            if (path / 'query.sql').exists():
                vector = Vector(path, f'{area.name}/{path.name}', notes.get(path.name, []))
                yield vector
                for options in sorted(path.glob('*/options')):
                    yield Vector(options.parent, f'{vector.name}/{options.parent.name}', [], vector)


class Target:
    """The existing folders, and the vectors to add to them."""

    def __init__(self, root, schema):
        self.root = root
        self.names, self.inputs = {}, {}  # cases by folder; folders by the bytes of their input
        for folder in cases.folders(root):
            self.names[folder.name] = folder.cases
            self.inputs[folder.input(schema)[1]] = folder.name
        self.changed = {}

    def place(self, vector, built):
        """Returns the folder and the name of the query in it; None if the folder of this name has another input."""
        area, name = vector.name.split('/', 1)
        group, _, rest = name.replace('__', '/').partition('/')
        known = self.inputs.get(built)
        if known:
            return known, rest if known == f'{area}/{group}' else name.replace('/', '__')
        group = f'{area}/{group}'
        return None if group in self.names else (group, rest)

    def take(self, vector, sources):
        """Returns 'taken', 'there' or the problem."""
        sources.bring(vector.texts)
        name, source, built = sources.source(vector.input.name, vector.input.read_bytes(), vector.is_described)
        place = self.place(vector, built)
        if not place:
            return 'another input has that name'
        folder, vector.case.name = place
        for case in self.names.get(folder, []):
            if (case.query, case.options) == (vector.case.query, vector.case.options):
                same = (case.rows, case.error) == (vector.case.rows, vector.case.error)
                return 'there' if same else f'{cases.full_name(folder, case)} expects something else'
            if case.name == vector.case.name:
                return f'{cases.full_name(folder, case)} is another query'
        if folder not in self.names:
            (self.root / folder).mkdir(parents=True)
            (self.root / folder / name).write_bytes(source)
            self.names[folder], self.inputs[built] = [], folder
        self.names[folder].append(vector.case)
        self.changed.setdefault(folder, []).append(vector.case)
        return 'taken'

    def write(self):
        for folder, new in self.changed.items():
            files = sorted((self.root / folder).glob('*.test'))
            file = files[0] if len(files) == 1 else self.root / folder / cases.DEFAULT_FILE
            old = cases.parse(file.read_text(encoding='utf-8'), file) if file.exists() else []
            cases.write(file, old + new)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--into', type=pathlib.Path, default=VECTORS)
    args = parser.parse_args()

    schema = textproto.project_schema()
    sources, target = Sources(schema), Target(args.into, schema)
    count = {'taken': 0, 'there': 0}
    left = 0
    for vector in vectors_of(args.folder):
        result = target.take(vector, sources)
        if result in count:
            count[result] += 1
        else:
            left += 1
            print(f'{vector.name}: {result}')
    target.write()
    print(f'{count["taken"]} imported, {count["there"]} there already, {left} left alone')
    return 1 if left else 0


if __name__ == '__main__':
    sys.exit(main())
