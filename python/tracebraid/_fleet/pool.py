"""Runs the groups of a fleet in worker processes. A group gives all its rows or none: they wait in a spool until it has ended."""
from __future__ import annotations

import queue
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from . import frames
from .source import Group
from .worker import Ended, NoRoom, Worker, failure

_SPOOL_MEMORY = 64 << 20  # of all spools of a run, in bytes
_GROUPS_OF_A_WORKER = 100


@dataclass
class Outcome:
    """What became of a group: its rows in a spool, or its failure. `facts` are those of the last message."""

    index: int
    group: Group
    facts: dict[str, Any]
    spool: IO[bytes] | None
    attempt: int

    @property
    def is_failed(self) -> bool:
        return self.spool is None

    def batches(self) -> Iterator[frames.Batch]:
        """The rows."""
        if self.spool is None:
            return
        self.spool.seek(0)
        while (message := frames.read(self.spool)) is not None:
            yield frames.batch_of(message[1], message[2])

    def close(self) -> None:
        if self.spool is not None:
            self.spool.close()


_idle: list[Worker] | None = None


def keep_idle_workers() -> None:
    """From now on, worker processes stay at the end of runs, for later runs of this process. They end with it."""
    global _idle
    _idle = [] if _idle is None else _idle


def _worker() -> Worker:
    while _idle:
        worker = _idle.pop()
        if worker.process.poll() is None:
            return worker
        worker.end()
    return Worker()


class _Schedule:
    """Which group is next: the largest; then those whose worker died, alone."""

    def __init__(self, groups: list[Group], skipped: set[str]) -> None:
        todo = [(group.size, -index) for index, group in enumerate(groups) if group.name not in skipped]
        self._todo = [-index for _, index in sorted(todo)]  # the last is the next
        self._again: list[int] = []
        self._running = 0
        self._last = len(groups)
        self._changed = threading.Condition()
        self.is_stopped = False

    def take(self) -> tuple[int, int] | None:
        """Index and attempt of the next group; None at the end. Waits while only groups to repeat are left and others
        run."""
        with self._changed:
            while not self.is_stopped:
                while self._todo and self._todo[-1] > self._last:
                    self._todo.pop()
                if self._todo:
                    self._running += 1
                    return self._todo.pop(), 1
                if self._running == 0:
                    if not self._again:
                        return None
                    self._running += 1
                    return self._again.pop(0), 2
                self._changed.wait()
            return None

    def finish(self, index: int, again: bool = False) -> None:
        with self._changed:
            self._running -= 1
            if again:
                self._again.append(index)
            self._changed.notify_all()

    def stop_behind(self, index: int) -> None:
        """Gives out no group behind this one any more."""
        with self._changed:
            self._last = min(self._last, index)

    def stop(self) -> None:
        with self._changed:
            self.is_stopped = True
            self._changed.notify_all()


