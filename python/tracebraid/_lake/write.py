"""Adds the groups of a fleet to a lake. The rows of all tables of a group wait in a journal until all groups have ended; then
one file after the other is written, and one commit makes them visible."""
from __future__ import annotations

import hashlib
import json
import os
import shutil
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import _core
from .._errors import TraceWarning, UsageError
from .._fleet.journal import Journal, state_of
from .._fleet.source import Group
from .._result import Result
from .delta import update_delta
from .log import TRACE_FOLDER, LakeFile, Log
from .parquet import arrow, arrow_schema, bucket_of, groups_of, write_files
from .schema import TRACES, LakeTable, Layout, extend_schema, lake_tables, layout_of

if TYPE_CHECKING:
    from .._fleet.fleet import Fleet


def read_traces(log: Log, files: dict[str, LakeFile], columns: list[str]) -> list[dict[str, Any]]:
    """Rows of the table `traces`."""
    rows: list[dict[str, Any]] = []
    for file in files.values():
        if file.table == "traces":
            # ParquetFile, because a dataset would add the columns of the path
            table = arrow().parquet.ParquetFile(os.path.join(log.folder, file.path)).read(columns)
            rows += [{**row, "_date": file.path.split("/")[1]} for row in table.to_pylist()]
    return rows


def _date(facts: dict[str, Any]) -> str:
    start = facts.get("start_utc")
    return "unknown" if start is None else datetime.fromtimestamp(start // 10**9, timezone.utc).strftime("%Y-%m-%d")


_MOST_THREADS = 8  # each of which has the rows of one row group
_MOST_TRACE_FOLDERS = 1000
_LONGEST_FOLDER = 200  # bytes; file systems have 255


def _trace_folder(group: str) -> str:
    """The name of the folder of a group, in lakes of the layout "trace"."""
    from urllib.parse import quote
    name = quote(group, safe=" ")
    if len(name) > _LONGEST_FOLDER:
        name = f"{name[:_LONGEST_FOLDER - 40]}-{hashlib.blake2b(group.encode(), digest_size=16).hexdigest()}"
    return TRACE_FOLDER + name


def _valid(text: str) -> str:
    """The text without what UTF-8 has no bytes for: paths may be any bytes."""
    return text.encode("utf-8", "replace").decode()


@dataclass(frozen=True)
class Target:
    """Where files are staged: in a folder of the log, under names that begin with `part`."""

    log: Log
    tables: list[LakeTable]
    schema: dict[str, Any]
    staging: str
    part: str


class Writing:
    """Adds groups of a run to staged files. `known` are the groups that the lake has, with their digests."""

    def __init__(self, fleet: Fleet, journal: Journal, target: Target, known: Mapping[str, str | None]) -> None:
        self.fleet, self.journal, self.known = fleet, journal, known
        self.target = target
        self.layout = Layout.of(target.schema)
        self.failed = {error.group: f"{error.code}: {error.message}" for error in fleet.errors}

    def _is_new(self, group: Group) -> bool:
        """Whether rows of the group are written. The files of others were touched only, or failed now and not before."""
        if group.name in self.failed:
            return group.name not in self.known
        return group.name not in self.known or self.known[group.name] != self.journal.facts(group.name)["_trace_digest"]

    def _facts(self, group: Group) -> dict[str, Any]:
        return {} if group.name in self.failed else self.journal.facts(group.name)

    def _trace_row(self, group: Group) -> dict[str, Any]:
        facts = self._facts(group)
        counts = facts.get("rows", [])
        return {"_group": group.name, "_trace": group.trace, "paths": list(group.paths), "bytes": group.size,
                "digest": facts.get("_trace_digest"), "state": state_of(group), "formats": facts.get("formats", []),
                "machines": facts.get("machines", []), "start_utc": facts.get("start_utc"), "end_utc": facts.get("end_utc"),
                "rows": [(table.name, n) for table, n in zip(self.target.tables, counts, strict=False) if n],
                "placed_by": facts.get("_placed_by"), "uncertainty_ns": facts.get("_uncertainty_ns"),
                "lost": facts.get("_lost"), "attributes": list(group.carried.items()), "error": self.failed.get(group.name),
                "tool": _core.version()}

    def _traces(self, groups: list[Group]) -> Iterator[Any]:
        pa = arrow()
        schema = arrow_schema([{"name": name, "type": kind} for name, kind, _ in TRACES])
        for group in groups:
            yield pa.Table.from_pylist([self._trace_row(group)], schema=schema)

    def _rows(self, number: int, groups: list[tuple[Group, list[int]]]) -> Iterator[Any]:
        """The rows of a table, a table of Arrow each batch."""
        pa, table = arrow(), self.target.tables[number]
        schema = arrow_schema(table.columns())
        fields, rest = list(table.fields), pa.schema(list(schema)[2:])
        for group, offsets in groups:
            for offset in offsets:
                batches = iter([self.journal.batch_at(offset)])
                result = Result(lambda plain, of=batches: _core.rows(fields, lambda: next(of, None)),  # type: ignore[misc]
                                plain_text=True)
                columns = pa.Table.from_batches(list(result.to_reader())).cast(rest).columns
                front = [pa.repeat(pa.scalar(_valid(text), pa.utf8()), len(columns[0])) for text in (group.name, group.trace)]
                yield pa.Table.from_arrays([*front, *columns], schema=schema)

    def _write(self, partition: str, schema: Any, tables: Iterator[Any]) -> list[LakeFile]:
        return write_files(partition, self.target.part, schema, tables,
                           lambda path: self.target.log.staged(self.target.staging, path))

    def _folder(self, group: Group, date: str) -> str:
        """What the folders of a group have in common: its date and bucket, or itself."""
        if self.layout.kind == "trace":
            return _trace_folder(group.name)
        return f"date={date}/bucket={bucket_of(group.name, self.layout.buckets)}"

    def _partition(self, table: str, folder: str) -> str:
        return f"{folder}/{table}" if self.layout.kind == "trace" else f"{table}/{folder}"

    def _add(self, groups: list[Group]) -> list[LakeFile]:
        """Stages files with the rows of groups, several at once. Their order is that of dates, folders and tables."""
        pool = ThreadPoolExecutor(max(1, min(self.fleet.settings.jobs, _MOST_THREADS)))
        try:
            written = [pool.submit(write) for write in self._parts(groups)]
            return [file for part in written for file in part.result()]
        finally:
            pool.shutdown(cancel_futures=True)

    def _parts(self, groups: list[Group]) -> Iterator[Callable[[], list[LakeFile]]]:
        """What writes the files of a table in a folder, for all of them."""
        by_date: dict[str, list[Group]] = {}
        for group in groups:
            by_date.setdefault(_date(self._facts(group)), []).append(group)
        for date, members in sorted(by_date.items()):
            schema = arrow_schema(self.target.schema["tables"]["traces"])
            yield partial(self._write, f"traces/date={date}", schema, self._traces(members))
            by_folder: dict[str, list[Group]] = {}
            for group in members:
                if group.name not in self.failed:
                    by_folder.setdefault(self._folder(group, date), []).append(group)
            for folder, those in sorted(by_folder.items()):
                begins = [(group, self.journal.tables(group)) for group in those]
                for number, table in enumerate(self.target.tables):
                    parts = [(group, at[number]) for group, at in begins if number in at]
                    if parts:
                        yield partial(self._write, self._partition(table.name, folder), arrow_schema(table.columns()),
                                      self._rows(number, parts))

    def stage(self) -> tuple[list[LakeFile], set[str]]:
        """Stages files with the rows of the groups that are new or have changed. Returns them, and the groups that they
        replace."""
        ended = self.journal.ended() | set(self.failed)
        groups = [group for group in self.fleet.groups if group.name in ended and self._is_new(group)]
        return self._add(groups), {group.name for group in groups if group.name in self.known}


def _without(target: Target, names: set[str], live: dict[str, LakeFile]) -> tuple[list[LakeFile], list[str]]:
    """Stages files without the rows of groups. Returns them, and the files that they replace."""
    added, removed = [], []
    for file in live.values():
        if not any(file.first <= name <= file.last for name in names):
            continue
        # memory of one file; files of 256 MB at most
        table = arrow().parquet.ParquetFile(os.path.join(target.log.folder, file.path)).read()
        found = groups_of(table)
        kept = [table.slice(at, rows) for name, at, rows in found if name not in names]
        if len(kept) == len(found):
            continue
        removed.append(file.path)
        added += write_files(file.partition, f"{target.part}-{len(removed)}", table.schema, iter(kept),
                             lambda path: target.log.staged(target.staging, path))
    return added, removed


def commit(target: Target, added: list[LakeFile], replaced: set[str]) -> int | None:
    """Makes staged files part of the lake, and returns the version; None if there are none."""
    if not added:
        shutil.rmtree(os.path.join(target.log.folder, "_tracebraid", "staging", target.staging))
        return None
    rest, removed = _without(target, replaced, target.log.files()[1]) if replaced else ([], [])
    version = target.log.commit(target.staging, "write", added + rest, removed)
    update_delta(target.log)
    return version


@dataclass(frozen=True)
class Plan:
    """What a run adds to a lake: the groups that it does not have, or that may have changed."""

    log: Log
    tables: list[LakeTable]
    schema: dict[str, Any]
    groups: list[Group]
    known: dict[str, str | None]
    paths: dict[str, list[str]]

    def warn(self, replaced: set[str]) -> None:
        """Names groups that replaced groups of other files, which is a mistake if both were to be kept."""
        other = [group for group in self.groups if group.name in replaced and self.paths[group.name] != list(group.paths)]
        if other:
            was, now = self.paths[other[0].name][0], other[0].paths[0]
            warnings.warn(f"{len(other)} groups replaced those of the same name and other files, as {other[0].name} ({was}, now "
                          f"{now}); to keep both, let the source be a folder that has all of them, or name groups by more of their "
                          "paths with group", TraceWarning, stacklevel=2)

    def task(self) -> dict[str, Any]:
        """What workers do."""
        return {"full": True, "tables": [{"name": table.name, "sql": table.sql, "fields": table.fields, "machine_column": None} for table in self.tables]}

    def target(self) -> Target:
        """A new folder of staged files."""
        staging = self.log.new_staging()
        return Target(self.log, self.tables, self.schema, staging, staging[:16])


def plan(fleet: Fleet, folder: str, wanted: Sequence[str] | None, buckets: int, kind: str | None, delta: bool) -> Plan:
    """Makes the lake if there is none, and looks which groups are to be read."""
    arrow()
    layout = layout_of(folder, buckets, kind, delta)  # another schema is refused before anything is made
    tables = lake_tables(wanted, fleet.settings.options)
    os.makedirs(os.path.join(folder, "_tracebraid", "runs"), exist_ok=True)
    log = Log(folder)
    log.recover()
    rows = read_traces(log, log.files()[1], ["_group", "state", "error", "digest", "paths"])
    if layout.kind == "trace" and len({row["_group"] for row in rows} | {group.name for group in fleet.groups}) > \
            _MOST_TRACE_FOLDERS:
        raise UsageError(f"a lake of the layout trace has at most {_MOST_TRACE_FOLDERS} groups; use the layout bucket")
    schema = extend_schema(folder, tables, layout)
    update_delta(log)
    states = {row["_group"]: row["state"] for row in rows if row["error"] is None}
    return Plan(log, tables, schema, [group for group in fleet.groups if states.get(group.name) != state_of(group)],
                {row["_group"]: row["digest"] for row in rows}, {row["_group"]: row["paths"] for row in rows})


def run_into(fleet: Fleet, task: dict[str, Any], journal: Journal) -> None:
    """Runs the groups of a fleet that the journal does not have, and keeps their rows there."""
    with closing(fleet.run(task, in_order=False, skipped=journal.ended())) as outcomes:  # type: ignore[type-var]
        for outcome in outcomes:
            with closing(outcome):
                if not outcome.is_failed:
                    journal.add(outcome)


def write_lake(fleet: Fleet, folder: str, wanted: Sequence[str] | None, *, buckets: int, layout: str | None, delta: bool,
               resume: bool) -> int | None:
    """Adds the groups of a fleet to a lake: see Fleet.write_lake()."""
    planned = plan(fleet, folder, wanted, buckets, layout, delta)
    todo = fleet.of(planned.groups)
    if not todo.groups:
        return None
    asked = {"version": _core.version(), "tables": [table.sql for table in planned.tables],
             "options": {name: str(value) for name, value in fleet.settings.options.items()}}
    names = json.dumps([sorted(group.name for group in todo.groups), wanted]).encode()
    run = hashlib.blake2b(names, digest_size=8).hexdigest()
    journal = Journal(os.path.join(folder, "_tracebraid", "runs", run), asked, todo.groups, resume=resume)
    is_complete = False
    try:
        run_into(todo, planned.task(), journal)
        fleet.take_errors(todo)
        target = planned.target()
        added, replaced = Writing(todo, journal, target, planned.known).stage()
        version = commit(target, added, replaced)
        is_complete = True
        planned.warn(replaced)
        return version
    finally:
        journal.close(is_complete=is_complete)
