#!/usr/bin/env python3
"""Ctrl-C at any moment of an export, a merge or a query leaves nothing behind, and a full disk neither.

  interrupt_test.py TRACEBRAID GENERATE

Each kind is written once completely to measure the time; then it is interrupted at fractions of that time. An existing file
with the name of the output must not change.
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

MERGE = 'merge'  # a command, tested like the kinds of exports
KINDS = ['perfetto', 'json', 'sqlite', 'csv', 'tsv', 'jsonl', 'braid', MERGE]
OPTIONAL_KINDS = ['parquet', 'arrow']  # if the build has Apache Arrow
FOLDERS = ['csv', 'tsv', 'jsonl', 'parquet', 'arrow']  # kinds that write folders, which are not replaced
PARTS = [0.02, 0.5, 0.9]
QUERIES = 25
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
BEFORE = b'what was here before'
INTERRUPTED = 130
IO_ERROR = 3


def fail(message):
    print('FAIL:', message)
    sys.exit(1)


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob('*') if p.is_file()}


def is_same(left, whole):
    if whole.is_dir():
        return {str(pathlib.Path(name).relative_to('out')): data for name, data in left.items()} == contents(whole)
    return left.get('out') == whole.read_bytes()


def export(program, trace, kind, out):
    if kind == MERGE:
        return [program, 'merge', str(trace), '-q', '--no-progress', '--force', '-o', str(out)]
    return [program, 'export', str(trace), '-q', '--no-progress', '--force', '--to', kind, '-o', str(out)]


def check_interrupts(program, trace, folder):
    interrupted = 0
    for turn, kind in enumerate(KINDS):
        whole = folder / f'whole-{kind}'
        start = time.monotonic()
        subprocess.run(export(program, trace, kind, whole), check=True, capture_output=True)
        length = time.monotonic() - start
        for part, ending in zip(PARTS, SIGNALS[turn % 3:] + SIGNALS[:turn % 3]):
            place = folder / f'{kind}-{part}'
            place.mkdir()
            out = place / 'out'
            if kind not in FOLDERS:
                out.write_bytes(BEFORE)
            before = contents(place)
            process = subprocess.Popen(export(program, trace, kind, out), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(length * part)
            process.send_signal(ending)
            _, stderr = process.communicate(timeout=120)
            if process.returncode == 0:
                continue  # the command had finished before
            # A signal before the program handles it ends the program with the default action.
            if process.returncode not in (128 + ending, -ending):
                fail(f'{kind} at {part}: exit status {process.returncode}: {stderr.decode()}')
            if [p for p in place.iterdir() if p != out]:
                fail(f'{kind} at {part}: left {list(place.iterdir())}')
            left = contents(place)
            if left == before:
                interrupted += 1
            # The output was complete, and only the end of the process was interrupted.
            elif (process.returncode == 128 + ending and kind != MERGE) or not is_same(left, whole):
                fail(f'{kind} at {part}: left {sorted(left)}, neither as before nor whole')
    return interrupted


def check_queries(program, trace, folder):
    """Interrupts at random moments of reading, caching and querying: nothing is left except a complete cache."""
    sql = 'SELECT count(*), sum(dur) FROM slice; SELECT count(*) FROM slice a, slice b WHERE a.ts + b.dur < 0'
    place = folder / 'queries'
    (place / 'tmp').mkdir(parents=True)
    copy = place / 'trace.json'
    copy.write_bytes(trace.read_bytes())
    command = [program, 'query', str(copy), sql, '-q', '--cache', '--memory-limit', '1M']
    cache = place / 'trace.json.braid'
    start = time.monotonic()
    subprocess.run([*command[:3], 'SELECT count(*) FROM slice', *command[4:]], check=True, capture_output=True)
    length = time.monotonic() - start
    whole = cache.read_bytes()
    moments = random.Random(length)
    for _ in range(QUERIES):
        cache.unlink(missing_ok=True)
        at = moments.uniform(0, length * 1.3)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, 'TMPDIR': str(place / 'tmp')})
        time.sleep(at)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=120)
        if process.returncode not in (INTERRUPTED, -signal.SIGINT):
            fail(f'query at {at:.3f} s: exit status {process.returncode}: {stderr.decode()}')
        if process.returncode == INTERRUPTED and b'interrupted' not in stderr:
            fail(f'query at {at:.3f} s says {stderr.decode()}')
        left = {p.name for p in place.iterdir()} - {'trace.json', 'tmp', cache.name} | set(os.listdir(place / 'tmp'))
        if left or (cache.exists() and cache.read_bytes() != whole):
            fail(f'query at {at:.3f} s left {left}, or half a cache')
    print(f'{QUERIES} queries interrupted')


def full_pipe():
    """A pipe whose writers block until its reader reads."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b' ' * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    return reading, writing


