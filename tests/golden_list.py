"""Expected results of tests as lists in tests/golden/, one item per line, for review."""
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent / 'golden'


def compare(name, lines, write):
    """Returns whether the list equals the lines; prints differences. With `write`, replaces the list."""
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
