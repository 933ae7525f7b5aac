"""Files that appear whole or not at all."""
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._errors import missing


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


def write_arrow(rows: Any, kind: str, path: str) -> None:
    """Writes the batches of a pyarrow reader as "parquet" or "arrow". The file appears whole or not at all."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
        import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise missing("pyarrow", "arrow") from None
    with whole_file(path) as unfinished:
        writer: Any = pq.ParquetWriter(unfinished, rows.schema, compression="zstd") if kind == "parquet" else \
            pa.ipc.new_file(unfinished, rows.schema, options=pa.ipc.IpcWriteOptions(unify_dictionaries=True))
        with writer:
            for batch in rows:
                writer.write_batch(batch)
