"""Rows of a fleet as a file or as text."""
from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from decimal import Decimal
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


def _real(value: float) -> str:
    """The shortest decimal of a number, as the program writes it."""
    if math.isinf(value):
        return "-1e999" if value < 0 else "1e999"
    sign, mantissa, _ = Decimal(repr(value)).as_tuple()
    _, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    if not isinstance(exponent, int) or not any(mantissa):
        return "-0.0" if sign else "0.0"
    text, power = "".join(map(str, digits)), len(digits) - 1 + exponent
    scientific = f"{text[0]}{'.' if len(text) > 1 else ''}{text[1:]}e{'-' if power < 0 else '+'}{abs(power):02}"
    fixed = str(abs(int(value))) if exponent >= 0 else \
        f"0.{'0' * (-power - 1)}{text}" if power < 0 else f"{text[:power + 1]}.{text[power + 1:]}"
    made = fixed if len(fixed) <= len(scientific) else scientific
    return ("-" if sign else "") + made + ("" if "." in made or "e" in made else ".0")


def _csv(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if not text or any(c in text for c in ',"\r\n') else text


_TSV = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"})


def _json(value: object) -> str:
    if isinstance(value, bytes):
        return '{"blob":"' + value.hex() + '"}'
    return _real(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _field(value: object, null: str, text_of: Callable[[str], str]) -> str:
    if value is None:
        return null
    return text_of(value) if isinstance(value, str) else value.hex() if isinstance(value, bytes) else \
        _real(value) if isinstance(value, float) else str(value)


def write_text(result: Result, kind: str, to: IO[str]) -> None:
    """Writes rows as csv, tsv or jsonl, with the bytes that the program writes."""
    names = result.columns
    if kind == "jsonl":
        keys = [json.dumps(name, ensure_ascii=False) + ":" for name in names]
        for row in result:
            to.write("{" + ",".join(map(str.__add__, keys, map(_json, row))) + "}\n")
        return
    separator, end, null = ("\t", "\n", "\\N") if kind == "tsv" else (",", "\r\n", "")

    def text_of(text: str) -> str:
        return text.translate(_TSV) if kind == "tsv" else _csv(text)
    to.write(separator.join(map(text_of, names)) + end)
    for row in result:
        to.write(separator.join(_field(value, null, text_of) for value in row) + end)


def write_file(result: Result, kind: str, path: str) -> None:
    """Writes rows to a file, which appears whole or not at all."""
    if kind not in TEXT_FORMATS:
        return write_arrow(result, kind, path)
    with whole_file(path) as unfinished, open(unfinished, "w", encoding="utf-8", newline="") as file:
        write_text(result, kind, file)
