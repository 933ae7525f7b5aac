"""The journal of a fleet whose rows go to a file: a run that was killed continues where it was.

While a file PATH is written, a folder PATH.resume is beside it. Its file `rows` has the rows of the groups that ended, one group
after the other. Its file `journal` has JSON lines: a head, which says what was asked, and a line for each of these groups."""
from __future__ import annotations

import fcntl
import json
import os
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import _core
from .._errors import UsageError
from . import frames
from .pool import Outcome
from .source import Group


def _modified(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


def _json(value: object) -> bytes:
    """JSON as the program writes it, so that each of the two continues runs of the other."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def state_of(group: Group) -> str:
    """Changes if a file of the group is another one or was written to."""
    files = [*group.paths, *([group.manifest] if group.manifest else [])]
    state: list[object] = [[os.path.abspath(path), _modified(path)] for path in files]
    state.append(list(group.sizes))
    if any(group.versions):
        state.append(list(group.versions))
    return f"{_core.digest([_json(state)]):016x}"


class Journal:
    """The groups that ended, and their rows. Closed by close(), which removes the files if the run is complete."""

    def __init__(self, path: str, asked: Mapping[str, Any], groups: Sequence[Group], *, resume: bool) -> None:
        self._folder = path + ".resume"
        self._reading = threading.Lock()
        self._digests = {group.name: state_of(group) for group in groups}
        self._ended: dict[str, dict[str, Any]] = {}
        os.makedirs(self._folder, exist_ok=True)
        self._lines = open(os.path.join(self._folder, "journal"), "a+b")  # noqa: SIM115
        try:
            fcntl.flock(self._lines, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lines.close()
            raise UsageError(f"another run writes {path}") from None
        self._rows = open(os.path.join(self._folder, "rows"), "a+b")  # noqa: SIM115
        self._begin(_json({"asked": dict(sorted(asked.items()))}) + b"\n", resume)

    def _begin(self, head: bytes, resume: bool) -> None:
        """Reads the journal, or begins a new one. Cuts off what a killed run wrote last."""
        self._lines.seek(0)
        lines = self._lines.read()
        whole = lines[:lines.rfind(b"\n") + 1].splitlines(keepends=True) if resume else []
        if whole and whole[0] != head:
            self.close(is_complete=False)
            raise UsageError(f"{self._folder} is of another statement, other options or another version; without resume "
                             "the run begins anew")
        if not whole:
            whole = [head]
            self._lines.truncate(0)
            self._lines.write(head)
            self._lines.flush()
        else:
            self._lines.truncate(sum(map(len, whole)))
        end = 0
        for line in whole[1:]:
            entry = json.loads(line)
            end = max(end, entry["end"])
            if self._digests.get(entry["group"]) == entry["digest"]:
                self._ended[entry["group"]] = entry
        self._rows.truncate(end)

    def ended(self) -> set[str]:
        """The names of the groups that need not run again."""
        return set(self._ended)

    def add(self, outcome: Outcome) -> None:
        """Keeps the rows of a group."""
        assert outcome.spool is not None
        begin = self._rows.seek(0, os.SEEK_END)
        outcome.spool.seek(0)
        try:
            shutil.copyfileobj(outcome.spool, self._rows)
            self._rows.flush()
        except OSError:
            self._cut(begin)
            raise
        name = outcome.group.name
        entry = {"group": name, "digest": self._digests[name], "begin": begin, "end": self._rows.tell(),
                 "facts": outcome.facts}
        self._lines.write(_json(entry) + b"\n")
        self._lines.flush()
        self._ended[name] = entry

    def _cut(self, size: int) -> None:
        """Removes rows that were not written to their end, also those that wait to be written."""
        try:
            self._rows.close()
        except OSError:
            pass
        self._rows = open(os.path.join(self._folder, "rows"), "a+b")  # noqa: SIM115
        self._rows.truncate(size)

    def batches(self, group: Group) -> Iterator[tuple[dict[str, Any], frames.Batch]]:
        """The facts and the rows of a group that ended; none for others."""
        entry = self._ended.get(group.name)
        if entry is None:
            return
        self._rows.seek(entry["begin"])
        while self._rows.tell() < entry["end"]:
            message = frames.read(self._rows)
            assert message is not None
            at = self._rows.tell()
            yield entry["facts"], frames.batch_of(message[1], message[2])
            self._rows.seek(at)

    def tables(self, group: Group) -> dict[int, list[int]]:
        """Where the rows of each table of a group begin, if workers sent several. Threads may call it."""
        entry = self._ended[group.name]
        found: dict[int, list[int]] = {}
        with self._reading:
            self._rows.seek(entry["begin"])
            while self._rows.tell() < entry["end"]:
                at, message = self._rows.tell(), frames.read_head(self._rows)
                assert message is not None
                found.setdefault(message[1]["t"], []).append(at)
                self._rows.seek(message[2], os.SEEK_CUR)
        return found

    def batch_at(self, offset: int) -> frames.Batch:
        """The rows of one message. Threads may call it."""
        with self._reading:
            self._rows.seek(offset)
            message = frames.read(self._rows)
        assert message is not None
        return frames.batch_of(message[1], message[2])

    def facts(self, name: str) -> dict[str, Any]:
        """The facts of a group that ended."""
        return dict(self._ended[name]["facts"])

    def close(self, *, is_complete: bool) -> None:
        """Closes the files, and removes them if no run is to continue."""
        if hasattr(self, "_rows"):
            self._rows.close()
        if is_complete:
            shutil.rmtree(self._folder)
        self._lines.close()
