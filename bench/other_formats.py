#!/usr/bin/env python3
"""Writes synthetic traces of formats that tracebraid-generate does not write, and measures them.

  bench/other_formats.py --size 100M --tracebraid build/release/tracebraid
  bench/other_formats.py --size 20M --keep /tmp/inputs strace logcat

Prints for each: CPU seconds (user and system) and wall seconds for 100 MB, and the largest resident set as
a multiple of the file's size, of the run with the least CPU time. CPU time depends little on other processes.
Equal sizes give equal bytes. Requires the standard library only.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

NAMES = [f'{space}{thing}::{verb}{suffix}' for space in ('app', 'net', 'v8', 'db')
         for thing in ('Pool', 'Cache', 'Loop', 'Queue', 'Parser')
         for verb in ('run', 'push', 'lookup', 'emit', 'flush')
         for suffix in ('', '_slow', '<int>', '_locked')]


def tree(rng, nodes, deepest):
    """Returns nodes of callstacks: (parent, depth, index of NAMES); parents come first."""
    made = [(-1, 0, 0)]
    for i in range(1, nodes):
        parent = rng.randrange(max(0, i - 300), i)
        while made[parent][1] >= deepest:
            parent = rng.randrange(i)
        made.append((parent, made[parent][1] + 1, rng.randrange(len(NAMES))))
    return made


def chains(rng, nodes, shallowest, deepest):
    """Returns callstacks, root first."""
    made = tree(rng, nodes, deepest)
    result = []
    for i, (_, depth, _) in enumerate(made):
        if depth < shallowest:
            continue
        chain, at = [], i
        while at >= 0:
            chain.append(at)
            at = made[at][0]
        result.append([(node, made[node][2]) for node in reversed(chain)])
    return result


def collapsed(rng, _):
    stacks = [';'.join(NAMES[name] for _, name in chain) for chain in chains(rng, 60000, 10, 40)]
    while True:
        yield f'{rng.choice(stacks)};leaf{rng.randrange(400)} {rng.randrange(1, 5000)}\n'


def collapsed_distinct(_, __):
    """Writes the worst case: each line is short and has a name of its own."""
    number = 0
    while True:
        number += 1
        yield f'a;b{number} 1\n'


def collapsed_tree(rng, __):
    """Writes few names, and nearly as many callstacks as lines."""
    while True:
        yield ';'.join(f'f{rng.randrange(30)}' for _ in range(6)) + f' {rng.randrange(1, 10)}\n'


def cpuprofile(rng, size):
    nodes = tree(rng, 1500, 40)
    children = [[] for _ in nodes]
    for i, (parent, _, _) in enumerate(nodes[1:], 1):
        children[parent].append(i + 1)
    listed = [{'id': i + 1,
               'callFrame': {'functionName': NAMES[name] if i else '(root)',
                             'scriptId': str(name % 40),
                             'url': f'file:///srv/app/{name % 40}.js' if i else '',
                             'lineNumber': name * 3, 'columnNumber': name % 60},
               'children': children[i]} for i, (_, _, name) in enumerate(nodes)]
    yield json.dumps({'nodes': listed, 'startTime': 61000123456})[:-1] + ',"samples":[1'
    samples = size // 9
    node = 700
    for _ in range(samples):
        if rng.random() < 0.5:
            node = rng.randrange(1, len(nodes) + 1)
        yield f',{node}'
    yield '],"timeDeltas":[0'
    for _ in range(samples):
        yield f',{rng.randrange(80, 400)}'
    yield ']}'


def gecko_thread(rng, number, size):
    frames = [[i % len(NAMES), False, 0, None, None, i % 500, i % 80, 1, 0] for i in range(2000)]
    stacks = [[parent if parent >= 0 else None, i % 2000]
              for i, (parent, _, _) in enumerate(tree(rng, 20000, 40))]
    thread = {'name': f'Thread{number}', 'tid': 4000 + number, 'pid': 3900,
              'frameTable': {'schema': {'location': 0, 'line': 5, 'column': 6}, 'data': frames},
              'stackTable': {'schema': {'prefix': 0, 'frame': 1}, 'data': stacks},
              'stringTable': NAMES + [f'marker{i}' for i in range(50)]}
    yield json.dumps(thread, separators=(',', ':'))[:-1]
    yield ',"samples":{"schema":{"stack":0,"time":1,"eventDelay":2,"threadCPUDelta":3},"data":['
    now, written, comma = 100.0, 0, ''
    while written < size * 0.6:
        now += 1 + rng.random() * 0.1
        row = f'{comma}[{rng.randrange(20000)},{now:.6f},{rng.random():.4f},{rng.randrange(900)}]'
        written += len(row)
        comma = ','
        yield row
    yield (']},"markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,'
           '"data":5},"data":[')
    now, written, comma = 100.0, 0, ''
    while written < size * 0.4:
        now += rng.random()
        end, phase = (f'{now + rng.random():.6f}', 1) if rng.random() < 0.6 else ('null', 0)
        data = rng.choice(['null', '{"type":"Text","name":"load %d"}' % rng.randrange(5000),
                           '{"type":"DOMEvent","latency":%.3f}' % rng.random()])
        row = f'{comma}[{len(NAMES) + rng.randrange(50)},{now:.6f},{end},{phase},0,{data}]'
        written += len(row)
        comma = ','
        yield row
    yield ']}}'


def gecko(rng, size):
    yield ('{"meta":{"version":27,"startTime":1700000000123.5,"interval":1,"product":"Firefox",'
           '"categories":[{"name":"Other"}]},"libs":[],"threads":[')
    for number in range(8):
        yield ',' if number else ''
        yield from gecko_thread(rng, number, size // 8)
    yield '],"processes":[]}'


def perf_script(rng, _):
    stacks = chains(rng, 20000, 10, 30)
    libraries = ['/usr/bin/app', '/usr/lib/libc.so.6', '[kernel.kallsyms]', '/usr/lib/libdb.so']
    now = 5000.0
    while True:
        now += rng.random() * 0.0005
        comm, tid = rng.choice([('app', 4001), ('app:worker', 4002), ('nginx', 4003)])
        yield (f'{comm} 4000/{tid} [{rng.randrange(8):03d}] {now:.6f}: '
               f'{rng.randrange(90000, 1000000):10d} cycles:P: \n')
        for node, name in reversed(rng.choice(stacks)):
            yield (f'\t{0x7f12a0000000 + node % 4096 * 64:16x} {NAMES[name]}+0x{name % 200:x} '
                   f'({libraries[name % 4]})\n')
        yield '\n'


def speedscope(rng, size):
    frames = [{'name': NAMES[i % len(NAMES)], 'file': f'src/{i % 70}.cc', 'line': i}
              for i in range(1000)]
    yield ('{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":' +
           json.dumps(frames) + '},"profiles":[')
    yield '{"type":"evented","name":"main","unit":"microseconds","startValue":0,"events":['
    now, written, comma, is_open = 0, 0, '', []
    while written < size / 2 or is_open:
        now += rng.randrange(1, 50)
        opens = written < size / 2 and len(is_open) < 30 and (len(is_open) < 3 or rng.random() < 0.5)
        if opens:
            is_open.append(rng.randrange(1000))
        frame = is_open[-1] if opens else is_open.pop()
        row = comma + '{"type":"%s","frame":%d,"at":%d}' % ('O' if opens else 'C', frame, now)
        written += len(row)
        comma = ','
        yield row
    yield ']},{"type":"sampled","name":"worker","unit":"milliseconds","startValue":0,"samples":['
    stacks = [json.dumps([node % 1000 for node, _ in chain], separators=(',', ':'))
              for chain in chains(rng, 20000, 0, 30)]
    written, comma, weights = 0, '', 0
    while written < size / 2:
        row = comma + rng.choice(stacks)
        written += len(row) + 6
        weights += 1
        comma = ','
        yield row
    yield '],"weights":[' + ','.join(f'{rng.random() * 5:.3f}' for _ in range(weights)) + ']}]}'


def strace(rng, _):
    calls = ['openat(AT_FDCWD, "/usr/lib/x86_64-linux-gnu/lib%d.so", O_RDONLY|O_CLOEXEC) = %d',
             'mmap(NULL, %d, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f%x',
             'epoll_wait(%d, [{events=EPOLLIN, data={u32=5, u64=5}}], 64, -1) = %d',
             'close(%d) = %d', 'write(%d, "hello world", 11) = %d',
             'stat("/etc/%d", 0x7ff%x) = -1 ENOENT (No such file or directory)']
    now, waiting = 1700000000.0, {}
    while True:
        now += rng.random() * 0.0003
        tid = 4000 + rng.randrange(8)
        if tid in waiting:
            yield f'{tid} {now:.6f} <... futex resumed>) = 0 <{now - waiting.pop(tid):.6f}>\n'
        elif rng.random() < 0.1:
            waiting[tid] = now
            yield f'{tid} {now:.6f} futex(0x7f12, FUTEX_WAIT_PRIVATE, 2, NULL <unfinished ...>\n'
        else:
            call = rng.choice(calls) % (rng.randrange(200), rng.randrange(2000))
            yield f'{tid} {now:.6f} {call} <{rng.random() * 0.0009:.6f}>\n'


def logcat(rng, _):
    tags = ['ActivityManager', 'WindowManager', 'chromium', 'SurfaceFlinger', 'ART', 'wifi']
    messages = ['Displayed com.example.app/.Main%d: +%dms', 'GC freed %d objects, took %dus',
                'Start proc %d:com.example.svc%d/u0a99 for service', 'requestLayer(%d) = %d',
                'Skipped %d frames! The application may be doing too much work on thread %d.']
    now = 0
    while True:
        now += rng.randrange(0, 9)
        seconds = now // 1000
        text = rng.choice(messages) % (rng.randrange(3000), rng.randrange(900))
        yield (f'03-{1 + seconds // 86400 % 28:02d} {seconds // 3600 % 24:02d}:'
               f'{seconds // 60 % 60:02d}:{seconds % 60:02d}.{now % 1000:03d} '
               f'{1000 + rng.randrange(40):5d} {2000 + rng.randrange(300):5d} '
               f'{rng.choice("VDIWE")} {rng.choice(tags)}: {text}\n')


def ninja(rng, _):
    yield '# ninja log v5\n'
    busy_until, number = [0] * 16, 0
    while True:
        number += 1
        worker = min(range(16), key=lambda i: busy_until[i])
        start = busy_until[worker]
        busy_until[worker] = start + rng.randrange(50, 9000)
        yield (f'{start}\t{busy_until[worker]}\t{rng.randrange(1 << 40)}\t'
               f'obj/third_party/lib{number % 97}/src/file{number}.o\t{rng.randrange(1 << 62):x}\n')


KINDS = {kind.__name__: kind for kind in
         (collapsed, collapsed_distinct, collapsed_tree, cpuprofile, gecko, perf_script, speedscope,
          strace, logcat, ninja)}
ENDLESS = {'collapsed', 'collapsed_distinct', 'collapsed_tree', 'perf_script', 'strace', 'logcat',
           'ninja'}


def write(kind, size, path):
    written = 0
    with open(path, 'w', buffering=1 << 20) as out:
        for part in KINDS[kind](random.Random(7), size):
            out.write(part)
            written += len(part)
            if kind in ENDLESS and written >= size and part.endswith('\n'):
                break


def in_child(work, *args):
    """Runs in a small child process, because the memory of this one would count as that of its children."""
    child = os.fork()
    if child == 0:
        work(*args)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit('could not write a trace')


def measure(tracebraid, path, runs):
    """Returns CPU seconds, wall seconds and bytes of the largest resident set, of the best run."""
    best = None
    for _ in range(runs):
        began = time.monotonic()
        process = subprocess.Popen([tracebraid, 'query', path, 'SELECT 1'],
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f'{path}: status {status}')
        run = (usage.ru_utime + usage.ru_stime, time.monotonic() - began, usage.ru_maxrss * 1024)
        best = min(best or run, run)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('kinds', nargs='*', help=', '.join(KINDS))
    parser.add_argument('--size', default='100M')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--keep', type=pathlib.Path, help='folder in which the traces stay')
    parser.add_argument('--tracebraid', default='build/release/tracebraid')
    args = parser.parse_args()
    size = int(args.size.rstrip('kMG')) * {'k': 10**3, 'M': 10**6, 'G': 10**9}.get(args.size[-1], 1)
    with tempfile.TemporaryDirectory() as made:
        folder = args.keep or pathlib.Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        for kind in args.kinds or KINDS:
            path = folder / f'{kind}-{args.size}'
            if not path.exists():
                in_child(write, kind, size, path)
            length = path.stat().st_size
            cpu, wall, memory = measure(args.tracebraid, path, args.runs)
            print(f'{kind:20} {cpu * 1e8 / length:6.2f} s CPU and {wall * 1e8 / length:6.2f} s for '
                  f'100 MB, memory / input {memory / length:5.2f}', flush=True)
            if not args.keep:
                path.unlink()


if __name__ == '__main__':
    main()
