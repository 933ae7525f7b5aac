"""The sources of inputs: what a file of a vector's folder, or a part of an archive in one, stands for.

  NAME.textproto   NAME, encoded by textproto.py
  NAME.txtar       the archive NAME (.zip, .tar, .gz, .tar.gz), with the parts that the text lists
  NAME.hex         the bytes of NAME as hexadecimal digits; `#` begins a comment
  NAME             itself

A list of parts is a text of Go's txtar form. Lines before the first part say how the archive is packed
(`deflated`, `gnu`, `pax`); a part is a line `-- NAME --` and what is in it. The line break before the
next part is not of the part. `-- a.zip!/b.json --` is a part of an archive in the archive.
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
    """A gzip stream that is the same on each day and system."""
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
    """The archive that the end of its name asks for."""
    inner = name.lower().removesuffix('.gz')
    if inner.endswith('.zip'):
        data = zip_archive(parts, options)
    elif inner.endswith(('.tar', '.tgz')):
        data = tar_archive(parts, options)
    elif inner == name.lower():
        raise Error(f'{name}: no kind of archive')
    else:  # several streams behind each other are one file, too
        return b''.join(gzip_stream(data) for _, data in parts)
    return gzip_stream(data) if name.lower().endswith(('.gz', '.tgz')) else data


def source_parts(text):
    """Words of the head, and (name, text) of each part."""
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
    """(name, bytes) of each part, those with `!/` packed."""
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
    """The name and the bytes of what a source stands for."""
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
