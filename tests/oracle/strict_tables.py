"""Rows as the reference makes them: threads (spec proto 4), slices (3.1), scheduling (5.3)."""
from collections import Counter

NAME_FTRACE, NAME_TREE, NAME_TYPE, NAME_DESCRIPTOR, NAME_CONSTANT = 1, 2, 3, 4, 5
MOST_DEPTH = 512
OPEN = -1


class Thread:
    def __init__(self, tid, process=None):
        self.tid, self.process, self.name, self.rank, self.uuid = tid, process, None, -1, None

    def rename(self, name, rank):
        if name is not None and rank >= self.rank:
            self.name, self.rank = name, rank


class Process:
    def __init__(self, pid):
        self.pid, self.name, self.rank, self.uuid = pid, None, -1, None
        self.threads = []

    rename = Thread.rename


class Machine:
    """Processes and threads of one machine."""

    def __init__(self, row, raw_id):
        self.row, self.raw_id, self.name = row, raw_id, None
        self.idle = Thread(0, Process(0))
        self.idle.rename('swapper', NAME_CONSTANT)
        self.threads, self.processes = [self.idle], [self.idle.process]
        self.live, self.known = {}, {}  # threads by tid, newest last; processes by pid
        self.has_idle = False
        self.scheduling = Scheduling(self)

    def use_idle(self):
        if not self.has_idle:
            self.has_idle = True
            self.live[0], self.known[0] = [self.idle], self.idle.process

    def new_thread(self, tid, process=None):
        thread = Thread(tid, process)
        self.threads.append(thread)
        self.live.setdefault(tid, []).append(thread)
        if process is not None:
            process.threads.append(thread)
        return thread

    def thread(self, tid):
        live = self.live.get(tid)
        return live[-1] if live else self.new_thread(tid)

    def link(self, thread, process):
        if thread.process is None:
            thread.process = process
            process.threads.append(thread)

    def process(self, pid, has_main_thread=True):
        if pid not in self.known:
            self.known[pid] = process = Process(pid)
            self.processes.append(process)
            if not has_main_thread:
                return process
            live = self.live.get(pid)
            if live and live[-1].process is None:
                self.link(live[-1], process)
            else:
                self.new_thread(pid, process)
        return self.known[pid]

    def associate(self, tid, pid):
        return self.thread_in(tid, self.process(pid))

    def thread_in(self, tid, process):
        live = self.live.setdefault(tid, [])
        for thread in reversed(live):
            if thread.process in (None, process):
                self.link(thread, process)
                live.remove(thread)
                live.append(thread)
                return thread
        return self.new_thread(tid, process)

    def start_process(self, pid):
        old = self.known.pop(pid, None)
        self.live[pid] = []
        for thread in old.threads if old else ():
            if thread in self.live.get(thread.tid, ()):
                self.live[thread.tid].remove(thread)
        self.known[pid] = process = Process(pid)
        self.processes.append(process)
        self.new_thread(pid, process)
        return process

    def end_thread(self, tid):
        live = self.live.get(tid)
        if not live:
            return
        thread = live.pop()
        if thread.process is not None and thread.process.pid == tid:
            for other in thread.process.threads:
                if other in self.live.get(other.tid, ()):
                    self.live[other.tid].remove(other)
            self.known.pop(tid, None)

    # A uuid is one life of a thread or process (spec proto 2.4).
    def process_of_uuid(self, uuid, pid):
        process = self.process(pid)
        if process.uuid not in (None, uuid):
            process = next((p for p in self.processes if p.uuid == uuid), None) or self.start_process(pid)
        process.uuid = uuid
        return process

    def thread_of_uuid(self, uuid, tid, pid):
        thread = self.associate(tid, pid)
        if thread.uuid not in (None, uuid):
            thread = next((t for t in self.threads if t.uuid == uuid), None) or self.new_thread(tid, self.process(pid))
        thread.uuid = uuid
        return thread


class Slice:
    __slots__ = ('ts', 'dur', 'name', 'category', 'track')

    def __init__(self, ts, dur, name, category, track):
        self.ts, self.dur, self.name, self.category, self.track = ts, dur, name, category, track

    @property
    def end(self):
        return self.ts + self.dur


class Track:
    """The stack of slices of one track (spec proto 3.1), its open state (3.3), and its owner."""

    def __init__(self, machine, thread=None):
        self.machine, self.thread = machine, thread
        self.stack = []
        self.state = None

    def settle(self, ts, is_instant, stats):
        stack = self.stack
        for at, row in enumerate(stack):
            if row.dur != OPEN and row.end < ts and any(inner.dur == OPEN for inner in stack[at + 1:]):
                for inner in stack[at + 1:]:
                    if inner.dur == OPEN:
                        inner.dur = row.end - inner.ts
                del stack[at:]
                stats['misplaced_end_event'] += 1
                break
        while stack:
            top = stack[-1]
            if top.dur == OPEN or top.end > ts or (top.end == ts and is_instant and top.dur == 0):
                break
            stack.pop()

    def begin(self, ts, dur, name, category, rows, stats):
        self.settle(ts, dur == 0, stats)
        if dur > 0 and any(row.dur != OPEN and ts < row.end < ts + dur for row in self.stack):
            stats['slice_drop_overlapping_complete_event'] += 1
            return
        if len(self.stack) >= MOST_DEPTH:
            stats['slice_max_depth_exceeded'] += 1
            return
        row = Slice(ts, dur, name, category, self)
        rows.append(row)
        self.stack.append(row)

    def end(self, ts, name, category, stats):
        self.settle(ts, False, stats)
        for at in range(len(self.stack) - 1, -1, -1):
            row = self.stack[at]
            if row.dur != OPEN or (category is not None and category != row.category):
                continue
            if name is not None and row.name not in (None, name):
                continue
            row.dur = ts - row.ts
            if at == len(self.stack) - 1:
                self.stack.pop()
            return

    def set_state(self, ts, name, rows):
        if self.state is not None and self.state[3] == name:
            return
        if self.state is not None:
            self.state[2] = ts - self.state[1]
        self.state = [self.machine, ts, OPEN, name] if name else None
        if name:
            rows.append(self.state)


