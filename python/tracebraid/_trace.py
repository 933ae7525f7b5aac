"""Trace: files on one timeline. Connection: temporary tables."""
from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any

from . import _core
from ._clock import Clock
from ._errors import Closed, UsageError, missing
from ._facts import ClockInfo, Facts, File, Machine, MemoryUse, Problem, Stat, Tables
from ._files import write_arrow
from ._options import keys_of, milliseconds
from ._progress import Progress, Reporter
from ._report import Info, Report
from ._result import Result

Params = Sequence[object] | Mapping[str, object] | None
"""Values of ?, ?1, or of :name: None, bool, int, float, str, bytes."""

_SUFFIXES = {".braid": "braid", ".pftrace": "perfetto", ".perfetto-trace": "perfetto", ".json": "json",
             ".sqlite": "sqlite", ".db": "sqlite", ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl",
             ".parquet": "parquet", ".arrow": "arrow"}


def _params(params: Params) -> list[tuple[str | None, object]]:
    if params is None:
        return []
    pairs: list[tuple[str | None, object]]
    if isinstance(params, Mapping):
        pairs = [(str(name), value) for name, value in params.items()]
    elif isinstance(params, Iterable) and not isinstance(params, (str, bytes, bytearray, Set)):
        pairs = [(None, value) for value in params]
    else:
        raise TypeError("params is a sequence or a mapping, [10] or {\"least\": 10}, not " + type(params).__name__)
    for number, (name, value) in enumerate(pairs, 1):
        if value is not None and not isinstance(value, (bool, int, float, str, bytes)):
            raise TypeError(f"parameter {name or number}: {type(value).__name__} is not None, bool, int, float, str or "
                            "bytes")
        if isinstance(value, int) and not -2**63 <= value < 2**63:
            raise OverflowError(f"parameter {name or number}: {value} does not fit into 64 bits")
    return pairs


def _query_keys(types: Mapping[str, str] | None, plain: bool) -> list[tuple[str, str]]:
    keys = [("text", "utf8" if plain else "dictionary")]
    if types is not None and not isinstance(types, Mapping):
        raise TypeError('types is a mapping of columns to types, {"n": "int64"}, not ' + type(types).__name__)
    if types:
        keys.append(("types", ",".join(f"{name}={kind}" for name, kind in types.items())))
    return keys


def _check_statement(statement: object) -> None:
    if not isinstance(statement, str):
        raise TypeError(f"a statement is a str, not {type(statement).__name__}")


class Runs:
    """The controls of what runs, so that cancel() reaches them. Those of runs `above` reach them, too."""

    def __init__(self, above: Runs | None = None) -> None:
        self._above = above
        self._lock = threading.Lock()
        self._controls: list[object] = []

    def new(self, timeout: float | None) -> object:
        """A control, which cancel() reaches until forget(). The controls of queries are kept, because the rows may be
        read later."""
        control = _core.control_new(milliseconds(timeout)) if self._above is None else self._above.new(timeout)
        with self._lock:
            self._controls.append(control)
            del self._controls[:-1000]  # the oldest have long ended
        return control

    def forget(self, control: object) -> None:
        """The run of the control has ended."""
        if self._above is not None:
            self._above.forget(control)
        with self._lock:
            if control in self._controls:
                self._controls.remove(control)

    def cancel(self) -> None:
        """Cancels all of them."""
        with self._lock:
            controls, self._controls = self._controls, []
        for control in controls:
            _core.control_cancel(control)


