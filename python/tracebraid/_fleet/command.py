"""The command `tracebraid fleet` of the Python package."""
from __future__ import annotations

import argparse
import csv
import json
import os
import sys
import warnings
from typing import IO, Any

from .._errors import Error, SqlError, TraceWarning, UsageError
from .._files import whole_file
from .._result import Result
from .fleet import Fleet, fleet


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tracebraid fleet", description="Runs one SQL statement over many traces, each group in a worker process.",
        epilog="Exit status: 1 groups were skipped, 2 usage, 3 a group failed, 4 SQL.")
    parser.add_argument("source", nargs="+", help="folders, files, globs or a fleet manifest (.jsonl)")
    parser.add_argument("sql", help="the statement")
    for name, text in (("group", 'a regex, "folder" or "archive"'), ("manifest-pattern", "path of merge manifests"),
                       ("memory-limit", "of each worker, as 2G"), ("output", "file; standard output without it"),
                       ("errors", "write groups that failed to this file, as JSON lines")):
        parser.add_argument("--" + name, help=text)
    parser.add_argument("--ungrouped", choices=("error", "skip", "alone"), default="error")
    parser.add_argument("--on-error", choices=("fail", "skip", "rows"), default="fail")
    parser.add_argument("--check", choices=("strict", "all"), help="groups fail where a strict check does")
    parser.add_argument("--provenance", choices=("full",))
    parser.add_argument("--format", choices=("csv", "tsv", "jsonl"), default="csv")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for each group")
    parser.add_argument("--max-rows", type=int, default=0, help="of each group")
    parser.add_argument("--jobs", type=int, default=0, help="number of worker processes")
    parser.add_argument("--sort", action="store_true", help="order rows by group")
    return parser.parse_args(arguments)


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def _write(result: Result, kind: str, to: IO[str]) -> None:
    names = result.columns
    if kind == "jsonl":
        for row in result:
            to.write(json.dumps(dict(zip(names, map(_plain, row), strict=True))) + "\n")
        return
    writer = csv.writer(to, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
    writer.writerow(names)
    for row in result:
        writer.writerow(map(_plain, row))


def _write_to(result: Result, kind: str, path: str | None) -> None:
    """Writes the rows."""
    if path is None:
        _write(result, kind, sys.stdout)
        sys.stdout.flush()
        return
    with whole_file(path) as unfinished, open(unfinished, "w", encoding="utf-8", newline="") as file:
        _write(result, kind, file)


def _conclude(made: Fleet, errors_path: str | None) -> int:
    if errors_path is not None:
        with open(errors_path, "w", encoding="utf-8") as file:
            _write(made.errors.result(), "jsonl", file)
    if not made.errors:
        return 0
    print(f"{len(made.errors)} of {len(made.groups)} groups were skipped:\n{made.errors}", file=sys.stderr)
    return 1


def _options(given: argparse.Namespace) -> dict[str, Any]:
    others = ("source", "sql", "output", "errors", "format", "check")
    return {**{name: value for name, value in vars(given).items() if name not in others}, "check": given.check or False}


def main(arguments: list[str]) -> int:
    """Runs the command, and returns its exit status."""
    given = _arguments(arguments)
    warnings.simplefilter("ignore", TraceWarning)  # _conclude() names the groups
    try:
        made = fleet(given.source, **_options(given))
        _write_to(made.sql(given.sql), given.format, given.output)
        return _conclude(made, given.errors)
    except Error as error:
        print(f"tracebraid: {error}", file=sys.stderr)
        return 4 if isinstance(error, SqlError) else 2 if isinstance(error, UsageError) else 3
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has what it wanted
        return 0
    except KeyboardInterrupt:
        return 130
