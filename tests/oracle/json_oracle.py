"""A slow and plain importer of Trace Event JSON, to compare tracebraid with.

It implements slices of threads (B, E, X, i), async slices (b, n, e) and counters (C) from the
specification of the format, independently of tracebraid. Times are integers of microseconds, ids are
numbers. random_events() does not make events that it does not support:

* two of B and E at one time on one thread, or a B where an X begins;
* an X that a B/E pair partly overlaps.
"""
import random

US = 1000  # ns


class Slice:
    def __init__(self, owner, ts, end, name, parent, depth):
        self.owner, self.ts, self.end, self.name = owner, ts, end, name  # end None: still open
        self.parent, self.depth = parent, depth
        self.limit = None  # where an ended parent cuts the slice, if it is still open later

    def row(self):
        dur = -1 if self.end is None else (self.end - self.ts) * US
        parent = [self.parent.name, self.parent.ts * US] if self.parent else [None, None]
        return [*self.owner, self.ts * US, dur, self.name, self.depth, *parent]


def in_order(events):
    """Sorts by time; at equal times E, then X by decreasing duration, then the rest."""
    def key(numbered):
        at, event = numbered
        if event['ph'] == 'E':
            return event['ts'], 0, 0, at
        if event['ph'] == 'X' and event['dur'] > 0:
            return event['ts'], 1, -event['dur'], at
        return event['ts'], 2, 0, at
    return [event for _, event in sorted(enumerate(events), key=key)]


def nest(events, owner, inner_outlive=False):
    """Returns the slices of one thread or id, and those X that partly overlap others."""
    made, spilled, stack = [], [], []

    def pop_ended(ts, is_empty):
        while stack:
            top = stack[-1]
            if top.end is None or top.end > ts:
                return
            if is_empty and top.end == top.ts == ts:
                return
            stack.pop()

    def cut_what_lies_in_ended(ts):
        # An inner slice outlives its outer one only until the next event of the thread.
        for i, outer in enumerate(stack):
            if outer.end is not None and outer.end < ts:
                for inner in stack[i + 1:]:
                    if inner.end is None:
                        inner.end = outer.end

    def push(event, end):
        parent = stack[-1] if stack else None
        new = Slice(owner, event['ts'], end, event.get('name', '[No name]'), parent,
                    parent.depth + 1 if parent else 0)
        made.append(new)
        stack.append(new)

    for event in events:
        ts, phase = event['ts'], event['ph']
        if not inner_outlive:
            cut_what_lies_in_ended(ts)
        if phase in 'Ee':
            for candidate in reversed(stack):
                if candidate.end is None and event.get('name') in (None, candidate.name):
                    candidate.end = ts
                    break
            continue
        end = None if phase in 'Bb' else ts + (event['dur'] if phase == 'X' else 0)
        pop_ended(ts, end == ts)
        if phase == 'X' and stack and stack[-1].end is not None and end > stack[-1].end:
            spilled.append([*owner, ts * US, event['dur'] * US, event['name']])
        else:
            push(event, end)
    return [s.row() for s in made], spilled


def import_events(events):
    """Returns the rows of the queries of compare.py, each list sorted."""
    threads, groups, counters = {}, {}, []
    for event in events:
        if event['ph'] in 'BEXi':
            threads.setdefault(event['tid'], []).append(event)
        elif event['ph'] in 'bne':
            groups.setdefault((event['cat'], event['id']), []).append(event)
        else:
            for series, value in event['args'].items():
                counters.append([event['pid'], f"{event['name']} {series}", event['ts'] * US,
                                 float(value)])
    slices, spilled, asyncs = [], [], []
    for tid, each in threads.items():
        rows, over = nest(in_order(each), [tid])
        slices += rows
        spilled += over
    for each in groups.values():
        asyncs += nest(sorted(each, key=lambda event: event['ts']), [], inner_outlive=True)[0]
    return {name: sorted(rows, key=repr) for name, rows in
            (('slices', slices), ('spilled', spilled), ('async', asyncs), ('counters', counters))}


def random_pairs(rng, tid):
    """Returns B and E of one thread, most of them properly nested, at distinct times."""
    events, depth = [], []
    for ts in sorted(rng.sample(range(1, 2000), rng.randrange(0, 40))):
        at = {'ts': ts, 'pid': 1, 'tid': tid}
        if depth and rng.random() < 0.5:
            name = depth.pop()
            odd = rng.random()
            if odd < 0.1:
                name = rng.choice('abcdef')
            events.append({'ph': 'E', **at, **({} if odd > 0.8 else {'name': name})})
        else:
            name = rng.choice('abcdef')
            depth.append(name)
            events.append({'ph': 'B', 'name': name, **at})
    return events


def random_events(seed):
    """Returns events in an arbitrary order, as a file may have them."""
    rng = random.Random(seed)
    events = []
    for tid in range(10, 13):
        events += random_pairs(rng, tid)
    for tid in range(20, 24):
        span = rng.choice([10, 50, 1000])
        for _ in range(rng.randrange(0, 30)):
            ts = rng.randrange(1, 1 + span)
            if rng.random() < 0.2:
                events.append({'ph': 'i', 's': 't', 'ts': ts, 'pid': 2, 'tid': tid,
                               'name': rng.choice('ghij')})
            else:
                events.append({'ph': 'X', 'ts': ts, 'dur': rng.choice([0, 1, 2, 5, 10, 100]),
                               'pid': 2, 'tid': tid, 'name': rng.choice('klmn')})
    for _ in range(rng.randrange(0, 60)):
        events.append({'ph': rng.choice('bbene'), 'ts': rng.randrange(1, 300), 'pid': 3, 'tid': 30,
                       'cat': rng.choice(['u', 'v']), 'id': rng.randrange(1, 4),
                       'name': rng.choice('opq')})
    for _ in range(rng.randrange(0, 20)):
        events.append({'ph': 'C', 'ts': rng.randrange(1, 300), 'pid': 4, 'tid': 40,
                       'name': rng.choice(['mem', 'cpu']),
                       'args': {s: rng.randrange(-5, 100) / 2 for s in rng.sample('xyz', 2)}})
    rng.shuffle(events)
    return events