class _Source:
    """What runs statements: a trace, or a connection."""

    def __init__(self, handle: object, runs: Runs, once: bool) -> None:
        self._handle: object | None = handle
        self._runs = runs
        self._once = once

    def _open_handle(self) -> object:
        if self._handle is None:
            raise Closed(f"the {type(self).__name__.lower()} is closed")
        return self._handle

    def sql(self, statement: str, params: Params = None, *, types: Mapping[str, str] | None = None,
            text: str = "dictionary", timeout: float | None = None) -> Result:
        """The rows of a statement, which is compiled now and runs when the result is read. Statements before it in
        the text run now. `types` gives types of columns ({"n": "int64"}), `text` is "dictionary" or "utf8",
        `timeout` is in seconds.

        >>> import tracebraid as tb
        >>> t = tb.open("examples/phone.pftrace")
        >>> t.sql("SELECT name, count(*) AS n FROM slice WHERE name > ? GROUP BY 1 LIMIT 1", ["q"]).fetchall()
        [Row(name='query', n=14)]
        """
        if text not in ("dictionary", "utf8"):
            raise ValueError(f"text is 'dictionary' or 'utf8', not {text!r}")
        _check_statement(statement)
        handle, bound = self._open_handle(), _params(params)

        def begin(plain: bool) -> tuple[object, object]:
            control = self._runs.new(timeout)
            try:
                begun = _core.query(handle, statement, bound, _query_keys(types, plain), control)
            except BaseException as error:
                self._runs.forget(control)
                if hasattr(error, "statement"):
                    error.statement = statement
                raise
            return begun
        return Result(begin, once=self._once, plain_text=text == "utf8")


class Connection(_Source):
    """A connection, on which temporary tables live until it is closed. A context manager."""

    def run(self, script: str, timeout: float | None = None) -> None:
        """Runs statements, and drops their rows."""
        _check_statement(script)
        control = self._runs.new(timeout)
        try:
            _core.connection_run(self._open_handle(), script, control)
        finally:
            self._runs.forget(control)

    def close(self) -> None:
        """Drops the temporary tables. A result that was begun goes on."""
        self._handle = None

    def __enter__(self) -> Connection:
        self._open_handle()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _LazyTable:
    """A table as an Arrow stream, which runs anew for each reader."""

    def __init__(self, trace: Trace, name: str) -> None:
        self._trace = trace
        self._name = name

    def __arrow_c_schema__(self) -> object:
        return self._trace.table(self._name).__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._trace.table(self._name).__arrow_c_stream__(requested_schema)


