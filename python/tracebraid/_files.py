"""Files that appear whole or not at all."""
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def whole_file(path: str) -> Iterator[str]:
    """Gives a path beside `path` to write to. The file replaces that of `path` at the end, or is gone after an error."""
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        yield unfinished
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)
