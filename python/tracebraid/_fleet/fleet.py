"""Fleet: one statement over many traces, on one machine."""
from __future__ import annotations

import hashlib
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from .. import _core
from .._errors import TraceWarning, UsageError
from .._options import keys_of
from .._progress import Progress, Reporter
from .._result import Result
from . import frames
from .cache import Cache
from .errors import Errors, GroupError, error_of_outcome
from .journal import Journal
from .output import file_of, format_of, write_file
from .pool import Outcome, Pool
from .source import Group, Source, list_groups, picked
from .statement import Statement
from .worker import failure

_MEMORY = 2 << 30


@dataclass(frozen=True)
class Settings:
    """How a fleet runs. `memory_limit` is in bytes, `timeout` in seconds."""

    on_error: str
    check: bool | str
    timeout: float
    memory_limit: int
    max_rows: int
    jobs: int
    sort: bool
    full: bool
    progress: Progress
    options: Mapping[str, Any]
    cache_size: int | None = None

    @property
    def check_text(self) -> str:
        """What the groups are checked for: "", "strict" or "all"."""
        return self.check if isinstance(self.check, str) else "strict" if self.check else ""


def _bytes(name: str, text: int | str) -> int:
    if isinstance(text, int):
        return text
    units = {"K": 10, "M": 20, "G": 30, "T": 40}
    digits, unit = (text[:-1], text[-1].upper()) if text[-1:].upper() in units else (text, "")
    if not digits.isdigit():
        raise UsageError(f"{name} is a number of bytes with K, M, G or T, not {text!r}")
    return int(digits) << units.get(unit, 0)


def seconds(name: str, age: float | str) -> float:
    """Seconds of a number, or of a text such as 600s, 10m, 12h or 7d."""
    if not isinstance(age, str):
        return age
    units = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    digits, unit = (age[:-1], units[age[-1]]) if age[-1:] in units else (age, 1)
    try:
        made = float(digits) * unit
    except ValueError:
        made = -1
    if not 0 <= made < float("inf"):
        raise UsageError(f"{name} takes a time such as 600s, 10m, 12h or 7d, not {age!r}")
    return made


