"""Functions of the package that open traces, and work with archives and manifests."""
from __future__ import annotations

import json
import os
import warnings
from typing import Any

from . import _core
from ._errors import TraceWarning
from ._options import Input, Manifest, inputs_of, keys_of, manifest_of
from ._progress import Progress, Reporter
from ._report import Info, Report
from ._trace import Runs, Trace, _in_thread


def _open_handle(inputs: tuple[Input, ...], manifest: Manifest, options: dict[str, Any], progress: Progress,
                 timeout: float | None, runs: Runs) -> object:
    if not inputs and not options.get("no_trace"):
        raise ValueError("give at least one input")
    text, keys = manifest_of(manifest)
    control = runs.new(timeout)
    try:
        with Reporter(progress) as reporter:
            return _core.open(inputs_of(inputs), keys + keys_of(options), text, control, reporter.report)
    finally:
        runs.forget(control)


def _options(strict: bool | str, cache: bool, cache_dir: str | os.PathLike[str] | None, threads: int,
             memory_limit: int | str | None, for_queries: bool, others: dict[str, Any]) -> dict[str, Any]:
    return {"strict": strict or None, "cache": cache or None,
            "cache_dir": None if cache_dir is None else os.fspath(cache_dir), "threads": threads or None,
            "memory_limit": memory_limit, "for_queries": for_queries or None, **others}


def open(*inputs: Input, manifest: Manifest = None, strict: bool | str = False, cache: bool = False,
         cache_dir: str | os.PathLike[str] | None = None, threads: int = 0, memory_limit: int | str | None = None,
         progress: Progress = None, timeout: float | None = None, for_queries: bool = True,
         **options: Any) -> Trace:
    """Reads and merges traces, and returns them on one timeline.

    Inputs are paths of files, folders and archives, bytes, (name, bytes), binary file objects, and URLs if fsspec is
    installed. `manifest` is a path, a dict or JSON text. Problems of parts of the inputs are TraceWarnings; with
    `strict` (or "all") the first one is an exception. Other options are those of the program, with "_" for "-".

    >>> import tracebraid as tb
    >>> t = tb.open("examples/phone.pftrace")
    >>> t.sql("SELECT count(*) AS n FROM slice").scalar() > 0
    True
    """
    runs = Runs()
    given = _options(strict, cache, cache_dir, threads, memory_limit, for_queries, options)
    return _warned(Trace(_open_handle(inputs, manifest, given, progress, timeout, runs), runs, inputs))


async def open_async(*inputs: Input, manifest: Manifest = None, strict: bool | str = False, cache: bool = False,
                     cache_dir: str | os.PathLike[str] | None = None, threads: int = 0,
                     memory_limit: int | str | None = None, progress: Progress = False,
                     timeout: float | None = None, for_queries: bool = True, **options: Any) -> Trace:
    """As open(), on a thread. Cancelling the task cancels the opening."""
    runs = Runs()
    given = _options(strict, cache, cache_dir, threads, memory_limit, for_queries, options)
    handle = await _in_thread(lambda: _open_handle(inputs, manifest, given, progress, timeout, runs), runs.cancel)
    return _warned(Trace(handle, runs, inputs))


def _warned(trace: Trace) -> Trace:
    """Warns of the problems of a trace, at the line that opened it."""
    for problem in trace.problems:
        message = f"{problem.file}: {problem.message}" if problem.file else problem.message
        warnings.warn(message, TraceWarning, stacklevel=3)
    return trace


def check(*inputs: Input, strict: bool | str = False, **options: Any) -> Report:
    """Opens traces and returns their placement report.

    >>> import tracebraid as tb
    >>> tb.check("examples/phone.pftrace").ok
    True
    """
    return _quietly(inputs, options).check(strict)


def info(*inputs: Input, **options: Any) -> Info:
    """Opens traces and returns what each file contains."""
    return _quietly(inputs, options).info()


def _quietly(inputs: tuple[Input, ...], options: dict[str, Any]) -> Trace:
    """Opens traces whose problems a report shows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TraceWarning)
        return open(*inputs, **options)


def merge(*inputs: Input, output: str | os.PathLike[str], manifest: Manifest = None, validate: bool = True,
          progress: Progress = None, timeout: float | None = None, **options: Any) -> Report | None:
    """Packs files and a manifest into an archive (.zip, else TAR), and returns its report; None without validate."""
    text, keys = manifest_of(manifest)
    runs = Runs()
    control = runs.new(timeout)
    with Reporter(progress) as reporter:
        trace = _core.merge(inputs_of(inputs), keys + keys_of(options), text, os.fspath(output), validate, control,
                            reporter.report)
    return None if trace is None else Report(trace)


def manifest(*inputs: Input, **options: Any) -> dict[str, Any]:
    """A template of a merge manifest for the inputs."""
    made: dict[str, Any] = json.loads(_core.manifest_template(inputs_of(inputs), keys_of(options), None))
    return made


def validate_manifest(manifest: Manifest, *inputs: Input, **options: Any) -> Report | None:
    """Checks a manifest, alone or with its files, of which it returns the report. BadManifest: a rule is broken."""
    text, keys = manifest_of(manifest)
    _core.manifest_validate([], keys, text)
    if not inputs:
        return None
    return check(*inputs, manifest=manifest, **options)


def build_info() -> dict[str, Any]:
    """Version, formats and kinds of exports of the library."""
    made: dict[str, Any] = json.loads(_core.build_info())
    return made


def formats() -> list[dict[str, str]]:
    """The trace formats that can be read: name, title, about.

    >>> import tracebraid as tb
    >>> "json" in [each["name"] for each in tb.formats()]
    True
    """
    made: list[dict[str, str]] = build_info()["formats"]
    return made