class Pool:
    """A run over groups. Iterating gives the outcomes: by name if `in_order`, else as they end."""

    def __init__(self, groups: list[Group], task: dict[str, Any], jobs: int, *, in_order: bool,
                 stop_at_failure: bool, skipped: set[str] | None = None) -> None:
        self._groups = groups
        self._task = task
        self._in_order = in_order
        self._stop_at_failure = stop_at_failure
        skipped = skipped or set()
        self._expected = [index for index, group in enumerate(groups) if group.name not in skipped]
        self._schedule = _Schedule(groups, skipped)
        self._jobs = max(1, min(jobs, len(self._expected)))
        # In order, outcomes wait for those before them, so that a limit would block the run.
        self._ended: queue.Queue[Outcome | BaseException] = queue.Queue(0 if in_order else 2 * self._jobs)
        self._workers: list[Worker | None] = [None] * self._jobs
        self._threads: list[threading.Thread] = []

    def _attempt(self, slot: int, index: int, attempt: int) -> Outcome | None:
        """Runs a group. None: the worker died, and the group is to be run again."""
        group = self._groups[index]
        if group.failure is not None:
            return Outcome(index, group, {"stage": "list", **group.failure, "seconds": 0.0, "peak_bytes": None}, None, attempt)
        spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL_MEMORY // (4 * self._jobs))  # noqa: SIM115
        worker = self._workers[slot] = self._workers[slot] or _worker()
        begun = time.monotonic()
        try:
            kind, head = worker.run(self._task, group, spool, lambda: self._schedule.is_stopped)
        except (EOFError, TimeoutError) as error:
            is_late = isinstance(error, TimeoutError)
            how = worker.end()
            self._workers[slot] = None
            spool.close()
            if attempt == 1 and not is_late:
                return None
            code, message = ("TIMEOUT", "the worker does not answer") if is_late else \
                ("WorkerDied", f"the worker process ended {how}, twice")
            head = failure("query", code, message, time.monotonic() - begun)
            return Outcome(index, group, head, None, attempt)
        except Ended:
            spool.close()
            return None
        except NoRoom as error:
            self._retire(slot)  # it goes on to send rows
            spool.close()
            return Outcome(index, group, failure("write", "IO", str(error), time.monotonic() - begun), None, attempt)
        if worker.groups >= _GROUPS_OF_A_WORKER or head["memory"] > self._task["memory_limit"]:
            self._retire(slot)
        if kind == frames.FAILED:
            spool.close()
            return Outcome(index, group, head, None, attempt)
        if self._in_order and spool.tell() > _SPOOL_MEMORY // 1000:
            spool.rollover()  # many may wait
        return Outcome(index, group, head, spool, attempt)

    def _retire(self, slot: int) -> None:
        worker, self._workers[slot] = self._workers[slot], None
        if worker is not None:
            worker.kill()
            worker.end()

    def _run_slot(self, slot: int) -> None:
        try:
            while (taken := self._schedule.take()) is not None:
                index, attempt = taken
                if attempt == 2:
                    self._retire(slot)
                outcome = self._attempt(slot, index, attempt)
                if outcome is not None and outcome.is_failed and self._stop_at_failure:
                    self._schedule.stop_behind(index)
                self._schedule.finish(index, again=outcome is None)
                if outcome is not None:
                    self._put(outcome)
        except Exception as error:  # a disk that is full, ...
            self._schedule.stop()
            self._put(error)
        finally:
            self._release(slot)

    def _release(self, slot: int) -> None:
        """Keeps the worker of a slot for the next run, if it is idle and workers are to be kept."""
        worker = self._workers[slot]
        if _idle is None or worker is None or self._schedule.is_stopped:
            self._retire(slot)
            return
        self._workers[slot] = None
        _idle.append(worker)

    def _put(self, item: Outcome | BaseException) -> None:
        while not self._schedule.is_stopped or isinstance(item, BaseException):
            try:
                return self._ended.put(item, timeout=0.2)
            except queue.Full:
                if isinstance(item, BaseException):
                    return
        if isinstance(item, Outcome):
            item.close()

    def _next(self) -> Outcome:
        while True:
            try:
                item = self._ended.get(timeout=0.1)  # so that Ctrl-C is handled
            except queue.Empty:
                continue
            if isinstance(item, BaseException):
                raise item
            return item

    def __iter__(self) -> Iterator[Outcome]:
        self._threads = [threading.Thread(target=self._run_slot, args=(slot,), daemon=True)
                         for slot in range(self._jobs if self._expected else 0)]
        waiting: dict[int, Outcome] = {}
        try:
            for thread in self._threads:
                thread.start()
            for index in self._expected:
                if not self._in_order:
                    yield self._next()
                    continue
                while index not in waiting:
                    outcome = self._next()
                    waiting[outcome.index] = outcome
                yield waiting.pop(index)
        finally:
            self._stop()
            for outcome in waiting.values():
                outcome.close()

    def _stop(self) -> None:
        self._schedule.stop()
        for worker in self._workers:
            if worker is not None:
                worker.kill()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        while not self._ended.empty():
            item = self._ended.get_nowait()
            if isinstance(item, Outcome):
                item.close()
