"""BatchTraceProcessor: many traces, and one statement for all of them."""
from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import Enum
from threading import Lock
from typing import Any, TypeVar

from .._errors import missing
from ..common.exceptions import PerfettoException, TraceProcessorException
from ..trace_processor import api as single
from ..trace_processor._local import LocalBackend
from ..trace_processor.api import TraceProcessor, TraceProcessorConfig
from ..trace_uri_resolver.registry import ResolverRegistry, TraceListReference
from ._limit import OpenTraces
from .platform import MAX_LOAD_WORKERS, PlatformDelegate

__all__ = ["BatchTraceProcessor", "BatchTraceProcessorConfig", "FailureHandling", "MAX_LOAD_WORKERS", "Metadata",
           "PLATFORM_DELEGATE", "PerfettoException", "PlatformDelegate", "ResolverRegistry", "Stats",
           "TraceListReference", "TraceProcessor", "TraceProcessorConfig", "TraceProcessorException"]

PLATFORM_DELEGATE = PlatformDelegate

Metadata = dict[str, str]
_T = TypeVar("_T")
_R = TypeVar("_R")


class FailureHandling(Enum):
    """What a failure does: it is raised, or it is counted in stats()."""

    RAISE_EXCEPTION = 0
    INCREMENT_STAT = 1


@dataclass
class BatchTraceProcessorConfig:
    """How to open the traces, and what failures do. A trace that cannot be loaded is left out if its failure is counted;
    a statement that fails gives an empty frame then."""

    tp_config: TraceProcessorConfig = field(default_factory=TraceProcessorConfig)
    load_failure_handling: FailureHandling = FailureHandling.RAISE_EXCEPTION
    execute_failure_handling: FailureHandling = FailureHandling.RAISE_EXCEPTION

    def __init__(self, tp_config: TraceProcessorConfig | None = None,
                 load_failure_handling: FailureHandling = FailureHandling.RAISE_EXCEPTION,
                 execute_failure_handling: FailureHandling = FailureHandling.RAISE_EXCEPTION) -> None:
        self.tp_config = tp_config or TraceProcessorConfig()
        self.load_failure_handling = load_failure_handling
        self.execute_failure_handling = execute_failure_handling


@dataclass
class Stats:
    """Counted failures."""

    load_failures: int = 0
    execute_failures: int = 0


def _map(executor: ThreadPoolExecutor | None, work: Callable[[_T], _R], items: Iterable[_T]) -> Iterator[_R]:
    return map(work, items) if executor is None else executor.map(work, items)


