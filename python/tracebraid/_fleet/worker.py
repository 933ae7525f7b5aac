"""Tasks for the worker processes of fleets, which are `tracebraid fleet-worker` of the program: opens one group after the other, and
sends the rows of the statement. Remote files are copied here before."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO, Any

from .. import _program
from .._errors import Error, Timeout, code_name
from . import frames
from .remote import fetch_all, is_remote
from .source import Group

_GRACE_SECONDS = 5  # beyond the timeout, before a worker is killed


def failure(stage: str, code: str, message: str, seconds: float = 0.0, file: str | None = None) -> dict[str, Any]:
    """The facts of a group that failed outside of a worker."""
    return {"stage": stage, "code": code, "message": message, "file": file, "offset": None, "seconds": seconds,
            "peak_bytes": None}


class NoRoom(Exception):
    """Rows cannot be written to the spool; the message says why."""


class Ended(Exception):
    """The run was ended while files were copied."""


class Copies:
    """Files of a group on this machine: remote ones are copied, and removed with close()."""

    def __init__(self, group: Group, folder: str | None) -> None:
        self.paths, self.manifest = list(group.paths), group.manifest
        self._names = list(group.names) or self.paths
        self._group = group
        self._parent = folder
        self._folder: str | None = None
        self._lock = threading.Lock()
        self._is_closed = self._is_copied = False
        self._error: BaseException | None = None

    def fetch(self, seconds: float, is_ended: Callable[[], bool]) -> None:
        """Copies the files. Timeout: it takes longer; the copying thread then ends by itself."""
        if not any(is_remote(path) for path in [*self.paths, self.manifest or ""]):
            return
        # A store that does not answer must not block the run.
        thread = threading.Thread(target=self._copy, daemon=True)
        thread.start()
        until = time.monotonic() + seconds
        while thread.is_alive():
            if is_ended():
                raise Ended
            if time.monotonic() >= until:
                raise Timeout("the timeout was reached")
            thread.join(0.05)
        if self._error is not None:
            raise self._error

    def _copy(self) -> None:
        folder = tempfile.mkdtemp(prefix="tracebraid-", dir=self._parent)
        try:
            paths = fetch_all(self._group.paths, self._group.sizes or [-1] * len(self._group.paths), folder)
            manifest = self._group.manifest and fetch_all([self._group.manifest], [-1], folder + "/manifest")[0]
        except BaseException as error:
            self._error = error
        with self._lock:
            if self._error is None and not self._is_closed:
                self.paths, self.manifest, self._folder = paths, manifest, folder
                return
        shutil.rmtree(folder, ignore_errors=True)

    def rename(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Names files as the group does in the facts of a failure, instead of by their copies."""
        copies = zip([*self.paths, self.manifest], [*self._names, self._group.manifest], strict=True)
        for path, name in copies:
            if path is None or name is None or path == name:
                continue
            for key in ("message", "file"):
                if facts[key] is not None:
                    facts[key] = facts[key].replace(path, name)
        return facts

    def close(self) -> None:
        """Removes the copies."""
        with self._lock:
            self._is_closed = True
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _path(path: str) -> object:
    """A path as tasks have it: an object if it is not UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return {"hex": os.fsencode(path).hex()}
    return path


def task_line(asked: Mapping[str, Any], group: Group, copies: Copies, seconds: float) -> bytes:
    """The line of a task, which is to end within a time."""
    task = {**asked, "paths": [_path(path) for path in copies.paths], "sizes": list(group.sizes) or [-1] * len(group.paths),
            "manifest": copies.manifest and _path(copies.manifest), "timeout": seconds}
    return json.dumps(task).encode() + b"\n"


class Worker:
    """One process, which runs one task at a time."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([_program.path(), "fleet-worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, start_new_session=True)  # Ctrl-C reaches the parent only
        self.groups = 0
        self.is_late = False

    def run(self, asked: Mapping[str, Any], group: Group, spool: IO[bytes], is_ended: Callable[[], bool]) -> \
            tuple[bytes, dict[str, Any]]:
        """Writes the rows of a group to the spool, and returns the last message. EOFError: the process ended. TimeoutError: it
        does not answer. Ended: the run was ended."""
        begun = time.monotonic()
        copies = Copies(group, asked["temp_dir"])
        try:
            copies.fetch(asked["timeout"], is_ended)
        except (Error, OSError) as error:
            copies.close()
            code, message = (code_name(error), error.message) if isinstance(error, Error) else ("IO", str(error))
            return frames.FAILED, {**failure("fetch", code, message, time.monotonic() - begun, getattr(error, "file", None)),
                                   "memory": 0}
        try:
            left = max(0.01, asked["timeout"] - (time.monotonic() - begun))
            kind, facts = self._answer(task_line(asked, group, copies, left), spool, left)
            facts["seconds"] = time.monotonic() - begun
            return kind, copies.rename(facts) if kind == frames.FAILED else facts
        finally:
            copies.close()

    def _answer(self, line: bytes, spool: IO[bytes], seconds: float) -> tuple[bytes, dict[str, Any]]:
        self.groups += 1
        watch = threading.Timer(seconds + _GRACE_SECONDS, self._kill_late)
        watch.start()
        try:
            return self._exchange(line, spool)
        except EOFError:
            if self.is_late:
                raise TimeoutError from None
            raise
        finally:
            watch.cancel()

    def _kill_late(self) -> None:
        self.is_late = True
        self.process.kill()

    @staticmethod
    def _spool(spool: IO[bytes], head: Any, body: bytes) -> None:
        try:
            frames.write(spool, frames.BATCH, head, [body])
        except OSError as error:
            raise NoRoom(str(error)) from None

    def _exchange(self, line: bytes, spool: IO[bytes]) -> tuple[bytes, dict[str, Any]]:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except OSError:
            raise EOFError from None
        while True:
            message = frames.read(self.process.stdout)
            if message is None:
                raise EOFError
            kind, head, body = message
            if kind != frames.BATCH:
                return kind, head
            self._spool(spool, head, body)

    def end(self) -> str:
        """Ends the process, and says how it had ended."""
        status = self.process.poll()
        if status is None:
            try:
                status = self.process.wait(0.2)  # it may be about to
            except subprocess.TimeoutExpired:
                self.process.kill()
                status = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()  # type: ignore[union-attr]
            except OSError:
                pass
        return f"by signal {-status}" if status < 0 else f"with status {status}"

    def kill(self) -> None:
        """Ends the process at once."""
        self.process.kill()
