"""Lists of what tests expect, for people to review: one line for each thing, in tests/golden/."""
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / 'golden'


def compare(name, lines, write):
    """Whether the list says just that; prints what differs. With `write` the list is made anew."""
    path = FOLDER / name
    if write:
        path.write_text('\n'.join(lines) + '\n')
        return True
    golden = path.read_text().splitlines()
    for line in sorted(set(golden) - set(lines)):
        print('no longer: ' + line)
    for line in sorted(set(lines) - set(golden)):
        print('new:       ' + line)
    return lines == golden
