"""Runs the query of a vector and compares its result."""
import json
import pathlib
import re
import subprocess

from vectors import cases

SHOWN = 8  # lines of a difference to show


class Run:
    """A query over an input that is a file."""

    def __init__(self, folder, case, trace):
        self.folder, self.case, self.trace = folder, case, pathlib.Path(trace)
        self.name = folder.full_name(case)
        self.sql = self.trace.parent / f'{case.name or cases.UNNAMED}.sql'

    def command(self, program):
        # Without --strict, damaged members are skipped.
        strict = ['--strict'] if self.case.error is not None else []
        return [program, 'query', self.trace, '--sql-file', self.sql, '--format', 'jsonl', *self.case.options, *strict]


def prepare(to, schema, filters=(), kinds=(), root=cases.VECTORS):
    """Writes the inputs and queries into a folder; returns the runs."""
    out = []
    for folder in cases.folders(root):
        wanted = [case for case in folder.cases if (not kinds or case.kind() in kinds) and
                  (not filters or any(re.search(part, folder.full_name(case)) for part in filters))]
        if wanted:
            trace = cases.materialise(folder, to, schema)
            out += [Run(folder, case, trace) for case in wanted]
    return sorted(out, key=lambda run: run.name)


def parse_rows(text):
    """Returns result sets, each a list of rows; the first row has the names of the columns."""
    sets = [[]]
    for number, line in enumerate(text.split('\n'), 1):
        if not line.strip():
            sets.append([])
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ValueError(f'line {number} is not JSON: {line[:120]!r} ({error})') from None
        if not isinstance(row, list):
            raise ValueError(f'line {number} is not a JSON array: {line[:120]!r}')
        sets[-1].append(row)
    return [rows for rows in sets if rows]


def is_same_cell(want, got):
    """Compares exactly, also in type; doubles within 1e-9 relative."""
    if isinstance(want, float) and isinstance(got, float):
        return want == got or (want != want and got != got) or abs(want - got) <= 1e-9 * max(abs(want), abs(got))
    return type(want) is type(got) and want == got


def is_same_row(want, got):
    return len(want) == len(got) and all(is_same_cell(a, b) for a, b in zip(want, got))


def difference(want, got):
    """Returns the first differences of two lists of result sets; nothing if they are equal."""
    out = []
    if len(want) != len(got):
        out.append(f'expected {len(want)} result sets, got {len(got)}')
    for number, (want_rows, got_rows) in enumerate(zip(want, got), 1):
        where = f'set {number}: ' if len(want) > 1 else ''
        if len(want_rows) != len(got_rows):
            out.append(f'{where}expected {len(want_rows) - 1} rows, got {len(got_rows) - 1}')
        for at in range(max(len(want_rows), len(got_rows))):
            both = [rows[at] if at < len(rows) else None for rows in (want_rows, got_rows)]
            if None not in both and is_same_row(*both):
                continue
            what = f'row {at}' if at else 'columns'
            out += [f'{where}{what}: {sign} {json.dumps(row, ensure_ascii=False)}'
                    for sign, row in zip('-+', both) if row is not None]
            if len(out) >= SHOWN:
                return [*out[:SHOWN], '...']
    return out


def tail(text, count=400):
    text = text.replace('\r', '\n').strip()
    return text if len(text) <= count else '...' + text[-count:]


def problems(run, program, timeout):
    """Returns the differences, by lines; nothing if the vector passes."""
    try:
        done = subprocess.run(run.command(program), stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
                              check=False)
    except subprocess.TimeoutExpired:
        return [f'no result within {timeout} s']
    out, err = (stream.decode('utf-8', 'replace') for stream in (done.stdout, done.stderr))
    if done.returncode < 0:
        return [f'killed by signal {-done.returncode}', f'stderr: {tail(err)}']
    if run.case.error is not None:
        wanted = run.case.error.strip('\n')
        if done.returncode == 0:
            return ['expected a failure, but the command succeeded', f'expected error: {wanted}']
        found = wanted in err or wanted in out
        return [] if found else [f'expected error: {wanted}', f'stderr: {tail(err)}']
    if done.returncode != 0:
        return [f'exit status {done.returncode}', f'stderr: {tail(err)}']
    try:
        return difference(parse_rows(run.case.rows), parse_rows(out))
    except ValueError as error:
        return [f'output: {error}']
