"""Adds the groups of a fleet to a lake. The rows of all tables of a group wait in a journal until all groups have ended; then
one file after the other is written, and one commit makes them visible."""
from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from .. import _core
from .._errors import UsageError
from .._fleet import frames
from .._fleet.journal import Journal, state_of
from .._fleet.source import Group
from .._result import Result
from .log import LakeFile, Log
from .parquet import arrow, arrow_schema, bucket_of, groups_of, write_files
from .schema import TRACES, LakeTable, extend_schema, lake_tables, read_schema

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


def _partition(table: str, date: str, bucket: str) -> str:
    return f"traces/date={date}" if table == "traces" else f"{table}/date={date}/bucket={bucket}"


class _Writing:
    """One run that adds groups."""

    def __init__(self, fleet: Fleet, log: Log, tables: list[LakeTable], schema: dict[str, Any], journal: Journal) -> None:
        self.fleet, self.log, self.tables, self.schema, self.journal = fleet, log, tables, schema, journal
        self.staging = log.new_staging()
        self.failed = {error.group: f"{error.code}: {error.message}" for error in fleet.errors}
        self.known = {row["_group"]: row for row in read_traces(log, log.files()[1], ["_group", "digest"])}

    def _is_new(self, group: Group) -> bool:
        """Whether rows of the group are written. The files of others were touched only, or failed now and not before."""
        if group.name in self.failed:
            return group.name not in self.known
        old = self.known.get(group.name)
        return old is None or old["digest"] != self.journal.facts(group.name)["_trace_digest"]

    def _facts(self, group: Group) -> dict[str, Any]:
        return {} if group.name in self.failed else self.journal.facts(group.name)

    def _trace_row(self, group: Group) -> dict[str, Any]:
        facts = self._facts(group)
        counts = facts.get("rows", [])
        return {"_group": group.name, "_trace": group.trace, "paths": list(group.paths), "bytes": group.size,
                "digest": facts.get("_trace_digest"), "state": state_of(group), "formats": facts.get("formats", []),
                "machines": facts.get("machines", []), "start_utc": facts.get("start_utc"), "end_utc": facts.get("end_utc"),
                "rows": [(table.name, n) for table, n in zip(self.tables, counts, strict=False) if n],
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
        pa, table = arrow(), self.tables[number]
        schema = arrow_schema(table.columns())
        fields = [("_group", "u", ""), ("_trace", "u", ""), *table.fields]
        for group, offsets in groups:
            for offset in offsets:
                rows, columns = self.journal.batch_at(offset)
                front = [frames.constant_text(text, rows) for text in (group.name, group.trace)]
                batches = iter([(rows, [*front, *columns])])
                result = Result(lambda plain, of=batches: _core.rows(fields, lambda: next(of, None)),  # type: ignore[misc]
                                plain_text=True)
                yield pa.Table.from_batches(list(result.to_reader())).cast(schema)

    def _write(self, table: str, date: str, bucket: str, schema: Any, tables: Iterator[Any]) -> list[LakeFile]:
        return write_files(_partition(table, date, bucket), self.staging[:16], schema, tables,
                           lambda path: self.log.staged(self.staging, path))

    def add(self, groups: list[Group]) -> list[LakeFile]:
        """Stages files with the rows of groups."""
        added: list[LakeFile] = []
        by_date: dict[str, list[Group]] = {}
        for group in groups:
            by_date.setdefault(_date(self._facts(group)), []).append(group)
        for date, members in sorted(by_date.items()):
            schema = arrow_schema(self.schema["tables"]["traces"])
            added += self._write("traces", date, "", schema, self._traces(members))
            by_bucket: dict[str, list[Group]] = {}
            for group in members:
                if group.name not in self.failed:
                    by_bucket.setdefault(bucket_of(group.name, self.schema["buckets"]), []).append(group)
            for bucket, those in sorted(by_bucket.items()):
                begins = [(group, self.journal.tables(group)) for group in those]
                for number, table in enumerate(self.tables):
                    parts = [(group, at[number]) for group, at in begins if number in at]
                    if parts:
                        added += self._write(table.name, date, bucket, arrow_schema(table.columns()), self._rows(number, parts))
        return added

    def remove(self, names: set[str], live: dict[str, LakeFile]) -> tuple[list[LakeFile], list[str]]:
        """Stages files without the rows of groups. Returns them, and the files that they replace."""
        added, removed = [], []
        for file in live.values():
            if not any(file.first <= name <= file.last for name in names):
                continue
            # memory of one file; files of 256 MB at most
            table = arrow().parquet.ParquetFile(os.path.join(self.log.folder, file.path)).read()
            found = groups_of(table)
            kept = [table.slice(at, rows) for name, at, rows in found if name not in names]
            if len(kept) == len(found):
                continue
            removed.append(file.path)
            part = f"{self.staging[:16]}-{len(removed)}"
            added += write_files(file.partition, part, table.schema, iter(kept),
                                 lambda path: self.log.staged(self.staging, path))
        return added, removed

    def commit(self) -> int | None:
        """Writes the groups, and returns the version; None if there is nothing new."""
        ended = self.journal.ended() | set(self.failed)
        groups = [group for group in self.fleet.groups if group.name in ended and self._is_new(group)]
        added = self.add(groups)
        replaced = {group.name for group in groups if group.name in self.known}
        if not added:
            os.rmdir(os.path.join(self.log.folder, "_tracebraid", "staging", self.staging))
            return None
        rest, removed = self.remove(replaced, self.log.files()[1]) if replaced else ([], [])
        return self.log.commit(self.staging, "write", added + rest, removed)


def write_lake(fleet: Fleet, folder: str, wanted: Sequence[str] | None, buckets: int, *, resume: bool) -> int | None:
    """Adds the groups of a fleet to a lake: see Fleet.write_lake()."""
    arrow()
    if not 1 <= buckets <= 4096:
        raise UsageError("buckets is from 1 to 4096")
    read_schema(folder)  # another schema is refused before anything is made
    tables = lake_tables(wanted, fleet.settings.options)
    os.makedirs(os.path.join(folder, "_tracebraid", "runs"), exist_ok=True)
    log = Log(folder)
    log.recover()
    schema = extend_schema(folder, tables, buckets)
    states = {row["_group"]: row["state"] for row in read_traces(log, log.files()[1], ["_group", "state", "error"])
              if row["error"] is None}
    unchanged = {group.name for group in fleet.groups if states.get(group.name) == state_of(group)}
    todo = fleet.of([group for group in fleet.groups if group.name not in unchanged])
    if not todo.groups:
        return None
    asked = {"version": _core.version(), "tables": [table.sql for table in tables],
             "options": {name: str(value) for name, value in fleet.settings.options.items()}}
    names = json.dumps([sorted(group.name for group in todo.groups), wanted]).encode()
    run = hashlib.blake2b(names, digest_size=8).hexdigest()
    journal = Journal(os.path.join(folder, "_tracebraid", "runs", run), asked, todo.groups, resume=resume)
    is_complete = False
    try:
        task = {"full": True, "tables": [{"sql": table.sql, "fields": table.fields, "types": table.types, "machine_column": None}
                                         for table in tables]}
        with closing(todo.run(task, in_order=False, skipped=journal.ended())) as outcomes:  # type: ignore[type-var]
            for outcome in outcomes:
                with closing(outcome):
                    if not outcome.is_failed:
                        journal.add(outcome)
        fleet.take_errors(todo)
        version = _Writing(todo, log, tables, schema, journal).commit()
        is_complete = True
        return version
    finally:
        journal.close(is_complete=is_complete)
