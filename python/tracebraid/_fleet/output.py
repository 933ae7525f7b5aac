"""Rows of a fleet as a file or as text."""
from __future__ import annotations

import csv
import json
import os
from importlib.util import find_spec
from typing import IO

from .._errors import UsageError, missing
from .._files import whole_file, write_arrow
from .._result import Result

TEXT_FORMATS = ("csv", "tsv", "jsonl")
FORMATS = (*TEXT_FORMATS, "parquet", "arrow")


def file_of(path: str) -> str:
    """The file that a path of the user names: in a folder, one of Parquet."""
    return os.path.join(path, "part-0.parquet") if path.endswith(os.sep) or os.path.isdir(path) else path


def format_of(path: str, given: str | None) -> str:
    """The format of a file: the given one, or that of the end of its name."""
    kind = given or os.path.splitext(path)[1][1:]
    if kind not in FORMATS:
        raise UsageError(f"{path}: the format is one of {', '.join(FORMATS)}")
    if kind not in TEXT_FORMATS and find_spec("pyarrow") is None:
        raise missing("pyarrow", "arrow")  # now, not when all rows are there
    return kind


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def write_text(result: Result, kind: str, to: IO[str]) -> None:
    """Writes rows as csv, tsv or jsonl. Bytes are hexadecimal."""
    names = result.columns
    if kind == "jsonl":
        for row in result:
            to.write(json.dumps(dict(zip(names, map(_plain, row), strict=True))) + "\n")
        return
    writer = csv.writer(to, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
    writer.writerow(names)
    for row in result:
        writer.writerow(map(_plain, row))


def write_file(result: Result, kind: str, path: str) -> None:
    """Writes rows to a file, which appears whole or not at all."""
    if kind not in TEXT_FORMATS:
        return write_arrow(result, kind, path)
    with whole_file(path) as unfinished, open(unfinished, "w", encoding="utf-8", newline="") as file:
        write_text(result, kind, file)
