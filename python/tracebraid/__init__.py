"""Merges trace files onto one timeline, and queries them with SQL.

    import tracebraid as tb
    t = tb.open("phone.pftrace", "watch.pftrace", "app.json", manifest="merge.json")
    t.check()
    t.sql("SELECT name, sum(dur) AS d FROM slice GROUP BY 1 ORDER BY 2 DESC LIMIT ?", [10]).to_polars()

Names are imported when they are used first, because all together take longer than the library.
"""
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from . import spark
    from ._clock import Clock
    from ._errors import (AmbiguousClock, BadInput, BadManifest, Cancelled, CheckFailed, Closed, Error, InternalError,
                          IOFailure, LimitExceeded, MissingDependency, NotFound, OutOfMemory, SqlError, Timeout,
                          TraceWarning, TypeChanged, Unsupported, UsageError, WorkerDied)
    from ._facts import (ClockInfo, Column, Facts, File, Machine, MemoryUse, Placement, Problem, Stat, Table,
                         Tables)
    from ._fleet.errors import Errors, GroupError
    from ._fleet.fleet import Fleet, fleet
    from ._fleet.source import Group
    from ._lake.lake import Lake
    from ._open import build_info, check, formats, info, manifest, merge, open, open_async, validate_manifest
    from ._report import Info, Report
    from ._result import Result
    from ._rows import Field
    from ._trace import Connection, Trace

__version__ = _core.version()

__all__ = [
    "AmbiguousClock", "BadInput", "BadManifest", "Cancelled", "CheckFailed", "Clock", "ClockInfo", "Closed", "Column",
    "Connection", "Error", "Errors", "Facts", "Field", "File", "Fleet", "Group", "GroupError", "IOFailure", "Info",
    "InternalError", "Lake", "LimitExceeded", "Machine", "MemoryUse", "MissingDependency", "NotFound", "OutOfMemory",
    "Placement", "Problem", "Report", "Result", "SqlError", "Stat", "Table", "Tables", "Timeout", "Trace", "TraceWarning",
    "TypeChanged", "Unsupported", "UsageError", "WorkerDied", "__version__", "build_info", "check", "fleet",
    "formats", "info", "manifest", "merge", "open", "open_async", "spark", "validate_manifest",
]

_MODULES = {
    "_clock": ("Clock",),
    "_facts": ("ClockInfo", "Column", "Facts", "File", "Machine", "MemoryUse", "Placement", "Problem", "Stat", "Table",
               "Tables"),
    "_fleet.errors": ("Errors", "GroupError"),
    "_fleet.fleet": ("Fleet", "fleet"),
    "_fleet.source": ("Group",),
    "_lake.lake": ("Lake",),
    "_open": ("build_info", "check", "formats", "info", "manifest", "merge", "open", "open_async", "validate_manifest"),
    "_report": ("Info", "Report"),
    "_result": ("Result",),
    "_rows": ("Field",),
    "_trace": ("Connection", "Trace"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Imports a public name. Those that are in no other module are errors."""
    from importlib import import_module
    if name == "spark":
        return import_module("tracebraid.spark")
    if name not in __all__:
        raise AttributeError(f"module 'tracebraid' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module("tracebraid." + _MODULE_OF.get(name, "_errors")), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
