"""Traces as text: `encode` returns the bytes of a text proto, `decode` the text of bytes.

Bytes are in the order of the text, so a text can also express unusual encodings. A field
without a name in the tables is written by its number, as protoc prints it: `12: 5` (a varint), `12: 0x00000005`
and `12: 0x0000000000000005` (4 and 8 bytes), `12: "text"` and `12 { ... }`.

Names are those of the tables in docs/spec/data.
"""
import dataclasses
import pathlib
import re
import struct

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TABLES = PROJECT / 'docs/spec/data'
ROOT = 'perfetto.protos.Trace'
LINE_WIDTH = 100

TOKEN = re.compile(r'''(?P<skip>\s+|\#[^\n]*)
  |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  |(?P<number>-?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.]))
  |(?P<word>-?[A-Za-z_][\w.]*|\[[A-Za-z_]\w*(?:\.\w+)+\])
  |(?P<mark>[{}\[\]:,])''', re.X)
ESCAPES = {'n': b'\n', 't': b'\t', 'r': b'\r', 'a': b'\a', 'b': b'\b', 'f': b'\f', 'v': b'\v'}
VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
FORMATS = {'double': '<d', 'fixed64': '<Q', 'sfixed64': '<q', 'float': '<f', 'fixed32': '<I', 'sfixed32': '<i'}
TEXTS = ('string', 'bytes')


class Error(ValueError):
    """An error with its line."""


@dataclasses.dataclass
class Field:
    number: int
    type: str = ''  # type in the schema language; empty if unknown
    ref: str = ''  # the referenced message or enum
    packed: bool = False

    def wire_type(self):
        if self.type in FORMATS:
            return FIXED32 if struct.calcsize(FORMATS[self.type]) == 4 else FIXED64
        return LENGTH if self.type in (*TEXTS, 'message') else VARINT


class Schema:
    """The fields of messages and the values of enums, by name."""

    def __init__(self, folder):
        self.messages, self.enums = {}, {}
        messages, enums, kernel_events = (
            [line.split('\t') for line in (folder / name).read_text(encoding='utf-8').splitlines()[1:] if line]
            for name in ('schema.tsv', 'enums.tsv', 'ftrace-events.tsv'))
        for message, number, name, _, type_name, ref, flags in (row + [''] * (7 - len(row)) for row in messages):
            self.add(message, f'[{flags[4:]}]' if flags.startswith('ext:') else name,
                     Field(int(number), type_name, ref, flags == 'packed'))
        for enum, value, name, *_ in enums:
            self.enums.setdefault(enum, {}).setdefault(name, int(value))
        for number, name, message, *fields in kernel_events:
            message = 'perfetto.protos.' + message
            self.messages.setdefault(message, {})
            self.add('perfetto.protos.FtraceEvent', name, Field(int(number), 'message', message))
            for field in ''.join(fields).split():
                number_in_event, name_in_event, type_name = field.split(':')
                self.add(message, name_in_event, Field(int(number_in_event), type_name))

    def add(self, message, name, field):
        self.messages.setdefault(message, {}).setdefault(name, field)


def project_schema():
    return Schema(TABLES)


def varint(value):
    value &= 2**64 - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def with_length(data):
    return varint(len(data)) + data


def unquote(text):
    out = bytearray()
    for octal, digits, character, plain in re.findall(
            r'\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))|([^\\]+)', text[1:-1]):
        if octal:
            out.append(int(octal, 8) & 255)
        elif digits:
            out.append(int(digits, 16))
        else:
            out += ESCAPES.get(character, character.encode()) if character else plain.encode()
    return bytes(out)


def integer(text):
    digits = text.lstrip('-')
    base = 16 if digits[:2] in ('0x', '0X') else 8 if digits[0] == '0' and digits.isdigit() else 10
    return int(text, base)


