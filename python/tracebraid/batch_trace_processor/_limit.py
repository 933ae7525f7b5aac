"""A limit of the traces that are open at once: the others wait in braids, from which they are opened again."""
from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ..trace_processor._local import LocalBackend


class OpenTraces:
    """At most `limit` traces are open; the one that was not used for longest is closed first. Any thread may use it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._changed = threading.Condition()
        self._users: dict[LocalBackend, int] = {}
        self._idle: dict[LocalBackend, None] = {}  # open, the one that was used last is at the end
        self._opening = 0
        self._folder = tempfile.TemporaryDirectory(prefix="tracebraid")

    def _make_room(self) -> None:
        """Waits, and closes traces, until one more may be opened. Holds the lock."""
        while len(self._users) + len(self._idle) + self._opening >= self._limit:
            if self._idle:
                backend = next(iter(self._idle))
                del self._idle[backend]
                backend.park(os.path.join(self._folder.name, f"{id(backend)}.braid"))
            else:
                self._changed.wait()

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Around the opening of a new trace, which add() gets before the end."""
        with self._changed:
            self._make_room()
            self._opening += 1
        try:
            yield
        finally:
            with self._changed:
                self._opening -= 1
                self._changed.notify_all()

    def add(self, backend: LocalBackend) -> None:
        """A trace that was opened, and is not used at present."""
        with self._changed:
            self._idle[backend] = None

    @contextmanager
    def using(self, backend: LocalBackend) -> Iterator[None]:
        """Opens the trace again if it waits in a braid, and keeps it open."""
        with self._changed:
            while backend not in self._users:
                if backend in self._idle:
                    del self._idle[backend]
                    break
                self._make_room()  # meanwhile another thread may have opened it
                if backend not in self._users and backend not in self._idle:
                    backend.open_again()
                    break
            self._users[backend] = self._users.get(backend, 0) + 1
        try:
            yield
        finally:
            with self._changed:
                self._users[backend] -= 1
                if self._users[backend] == 0:
                    del self._users[backend]
                    self._idle[backend] = None
                self._changed.notify_all()

    def close(self) -> None:
        """Removes the braids. The traces are closed already."""
        self._folder.cleanup()
