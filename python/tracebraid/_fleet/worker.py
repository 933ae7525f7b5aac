"""The worker process of a fleet: opens one group after the other, and sends the rows of the statement. Reads tasks, one JSON
object a line, from standard input; writes messages of `frames` to standard output."""
from __future__ import annotations

import json
import mmap
import os
import resource
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Any

import tracebraid as tb
from tracebraid import _core
from tracebraid._errors import code_name
from tracebraid._rows import Reader

from . import frames
from .cache import mark_used
from .packed import archive_of
from .remote import fetch_all, is_remote, rename
from .statement import MACHINE_KEYS

_RULES = ("is_timeline", "same_clock", "measured", "relayed", "manifest", "rendezvous", "guessed", "unplaced")
"""Of placements, from the strongest to the weakest."""

_SLACK = 256 << 20  # memory of the process besides the trace


class _Stage:
    """What the worker is doing, for the table of errors."""

    name = "open"


def _die_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _memory(field: str) -> int:
    """A field of /proc/self/status, in bytes."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    return 0


def _limit_memory(limit: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (_memory("VmData") + limit + _SLACK, hard))
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as refs:
            refs.write("5")  # begins the peak of this group
    except OSError:
        pass


def _state_of(paths: list[str]) -> list[tuple[int, int]]:
    made = []
    for path in paths:
        try:
            stat = os.stat(path)
        except OSError as error:
            raise tb.NotFound(f"{path}: {error.strerror}", file=path) from None
        made.append((stat.st_size, stat.st_mtime_ns))
    return made


def _check_unchanged(task: dict[str, Any], before: list[tuple[int, int]] | None) -> list[tuple[int, int]]:
    now = _state_of(task["paths"])
    for path, listed, (size, mtime), earlier in zip(task["paths"], task["sizes"], now, before or now, strict=True):
        if listed not in (-1, size) or earlier != (size, mtime):
            raise tb.BadInput(f"{path} changed while the fleet ran", file=path)
    return now


def _digest(paths: list[str]) -> str:
    maps: list[object] = []
    for path in paths:
        with open(path, "rb") as file:
            maps.append(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if os.path.getsize(path) else b"")
    return f"{_core.digest(maps):016x}"


def _weakest(rules: set[str]) -> str | None:
    order = {name: number for number, name in enumerate(_RULES)}
    return max(rules, key=lambda rule: (order.get(rule, len(order)), rule), default=None)


def _facts(trace: tb.Trace, task: dict[str, Any]) -> dict[str, Any]:
    """The columns of provenance."""
    placements = list(trace.check())
    bounds = [placement.uncertainty_ns for placement in placements]
    return {"_trace_size": sum(os.path.getsize(path) for path in task["paths"]),
            "_trace_digest": _digest(task["paths"]), "_placed_by": _weakest({p.rule for p in placements}),
            "_uncertainty_ns": None if None in bounds else max((b for b in bounds if b is not None), default=None),
            "_lost": sum(placement.lost for placement in placements)}


def _check_limits(trace: tb.Trace) -> None:
    """LimitExceeded if a part of the input was not read because of a limit of containers."""
    for problem in trace.problems:
        if "if that is expected, raise --max-" in problem.message:
            raise tb.LimitExceeded(f"{problem.file}: {problem.message}", file=problem.file)


def _machines(trace: tb.Trace, key: str) -> dict[object, str | None]:
    names = dict(trace.sql("SELECT id, name FROM machine").fetchall())
    return {value: names.get(machine) for value, machine in trace.sql(MACHINE_KEYS[key]).fetchall()}


def _batches(trace: tb.Trace, task: dict[str, Any], deadline: float, stage: _Stage) -> Iterator[tuple[int, list[frames.Column]]]:
    """The rows of the statement as messages have them, with `_machine` first if the task has it."""
    fields = [tuple(field) for field in task["fields"]]
    types = {name: kind for name, kind in task["types"] if "," not in name}
    stage.name = "describe"
    result = trace.sql(task["sql"], types=types, text="utf8", timeout=max(0.01, deadline - time.monotonic()))
    reader = Reader(result._run()[1])
    formats = [fmt for _, fmt, _ in _core.schema_fields(reader.schema)]
    if [(name, fmt) for name, fmt, _ in _core.schema_fields(reader.schema)] != [(f[0], f[1]) for f in fields]:
        raise tb.TypeChanged("the columns differ from those of other groups; CAST them, or give types=")
    stage.name = "query"
    key = task["machine_column"]
    names = _machines(trace, fields[key][0]) if key is not None else {}
    for batch in reader.batches():
        columns = _core.batch_columns(batch, "".join(formats))
        if key is not None:
            values = _core.batch_values(batch, key, formats[key], [])
            columns.insert(0, frames.texts([names.get(value) for value in values]))
        yield _core.batch_length(batch), columns


def _description(trace: tb.Trace) -> dict[str, Any]:
    """What the table of the traces of a lake says besides provenance."""
    start, end = trace.sql("SELECT clock_convert(start_ts, NULL, NULL, 'REALTIME', NULL), "
                           "clock_convert(end_ts, NULL, NULL, 'REALTIME', NULL) FROM trace_bounds").fetchall()[0]
    return {"formats": sorted({file.trace_type for file in trace.files if file.trace_type and not file.is_container}),
            "machines": sorted({machine.name for machine in trace.machines if machine.name}),
            "start_utc": start, "end_utc": end}


def _have_rows(trace: tb.Trace, tables: list[str]) -> list[bool]:
    """Whether each table has rows: by one statement, because most tables are empty and a statement for each takes longer."""
    if not tables:
        return []
    quoted = ('"' + name.replace('"', '""') + '"' for name in tables)
    return list(map(bool, trace.sql("SELECT " + ", ".join(f"EXISTS(SELECT 1 FROM {name})" for name in quoted)).fetchall()[0]))


def _send(trace: tb.Trace, task: dict[str, Any], deadline: float, to: IO[bytes], table: int | None, stage: _Stage) -> int:
    """Sends the rows of a statement, and returns their number."""
    rows = 0
    for length, columns in _batches(trace, task, deadline, stage):
        rows += length
        if task["max_rows"] and rows > task["max_rows"]:
            raise tb.LimitExceeded(f"the group has more than max_rows = {task['max_rows']} rows")
        frames.write_batch(to, length, columns, table)
    return rows


@contextmanager
def _local(task: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The task with files of this machine: remote ones are copied, and removed at the end. Errors name the files as the task
    does."""
    manifest = task["manifest"]
    with ExitStack() as stack:
        made = dict(task)
        if any(is_remote(path) or archive_of(path) for path in [*task["paths"], manifest or ""]):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tracebraid-", dir=task["options"].get("temp_dir")))
            made["paths"] = fetch_all(task["paths"], task["sizes"], folder)
            made["manifest"] = manifest and fetch_all([manifest], [-1], folder + "/manifest")[0]
        try:
            yield made
        except tb.Error as error:
            names = zip(made["paths"], task["names"] or task["paths"], strict=True)
            rename(error, {path: name for path, name in [*names, (made["manifest"], manifest)] if path not in (None, name)})
            raise


