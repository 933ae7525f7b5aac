"""The command `tracebraid`: runs the program that the package brings."""
from __future__ import annotations

import os
import re
import sys


def path() -> str:
    """The path of the program."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tracebraid")


_OF_PACKAGE = re.compile(r"--(to|tables|buckets|layout|delta|compact|vacuum)(=|$)|--help$|-h$|[A-Za-z][A-Za-z0-9+.-]*://\S*$|.*\.parquet$", re.S)
"""Arguments of `fleet` that the program does not know: lakes, URLs, and fleet manifests of Parquet."""
_OUTPUTS = ("--output", "-o", "--format", "-f", "--errors")


def _has_urls(path: str) -> bool:
    """Whether a path is that of a fleet manifest with URLs."""
    if not path.endswith(".jsonl"):
        return False
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return any("://" in line for line in file)
    except OSError:
        return False


def _is_for_pyarrow(option: str, value: str) -> bool:
    """Whether an option asks for Parquet or Arrow. The program needs a library for them that is no part of the package."""
    if option in ("--format", "-f"):
        return value in ("parquet", "arrow")
    return option in ("--output", "-o") and (value.endswith((".parquet", ".arrow", os.sep)) or os.path.isdir(value))


def needs_package(arguments: list[str]) -> bool:
    """Whether the package runs `fleet` with these arguments, because the program cannot."""
    before = ""
    for value in arguments:
        option, equals, rest = value.partition("=")
        if not (equals and option in _OUTPUTS):
            option, rest = before, value
        if _is_for_pyarrow(option, rest):
            return True
        if option not in _OUTPUTS and (_OF_PACKAGE.match(value) or _has_urls(value)):
            return True
        before = value
    return False


def main() -> None:
    """Replaces this process by the program, except for fleets that only the package runs."""
    if sys.argv[1:2] == ["fleet"] and needs_package(sys.argv[2:]):
        from ._fleet.command import main as fleet
        sys.exit(fleet(sys.argv[2:]))
    os.execv(path(), ["tracebraid", *sys.argv[1:]])
