"""Lists the files of a fleet, and forms the groups that are merged onto one timeline. Opens no trace."""
from __future__ import annotations

import glob
import json
import os
import pathlib
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Union

from .._errors import BadManifest, NotFound, SqlError, TraceWarning, UsageError, missing
from .packed import archives_in
from .remote import is_remote, list_files

Source = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]
"""A folder, a file, a glob (with **), a URL of one of them, a fleet manifest (.jsonl or .parquet), or a list of them."""

_LONGEST_NAME = 512


@dataclass(frozen=True)
class Group:
    """Files that are merged onto one timeline. `paths` may be URLs. `sizes` are in bytes, of the time of the listing; `root`
    is what `_trace` is relative to; `carried` are named groups of the regex, or other columns of a fleet manifest;
    `versions` change with the bytes of remote files; `names` are those of the files if `paths` are copies; `failure` is why a
    file of the group cannot be listed: code, message and file of the error."""

    name: str
    paths: tuple[str, ...]
    sizes: tuple[int, ...] = ()
    root: str = ""
    manifest: str | None = None
    carried: Mapping[str, str] = field(default_factory=dict)
    versions: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    failure: Mapping[str, str] | None = None

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(self.sizes)

    @property
    def trace(self) -> str:
        """The first path, relative to the source."""
        if self.names:
            return self.names[0]
        return os.path.relpath(self.paths[0], self.root) if self.root else self.paths[0]

    @property
    def uri(self) -> str:
        """The first path as a URI, or the name of the first file."""
        if self.names:
            return self.names[0]
        path = self.paths[0]
        return path if is_remote(path) else pathlib.Path(os.path.abspath(path)).as_uri()


@dataclass(frozen=True)
class _Listed:
    path: str
    size: int
    root: str
    version: str = ""
    failure: Mapping[str, str] | None = None


def _unlisted(path: str, root: str, error: OSError) -> _Listed:
    """A file whose size cannot be read, or a folder whose files cannot."""
    code = "NOT_FOUND" if isinstance(error, FileNotFoundError) else "IO"
    return _Listed(path, -1, root, failure={"code": code, "message": f"{path}: {error.strerror}", "file": path})


def _of_file(path: str, root: str) -> _Listed:
    try:
        return _Listed(path, os.stat(path).st_size, root)
    except OSError as error:
        return _unlisted(path, root, error)


def _walk(folder: str, root: str) -> Iterator[_Listed]:
    """Files in a folder and below, except hidden ones."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield _unlisted(folder, root, error)
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _walk(entry.path, root)
        else:
            yield _of_file(entry.path, root)


def _matching(pattern: str) -> Iterator[_Listed]:
    """Files that match a glob; `_trace` is relative to the folder in front of the first wildcard."""
    fixed = pattern[:re.search(r"[*?[]", pattern).start()]  # type: ignore[union-attr]
    root = os.path.dirname(fixed) or "."
    for path in sorted(glob.glob(pattern, recursive=True)):
        if not os.path.isdir(path):
            yield _of_file(path, root)


def _root_of_files(items: list[str]) -> str:
    """The folder that all items which are files have in common."""
    folders = [os.path.dirname(os.path.abspath(item)) for item in items if os.path.isfile(item)]
    if not folders:
        return "."
    common = os.path.commonpath(folders)
    return common if os.path.isabs(items[0]) else os.path.relpath(common)


def _listed(item: str, root: str) -> Iterator[_Listed]:
    if is_remote(item):
        yield from (_Listed(file.url, file.size, file.root, file.version) for file in list_files(item))
    elif os.path.isdir(item):
        yield from _walk(item, item)
    elif os.path.exists(item):
        members = archives_in(item)
        version = str(os.stat(item).st_mtime_ns)
        yield from (_Listed(os.path.join(item, name), size, item, version) for name, size in members)
        if not members:
            yield _of_file(item, root)
    elif glob.has_magic(item):
        yield from _matching(item)
    else:
        raise NotFound(f"{item}: no such file, folder or glob", file=item)


def _name_of(match: re.Match[str]) -> str:
    named = [text or "" for text in match.groupdict().values()]
    if named:
        return "/".join(named)
    return (match[1] or "") if match.re.groups else match[0]


class GroupOfPath:
    """How the path of a file names its group: by a regex, or by its folder."""

    def __init__(self, group: str | None) -> None:
        self._group = group
        try:
            self._pattern = None if group in (None, "archive", "folder") else re.compile(group or "")
        except re.error as error:
            raise UsageError(f"group: {error} in {group!r}") from None

    @property
    def carried(self) -> tuple[str, ...]:
        """The named groups of the regex, which groups carry."""
        return tuple(self._pattern.groupindex) if self._pattern else ()

    def of(self, path: str, relative: str | None = None) -> tuple[str, Mapping[str, str]] | None:
        """The name of the group, and what it carries; None if the regex does not match. `relative` is the path below the
        source."""
        name = path if relative is None else relative
        if self._pattern is None:
            return (os.path.dirname(name) or "." if self._group == "folder" else name), {}  # an archive is one input
        match = self._pattern.search(path)
        return None if match is None else (_name_of(match), {key: text or "" for key, text in match.groupdict().items()})


def _grouped(files: Iterable[_Listed], group: str | None, ungrouped: str,
             manifest_pattern: str | None) -> list[Group]:
    names = GroupOfPath(group)
    members: dict[str, list[_Listed]] = {}
    carried: dict[str, Mapping[str, str]] = {}
    for file in files:
        relative = os.path.relpath(file.path, file.root)
        found = names.of(file.path, relative)
        if found is None and ungrouped == "skip":
            continue
        if found is None and ungrouped == "error":
            raise UsageError(f"{file.path}: the regex {group!r} does not match; ungrouped='skip' leaves such files out, "
                             "'alone' makes each a group", file=file.path)
        name, carries = found or (relative, {})
        members.setdefault(name, []).append(file)
        carried.setdefault(name, carries)
    groups = []
    for name, listed in members.items():
        manifest = None
        if manifest_pattern is not None:
            manifest = manifest_pattern.format(folder=os.path.dirname(listed[0].path) or ".", group=name)
            listed = [file for file in listed if os.path.abspath(file.path) != os.path.abspath(manifest)]
        if listed:
            groups.append(Group(name, tuple(f.path for f in listed), tuple(f.size for f in listed), listed[0].root,
                                manifest, carried[name], tuple(f.version for f in listed),
                                failure=next((f.failure for f in listed if f.failure is not None), None)))
    return groups


def _manifest_rows(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a fleet manifest, each with its place in the file."""
    if path.endswith(".parquet"):
        try:
            import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            raise missing("pyarrow", "arrow") from None
        try:
            rows = pq.read_table(path).to_pylist()
        except (OSError, ValueError) as error:
            raise BadManifest(f"{path}: {error}", file=path) from None
        yield from ((f"row {number}", row) for number, row in enumerate(rows, 1))
        return
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield f"line {number}", dict(json.loads(line))
                except (ValueError, TypeError):
                    raise BadManifest(f"{path}: line {number} is no JSON object", file=path) from None