class Trace(_Source):
    """Files on one timeline. Made by `open()`; any number of threads may use it. A context manager."""

    def __init__(self, handle: object, runs: Runs | None = None, inputs: Sequence[object] = ()) -> None:
        super().__init__(handle, runs or Runs(), once=False)
        self._paths = [os.path.abspath(os.fspath(item)) for item in inputs if isinstance(item, (str, os.PathLike))]

    async def sql_async(self, statement: str, params: Params = None, *, timeout: float | None = None) -> Result:
        """As sql(), run on a thread, with the rows in memory. Cancelling the task cancels the statement."""
        runs = Runs(self._runs)
        result = _Source(self._open_handle(), runs, once=False).sql(statement, params, timeout=timeout)
        made: Result = await _in_thread(result.materialize, runs.cancel)
        return made

    def table(self, name: str, columns: Sequence[str] | None = None) -> Result:
        """The rows of a table or view as they lie, without SQL.

        >>> import tracebraid as tb
        >>> tb.open("examples/phone.pftrace").table("slice", ["name", "dur"]).fetchone()
        Row(name='query', dur=48296167)
        """
        handle = self._open_handle()
        if not isinstance(name, str):
            raise TypeError(f"a table is named by a str, not {type(name).__name__}")
        if isinstance(columns, str):
            raise TypeError('columns is a list of names, ["name"], not str')
        wanted = list(columns or ())
        return Result(lambda plain: _core.table(handle, name, wanted, _query_keys(None, plain)))

    def run(self, script: str, timeout: float | None = None) -> None:
        """Runs statements on a connection of their own, and drops their rows."""
        with self.connection() as connection:
            connection.run(script, timeout)

    def connection(self) -> Connection:
        """A connection for temporary tables.

        >>> import tracebraid as tb
        >>> with tb.open("examples/phone.pftrace").connection() as connection:
        ...     connection.run("CREATE PERFETTO TABLE long AS SELECT * FROM slice WHERE dur > 1000000")
        ...     connection.sql("SELECT count(*) < 237 FROM long").scalar()
        1
        """
        return Connection(_core.connection_open(self._open_handle()), self._runs, once=True)

    def register(self, con: Any, tables: Sequence[str] | None = None, prefix: str = "") -> None:
        """Makes tables views of a DuckDB connection, by default all public ones. They are read when a statement of
        DuckDB needs them."""
        if not callable(getattr(con, "register", None)):
            raise TypeError(f"register() takes a connection of DuckDB, duckdb.connect(), not {type(con).__name__}")
        for name in tables if tables is not None else self.tables.names():
            con.register(prefix + name, _LazyTable(self, name))

    def scan(self, table: str) -> Any:
        """A table as a polars LazyFrame."""
        try:
            import polars
        except ImportError:
            raise missing("polars") from None
        from polars.io.plugins import register_io_source
        schema = polars.DataFrame(self.sql(f'SELECT * FROM "{table}" LIMIT 0')).schema

        def source(with_columns: list[str] | None, predicate: Any, n_rows: int | None,
                   batch_size: int | None) -> Iterator[Any]:
            del batch_size
            frame = self.table(table, with_columns).to_polars()
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if n_rows is None else frame.head(n_rows)
        return register_io_source(source, schema=schema)

    def check(self, strict: bool | str = False) -> Report:
        """The placement report. With strict (or "all") raises CheckFailed where `check --strict` exits 1."""
        report = Report(self._open_handle())
        report.raise_if_strict(strict)
        return report

    def info(self) -> Info:
        """What each file contains.

        >>> import tracebraid as tb
        >>> len(tb.open("examples/phone.pftrace").info().to_dict()["files"])
        1
        """
        return Info(self._open_handle())

    @property
    def files(self) -> Facts[File]:
        """The files of the trace."""
        return Facts(self._open_handle(), "files", File)

    @property
    def machines(self) -> Facts[Machine]:
        """The machines of the trace."""
        return Facts(self._open_handle(), "machines", Machine)

    @property
    def clocks(self) -> Facts[ClockInfo]:
        """The clocks of the trace."""
        return Facts(self._open_handle(), "clocks", ClockInfo)

    @property
    def problems(self) -> Facts[Problem]:
        """Problems of the inputs."""
        return Facts(self._open_handle(), "problems", Problem)

    @property
    def stats(self) -> Facts[Stat]:
        """What was lost, assumed and noted."""
        return Facts(self._open_handle(), "stats", Stat)

    @property
    def tables(self) -> Tables:
        """The tables and views that SQL sees.

        >>> import tracebraid as tb
        >>> [column.name for column in tb.open("examples/phone.pftrace").tables["slice"].columns][:3]
        ['id', 'ts', 'dur']
        """
        return Tables(self._open_handle())

    def clock(self, name: str | int, machine: str | None = None, file: str | None = None,
              sequence: int | None = None) -> Clock:
        """A clock by name or number. AmbiguousClock lists the candidates if there are several.

        >>> import tracebraid as tb
        >>> tb.open("examples/phone.pftrace").clock("REALTIME")
        <Clock REALTIME of phone>
        """
        handle = self._open_handle()
        found = _core.clock_find(handle, str(name), machine, file, -1 if sequence is None else sequence)
        return Clock(found, _core.clock_find(handle, None, None, None, -1))

    @property
    def memory_use(self) -> MemoryUse:
        """The memory that the trace takes now.

        >>> import tracebraid as tb
        >>> tb.open("examples/phone.pftrace").memory_use.tables > 10_000
        True
        """
        return MemoryUse(*_core.memory_use(self._open_handle()))

    @property
    def timeline(self) -> Clock:
        """The clock of trace time."""
        found = _core.clock_find(self._open_handle(), None, None, None, -1)
        return Clock(found, found)

    @property
    def start(self) -> int:
        """The start of the trace, ns of trace time."""
        return int(self.sql("SELECT start_ts FROM trace_bounds").scalar())

    @property
    def end(self) -> int:
        """The end of the trace, ns of trace time."""
        return int(self.sql("SELECT end_ts FROM trace_bounds").scalar())

    def export(self, path: str | os.PathLike[str], to: str | None = None, *, progress: Progress = False,
               timeout: float | None = None, **selection: Any) -> None:
        """Writes the trace as another kind of file; the end of the path selects the kind if `to` is None. Options
        are those of the program: start, end (times), machine, process, table, query, clock, force."""
        target = os.fspath(path)
        kind = to or _SUFFIXES.get(os.path.splitext(target)[1])
        if kind is None:
            raise ValueError(f"{target}: the end of the name selects no kind of export; give to=, one of "
                             f"{', '.join(dict.fromkeys(_SUFFIXES.values()))}")
        self._open_handle()
        for ours, theirs in (("start", "from"), ("end", "until")):
            if ours in selection:
                selection[theirs] = selection.pop(ours)
        if kind in ("parquet", "arrow"):
            _write_arrow(self, kind, target, timeout=timeout, **selection)
            return
        control = self._runs.new(timeout)
        try:
            with Reporter(progress) as reporter:
                _core.export(self._open_handle(), keys_of({"to": kind, "output": target, **selection}), control,
                             reporter.report)
        finally:
            self._runs.forget(control)

    def cancel(self) -> None:
        """Cancels all that runs, from any thread. What was begun before ends with Cancelled."""
        self._runs.cancel()

    def close(self) -> None:
        """Frees the trace, as far as no result needs it."""
        self._handle = None

    def __enter__(self) -> Trace:
        self._open_handle()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a Trace is open in this process; send its paths, or the .braid that export() writes, and "
                        "open it there")

    def __copy__(self) -> Trace:
        return self.__reduce__()  # type: ignore[no-any-return]

    def __deepcopy__(self, memo: object) -> Trace:
        return self.__reduce__()  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        if self._handle is None:
            return "<Trace, closed>"
        names = [file.name or f"a {file.trace_type} file" for file in self.files if file.parent_id is None]
        return f"<Trace of {', '.join(names[:3])}{', ...' if len(names) > 3 else ''}>"