class Encoder:
    def __init__(self, text, schema):
        self.text, self.schema, self.at = text, schema, 0
        self.tokens, place = [], 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                self.tokens.append(('', text[place], place))
                self.at = len(self.tokens) - 1
                self.fail('no token')
            if match.lastgroup != 'skip':
                self.tokens.append((match.lastgroup, match.group(), place))
            place = match.end()
        self.tokens.append(('end', 'the end', len(text)))

    def fail(self, what):
        _, word, place = self.tokens[self.at]
        raise Error(f'line {self.text.count(chr(10), 0, place) + 1}: {what} at {word!r}')

    def take(self, *kinds):
        kind, word, _ = self.tokens[self.at]
        if kind not in kinds:
            self.fail(f'{" or ".join(kinds)} expected')
        self.at += 1
        return kind, word

    def skip(self, mark):
        found = self.tokens[self.at][:2] == ('mark', mark)
        self.at += found
        return found

    def message(self, name, at_end):
        """Returns the bytes of the fields up to their end. Without a message name all fields are numbers."""
        fields = self.schema.messages.get(name, {})
        out = bytearray()
        while not at_end():
            kind, word = self.take('word', 'number')
            if kind == 'number':
                field = Field(integer(word))
            elif word in fields:
                field = fields[word]
            else:
                self.at -= 1
                self.fail(f'no field of {name}')
            self.skip(':')
            values = [self.value(field)] if not self.skip('[') else self.values(field)
            if field.packed:
                data = b''.join(data for _, data in values)
                out += varint(field.number << 3 | LENGTH) + with_length(data)
            else:
                for wire_type, data in values:
                    out += varint(field.number << 3 | wire_type) + data
        return bytes(out)

    def values(self, field):
        out = []
        while not self.skip(']'):
            out.append(self.value(field))
            self.skip(',')
        return out

    def value(self, field):
        """Returns the wire type and the bytes, with the length if there is one."""
        kind, word = self.tokens[self.at][:2]
        if field.type == 'message' or not field.type and word == '{':
            if not self.skip('{'):
                self.fail("'{' expected")
            return LENGTH, with_length(self.message(field.ref, lambda: self.skip('}')))
        if field.type in TEXTS or not field.type and kind == 'string':
            data = unquote(self.take('string')[1])
            while self.tokens[self.at][0] == 'string':
                data += unquote(self.take('string')[1])
            return LENGTH, with_length(data)
        return self.number(field, *self.take('number', 'word'))

    def number(self, field, kind, word):
        try:
            if field.type == 'bool' and kind == 'word':
                return VARINT, varint(('false', 'true').index(word))
            if field.type == 'enum' and kind == 'word':
                return VARINT, varint(self.schema.enums[field.ref][word])
            if field.type in ('double', 'float'):
                return field.wire_type(), struct.pack(FORMATS[field.type], float(word))
            if field.type in FORMATS:
                return field.wire_type(), struct.pack(FORMATS[field.type], integer(word))
            value = integer(word)
        except (KeyError, ValueError, struct.error):
            self.at -= 1
            self.fail(f'no {field.ref or field.type}')
        if not field.type and word.startswith('0x') and len(word) in (10, 18):
            return (FIXED32, struct.pack('<I', value)) if len(word) == 10 else (FIXED64, struct.pack('<Q', value))
        if field.type in ('sint32', 'sint64'):
            value = value << 1 ^ value >> 63
        return VARINT, varint(value)


def encode(text, schema, message=ROOT):
    """Returns the bytes. Raises an Error for malformed text."""
    encoder = Encoder(text, schema)
    return encoder.message(message, lambda: encoder.tokens[encoder.at][0] == 'end')


def quote(data):
    try:
        text = data.decode('utf-8')
    except UnicodeDecodeError:
        text = data.decode('latin-1')
        return '"' + ''.join(c if ' ' <= c <= '~' and c not in '"\\' else f'\\{ord(c):03o}' for c in text) + '"'
    named = {'"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r'}
    return '"' + ''.join(named.get(c) or (c if c.isprintable() else ''.join(f'\\{b:03o}' for b in c.encode()))
                         for c in text) + '"'


