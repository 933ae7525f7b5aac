"""Archives in an archive: each is a file of a fleet. They are listed here; workers copy them out of it."""
from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator

_ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.zst")
_DAMAGE = (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, NotImplementedError, RuntimeError)
"""What reading of a damaged or an encrypted archive raises."""


def _members(archive: str) -> Iterator[tuple[str, int]]:
    """Names and sizes of the files in an archive; none if it is no archive."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            yield from ((info.filename, info.file_size) for info in opened.infolist() if not info.is_dir())
    elif tarfile.is_tarfile(archive):
        with tarfile.open(archive) as tar:
            yield from ((info.name, info.size) for info in tar if info.isfile())


def archives_in(archive: str) -> list[tuple[str, int]]:
    """Names and sizes of the archives in an archive, if it has nothing else; else it is a trace itself."""
    if not archive.endswith(_ARCHIVES[:-1]):
        return []
    try:
        members = sorted(_members(archive))
    except _DAMAGE:
        return []  # opening it says what is wrong
    return members if all(name.endswith(_ARCHIVES) for name, _ in members) else []
