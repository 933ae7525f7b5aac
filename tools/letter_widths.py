#!/usr/bin/env python3
"""Prints src/export/rows/letter_widths.inc: characters of zero and of two columns on a terminal.

  tools/letter_widths.py > src/export/rows/letter_widths.inc

From the Unicode data of this Python: wide and fullwidth characters take two columns; combining marks, format characters
and the inner letters of Korean syllables take none. Unassigned characters in blocks of wide ones count as wide.
"""
import sys
import unicodedata

LAST = 0x10FFFF
# Blocks whose unassigned characters are wide by default (UAX #11), and those of emoji.
WIDE_BLOCKS = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x1F900, 0x1F9FF), (0x1FA70, 0x1FAFF),
               (0x20000, 0x2FFFD), (0x30000, 0x3FFFD)]


def is_zero(c):
    if c == 0xAD:  # the soft hyphen is shown
        return False
    return unicodedata.category(chr(c)) in ('Mn', 'Me', 'Cf') or 0x1160 <= c <= 0x11FF


def is_wide(c):
    is_assigned = unicodedata.category(chr(c)) != 'Cn'
    return is_assigned and unicodedata.east_asian_width(chr(c)) in 'WF' or any(first <= c <= last for first, last in WIDE_BLOCKS)


def ranges(holds):
    first = None
    for c in range(0x80, LAST + 2):
        inside = c <= LAST and holds(c)
        if inside and first is None:
            first = c
        elif not inside and first is not None:
            yield first, c - 1
            first = None


def main():
    print(f'// Made by tools/letter_widths.py from Unicode {unicodedata.unidata_version}.')
    for macro, holds in (('TB_ZERO_WIDTH', is_zero), ('TB_DOUBLE_WIDTH', lambda c: is_wide(c) and not is_zero(c))):
        print(f'#ifdef {macro}')
        entries = [f'{macro}(0x{first:x}, 0x{last:x})' for first, last in ranges(holds)]
        for at in range(0, len(entries), 3):
            print(' '.join(entries[at:at + 3]))
        print('#endif')


if __name__ == '__main__':
    sys.exit(main())
