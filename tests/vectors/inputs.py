"""Encodes the sources of inputs: files of a vector's folder, and members of archives in them.

  NAME.textproto   NAME, encoded by textproto.py
  NAME.txtar       the archive NAME (.zip, .tar, .gz, .tar.gz), with the members that the text lists
  NAME.hex         the bytes of NAME as hexadecimal digits; `#` begins a comment
  NAME             itself

A list of members is a text in Go's txtar format. Lines before the first member give options of the archive
(`deflated`, `gnu`, `pax`). A member is a line `-- NAME --` followed by its content, without the line break
before the next member. `-- a.zip!/b.json --` is a member of a nested archive.
"""
import io
import re
import struct
import tarfile
import zipfile
import zlib

from vectors import textproto

COMMENT = re.compile(r'#.*')
PART = re.compile(r'^-- (\S.*) --$')
TEXTPROTO, TXTAR, HEX, INSIDE = '.textproto', '.txtar', '.hex', '!/'
ZIP_DATE = (2024, 1, 1, 0, 0, 0)
FILE_MODE = 0o644
TAR_FORMATS = {'gnu': tarfile.GNU_FORMAT, 'pax': tarfile.PAX_FORMAT}


class Error(ValueError):
    pass


def gzip_stream(data):
    """Returns a gzip stream that does not depend on the date or the system."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    head = struct.pack('<BBBBIBB', 0x1f, 0x8b, 8, 0, 0, 2, 255)
    return head + packer.compress(data) + packer.flush() + struct.pack('<II', zlib.crc32(data), len(data) % 2**32)


def zip_archive(parts, options):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as archive:
        for name, data in parts:
            entry = zipfile.ZipInfo(name, ZIP_DATE)
            entry.create_system = 3
            entry.external_attr = FILE_MODE << 16
            entry.compress_type = zipfile.ZIP_DEFLATED if 'deflated' in options else zipfile.ZIP_STORED
            archive.writestr(entry, data)
    return out.getvalue()


def tar_archive(parts, options):
    out = io.BytesIO()
    forms = [form for word, form in TAR_FORMATS.items() if word in options] or [tarfile.USTAR_FORMAT]
    with tarfile.open(fileobj=out, mode='w', format=forms[0]) as archive:
        for name, data in parts:
            entry = tarfile.TarInfo(name.rstrip('/'))
            entry.size, entry.mode = len(data), FILE_MODE
            entry.type = tarfile.DIRTYPE if name.endswith('/') else tarfile.REGTYPE
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def pack(name, parts, options=()):
    """Returns the archive of the kind that the end of its name selects."""
    inner = name.lower().removesuffix('.gz')
    if inner.endswith('.zip'):
        data = zip_archive(parts, options)
    elif inner.endswith(('.tar', '.tgz')):
        data = tar_archive(parts, options)
    elif inner == name.lower():
        raise Error(f'{name}: no kind of archive')
    else:  # concatenated streams are one file, too
        return b''.join(gzip_stream(data) for _, data in parts)
    return gzip_stream(data) if name.lower().endswith(('.gz', '.tgz')) else data


def source_parts(text):
    """Returns the words of the head, and (name, text) of each member."""
    head, parts = [], []
    for line in text.split('\n'):
        match = PART.match(line)
        if match:
            parts.append((match.group(1), []))
        elif parts:
            parts[-1][1].append(line)
        elif not line.startswith('#'):
            head += line.split()
    if parts and parts[-1][1][-1:] == ['']:  # the end of the last line of the file
        parts[-1][1].pop()
    return head, [(name, '\n'.join(lines)) for name, lines in parts]


def build_parts(parts, options, schema):
    """Returns (name, bytes) of each member, with those with `!/` packed into archives."""
    out = []
    for name, text in parts:
        outer, inside, rest = name.partition(INSIDE)
        if not inside:
            out.append(built(name, text.encode(), schema))
        elif out and out[-1][0] == outer and isinstance(out[-1][1], list):
            out[-1][1].append((rest, text))
        else:
            out.append((outer, [(rest, text)]))
    return [(name, pack(name, build_parts(data, options, schema), options) if isinstance(data, list) else data)
            for name, data in out]


def built(name, source, schema):
    """Returns the name and the bytes of the input of a source."""
    try:
        if name.endswith(TEXTPROTO):
            return name.removesuffix(TEXTPROTO), textproto.encode(source.decode('utf-8'), schema)
        if name.endswith(HEX):
            return name.removesuffix(HEX), bytes.fromhex(COMMENT.sub('', source.decode('ascii')))
        if name.endswith(TXTAR):
            options, parts = source_parts(source.decode('utf-8'))
            name = name.removesuffix(TXTAR)
            return name, pack(name, build_parts(parts, options, schema), options)
    except ValueError as error:
        raise Error(f'{name}: {error}') from None
    return name, source