def _memory_limit(given: int | str | None, jobs: int) -> int:
    """The limit of each worker. UsageError if all together would have more than the machine."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if given is None:
        return min(_MEMORY, machine * 8 // 10 // jobs)
    limit = _bytes("memory_limit", given)
    if limit * jobs > machine:
        raise UsageError(f"{jobs} jobs of memory_limit {limit >> 20} MiB need more than the {machine >> 20} MiB of this "
                         "machine; use fewer jobs or a lower limit")
    return limit


def _choice(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise UsageError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    return value


class _Progress:
    """Reports groups done and failed, the rate, and the time left."""

    def __init__(self, reporter: Reporter, is_users: bool, total: int) -> None:
        self._report = reporter.report
        self._is_users = is_users
        self._total = total
        self._begun = time.monotonic()
        self._done = self._failed = self._bytes = 0

    def add(self, outcome: Outcome) -> None:
        self._done += 1
        self._failed += outcome.is_failed
        self._bytes += max(0, outcome.group.size)
        if self._report is None:
            return
        seconds = max(1e-3, time.monotonic() - self._begun)
        stage = "groups" if self._is_users else (
            f"{self._done} of {self._total} groups, {self._failed} failed, {self._bytes / 1e6 / seconds:.0f} MB/s, "
            f"{seconds / self._done * (self._total - self._done):.0f} s left")
        self._report(stage, "groups", self._done, self._total)


class Fleet:
    """Many traces, of which each group of files is merged onto a timeline of its own. Made by `fleet()`; opens nothing
    until rows are read."""

    def __init__(self, groups: list[Group], settings: Settings) -> None:
        self._groups = groups
        self._settings = settings
        self._errors: list[GroupError] = []

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups, by name."""
        return tuple(self._groups)

    @property
    def errors(self) -> Errors:
        """The groups that failed in the last run, as far as it was read. With on_error="fail" at most one."""
        return Errors(self._errors)

    def sample(self, n: int) -> Fleet:
        """A fleet of at most n of the groups: the same ones each time, spread evenly."""
        def digest(group: Group) -> bytes:
            return hashlib.blake2b(group.name.encode(), digest_size=8).digest()
        chosen = sorted(sorted(self._groups, key=digest)[:n], key=lambda group: group.name)
        return self.of(chosen)

    def of(self, groups: Sequence[Group]) -> Fleet:
        """A fleet of these groups with the same settings."""
        return Fleet(list(groups), self._settings)

    def statement(self, sql: str, types: Mapping[str, str] | None = None, where: str | None = None) -> Statement:
        """The statement with its columns, which follow from it alone. SqlError, or UsageError for a column whose type
        does not follow."""
        carried = sorted({name for group in self._groups for name in group.carried})
        return Statement(sql, types, self._settings.options, full=self._settings.full, carried=carried, where=where)

    def sql(self, statement: str, *, types: Mapping[str, str] | None = None, where: str | None = None) -> Result:
        """The rows of a statement over all groups, with `_group`, `_trace` and `_trace_uri` in front. It is compiled now;
        each reading of the result runs it over the fleet: `materialize()` keeps the rows. `types` gives types of columns
        that do not follow from the statement ({"n": "int64"}), `where` is a condition for its rows ("dur > 1000")."""
        compiled = self.statement(statement, types, where)

        def begin(plain: bool) -> tuple[object, object]:
            rows = self._rows(compiled)
            return _core.rows(compiled.all_fields(), lambda: next(rows, None))
        return Result(begin, plain_text=True)

    def outcomes(self, statement: Statement, *, in_order: bool, skipped: set[str] | None = None) -> Iterator[Outcome]:
        """What becomes of the groups except those skipped, for a statement: see run()."""
        return self.run({"statement": statement.task(), "full": self._settings.full}, in_order=in_order, skipped=skipped)

    def run(self, asked: Mapping[str, Any], *, in_order: bool, skipped: set[str] | None = None) -> Iterator[Outcome]:
        """What becomes of the groups except those skipped; the caller closes the outcomes. `asked` is what workers do. Keeps
        errors, and raises the first one with on_error="fail"."""
        settings = self._settings
        task = {**asked, "check": settings.check_text, "timeout": settings.timeout, "memory_limit": settings.memory_limit,
                "max_rows": settings.max_rows, "options": keys_of(settings.options), "temp_dir": settings.options.get("temp_dir")}
        errors = self._errors = []
        fails = settings.on_error == "fail"
        cache = Cache(settings.options["cache_dir"], settings.cache_size) if "cache_dir" in settings.options else None
        pool = Pool(self._groups, task, settings.jobs, in_order=in_order, stop_at_failure=fails, skipped=skipped)
        with Reporter(settings.progress) as reporter, closing(iter(pool)) as outcomes:  # type: ignore[type-var]
            progress = _Progress(reporter, callable(settings.progress), len(self._groups) - len(skipped or ()))
            for outcome in outcomes:
                progress.add(outcome)
                if cache is not None:
                    cache.add_group()
                if outcome.is_failed:
                    errors.append(error_of_outcome(outcome))
                    if fails:
                        raise errors[-1].exception()
                yield outcome
        if cache is not None:
            cache.prune()

    def write(self, statement: str, path: str | os.PathLike[str], *, format: str | None = None,
              types: Mapping[str, str] | None = None, where: str | None = None, resume: bool = False) -> None:
        """Writes the rows of a statement to a file, by group: csv, tsv, jsonl, parquet or arrow, by default as the end of
        the path says; in a folder (also one that ends with "/" and is made), Parquet. The file appears whole or not at all. After a run that was ended, `resume` continues it: groups that
        had ended do not run again, except those whose files changed."""
        target = file_of(os.fspath(path))
        kind = format_of(target, format)
        compiled = self.statement(statement, types, where)
        if target != os.fspath(path):
            os.makedirs(os.path.dirname(target), exist_ok=True)
        settings = self._settings
        asked = {"version": _core.version(), "sql": compiled.sql, "fields": compiled.all_fields(), "check": settings.check_text,
                 "max_rows": settings.max_rows, "options": sorted(keys_of(settings.options))}
        journal = Journal(target, asked, self._groups, resume=resume)
        is_complete = False
        try:
            with closing(self.outcomes(compiled, in_order=False,
                                       skipped=journal.ended())) as outcomes:  # type: ignore[type-var]
                for outcome in outcomes:
                    with closing(outcome):
                        if not outcome.is_failed:
                            self._keep(journal, outcome)

            def begin(plain: bool) -> tuple[object, object]:
                rows = (_with_front(compiled, group, facts, batch)
                        for group in self._groups for facts, batch in journal.batches(group))
                return _core.rows(compiled.all_fields(), lambda: next(rows, None))
            write_file(Result(begin, plain_text=True), kind, target)
            is_complete = True
        finally:
            journal.close(is_complete=is_complete)
        self.warn()

    def _keep(self, journal: Journal, outcome: Outcome) -> None:
        """Adds a group to the journal. A group whose rows it cannot keep fails."""
        try:
            journal.add(outcome)
        except OSError as error:
            outcome.facts = failure("write", "IO", str(error), outcome.facts["seconds"])
            self._errors.append(error_of_outcome(outcome))
            if self._settings.on_error == "fail":
                raise self._errors[-1].exception() from None

    def take_errors(self, other: Fleet) -> None:
        """Has the errors of the last run of another fleet."""
        self._errors = other._errors

    @property
    def settings(self) -> Settings:
        """How the fleet runs."""
        return self._settings

    def write_lake(self, folder: str | os.PathLike[str], *, tables: Sequence[str] | None = None, buckets: int = 16,
                   layout: str | None = None, delta: bool = False, resume: bool = False) -> int | None:
        """Adds the groups to a lake of Parquet files, and returns its version; None if it has them all already. A group that
        it has is replaced if its files changed. `tables` are those to write, by default all that have rows. `buckets` and
        `layout` are fixed when the lake is made: "bucket" (default) has files of many groups, "trace" a folder for each group,
        at most 1,000. `delta` makes the tables Delta tables, too, from now on. After a run that was ended, `resume` continues
        it. Needs pyarrow."""
        from .._lake.write import write_lake
        version = write_lake(self, os.fspath(folder), tables, buckets=buckets, layout=layout, delta=delta, resume=resume)
        self.warn()
        return version

    def warn(self) -> None:
        """Counts and names the groups that were skipped."""
        if self._errors and self._settings.on_error == "skip":
            names = [error.group for error in self.errors]
            warnings.warn(f"{len(names)} of {len(self._groups)} groups were skipped: {', '.join(names[:20])}"
                          f"{', ...' if len(names) > 20 else ''}", TraceWarning, stacklevel=2)

    def _rows(self, statement: Statement) -> Iterator[frames.Batch]:
        with closing(self.outcomes(statement, in_order=self._settings.sort)) as outcomes:  # type: ignore[type-var]
            for outcome in outcomes:
                with closing(outcome):
                    for batch in outcome.batches():
                        yield _with_front(statement, outcome.group, outcome.facts, batch)
        self.warn()

    def __repr__(self) -> str:
        size = sum(max(0, group.size) for group in self._groups)
        return f"<Fleet of {len(self._groups)} groups, {size / 1e6:.1f} MB>"


