#!/usr/bin/env python3
"""Draws a command and its output as an SVG picture of a terminal.

  tools/terminal_svg.py 'tracebraid check FILE...' < output > picture.svg

The picture depends on the text alone, so a test can compare it with the current output
(tests/docs_test.py). Lines longer than COLUMNS continue on the next row, as in a terminal.
"""
import sys
from xml.sax.saxutils import escape

COLUMNS = 160
CHARACTER, ROW, MARGIN = 7.2, 17, 16  # px, for a monospaced font of 12 px
STYLE = ("text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d7dde5;white-space:pre}"
         ".p{fill:#7bd88f}.h{fill:#8fb7ff;font-weight:bold}")


def rows_of(command, output):
    """Yields pairs of a CSS class and the text of a row."""
    for number, line in enumerate(["$ " + command, *output.rstrip("\n").split("\n")]):
        kind = "p" if number == 0 else "h" if line.startswith("FILE ") else ""
        for at in range(0, max(len(line), 1), COLUMNS):
            yield kind, line[at:at + COLUMNS]


def picture(command, output):
    rows = list(rows_of(command, output))
    width = int(2 * MARGIN + CHARACTER * max(len(text) for _, text in rows))
    height = 2 * MARGIN + ROW * len(rows)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
           f'<title>{escape(command)}</title>', f'<style>{STYLE}</style>',
           '<rect width="100%" height="100%" rx="8" fill="#1c2128"/>']
    for number, (kind, text) in enumerate(rows):
        if text:
            width_of_text = f'{CHARACTER * len(text):.1f}'
            svg.append(f'<text class="{kind}" x="{MARGIN}" y="{MARGIN + 12 + ROW * number}" xml:space="preserve"'
                       f' textLength="{width_of_text}">{escape(text)}</text>')
    return "\n".join(svg + ["</svg>"]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(picture(sys.argv[1], sys.stdin.read()))