def _manifest_groups(path: str) -> Iterator[Group]:
    """Groups of a fleet manifest: rows with `path` or `paths`, `group`, `manifest`, and columns to carry along. Paths are
    relative to the manifest."""
    folder = os.path.dirname(path)

    def absolute(name: str) -> str:
        return name if is_remote(name) else os.path.join(folder, name)
    for place, row in _manifest_rows(path):
        several, single = row.pop("paths", None), row.pop("path", None)
        listed = several or ([] if single is None else [single])
        if not isinstance(listed, list) or not listed or not all(isinstance(item, str) for item in listed):
            raise BadManifest(f"{path}: {place} has no path and no paths, which are texts", file=path)
        paths = [absolute(item) for item in listed]
        name = str(row.pop("group", None) or (listed[0] if is_remote(paths[0]) else os.path.relpath(paths[0], folder or ".")))
        manifest = row.pop("manifest", None)
        # A missing file is an error of its group, so its size is not known here; nor is that of a remote one.
        sizes = [os.stat(item).st_size if os.path.exists(item) else -1 for item in paths]
        yield Group(name, tuple(paths), tuple(sizes), "" if is_remote(paths[0]) else folder or ".",
                    None if manifest is None else absolute(manifest),
                    {key: "" if value is None else str(value) for key, value in row.items()})


def _check_names(groups: list[Group]) -> list[Group]:
    seen: set[str] = set()
    for group in groups:
        if len(group.name.encode()) > _LONGEST_NAME:
            raise UsageError(f"the name of a group has more than {_LONGEST_NAME} bytes: {group.name[:60]}...")
        if group.name in seen:
            raise UsageError(f"several groups are named {group.name!r}; group= gives files of one name to one group")
        seen.add(group.name)
    return sorted(groups, key=lambda group: group.name)


def picked(groups: list[Group], condition: str) -> list[Group]:
    """The groups for which a condition is true: SQL over `_group`, `_trace`, `_size`, and what the groups carry as `_NAME`,
    which is text or NULL."""
    import sqlite3  # takes longer to load than the package
    carried = sorted({name for group in groups for name in group.carried})
    rows = [(index, group.name, group.trace, group.size, *(group.carried.get(name) for name in carried))
            for index, group in enumerate(groups)]
    names = ["_group", "_trace", "_size", *("_" + name for name in carried)]
    columns = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    try:
        with closing(sqlite3.connect(":memory:")) as listing:
            listing.execute(f"CREATE TABLE groups(_index, {columns})")
            listing.executemany(f"INSERT INTO groups VALUES (?{', ?' * len(names)})", rows)
            found = listing.execute(f"SELECT _index FROM groups WHERE (\n{condition}\n) ORDER BY 1").fetchall()
    except sqlite3.Error as error:
        raise SqlError(f"pick: {error}; its columns are {', '.join(names)}", statement=condition) from None
    return [groups[index] for index, in found]


def list_groups(source: Source, group: str | None = None, ungrouped: str = "error",
                manifest_pattern: str | None = None) -> list[Group]:
    """The groups of a source by name. `group` is a regex, "folder", "archive", or None: each file alone."""
    if ungrouped not in ("error", "skip", "alone"):
        raise UsageError(f"ungrouped is 'error', 'skip' or 'alone', not {ungrouped!r}")
    items = [os.fspath(item) for item in ([source] if isinstance(source, (str, os.PathLike)) else source)]
    root = _root_of_files(items)
    files: dict[str, _Listed] = {}
    groups: list[Group] = []
    for item in items:
        if item.endswith((".jsonl", ".parquet")) and os.path.isfile(item):
            groups += _manifest_groups(item)
        else:
            found = list(_listed(item, root))
            for file in found:
                files.setdefault(file.path, file)
            if not found:  # the result is valid, but empty
                what = "matches" if glob.has_magic(item) else "is in this folder"
                warnings.warn(f"{item}: no file {what}", TraceWarning, stacklevel=3)
    return _check_names(groups + _grouped(files.values(), group, ungrouped, manifest_pattern))