class BatchTraceProcessor:
    """Traces that answer the same statements, in their order. A context manager.

    `traces` is a list of what TraceProcessor takes, or a resolver or URI of several. With `max_open`, at most so many are
    open at once: the others wait in temporary braids, and lose the tables that statements made."""

    class Observer(ABC):
        """Follows the statements: its method is called for each trace that one has run on."""

        @abstractmethod
        def trace_processed(self, metadata: Metadata, execution_time_seconds: float) -> None:
            """Called on the thread that ran the statement."""

    def __init__(self, traces: TraceListReference,
                 config: BatchTraceProcessorConfig = BatchTraceProcessorConfig(),  # noqa: B008 - it is not changed
                 observer: Observer | None = None, *, max_open: int | None = None) -> None:
        if max_open is not None and max_open < 1:
            raise ValueError("max_open must be at least 1")
        self._open_traces = None if max_open is None else OpenTraces(max_open)
        self.tps_and_metadata: list[tuple[TraceProcessor, Metadata]] | None = None
        self.closed: bool = False
        self._stats = Stats()
        self._lock = Lock()  # guards _stats
        self.config = config
        self.observer = observer
        self.platform_delegate: PlatformDelegate = PLATFORM_DELEGATE()
        self.tp_platform_delegate: single.PlatformDelegate = single.PLATFORM_DELEGATE()
        self.resolver_registry: ResolverRegistry = (
            config.tp_config.resolver_registry or self.tp_platform_delegate.default_resolver_registry())
        resolved = self.resolver_registry.resolve(traces)
        self.query_executor: ThreadPoolExecutor | None = self.platform_delegate.create_query_executor(len(resolved))
        loaders = self.platform_delegate.create_load_executor(len(resolved))
        loaded: list[tuple[TraceProcessor, Metadata]] = []
        try:
            for each in _map(loaders, self._load, resolved):
                if each is not None:
                    loaded.append(each)
        except BaseException:
            for processor, _ in loaded:
                processor.close()
            if self._open_traces is not None:
                self._open_traces.close()
            raise
        finally:
            if loaders is not None:
                loaders.shutdown()
        self.tps_and_metadata = loaded

    def _load(self, trace: ResolverRegistry.Result) -> tuple[TraceProcessor, Metadata] | None:
        try:
            with nullcontext() if self._open_traces is None else self._open_traces.opening():
                processor = TraceProcessor(trace=trace.generator, config=self.config.tp_config)
                processor._metadata = trace.metadata
                if self._open_traces is not None and isinstance(processor._backend, LocalBackend):
                    self._open_traces.add(processor._backend)
            return processor, trace.metadata
        except Exception as error:
            if self.config.load_failure_handling == FailureHandling.INCREMENT_STAT:
                with self._lock:
                    self._stats.load_failures += 1
                return None
            if isinstance(error, PerfettoException):
                raise PerfettoException(f"{trace.metadata} {error}") from error
            raise

    def query(self, sql: str) -> list[Any]:
        """The rows of each trace as a pandas frame."""
        return self.execute(lambda processor: processor.query(sql).as_pandas_dataframe())

    def query_and_flatten(self, sql: str) -> Any:
        """The rows of all traces as one pandas frame, with the metadata as further columns."""
        return self.execute_and_flatten(lambda processor: processor.query(sql).as_pandas_dataframe())

    def query_polars(self, sql: str) -> list[Any]:
        """The rows of each trace as a polars frame."""
        return self._execute(lambda processor: processor.query(sql).as_polars_dataframe(), _empty_polars)

    def query_and_flatten_polars(self, sql: str) -> Any:
        """The rows of all traces as one polars frame, with the metadata as further columns."""
        return self.execute_and_flatten_polars(lambda processor: processor.query(sql).as_polars_dataframe())

    def query_single_result(self, sql: str) -> list[Any]:
        """The value of each trace, of a statement with one row and one column."""
        def value(processor: TraceProcessor) -> Any:
            result = processor.query(sql)
            if result.column_count != 1:
                raise PerfettoException("Query should only return a single column")
            if result.row_count != 1:
                raise PerfettoException("Query should only return a single row")
            return getattr(next(result), result.column_names[0])
        return self.execute(value)

    def metric(self, metrics: list[str]) -> list[Any]:
        """Raises TraceProcessorException: there are no metrics."""
        return self.execute(lambda processor: processor.metric(metrics))

    def execute(self, fn: Callable[[TraceProcessor], Any]) -> list[Any]:
        """What the function returns for each trace."""
        return self._execute(fn, _empty_pandas)

    def execute_and_flatten(self, fn: Callable[[TraceProcessor], Any]) -> Any:
        """The pandas frames that the function returns as one, with the metadata as further columns."""
        frames = self.execute(fn)
        for frame, (_, metadata) in zip(frames, self._open(), strict=True):
            for name, value in metadata.items():
                frame[name] = value
        import pandas as pd  # type: ignore[import-untyped, unused-ignore]
        return pd.concat(frames, ignore_index=True)

    def execute_and_flatten_polars(self, fn: Callable[[TraceProcessor], Any]) -> Any:
        """The polars frames that the function returns as one, with the metadata as further columns."""
        frames = self._execute(fn, _empty_polars)
        import polars as pl
        if not frames:
            raise ValueError("there is no trace whose rows could be joined")
        return pl.concat([frame.with_columns(**{name: pl.lit(value, pl.String) for name, value in metadata.items()})
                          for frame, (_, metadata) in zip(frames, self._open(), strict=True)], how="diagonal_relaxed")

    def _execute(self, fn: Callable[[TraceProcessor], Any], empty: Callable[[], Any]) -> list[Any]:
        def run(item: tuple[TraceProcessor, Metadata]) -> Any:
            processor, metadata = item
            begun = time.monotonic()
            try:
                with self._used(processor):
                    return fn(processor)
            except PerfettoException as error:
                if self.config.execute_failure_handling == FailureHandling.RAISE_EXCEPTION:
                    raise PerfettoException(f"{metadata} {error}") from error.__cause__
                with self._lock:
                    self._stats.execute_failures += 1
                return empty()
            finally:
                if self.observer is not None:
                    self.observer.trace_processed(metadata, time.monotonic() - begun)
        return list(_map(self.query_executor, run, self._open()))

    def _used(self, processor: TraceProcessor) -> AbstractContextManager[None]:
        backend = processor._backend
        if self._open_traces is None or not isinstance(backend, LocalBackend):
            return nullcontext()
        return self._open_traces.using(backend)

    def _open(self) -> list[tuple[TraceProcessor, Metadata]]:
        if self.closed or self.tps_and_metadata is None:
            raise PerfettoException("the BatchTraceProcessor is closed")
        return self.tps_and_metadata

    def stats(self) -> Stats:
        """The failures that were counted."""
        return self._stats

    def close(self) -> None:
        """Closes all traces. May be called again."""
        if self.closed:
            return
        self.closed = True
        if self.query_executor is not None:
            self.query_executor.shutdown()
        for processor, _ in self.tps_and_metadata or ():
            processor.close()
        if self._open_traces is not None:
            self._open_traces.close()

    def __enter__(self) -> BatchTraceProcessor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "query_executor"):
            self.close()


def _empty_pandas() -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise missing("pandas") from None
    return pd.DataFrame()


def _empty_polars() -> Any:
    try:
        import polars as pl
    except ImportError:
        raise missing("polars") from None
    return pl.DataFrame()
