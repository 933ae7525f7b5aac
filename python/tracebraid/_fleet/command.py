"""The command `tracebraid fleet` for what only the Python package does: lakes, URLs, and fleet manifests of Parquet."""
from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from typing import Any

from .. import _core
from .._errors import Error, LimitExceeded, NotFound, SqlError, Timeout, TraceWarning, TypeChanged, UsageError
from .fleet import Fleet, fleet, seconds
from .output import FORMATS, TEXT_FORMATS, file_of, write_file, write_text


_NOT_FOR_FLEETS = ("io", "manifest", "no-trace", "strict", "threads", "cache", "for-queries", "from", "until", "machine", "process",
                   "clock", "table", "query", "by-machine", "force")
"""Options of opening that the fleet decides, and those of exports."""


def _add_options_of_opening(parser: argparse.ArgumentParser) -> list[str]:
    """Adds the options of the program that say how to open a trace. Returns their names as keywords."""
    group = parser.add_argument_group("how each group is opened")
    names = []
    taken = parser._option_string_actions  # noqa: SLF001 - there is no other way to ask
    for key in json.loads(_core.options_keys()):
        name = key["key"]
        if name in _NOT_FOR_FLEETS or f"--{name}" in taken:
            continue
        names.append(name.replace("-", "_"))
        kind: dict[str, Any] = {"action": "store_true"} if key["type"] == "switch" else \
            {"action": "append"} if key["type"] == "list" else {}
        group.add_argument("--" + name, help=key["text"].replace("%", "%%"), default=None, **kind)
    return names


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tracebraid fleet", description="Runs one SQL statement over many traces, each group in a worker process.",
        epilog="Exit status: 1 groups were skipped, 2 usage, 3 a group failed, 4 SQL or a limit of it.")
    parser.add_argument("source", nargs="*", help="folders, files, globs or a fleet manifest (.jsonl)")
    parser.add_argument("sql", nargs="?", help="the statement")
    parser.add_argument("--to", choices=("lake",), help="add all rows to a lake, the folder of --output, instead of a statement")
    parser.add_argument("--tables", help="of the lake, with commas; by default all")
    parser.add_argument("--buckets", type=int, default=16, help="of a lake that is made")
    parser.add_argument("--layout", choices=("bucket", "trace"),
                        help="of a lake that is made: files of many groups (default), or a folder for each group")
    parser.add_argument("--delta", action="store_true", help="make the tables of the lake Delta tables, too")
    parser.add_argument("--compact", action="store_true", help="merge small files of the lake")
    parser.add_argument("--vacuum", metavar="AGE", help="delete files of the lake that no commit names and that are older, as 7d or 12h")
    for name, text in (("group", 'a regex, "folder" or "archive"'), ("manifest-pattern", "path of merge manifests"),
                       ("memory-limit", "of each worker, as 2G"), ("output", "file, or folder for Parquet; standard output without it"),
                       ("pick", "SQL condition over _group, _trace, _size: other groups are left out"),
                       ("where", "SQL condition for the rows of the statement"),
                       ("types", "of columns that do not follow from the statement, as n=int64,x=float64"),
                       ("errors", "write groups that failed to this file, as JSON lines")):
        short = {"output": ["-o"]}.get(name, [])
        parser.add_argument(*short, "--" + name, help=text)
    parser.add_argument("--ungrouped", choices=("error", "skip", "alone"), default="error")
    parser.add_argument("--on-error", choices=("fail", "skip", "rows"), default="fail")
    parser.add_argument("--check", choices=("strict", "all"), help="groups fail where a strict check does")
    parser.add_argument("--provenance", choices=("full",))
    parser.add_argument("-f", "--format", choices=FORMATS, help="by default that of the end of --output, or csv")
    parser.add_argument("--resume", action="store_true", help="continue a run with this --output that was ended")
    parser.add_argument("--timeout", default="600s", help="of each group, as 600s or 10m")
    parser.add_argument("--sql-file", metavar="FILE", help="read the statement from this file")
    parser.add_argument("--cache-size", metavar="SIZE", help="of the folder of --cache-dir; by default a tenth of the free room")
    parser.add_argument("--max-rows", type=int, default=0, help="of each group")
    parser.add_argument("--jobs", type=int, default=0, help="number of worker processes")
    parser.add_argument("--sort", action="store_true", help="order rows by group")
    opening = _add_options_of_opening(parser)
    given = parser.parse_intermixed_args(arguments)
    given.opening = {name: vars(given).pop(name) for name in opening}
    given.sources = [*given.source, *([given.sql] if given.sql is not None else [])]
    if given.to is None and not _maintains(given):
        if given.sql_file is not None:
            if not given.sources:
                parser.error("give a source")
            given.sql = _text_of(given.sql_file)
        elif len(given.sources) < 2:
            parser.error("give a source and a statement")
        else:
            given.sql = given.sources.pop()
    elif given.output is None:
        parser.error("--to lake, --compact and --vacuum need --output, the folder of the lake")
    elif (given.to is not None) != bool(given.sources):
        parser.error("--to lake needs a source" if given.to else "--compact and --vacuum take no source without --to lake")
    return given


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise NotFound(f"{path}: {error.strerror}", file=path) from None


