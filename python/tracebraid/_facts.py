"""Facts of a trace: read-only sequences of frozen dataclasses, which are Arrow streams too."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, overload

from . import _core
from ._errors import did_you_mean
from ._result import Result, Tabular


@dataclass(frozen=True)
class File:
    """A file of the trace, or a member of an archive."""

    id: int
    parent_id: int | None
    name: str | None
    size: int
    trace_type: str | None
    processing_order: int | None
    is_container: int


@dataclass(frozen=True)
class Machine:
    """A machine whose events the trace has."""

    id: int
    name: str | None
    raw_id: int
    sysname: str | None
    release: str | None
    version: str | None
    arch: str | None


@dataclass(frozen=True)
class ClockInfo:
    """A clock of a machine, a file or a sequence, and the next one on its path to trace time."""

    id: int
    domain: int
    name: str | None
    label: str
    machine: str | None
    file: str | None
    sequence: int | None
    next_clock: int | None
    next_kind: str | None


@dataclass(frozen=True)
class Problem:
    """What could not be read, or was assumed, and what to do."""

    file: str
    level: str
    message: str


@dataclass(frozen=True)
class Stat:
    """Something that was lost, assumed or noted, and how often."""

    stat: str
    severity: str
    level: str
    file: str
    machine: str
    count: int
    description: str
    example: str


@dataclass(frozen=True)
class MemoryUse:
    """The bytes that a trace takes: its tables; what running statements hold, with their tables and the rows that were
    handed out and are in use; and mapped files, such as a braid, which has its tables."""

    tables: int
    streams: int
    mapped: int


@dataclass(frozen=True)
class Placement:
    """How one clock of one file was placed on the timeline, and what was lost. Times are in ns; an
    uncertainty_ns of None is not bounded."""

    file: str
    machine: str
    clock: str
    sequence: int | None
    rule: str
    source: str
    path: str
    observations: int
    offset_start_ns: int | None
    offset_end_ns: int | None
    uncertainty_ns: int | None
    stated: bool
    first_ts: int | None
    last_ts: int | None
    placed: int
    lost: int
    lost_no_path: int
    lost_ambiguous: int
    lost_out_of_range: int
    before_start: int
    matched: int | None
    assumes: str
    by_order: int


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    type: str
    is_sorted: bool
    is_hidden: bool
    text: str


@dataclass(frozen=True)
class Table:
    """A table or view that SQL sees."""

    name: str
    kind: str
    columns: tuple[Column, ...] = field(repr=False)


Row = TypeVar("Row")


class Facts(Tabular, Sequence[Row], Generic[Row]):
    """Rows as dataclasses; `to_pandas()` and the Arrow stream have all columns."""

    def __init__(self, trace: object, which: str, kind: type[Row]) -> None:
        self._trace = trace
        self._which = which
        self._kind = kind
        self._rows: tuple[Row, ...] | None = None

    def _result(self) -> Result:
        return Result(lambda plain: _core.facts(self._trace, self._which))

    def _read(self) -> tuple[Row, ...]:
        if self._rows is None:
            result = self._result()
            names = result.columns
            wanted = list(self._kind.__dataclass_fields__)  # type: ignore[attr-defined]
            at = [names.index(name) for name in wanted]
            is_bool = [self._kind.__dataclass_fields__[name].type == "bool"  # type: ignore[attr-defined]
                       for name in wanted]
            self._rows = tuple(
                self._kind(*(bool(row[i]) if flag else row[i] for i, flag in zip(at, is_bool, strict=True)))
                for row in result)
        return self._rows

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        return self._read()[index]

    def __len__(self) -> int:
        return len(self._read())

    def __iter__(self) -> Iterator[Row]:
        return iter(self._read())

    def __repr__(self) -> str:
        return repr(list(self._read()))


class Tables(Sequence[Table]):
    """The public tables and views, by name or number."""

    def __init__(self, trace: object) -> None:
        columns: dict[str, list[Column]] = {}
        kinds: dict[str, str] = {}
        for table, kind, name, type_, is_sorted, is_hidden, text in Result(lambda plain: _core.facts(trace, "schema")):
            kinds[table] = kind
            columns.setdefault(table, []).append(Column(name, type_, bool(is_sorted), bool(is_hidden), text))
        self._tables = {name: Table(name, kind, tuple(columns[name])) for name, kind in kinds.items()}

    @overload
    def __getitem__(self, index: int | str) -> Table: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Table, ...]: ...
    def __getitem__(self, index: int | str | slice) -> Table | tuple[Table, ...]:
        if isinstance(index, str):
            if index not in self._tables:
                raise KeyError(f"there is no table {index!r}{did_you_mean(index, self._tables)}")
            return self._tables[index]
        return tuple(self._tables.values())[index]

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, name: object) -> bool:
        return name in self._tables or name in self._tables.values()

    def names(self) -> list[str]:
        """The names of all tables and views."""
        return list(self._tables)
