"""TraceProcessor: one trace and its statements, named as in the package perfetto.

A script that imports perfetto.trace_processor runs with tracebraid.trace_processor. Without addr and remote the trace is
opened in this process: no program is started and no port is opened."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, Union

from ..common import query_result_iterator as _iterator
from ..common.exceptions import PerfettoException, TraceProcessorException
from ..common.query_result_iterator import QueryResultIterator
from ..trace_uri_resolver.registry import ResolverRegistry, TraceGenerator, TraceListReference, TraceReference
from ._local import LocalBackend
from ._remote import EXPORT_FORMATS, RemoteBackend, transport_of
from .platform import PlatformDelegate

__all__ = ["PLATFORM_DELEGATE", "PerfettoException", "PlatformDelegate", "QueryResultIterator", "ResolverRegistry",
           "SqlPackage", "TraceProcessor", "TraceProcessorConfig", "TraceProcessorException", "TraceReference"]

PLATFORM_DELEGATE = PlatformDelegate

_NO_METRICS = "tracebraid computes no metrics and no summaries; run SQL instead"


@dataclass
class SqlPackage:
    """A folder of SQL modules, and the name of the package, by default that of the folder."""

    path: str
    package: str | None = None

    @property
    def option(self) -> str:
        """The value of the option sql-path."""
        return f"{self.path}@{self.package}" if self.package else self.path


@dataclass
class TraceProcessorConfig:
    """How to open a trace. ingest_ftrace_in_raw, resolver_registry, add_sql_packages, and those of extra_flags that are
    options of tracebraid have an effect; the others are accepted."""

    bin_path: str | None = None
    unique_port: bool = True
    verbose: bool = False
    ingest_ftrace_in_raw: bool = False
    enable_dev_features: bool = False
    resolver_registry: ResolverRegistry | None = None
    load_timeout: int = 30
    extra_flags: list[str] | None = None
    add_sql_packages: list[Union[str, SqlPackage]] | None = None
    fetch_latest_trace_processor: bool = False
    enable_sql_file_access: bool = False


class TraceProcessor:
    """A trace, and the tables that statements make. A context manager.

    `trace` is a path, a URI, a resolver, a binary file object, or a generator of bytes; None is an empty trace. With
    `addr` (HOST:PORT) or `remote` (also the name of a session, or the path of a socket) statements run on a server of
    RPC, which gets the trace, if one is given."""

    QueryResultIterator: TypeAlias = _iterator.QueryResultIterator
    Row: TypeAlias = _iterator.QueryResultIterator.Row

    def __init__(self, trace: TraceListReference | None = None, addr: str | None = None,
                 config: TraceProcessorConfig = TraceProcessorConfig(),  # noqa: B008 - it is not changed
                 file_path: str | None = None, metadata: dict[str, str] | None = None,
                 remote: str | None = None) -> None:
        del metadata  # that of the resolver counts
        if trace is not None and file_path is not None:
            raise PerfettoException("give trace or file_path, not both")
        if addr is not None and remote is not None:
            raise PerfettoException("give addr or remote, not both")
        self.config = config
        self.platform_delegate: PlatformDelegate = PLATFORM_DELEGATE()
        self.resolver_registry: ResolverRegistry = (
            config.resolver_registry or self.platform_delegate.default_resolver_registry())
        self.http: None = None
        reference = trace if trace is not None else file_path
        chunks = None if reference is None else self._resolve(reference)
        address = addr if addr is not None else remote
        self._backend: LocalBackend | RemoteBackend
        if address is None:
            self._backend = LocalBackend(chunks, config)
            return
        remote_backend = RemoteBackend(transport_of(address))
        self._backend = remote_backend
        if chunks is not None:
            remote_backend.load(chunks)

    def _resolve(self, reference: TraceListReference) -> TraceGenerator:
        resolved = self.resolver_registry.resolve(reference)
        if len(resolved) != 1:
            raise PerfettoException(f"the trace is {len(resolved)} traces; BatchTraceProcessor opens several, and "
                                    "tracebraid.open() merges them onto one timeline")
        self._metadata = resolved[0].metadata
        return resolved[0].generator

    @property
    def metadata(self) -> dict[str, str]:
        """The metadata of the resolver. AttributeError without a trace."""
        return self._metadata

    @property
    def subprocess(self) -> None:
        """None: no program is started."""
        return None

    def query(self, sql: str) -> _iterator.QueryResultIterator:
        """Runs all statements, and returns the rows of the last one. TraceProcessorException: one fails."""
        return self._backend.query(sql)

    def export(self, output_path: str, export_format: str) -> None:
        """Writes the trace to a file, which is replaced: "sqlite", "perfetto", or "arrow_tar", a tar of one Arrow file
        for each table."""
        if export_format not in EXPORT_FORMATS:
            raise ValueError(f"{export_format!r} is not one of {', '.join(sorted(EXPORT_FORMATS))}")
        self._backend.export(output_path, export_format)

    def metric(self, metrics: list[str]) -> None:
        """Raises TraceProcessorException: there are no metrics."""
        raise PerfettoException(_NO_METRICS)

    def trace_summary(self, specs: list[Union[str, bytes]], metric_ids: list[str] | None = None,
                      metadata_query_id: str | None = None) -> None:
        """Raises TraceProcessorException: there are no summaries."""
        raise PerfettoException(_NO_METRICS)

    def enable_metatrace(self) -> None:
        """Begins a trace of the statements of a server; does nothing in this process."""
        self._backend.enable_metatrace()

    def disable_and_read_metatrace(self) -> bytes:
        """Ends the trace of the statements of a server; no bytes in this process."""
        return self._backend.read_metatrace()

    def close(self) -> None:
        """Frees the trace, or ends the connection. May be called again."""
        if hasattr(self, "_backend"):
            self._backend.close()

    def __enter__(self) -> TraceProcessor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