def _maintains(given: argparse.Namespace) -> bool:
    return given.compact or given.vacuum is not None


def _maintain(given: argparse.Namespace) -> None:
    """Compacts and vacuums the lake, as asked."""
    from .._lake.lake import Lake
    age = None if given.vacuum is None else seconds("--vacuum", given.vacuum)
    lake = Lake(given.output)
    if given.compact:
        version = lake.compact()
        print("nothing to merge" if version is None else f"version {version}: {lake!r}", file=sys.stderr)
    if age is not None:
        print(f"{len(lake.vacuum(age))} files and folders were deleted", file=sys.stderr)


def _write_lake(made: Fleet, given: argparse.Namespace) -> None:
    tables = None if given.tables is None else given.tables.split(",")
    version = made.write_lake(given.output, tables=tables, buckets=given.buckets, layout=given.layout, delta=given.delta,
                              resume=given.resume)
    print("the lake has all groups already" if version is None else f"version {version}", file=sys.stderr)


def _types(text: str | None) -> dict[str, str] | None:
    """The types of --types by column."""
    if text is None:
        return None
    pairs = [item.rpartition("=") for item in text.split(",")]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise UsageError(f"--types is NAME=TYPE with commas, not {text!r}")
    return {name: kind for name, _, kind in pairs}


def _write(made: Fleet, given: argparse.Namespace) -> None:
    """Writes the rows to the file, or to standard output."""
    if given.output is not None:
        by_name = os.path.splitext(file_of(given.output))[1][1:]
        made.write(given.sql, given.output, where=given.where, types=_types(given.types), format=given.format or (by_name if by_name in FORMATS else "csv"),
                   resume=given.resume)
        return
    if given.resume:
        raise UsageError("--resume needs --output")
    kind = given.format or "csv"
    if kind not in TEXT_FORMATS:
        raise UsageError(f"--format {kind} needs --output")
    write_text(made.sql(given.sql, where=given.where, types=_types(given.types)), kind, sys.stdout)
    sys.stdout.flush()


def _conclude(made: Fleet, errors_path: str | None) -> int:
    if errors_path is not None:
        write_file(made.errors.result(), "jsonl", errors_path)
    if not made.errors:
        return 0
    print(f"{len(made.errors)} of {len(made.groups)} groups were skipped:\n{made.errors}", file=sys.stderr)
    return 1


def _drop_output() -> None:
    """Drops what was not written to standard output, so that Python does not fail at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _say_how_to_continue(given: argparse.Namespace | None) -> None:
    kept = None if given is None or given.output is None else \
        os.path.join(given.output, "_tracebraid/runs") if given.to else file_of(given.output) + ".resume"
    if kept is not None and os.path.isdir(kept) and os.listdir(kept):
        print(f"{kept} has the groups that ended: --resume continues", file=sys.stderr)


def _options(given: argparse.Namespace) -> dict[str, Any]:
    others = ("source", "sources", "sql", "where", "types", "output", "errors", "format", "check", "resume", "to", "tables", "buckets",
              "compact", "vacuum", "opening", "sql_file", "layout", "delta")
    named = {name: value for name, value in vars(given).items() if name not in others}
    opening = {name: value for name, value in given.opening.items() if value is not None}
    return {**named, "check": given.check or False, **opening}


def _status(error: Exception, made: Fleet | None) -> int:
    """The exit status of an error. Limits of the statement end the run like mistakes in it."""
    stage = made.errors[-1].stage if made is not None and made.errors else ""
    is_limit = isinstance(error, (LimitExceeded, Timeout)) and stage in ("describe", "query")
    return 4 if is_limit or isinstance(error, (SqlError, TypeChanged)) else 2 if isinstance(error, UsageError) else 3


def main(arguments: list[str]) -> int:
    """Runs the command, and returns its exit status."""
    given = made = None
    warnings.formatwarning = lambda message, *of: f"tracebraid: warning: {message}\n"
    warnings.filterwarnings("ignore", r"\d+ of \d+ groups were skipped", TraceWarning)  # _conclude() names the groups
    try:
        given = _arguments(arguments)
        status = 0
        if given.sources:
            made = fleet(given.sources, **_options(given))
            (_write_lake if given.to else _write)(made, given)
            status = _conclude(made, given.errors)
        if _maintains(given):
            _maintain(given)
        return status
    except (Error, OSError) as error:  # OSError: a disk that is full, or a reader that has what it wanted
        if isinstance(error, BrokenPipeError):
            _drop_output()
            return 0
        print(f"tracebraid: {error}", file=sys.stderr)
        _say_how_to_continue(given)
        _drop_output()
        return _status(error, made)
    except KeyboardInterrupt:
        _say_how_to_continue(given)
        return 130