class Decoder:
    """Converts bytes to text, field by field: by name if the tables have the field in this form, else by number."""

    def __init__(self, schema):
        self.schema = schema
        self.names = {message: {field.number: (name, field) for name, field in reversed(fields.items())}
                      for message, fields in schema.messages.items()}
        self.words = {enum: {value: name for name, value in reversed(values.items())}
                      for enum, values in schema.enums.items()}

    def message(self, data, name):
        """Returns lines, indented relative to the message."""
        lines, at = [], 0
        while at < len(data):
            tag, at = self.varint(data, at)
            label, field = self.names.get(name, {}).get(tag >> 3, (str(tag >> 3), Field(tag >> 3)))
            if tag & 7 == VARINT:
                value, at = self.varint(data, at)
            else:
                size = {FIXED64: 8, FIXED32: 4}.get(tag & 7)
                if tag & 7 == LENGTH:
                    size, at = self.varint(data, at)
                if size is None or at + size > len(data):
                    raise Error('cut off, or no wire type')
                value, at = data[at:at + size], at + size
            lines += self.field(label, field, tag, value)
        return lines

    @staticmethod
    def varint(data, at):
        value = shift = 0
        while at < len(data) and shift < 70:
            value |= (data[at] & 127) << shift
            shift += 7
            at += 1
            if data[at - 1] < 128:
                return value & 2**64 - 1, at
        raise Error('cut off, or a number too long')

    def field(self, label, field, tag, value):
        number, wire_type = str(tag >> 3), tag & 7
        if field.packed and wire_type == LENGTH:
            return [f'{label}: [{", ".join(self.packed(field, value))}]']
        if not field.type or field.packed or wire_type != field.wire_type():
            return self.unknown(number, wire_type, value)
        if field.type == 'message':
            try:
                return self.nested(label, self.message(value, field.ref))
            except Error:  # malformed on purpose
                return self.unknown(number, wire_type, value)
        return [f'{label}: {self.scalar(field, value)}']

    def packed(self, field, data):
        at = 0
        while at < len(data):
            if field.wire_type() == VARINT:
                value, at = self.varint(data, at)
            else:
                size = struct.calcsize(FORMATS[field.type])
                value, at = data[at:at + size], at + size
            yield self.scalar(field, value)

    def unknown(self, number, wire_type, value):
        if wire_type == VARINT:
            return [f'{number}: {value}']
        if wire_type == LENGTH:
            if not all(32 <= byte < 127 for byte in value):
                try:
                    return self.nested(number, self.message(value, ''))
                except Error:
                    pass
            return [f'{number}: {quote(value)}']
        return [f'{number}: 0x{int.from_bytes(value, "little"):0{2 * len(value)}x}']

    @staticmethod
    def nested(label, lines):
        flat = f'{label} {{ {" ".join(lines)} }}'
        if len(flat) <= LINE_WIDTH and label != 'packet' and not any('\n' in line or '{' in line for line in lines):
            return [flat if lines else f'{label} {{}}']
        return [f'{label} {{', *('  ' + line for line in lines), '}']

    def scalar(self, field, value):
        if field.type in TEXTS:
            return quote(value)
        if field.type in FORMATS:
            number = struct.unpack(FORMATS[field.type], value)[0]
            if field.type == 'float':  # the shortest text with the same 4 bytes
                number = next((float(f'{number:.{digits}g}') for digits in range(1, 10)
                               if struct.pack('<f', float(f'{number:.{digits}g}')) == value), number)
            return repr(number)
        if field.type in ('sint32', 'sint64'):
            return str(value >> 1 ^ -(value & 1))
        if field.type == 'bool' and value < 2:
            return ('false', 'true')[value]
        if field.type == 'enum' and value in self.words.get(field.ref, {}):
            return self.words[field.ref][value]
        return str(value - 2**64 if value >= 2**63 and field.type in ('int32', 'int64', 'enum') else value)


def decode(data, schema, message=ROOT):
    """Returns the text of a message. Raises an Error for other bytes."""
    return ''.join(line + '\n' for line in Decoder(schema).message(data, message))
