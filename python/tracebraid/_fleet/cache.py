"""The size of the folder of merged traces that the option cache_dir names: those least recently used are deleted."""
from __future__ import annotations

import os
import shutil

_SUFFIX = ".braid"


class Cache:
    """Keeps the folder below a size in bytes, by default a tenth of the free room of its disk."""

    def __init__(self, folder: str, size: int | None) -> None:
        self._folder = folder
        os.makedirs(folder, exist_ok=True)
        self._size = shutil.disk_usage(folder).free // 10 if size is None else size
        self._groups = 0
        self._next = 0

    def prune(self) -> None:
        """Deletes what is beyond the size."""
        found = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                try:
                    if entry.name.endswith(_SUFFIX) and entry.is_file(follow_symlinks=False):
                        stat = entry.stat()
                        found.append((max(stat.st_atime_ns, stat.st_mtime_ns), entry.path, stat.st_size))
                except FileNotFoundError:
                    continue  # another run deleted it
        beyond = sum(size for _, _, size in found) - self._size
        for _, path, size in sorted(found):
            if beyond <= 0:
                break
            try:
                os.remove(path)
            except FileNotFoundError:
                pass
            beyond -= size
        self._next = self._groups + 20 + len(found) // 50

    def add_group(self) -> None:
        """Called after each group. Lists the folder from time to time only, because it may have many files."""
        self._groups += 1
        if self._groups >= self._next:
            self.prune()
