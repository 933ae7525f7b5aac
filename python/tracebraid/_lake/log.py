"""The log of a lake: which files belong to it. Commit N says which files are added and removed by version N.

New files wait in a folder of `_tracebraid/staging`. The commit appears with one exclusive link; only then are its files moved into
the folders of their tables, and removed ones moved to `_tracebraid/removed`. If a process is killed between, the next one that
opens the lake moves the rest. So a glob over a table never finds rows that no commit has."""
from __future__ import annotations

import json
import os
import re
import shutil
import time
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .. import _core
from .._errors import Error
from .._files import whole_file

CHECKPOINT_EVERY = 100
TRACE_FOLDER = "trace="
"""Begins the name of the folder of one trace, in lakes of the layout "trace"."""


class Conflict(Error):
    """Another writer removed or replaced files that this one was to remove."""


@dataclass(frozen=True)
class LakeFile:
    """A Parquet file: path in the lake, rows, bytes, and the first and last `_group`."""

    path: str
    rows: int
    bytes: int
    first: str
    last: str

    @property
    def table(self) -> str:
        first, second = self.path.split("/", 2)[:2]
        return second if first.startswith(TRACE_FOLDER) else first

    @property
    def partition(self) -> str:
        """The folder of the file in the lake: table, date and bucket, or trace and table."""
        return self.path.rsplit("/", 1)[0]


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Log:
    """The log of one lake. Any number of processes may read and write it at once."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._own = os.path.join(folder, "_tracebraid")
        self._commits = os.path.join(self._own, "commits")

    def _at(self, *parts: str) -> str:
        return os.path.join(self._own, *parts)

    def versions(self) -> list[int]:
        """The numbers of all commits."""
        try:
            names = os.listdir(self._commits)
        except FileNotFoundError:
            return []
        return sorted(int(name[:-5]) for name in names if re.fullmatch(r"\d+\.json", name))

    def commit_of(self, version: int) -> dict[str, Any]:
        with open(os.path.join(self._commits, f"{version:06}.json"), encoding="utf-8") as file:
            return dict(json.load(file))

    def _checkpoint(self, versions: Sequence[int]) -> tuple[int, dict[str, LakeFile]]:
        for version in reversed([v for v in versions if v % CHECKPOINT_EVERY == 0]):
            try:
                with open(self._at("checkpoints", f"{version:06}.json"), encoding="utf-8") as file:
                    return version, {entry["path"]: LakeFile(**entry) for entry in json.load(file)}
            except FileNotFoundError:
                continue
        return 0, {}

    def files(self) -> tuple[int, dict[str, LakeFile]]:
        """The last version, and its files by path."""
        versions = self.versions()
        begin, live = self._checkpoint(versions)
        for version in versions:
            if version <= begin:
                continue
            commit = self.commit_of(version)
            for path in commit["remove"]:
                live.pop(path, None)
            live.update({entry["path"]: LakeFile(**entry) for entry in commit["add"]})
        return (versions[-1] if versions else 0), live

    def new_staging(self) -> str:
        """Makes a folder for files of a commit, and returns its name. Files have the paths there that they get in the lake."""
        name = uuid.uuid4().hex
        os.makedirs(self._at("staging", name))
        return name

    def staged(self, staging: str, path: str) -> str:
        """The path of a staged file. Makes its folder."""
        target = self._at("staging", staging, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        return target

    def commit(self, staging: str, operation: str, add: Sequence[LakeFile], remove: Sequence[str]) -> int:
        """Makes the staged files part of the lake, and returns the version. Conflict if a file to remove is not part of the
        lake any more; the staged files are deleted then."""
        os.makedirs(self._commits, exist_ok=True)
        for file in add:
            _sync(self.staged(staging, file.path))
        while True:
            version, live = self.files()
            gone = [path for path in remove if path not in live]
            if gone:
                shutil.rmtree(self._at("staging", staging))
                raise Conflict(f"{self.folder}: another writer replaced {gone[0]}; run again")
            version += 1
            content = {"version": version, "operation": operation, "staging": staging, "program": _core.version(),
                       "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "add": [asdict(file) for file in add],
                       "remove": list(remove)}
            unfinished = os.path.join(self._commits, f".{staging}.tmp")
            with open(unfinished, "w", encoding="utf-8") as out:
                json.dump(content, out)
                out.flush()
                os.fsync(out.fileno())
            try:
                os.link(unfinished, os.path.join(self._commits, f"{version:06}.json"))
                break
            except FileExistsError:
                continue  # another writer was first
            finally:
                os.remove(unfinished)
        _sync(self._commits)
        self._settle(content)
        if version % CHECKPOINT_EVERY == 0:
            self._write_checkpoint(version)
        return version

    def _write_checkpoint(self, version: int) -> None:
        os.makedirs(self._at("checkpoints"), exist_ok=True)
        last, live = self.files()
        if last == version:
            with whole_file(self._at("checkpoints", f"{version:06}.json")) as path, open(path, "w", encoding="utf-8") as out:
                json.dump([asdict(file) for file in live.values()], out)

    def _settle(self, commit: dict[str, Any]) -> None:
        """Moves the files of a commit to where they belong, as far as that was not done."""
        staging = commit["staging"]
        moves = [(self._at("staging", staging, entry["path"]), os.path.join(self.folder, entry["path"]))
                 for entry in commit["add"]]
        moves += [(os.path.join(self.folder, path), self._at("removed", f"{commit['version']:06}", path))
                  for path in commit["remove"]]
        for source, target in moves:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            try:
                os.rename(source, target)
            except FileNotFoundError:
                pass  # was moved before
        shutil.rmtree(self._at("staging", staging), ignore_errors=True)

    def recover(self) -> None:
        """Completes commits whose process was killed before all files were moved."""
        try:
            waiting = set(os.listdir(self._at("staging")))
        except FileNotFoundError:
            return
        for version in reversed(self.versions()):
            if not waiting:
                return
            commit = self.commit_of(version)
            if commit["staging"] in waiting:
                self._settle(commit)
                waiting.discard(commit["staging"])

    def vacuum(self, seconds: float) -> list[str]:
        """Deletes what no commit names and is older: staged files of runs that were ended, removed files, and others in the
        folders of tables. Returns the paths that were deleted, relative to the lake."""
        self.recover()
        before, (_, live) = time.time() - seconds, self.files()
        deleted = []
        for kind in ("staging", "removed"):
            root = self._at(kind)
            for name in sorted(os.listdir(root)) if os.path.isdir(root) else []:
                if os.stat(os.path.join(root, name)).st_mtime <= before:
                    shutil.rmtree(os.path.join(root, name))
                    deleted.append(f"_tracebraid/{kind}/{name}")
        for root, folders, names in os.walk(self.folder):
            folders[:] = sorted(name for name in folders if name != "_tracebraid")
            for name in sorted(names):
                path = os.path.join(root, name)
                relative = os.path.relpath(path, self.folder)
                if name.endswith(".parquet") and relative not in live and os.stat(path).st_mtime <= before:
                    os.remove(path)
                    deleted.append(relative)
        return deleted
