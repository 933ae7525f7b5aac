"""Runs statements in this process."""
from __future__ import annotations

import os
import tarfile
import tempfile
import threading
import warnings
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from .. import _core
from .._errors import Error, TraceWarning
from .._files import whole_file
from .._open import open as open_trace
from .._options import option_types
from .._rows import Reader
from .._trace import _write_arrow
from ..common.exceptions import PerfettoException
from ..common.query_result_iterator import ColumnBatch, QueryResultIterator
from ..trace_uri_resolver.util import FileBytes

if TYPE_CHECKING:
    from .api import TraceProcessorConfig

# All statements of a text run, and cells have the values of SQL unchanged.
_KEYS = [("result", "last"), ("cells", "verbatim")]


def _flags(flags: list[str]) -> dict[str, Any]:
    """Options of flags of the command line. Warns of those that do not exist here."""
    types = option_types()
    made: dict[str, Any] = {}
    rest = list(flags)
    while rest:
        flag = rest.pop(0)
        name, equals, value = flag.removeprefix("--").partition("=")
        key = name.replace("-", "_")
        if not flag.startswith("--") or key not in types:
            warnings.warn(f"extra_flags: {flag} has no effect", stacklevel=5)
            continue
        if types[key] == "switch":
            made[key] = value if equals else True
        else:
            value = value if equals or not rest else rest.pop(0)
            made[key] = [*made.get(key, []), value] if types[key] == "list" else value
    return made


def _options(config: TraceProcessorConfig) -> dict[str, Any]:
    options = _flags(config.extra_flags or [])
    options.setdefault("no_ftrace_raw", None if config.ingest_ftrace_in_raw else True)
    packages = [str(package) if isinstance(package, str) else package.option
                for package in config.add_sql_packages or []]
    if packages:
        options["sql_path"] = [*options.get("sql_path", []), *packages]
    return options


class LocalBackend:
    """A trace of this process, with one connection, so that tables stay. Any thread may use it; statements wait for
    each other."""

    def __init__(self, chunks: Generator[bytes, None, None] | None, config: TraceProcessorConfig) -> None:
        inputs: list[Any] = []
        options = _options(config)
        if chunks is None:
            options["no_trace"] = True
        elif isinstance(chunks, FileBytes) and not chunks.is_begun:
            inputs = [chunks.path]
        else:
            inputs = [("trace", b"".join(chunks))]
        self._lock = threading.Lock()
        self._braid: str | None = None
        self._modules = options.get("sql_path")
        self._open(inputs, options)

    def _open(self, inputs: list[Any], options: dict[str, Any]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TraceWarning)  # the table stats has them
            try:
                self._trace = open_trace(*inputs, progress=False, **options)
                self._connection = self._trace.connection()
            except FileNotFoundError:
                raise
            except Error as error:
                raise PerfettoException(str(error)) from error

    def park(self, path: str) -> None:
        """Closes the trace, so that it needs no memory, and keeps its rows in a braid at this path. Tables that statements
        made are gone."""
        try:
            if self._braid is None:
                self._trace.export(path, "braid", force=True)
                self._braid = path
        except Error as error:
            raise PerfettoException(str(error)) from error
        self.close()

    def open_again(self) -> None:
        """Opens the braid of park()."""
        assert self._braid is not None
        self._open([self._braid], {"sql_path": self._modules} if self._modules else {})

    def query(self, sql: str) -> QueryResultIterator:
        """Runs all statements, and returns the rows of the last one."""
        try:
            with self._lock:
                connection = self._connection._open_handle()
                control = self._trace._runs.new(None)
                try:
                    _, state = _core.query(connection, sql.replace("\u00a0", " "), [], _KEYS, control)
                    reader = Reader(state)
                    batches = [ColumnBatch(reader.columns(batch)) for batch in reader.batches()]
                    return QueryResultIterator([field.name for field in reader.fields], batches)
                finally:
                    self._trace._runs.forget(control)
        except Error as error:
            raise PerfettoException(str(error)) from error

    def export(self, path: str, kind: str) -> None:
        """Writes the trace to a file, which is replaced."""
        try:
            if kind == "arrow_tar":
                self._export_tables(path)
            else:
                self._trace.export(path, kind, force=True)
        except Error as error:
            raise PerfettoException(str(error)) from error

    def _export_tables(self, path: str) -> None:
        with whole_file(path) as unfinished, tempfile.TemporaryDirectory() as folder, \
                tarfile.open(unfinished, "w") as archive:
            for table in self._trace.tables.names():
                file = os.path.join(folder, "table")
                _write_arrow(self._trace, "arrow", file, table=table, force=True)
                archive.add(file, f"{table}.arrow")

    def enable_metatrace(self) -> None:
        """Does nothing: there is no trace of statements here."""

    def read_metatrace(self) -> bytes:
        """Returns no bytes."""
        return b""

    def close(self) -> None:
        """Frees the trace."""
        self._connection.close()
        self._trace.close()
