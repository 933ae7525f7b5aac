"""Archives in an archive: each is a file of a fleet. They are listed here; workers copy them out of it."""
from __future__ import annotations

import os
import tarfile
import zipfile
from collections.abc import Iterator
from typing import IO

from .._errors import BadInput, NotFound

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


def archive_of(path: str) -> tuple[str, str] | None:
    """The archive and the member that a path of archives_in() names; None for other paths."""
    outer = os.path.dirname(path)
    while outer not in ("", os.sep) and not os.path.exists(outer):
        outer = os.path.dirname(outer)
    return (outer, path[len(outer) + 1:]) if os.path.isfile(outer) and not os.path.exists(path) else None


def _copy(source: IO[bytes] | None, size: int, target: str) -> None:
    if source is None:
        raise tarfile.ReadError("the member is no file")
    with source, open(target, "wb") as out:
        left = size
        while left and (block := source.read(min(left, 1 << 20))):
            out.write(block)
            left -= len(block)


def copy_member(path: str, folder: str) -> str:
    """Copies an archive out of the one around it into a folder, under its own name, and returns its path there."""
    found = archive_of(path)
    if found is None:
        raise NotFound(f"{path}: no such file", file=path)
    archive, member = found
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, os.path.basename(member))
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as opened:
                _copy(opened.open(member), opened.getinfo(member).file_size, target)
        else:
            with tarfile.open(archive) as tar:
                _copy(tar.extractfile(member), tar.getmember(member).size, target)
    except KeyError:
        raise NotFound(f"{path}: no such file in the archive", file=path) from None
    except _DAMAGE as error:
        raise BadInput(f"{path}: {error}", file=path) from None
    return target
