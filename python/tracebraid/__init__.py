"""Merges trace files onto one timeline, and queries them with SQL.

    import tracebraid as tb
    t = tb.open("phone.pftrace", "watch.pftrace", "app.json", manifest="merge.json")
    t.check()
    t.sql("SELECT name, sum(dur) AS d FROM slice GROUP BY 1 ORDER BY 2 DESC LIMIT ?", [10]).to_polars()
"""
from typing import TYPE_CHECKING

from . import _core
from ._clock import Clock
from ._errors import (AmbiguousClock, BadInput, BadManifest, Cancelled, CheckFailed, Closed, Error, InternalError,
                      IOFailure, LimitExceeded, MissingDependency, NotFound, OutOfMemory, SqlError, Timeout,
                      TraceWarning, TypeChanged, Unsupported, UsageError, WorkerDied)
from ._facts import ClockInfo, Column, Facts, File, Machine, Placement, Problem, Stat, Table, Tables
from ._open import build_info, check, formats, info, manifest, merge, open, open_async, validate_manifest
from ._report import Info, Report
from ._result import Result
from ._rows import Field
from ._trace import Connection, Trace

if TYPE_CHECKING:
    from ._fleet.errors import Errors, GroupError
    from ._fleet.fleet import Fleet, fleet
    from ._fleet.source import Group
    from ._lake.lake import Lake

__version__ = _core.version()

__all__ = [
    "AmbiguousClock", "BadInput", "BadManifest", "Cancelled", "CheckFailed", "Clock", "ClockInfo", "Closed", "Column",
    "Connection", "Error", "Errors", "Facts", "Field", "File", "Fleet", "Group", "GroupError", "IOFailure", "Info",
    "InternalError", "Lake", "LimitExceeded", "Machine", "MissingDependency", "NotFound", "OutOfMemory", "Placement",
    "Problem", "Report", "Result", "SqlError", "Stat", "Table", "Tables", "Timeout", "Trace", "TraceWarning",
    "TypeChanged", "Unsupported", "UsageError", "WorkerDied", "__version__", "build_info", "check", "fleet",
    "formats", "info", "manifest", "merge", "open", "open_async", "validate_manifest",
]

_FLEETS = {"Errors": "_fleet.errors", "GroupError": "_fleet.errors", "Fleet": "_fleet.fleet", "fleet": "_fleet.fleet",
           "Group": "_fleet.source", "Lake": "_lake.lake"}


def __getattr__(name: str) -> object:
    """Imports what fleets need when it is used, because it takes longer than the rest of the package."""
    if name not in _FLEETS:
        raise AttributeError(f"module 'tracebraid' has no attribute {name!r}")
    from importlib import import_module
    value = globals()[name] = getattr(import_module(f"tracebraid.{_FLEETS[name]}"), name)
    return value