def _run(task: dict[str, Any], to: IO[bytes], stage: _Stage) -> dict[str, Any]:
    """Sends the rows, and returns the facts of the group."""
    deadline = time.monotonic() + task["timeout"]
    stage.name = "fetch"
    with _local(task) as local:
        return _read(local, to, stage, deadline)


def _read(task: dict[str, Any], to: IO[bytes], stage: _Stage, deadline: float) -> dict[str, Any]:
    before = _check_unchanged(task, None)
    stage.name = "open"
    _limit_memory(task["memory_limit"])
    trace = tb.open(*task["paths"], manifest=task["manifest"], threads=1, memory_limit=task["memory_limit"],
                    progress=False, timeout=max(0.01, deadline - time.monotonic()), **task["options"])
    if "cache_dir" in task["options"]:
        mark_used(task["options"]["cache_dir"])
    _check_limits(trace)
    _check_unchanged(task, before)
    stage.name = "check"
    if task["check"]:
        trace.check(strict=task["check"])
    facts = _facts(trace, task) if task["full"] else {}
    stage.name = "query"
    rows: int | list[int]
    if "tables" in task:
        facts |= _description(trace)
        has_rows = _have_rows(trace, [table["name"] for table in task["tables"]])
        rows = [_send(trace, {**task, **table}, deadline, to, number, stage) if has_rows[number] else 0
                for number, table in enumerate(task["tables"])]
    else:
        rows = _send(trace, task, deadline, to, None, stage)
    _check_unchanged(task, before)
    return {"rows": rows, **facts}


def _failure(error: BaseException, stage: str) -> dict[str, Any]:
    if isinstance(error, tb.Error):
        return {"stage": stage, "code": code_name(error), "message": str(error), "file": error.file,
                "offset": error.offset}
    if isinstance(error, MemoryError):
        return {"stage": stage, "code": "NO_MEMORY", "message": "memory_limit was reached", "file": None,
                "offset": None}
    return {"stage": stage, "code": "INTERNAL", "message": traceback.format_exc(), "file": None, "offset": None}


def _loop(tasks: IO[bytes], to: IO[bytes]) -> None:
    for line in tasks:
        task, stage, begun = json.loads(line), _Stage(), time.monotonic()
        try:
            kind, head = frames.END, _run(task, to, stage)
        except Exception as error:  # whatever it is, the fleet reports it
            kind, head = frames.FAILED, _failure(error, stage.name)
        head |= {"seconds": time.monotonic() - begun, "peak_bytes": _memory("VmHWM"), "memory": _memory("VmRSS")}
        frames.write(to, kind, head)
        to.flush()


def main() -> None:
    """Runs until standard input ends, or the parent does."""
    warnings.simplefilter("ignore")
    threading.Thread(target=_die_with_parent, args=(os.getppid(),), daemon=True).start()
    to = os.fdopen(os.dup(1), "wb", buffering=1 << 20)
    os.dup2(2, 1)  # what prints does not mix with messages
    _loop(sys.stdin.buffer, to)


if __name__ == "__main__":
    main()
