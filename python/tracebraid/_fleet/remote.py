"""Remote files: URLs of fsspec. They are listed and copied here."""
from __future__ import annotations

import glob
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .._errors import BadInput, IOFailure, NotFound, missing


@dataclass(frozen=True)
class RemoteFile:
    """A file of a listing. `size` is -1 if the store does not say it; `version` changes with the bytes, or is empty."""

    url: str
    size: int
    root: str
    version: str


def is_remote(path: str) -> bool:
    """Whether a path is a URL."""
    return "://" in path


def _filesystem(url: str) -> tuple[Any, str]:
    try:
        import fsspec  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise missing("fsspec", "remote") from None
    try:
        fs, path = fsspec.core.url_to_fs(url)
    except (ValueError, ImportError) as error:  # an unknown protocol, or one whose package is missing
        raise NotFound(f"{url}: {error}", file=url) from None
    return fs, path


def _version(info: dict[str, Any]) -> str:
    return next((str(info[name]) for name in ("ETag", "etag", "checksum", "md5", "mtime", "LastModified", "last_modified",
                                              "created") if info.get(name) is not None), "")


def _is_hidden(path: str, root: str) -> bool:
    return any(part.startswith(".") for part in os.path.relpath(path, root).split("/"))


def list_files(url: str) -> Iterator[RemoteFile]:
    """The files of a URL, which is that of a file, a folder or a glob. NotFound if there are none."""
    fs, path = _filesystem(url)
    try:
        found, root = _found(fs, path)
    except OSError as error:
        raise IOFailure(f"{url}: {error}", file=url) from None
    if found is None:
        raise NotFound(f"{url}: no such file, folder or glob", file=url)
    for name, info in sorted(found.items()):
        if info.get("type") != "directory" and not _is_hidden(name, root):
            size = info.get("size")
            yield RemoteFile(url if name == path else fs.unstrip_protocol(name), -1 if size is None else int(size),
                             fs.unstrip_protocol(root), _version(info))


def _found(fs: Any, path: str) -> tuple[dict[str, dict[str, Any]] | None, str]:
    """The entries of a path by name, None if it does not exist, and the folder that names are relative to."""
    if fs.isfile(path):
        return {path: fs.info(path)}, os.path.dirname(path)
    if fs.isdir(path):
        return dict(fs.find(path, detail=True)), path.rstrip("/")
    if glob.has_magic(path):
        fixed = path[:re.search(r"[*?[]", path).start()]  # type: ignore[union-attr]
        return dict(fs.glob(path, detail=True)), os.path.dirname(fixed)
    return None, path


def fetch(url: str, folder: str) -> str:
    """Copies a file into a folder of this machine, under its own name, and returns its path there."""
    fs, path = _filesystem(url)
    target = os.path.join(folder, os.path.basename(path.rstrip("/")) or "trace")
    os.makedirs(folder, exist_ok=True)
    try:
        with fs.open(path, "rb") as source, open(target, "wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
    except FileNotFoundError:
        raise NotFound(f"{url}: no such file", file=url) from None
    except OSError as error:
        raise IOFailure(f"{url}: {error}", file=url) from None
    return target


def fetch_all(urls: Sequence[str], sizes: Sequence[int], folder: str) -> list[str]:
    """Copies those of the files that are remote. BadInput if one has another size than in the listing."""
    paths = []
    for number, (url, size) in enumerate(zip(urls, sizes, strict=True)):
        if is_remote(url):
            path = fetch(url, os.path.join(folder, str(number)))
            if size not in (-1, os.path.getsize(path)):
                raise BadInput(f"{url} changed while the fleet ran", file=url)
            paths.append(path)
        else:
            paths.append(url)
    return paths
