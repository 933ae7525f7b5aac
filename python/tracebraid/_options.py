"""Inputs and keyword arguments as the inputs and keys of the library."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Union

from . import _core
from ._errors import did_you_mean, missing

Input = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, tuple[str, Any], Any]
"""A path, bytes, (name, bytes), or a binary file object."""
Manifest = Union[str, "os.PathLike[str]", Mapping[str, Any], None]
"""A path, JSON text, or the document of a merge manifest."""
Keys = list[tuple[str, str]]


@cache
def option_types() -> dict[str, str]:
    """The type of each option of opening, by its name as a keyword."""
    return {key["key"].replace("-", "_"): key["type"] for key in json.loads(_core.options_keys())}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def keys_of(options: Mapping[str, Any]) -> Keys:
    """The keys of keyword arguments. Unknown ones are a TypeError that names the nearest."""
    types = option_types()
    keys: Keys = []
    for name, value in options.items():
        if name not in types:
            raise TypeError(f"there is no option {name!r}{did_you_mean(name, types)}")
        if value is None:
            continue
        many = types[name] == "list" and not isinstance(value, (str, bytes, os.PathLike))
        for item in value if many else [value]:
            keys.append((name.replace("_", "-"), _text(item)))
    return keys


def _is_bytes(value: Any) -> bool:
    return isinstance(value, (bytes, bytearray, memoryview)) or (
        hasattr(value, "__array_interface__") and not hasattr(value, "read"))


def _check_contents(item: Any) -> None:
    """TypeError if bytes are a path, not the contents of a file."""
    if isinstance(item, bytes) and 0 < len(item) < 4096 and b"\0" not in item and os.path.exists(item):
        raise TypeError("bytes are the contents of a trace; give a path as text, os.fsdecode(path)")


def _read(file: Any) -> Any:
    content = file.read()
    if isinstance(content, str):
        raise TypeError('the file gives text; open the file in binary mode, open(path, "rb")')
    return content


def _remote(url: str) -> tuple[str, bytes]:
    try:
        import fsspec  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise missing("fsspec", "remote") from None
    with fsspec.open(url, "rb") as file:
        return url, bytes(file.read())


def inputs_of(inputs: tuple[Input, ...]) -> list[object]:
    """The inputs as paths and (name, bytes)."""
    made: list[object] = []
    for number, item in enumerate(inputs):
        if isinstance(item, str) and "://" in item:
            made.append(_remote(item))
        elif isinstance(item, (str, os.PathLike)):
            if not os.fspath(item):
                raise ValueError("the path of an input is empty")
            made.append(os.fspath(item))
        elif _is_bytes(item):
            _check_contents(item)
            made.append((f"input{number}", item))
        elif isinstance(item, tuple) and len(item) == 2:
            made.append((str(item[0]), item[1]))
        elif hasattr(item, "read"):
            name = getattr(item, "name", None)
            made.append((name if isinstance(name, str) else f"input{number}", _read(item)))
        else:
            many = "; write open(*paths) for a list of paths" if isinstance(item, (list, tuple)) else ""
            raise TypeError(f"an input is a path, bytes, (name, bytes) or a binary file, not "
                            f"{type(item).__name__}{many}")
    return made


def manifest_of(manifest: Manifest) -> tuple[str | None, Keys]:
    """The manifest as text, or as a key with its path."""
    if manifest is None:
        return None, []
    if isinstance(manifest, Mapping):
        try:
            return json.dumps(manifest), []
        except TypeError as error:
            raise TypeError(f"manifest: {error}") from None
    if not isinstance(manifest, (str, os.PathLike)):
        raise TypeError(f"manifest is a path, a dict or JSON text, not {type(manifest).__name__}")
    path = os.fspath(manifest)
    if path.lstrip().startswith("{"):
        return path, []
    return None, [("manifest", path)]


def milliseconds(timeout: float | None) -> int:
    """A timeout in seconds, for the library; 0 is none."""
    if timeout is None:
        return 0
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        raise TypeError(f"timeout is a number of seconds, not {type(timeout).__name__}")
    if timeout <= 0:
        raise ValueError("timeout must be positive")
    return max(1, int(timeout * 1000))