def _check_output(trace: Trace, path: str, force: bool) -> None:
    """UsageError if a file would be replaced that must not be: an input, or without force any."""
    if not os.path.exists(path):
        return
    real = os.path.realpath(path)
    for given in map(os.path.realpath, trace._paths):
        if real == given or real.startswith(os.path.join(given, "")):
            raise UsageError(f"{path} is an input of the trace")
    if not force:
        raise UsageError(f"{path} exists; force=True replaces it")


def _write_arrow(trace: Trace, kind: str, path: str, *, timeout: float | None = None, table: str | Sequence[str] | None = None,
                 query: str | None = None, force: bool = False, **others: Any) -> None:
    """Writes one table or query by pyarrow."""
    if others:
        raise TypeError(f"{', '.join(others)}: not for {kind}; select the rows with query=")
    names = [table] if isinstance(table, str) else list(table or ())
    if (query is None) == (len(names) != 1):
        raise ValueError(f"{kind}: give one table= or a query=")
    _check_output(trace, path, force)
    rows = trace.sql(query, timeout=timeout) if query is not None else trace.table(names[0])
    rows.passed_to(lambda stream: write_arrow(stream, kind, path))


async def _in_thread(work: Callable[[], Any], cancel: Callable[[], None]) -> Any:
    """Runs work on a thread. Cancelling the task cancels the work, and waits for its end."""
    import asyncio
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        cancel()
        await asyncio.wait([task])
        task.exception()  # as expected
        raise