TASK_STATES = {1: 'Created', 2: 'R', 3: 'Running', 4: 'S', 5: 'D', 6: 'T', 7: 'Z', 8: 'X'}
STATE_BITS = 'SDTtXZxKWPN'


def state_name(bits, release):
    if release < (4, 14):
        if bits & 0x402 == 0x402:  # an idle kernel thread, which is not counted as load
            bits &= ~0x402
            return ''.join(letter for at, letter in enumerate('SDTtXZxKWP') if bits >> at & 1) + 'I'
        preempted = 0x800 if release < (4, 8) else 0x1000
        named = ''.join(letter for at, letter in enumerate(STATE_BITS) if bits >> at & 1)
        if bits > 0x1FFF:
            return None
        return named + ('+' if bits & preempted else '') if named else 'R+' if bits & preempted else 'R'
    if bits & 0xFE00 or bits > 0x1FF:
        return None
    named = ''.join(letter for at, letter in enumerate('SDTtXZPI') if bits >> at & 1)
    return named or ('R+' if bits & 0x100 else 'R')


class Scheduling:
    """sched_slice and thread_state of one machine (spec proto 5.3)."""

    def __init__(self, machine):
        self.machine, self.release = machine, (0, 0)
        self.sched, self.states = [], []  # [ts, dur, cpu, thread, end_state, priority], [ts, dur, thread, state]
        self.current, self.last, self.spurious = {}, {}, 0
        self.tasks, self.hanging = {}, {}  # open rows of tasks by CPU, rows whose end has no reason by thread
        self.stats = Counter()

    def switch(self, ts, cpu, prev_tid, prev_comm, prev_state, next_tid, next_comm, next_prio):
        machine = self.machine
        following, before = machine.thread(next_tid), machine.thread(prev_tid)
        following.rename(next_comm, NAME_FTRACE)
        before.rename(prev_comm, NAME_FTRACE)
        state = state_name(prev_state, self.release)
        if state is None:
            self.stats['task_state_invalid'] += 1
        row = self.current.get(cpu)
        if row is not None:
            if row[3].tid == prev_tid:
                row[1], row[4] = ts - row[0], state
            else:
                self.stats['mismatched_sched_switch_tids'] += 1
        self.current[cpu] = row = [ts, OPEN, cpu, following, None, next_prio]
        self.sched.append(row)
        self.leave(ts, before, state)
        self.enter(ts, following)

    def is_idle(self, thread):
        return thread is self.machine.idle

    def close(self, ts, thread):
        row = self.last.get(thread)
        if row is not None and row[1] == OPEN:
            row[1] = ts - row[0]

    def open(self, ts, thread, state):
        self.last[thread] = row = [ts, OPEN, thread, state]
        self.states.append(row)

    def leave(self, ts, thread, state):
        if self.is_idle(thread):
            return
        row = self.last.get(thread)
        if row is not None and row[3] == 'Running':
            self.close(ts, thread)
        self.open(ts, thread, state)

    def enter(self, ts, thread):
        if self.is_idle(thread):
            return
        self.close(ts, thread)
        self.open(ts, thread, 'Running')

    # Spec proto 6.1.
    def task_state(self, ts, cpu, comm, tid, number, priority):
        state = TASK_STATES.get(number)
        if state is None:
            self.stats['task_state_invalid'] += 1
            return
        thread = self.task(ts, comm, tid, state)
        if thread is None:
            self.stats['generic_task_state_invalid_order'] += 1
            return
        row = self.tasks.get(cpu)
        if state == 'Running':
            if row is not None:
                row[1] = ts - row[0]
                self.hanging[row[3]] = row
                self.change(ts, row[3], None)
            self.tasks[cpu] = row = [ts, OPEN, cpu, thread, None, priority]
            self.sched.append(row)
            self.change(ts, thread, state)
        elif row is not None and row[3] is thread:
            row[1], row[4] = ts - row[0], state
            del self.tasks[cpu]
            self.change(ts, thread, state)
        elif thread in self.hanging and self.hanging[thread][0] + self.hanging[thread][1] == ts:
            self.hanging.pop(thread)[4] = state
            self.last[thread][3] = state
        else:
            self.change(ts, thread, state)

    def task(self, ts, comm, tid, state):
        machine = self.machine
        live = machine.live.get(tid)
        last = self.last.get(live[-1]) if live else None
        if state == 'Created' and live:
            return None
        if state not in ('Created', 'X') and last is not None:
            if last[3] == 'Z' or state == last[3] == 'Running':
                return None
        thread = machine.thread(tid)
        if state != 'X' or not live:
            thread.rename(comm, NAME_FTRACE)
        if state == 'X':
            machine.end_thread(tid)
        return thread

    def change(self, ts, thread, state):
        if not self.is_idle(thread):
            self.close(ts, thread)
            self.open(ts, thread, state)

    def waking(self, ts, tid, comm=None):
        thread = self.machine.thread(tid)
        thread.rename(comm, NAME_FTRACE)
        if self.is_idle(thread):
            return
        row = self.last.get(thread)
        if row is None:
            self.open(ts, thread, 'R')
        elif row[3] not in ('R', 'Running'):
            self.close(ts, thread)
            self.open(ts, thread, 'R')
        else:
            self.spurious += 1