def is_blocked_in_write(process):
    return 'pipe_write' in pathlib.Path(f'/proc/{process.pid}/wchan').read_text()


def check_late_signal(program, trace, folder):
    """A signal after the last moment at which the opening looks for one: the query does not run.

    The warning that the cache cannot be written blocks, because nobody reads stderr yet.
    """
    place = folder / 'late'
    place.mkdir()
    copy = place / 'trace.json'
    copy.write_bytes(trace.read_bytes())
    (place / 'trace.json.braid').mkdir()
    reading, writing = full_pipe()
    command = [program, 'query', str(copy), 'SELECT count(*) FROM slice', '--no-progress', '--cache']
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=writing) as process:
        os.close(writing)
        deadline = time.monotonic() + 60
        while not is_blocked_in_write(process):
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                fail('a late signal: the warning of a cache that cannot be written does not come')
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        with open(reading, 'rb') as stderr:
            messages = stderr.read().strip()
        out = process.stdout.read()
    if process.returncode != INTERRUPTED or out or b'--cache' not in messages or b'interrupted' not in messages:
        fail(f'a late signal: exit status {process.returncode}, rows {out}, messages {messages.decode()}')


def check_waiting(program, folder):
    """Interrupts while waiting for a pipe without a writer."""
    pipe = folder / 'pipe'
    os.mkfifo(pipe)
    reading, writing = os.pipe()
    for ending in SIGNALS:
        for path in ('-', str(pipe)):
            process = subprocess.Popen([program, 'query', path, 'SELECT 1'], stdin=reading, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            time.sleep(0.3)
            process.send_signal(ending)
            try:
                process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                fail(f'{ending.name} does not end the wait for {path}')
            if process.returncode not in (128 + ending, -ending):
                fail(f'{ending.name} while it waits for {path}: exit status {process.returncode}')
    os.close(reading)
    os.close(writing)
    # Data that is written late is read all the same.
    process = subprocess.Popen([program, 'query', str(pipe), 'SELECT count(*) AS n FROM slice', '-f', 'jsonl'],
                               stdout=subprocess.PIPE, text=True)
    time.sleep(0.3)
    with open(pipe, 'w', encoding='ascii') as late:
        late.write('[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2},')
        late.flush()
        time.sleep(0.3)
        late.write('{"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":2}]')
    out, _ = process.communicate(timeout=60)
    if process.returncode != 0 or out.splitlines()[1:] != ['[2]']:
        fail(f'a pipe that is written to late: exit status {process.returncode}, rows {out}')


def check_statement_without_rows(program, trace, folder):
    """Ctrl-C ends an export whose statement never returns a row."""
    sql = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c WHERE n < 0'
    place = folder / 'endless'
    place.mkdir()
    process = subprocess.Popen([*export(program, trace, 'csv', place / 'out'), '--query', sql], stderr=subprocess.PIPE)
    while not list(place.iterdir()):  # until the statement runs
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    try:
        _, stderr = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        fail('Ctrl-C does not end an export whose statement returns no row')
    if process.returncode != 128 + signal.SIGINT or list(place.iterdir()):
        fail(f'an interrupted statement: exit status {process.returncode}, left {list(place.iterdir())}: {stderr.decode()}')


def check_full_disk(program, trace, folder):
    """Fills a disk of 100 kB, if this user may mount one."""
    disk = folder / 'disk'
    disk.mkdir()
    mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=100k', 'none', str(disk)], capture_output=True)
    if mounted.returncode != 0:
        print('full disk: skipped, this user may not mount one')
        return
    try:
        for kind in KINDS:
            done = subprocess.run(export(program, trace, kind, disk / 'out'), capture_output=True, text=True, timeout=300)
            if done.returncode != IO_ERROR:
                fail(f'{kind} on a full disk: exit status {done.returncode}: {done.stderr}')
            if 'out' not in done.stderr:
                fail(f'{kind} on a full disk does not name the file: {done.stderr}')
            if contents(disk):
                fail(f'{kind} on a full disk left {sorted(contents(disk))}')
        check_cache_on_a_full_disk(program, trace, disk)
        check_input_that_is_kept_on_a_full_disk(program, disk)
    finally:
        subprocess.run(['umount', str(disk)], check=True)
    print(f'full disk: {len(KINDS)} kinds')


def check_cache_on_a_full_disk(program, trace, disk):
    """A cache that cannot be written does not affect the rows."""
    before = sorted(os.listdir(disk))
    (disk / 'a.json').symlink_to(trace)
    done = subprocess.run([program, 'query', str(disk / 'a.json'), 'SELECT 1 AS one', '-f', 'jsonl', '--cache'],
                          capture_output=True, text=True, timeout=300)
    if done.returncode != 0 or done.stdout.splitlines()[1:] != ['[1]'] or '--cache' not in done.stderr:
        fail(f'a cache on a full disk: exit status {done.returncode}: {done.stdout} {done.stderr}')
    (disk / 'a.json').unlink()
    if sorted(os.listdir(disk)) != before:
        fail(f'a cache on a full disk left {os.listdir(disk)}')


def check_input_that_is_kept_on_a_full_disk(program, disk):
    """Fills the disk with the copy of a pipe that exceeds the limit in memory."""
    before = sorted(os.listdir(disk))
    event = b'{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2},'
    process = subprocess.Popen([program, 'query', '-', 'SELECT 1'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env={**os.environ, 'TMPDIR': str(disk)})
    _, stderr = process.communicate(b'[' + event * (80 * 1024 * 1024 // len(event)), timeout=300)
    if process.returncode != IO_ERROR or b'TMPDIR' not in stderr or str(disk).encode() not in stderr:
        fail(f'an input kept on a full disk: exit status {process.returncode}: {stderr.decode()}')
    if sorted(os.listdir(disk)) != before:
        fail(f'an input kept on a full disk left {os.listdir(disk)}')


def main():
    program, generate = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix='interrupt-') as name:
        folder = pathlib.Path(name)
        trace = folder / 'trace.json'
        subprocess.run([generate, 'chrome-json', '--size', '2M', '-o', str(trace)], check=True, capture_output=True)
        bytes_before = trace.read_bytes()
        for kind in OPTIONAL_KINDS:
            probe = subprocess.run([*export(program, trace, kind, folder / f'probe.{kind}'), '--query', 'SELECT 1 AS one'],
                                   capture_output=True, text=True)
            if probe.returncode == 0:
                KINDS.append(kind)
            else:
                print(f'{kind}: skipped: {probe.stderr.strip()}')
        interrupted = check_interrupts(program, trace, folder)
        if interrupted == 0:
            fail('nothing was interrupted')
        print(f'{interrupted} exports interrupted')
        check_queries(program, trace, folder)
        check_late_signal(program, trace, folder)
        check_waiting(program, folder)
        check_statement_without_rows(program, trace, folder)
        check_full_disk(program, trace, folder)
        if trace.read_bytes() != bytes_before:
            fail('the input was changed')


if __name__ == '__main__':
    main()