def front_columns(statement: Statement, group: Group, facts: Mapping[str, Any], rows: int) -> list[frames.Column]:
    """The columns of a group in front of the statement's."""
    values: dict[str, Any] = {"_group": group.name, "_trace": group.trace,
                              "_trace_uri": group.uri, **facts,
                              **{"_" + name: group.carried.get(name) for name in statement.carried}}
    make: dict[str, Callable[[Any, int], frames.Column]] = {"u": frames.constant_text, "l": frames.constant_int}
    return [make[fmt](values[name], rows) for name, fmt, _ in statement.front()]


def _with_front(statement: Statement, group: Group, facts: Mapping[str, Any], batch: frames.Batch) -> frames.Batch:
    rows, columns = batch
    return rows, [*front_columns(statement, group, facts, rows), *columns]


def fleet(source: Source, *, group: str | None = None, ungrouped: str = "error", manifest_pattern: str | None = None,
          pick: str | None = None, on_error: str = "fail", check: bool | str = False, timeout: float | str = 600,
          memory_limit: int | str | None = None, max_rows: int = 0, jobs: int = 0, sort: bool = False,
          provenance: str | None = None, cache_dir: str | os.PathLike[str] | None = None, cache_size: int | str | None = None,
          progress: Progress = None, **options: Any) -> Fleet:
    """Many traces, for one statement over all of them.

    `source` is a folder, a glob, a list of paths, an archive of archives, a URL (with fsspec), or a fleet manifest (JSON lines or Parquet). Each file
    is a group; `group` is a regex whose group 1 (or named groups) names the group of a file, "folder", or "archive". `pick` is
    an SQL condition over `_group`, `_trace`, `_size` (bytes) and what groups carry as `_NAME`: other groups are left out, and
    not opened. `on_error` is "fail", "skip" or "rows": the failures are in `errors`. `check` is True or "all": groups fail where
    a strict check does. `timeout` (seconds, or "10m"), `memory_limit` and `max_rows` hold for each group. `sort` orders rows by
    group. `provenance="full"` adds columns. Merged traces are kept in `cache_dir`, those last used up to `cache_size`. Other
    options are those of `open()`.

    >>> import tracebraid as tb
    >>> fleet = tb.fleet("examples/*.pftrace", sort=True, jobs=1)
    >>> [row.n > 0 for row in fleet.sql("SELECT count(*) AS n FROM slice")]
    [True, True]
    """
    _choice("on_error", on_error, ("fail", "skip", "rows"))
    _choice("check", str(check), ("False", "True", "strict", "all"))
    _choice("provenance", provenance or "none", ("none", "full"))
    limit = seconds("timeout", timeout)
    if limit <= 0:
        raise UsageError("timeout must be positive")
    if cache_dir is not None:
        options |= {"cache": True, "cache_dir": os.path.abspath(os.fspath(cache_dir))}
    keys_of(options)  # names unknown ones
    jobs = jobs or len(os.sched_getaffinity(0))
    settings = Settings(on_error, check, limit, _memory_limit(memory_limit, jobs), max_rows, jobs, sort,
                        provenance == "full", progress, options, None if cache_size is None else _bytes("cache_size", cache_size))
    groups = list_groups(source, group, ungrouped, manifest_pattern)
    if pick is None:
        return Fleet(groups, settings)
    chosen = picked(groups, pick)
    if groups and not chosen:
        warnings.warn(f"pick is true for none of {len(groups)} groups", TraceWarning, stacklevel=2)
    return Fleet(chosen, settings)
