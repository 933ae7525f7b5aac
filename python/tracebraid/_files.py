"""Files that appear whole or not at all."""
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from ._errors import missing


_numbers = count()


@contextmanager
def whole_file(path: str) -> Iterator[str]:
    """Gives a path beside `path` to write to. The file replaces that of `path` at the end, or is gone after an error. Any
    number of threads may write to one path."""
    unfinished = f"{path}.{os.getpid()}-{next(_numbers)}.tmp"
    try:
        yield unfinished
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)


def write_arrow(rows: Any, kind: str, path: str) -> None:
    """Writes the batches of an Arrow stream as "parquet" or "arrow". The file appears whole or not at all."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
        import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise missing("pyarrow", "arrow") from None
    reader = pa.RecordBatchReader.from_stream(rows)
    with whole_file(path) as unfinished:
        writer: Any = pq.ParquetWriter(unfinished, reader.schema, compression="zstd") if kind == "parquet" else \
            pa.ipc.new_file(unfinished, reader.schema, options=pa.ipc.IpcWriteOptions(unify_dictionaries=True))
        with writer:
            for batch in reader:
                writer.write_batch(batch)
