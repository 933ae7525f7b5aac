"""Lake: what readers and maintenance of a lake need."""
from __future__ import annotations

import os
from typing import Any

from .._errors import NotFound
from .delta import update_delta
from .log import LakeFile, Log
from .parquet import FILE_BYTES, arrow, groups_of, write_files
from .schema import read_schema


class Lake:
    """A folder of Parquet files that `Fleet.write_lake()` makes. NotFound if there is none."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = os.fspath(folder)
        schema = read_schema(self._folder)
        if schema is None:
            raise NotFound(f"{self._folder}: no lake; write_lake() or --to lake makes one", file=self._folder)
        self._schema = schema
        self._log = Log(self._folder)
        self._log.recover()
        update_delta(self._log)

    @property
    def version(self) -> int:
        """The number of the last commit."""
        return self._log.files()[0]

    @property
    def schema(self) -> dict[str, Any]:
        """The content of the schema file: number, buckets, program, and the columns of each table."""
        return self._schema

    def tables(self) -> list[str]:
        """The tables that have rows."""
        return sorted({file.table for file in self._log.files()[1].values()})

    def files(self, table: str) -> list[str]:
        """The files of a table as of the last commit, by path."""
        live = self._log.files()[1]
        return [os.path.join(self._folder, path) for path in sorted(live) if live[path].table == table]

    def compact(self) -> int | None:
        """Merges files of a table, date and bucket that are smaller than half of 256 MB. Returns the version; None if there is
        nothing to merge. Conflict if another writer replaced one of them: run it again."""
        live = self._log.files()[1]
        partitions: dict[str, list[LakeFile]] = {}
        for path in sorted(live):
            if live[path].bytes < FILE_BYTES // 2:
                partitions.setdefault(live[path].partition, []).append(live[path])
        small = {partition: files for partition, files in partitions.items() if len(files) > 1}
        if not small:
            return None
        staging = self._log.new_staging()
        added: list[LakeFile] = []
        removed: list[str] = []
        for partition, files in sorted(small.items()):
            for number, batch in enumerate(_batches(files)):
                removed += [file.path for file in batch]
                added += self._merge(partition, batch, staging, f"{staging[:16]}-{number}")
        version = self._log.commit(staging, "compact", added, removed)
        update_delta(self._log)
        return version

    def _merge(self, partition: str, files: list[LakeFile], staging: str, part: str) -> list[LakeFile]:
        pa = arrow()
        tables = [pa.parquet.ParquetFile(os.path.join(self._folder, file.path)).read() for file in files]
        schema = pa.unify_schemas([table.schema for table in tables])
        groups = sorted((name, number, at, rows) for number, table in enumerate(tables)
                        for name, at, rows in groups_of(table))
        whole = [pa.concat_tables([table], promote_options="default") if table.schema == schema else
                 pa.concat_tables([table, schema.empty_table()], promote_options="default").select(schema.names)
                 for table in tables]
        return write_files(partition, part, schema, (whole[number].slice(at, rows) for _, number, at, rows in groups),
                           lambda path: self._log.staged(staging, path))

    def vacuum(self, seconds: float = 7 * 86400) -> list[str]:
        """Deletes files that no commit names and that are older: of runs that were ended, and those that were replaced or
        merged. Returns their paths. A writer that runs longer than `seconds` would lose its files."""
        return self._log.vacuum(seconds)

    def __repr__(self) -> str:
        version, live = self._log.files()
        size = sum(file.bytes for file in live.values())
        return f"<Lake {self._folder}, version {version}: {len(live)} files, {size / 1e6:.1f} MB>"


def _batches(files: list[LakeFile]) -> list[list[LakeFile]]:
    """Small files, at least two together, up to the size of a file."""
    made: list[list[LakeFile]] = [[]]
    size = 0
    for file in files:
        if made[-1] and size + file.bytes > FILE_BYTES:
            made.append([])
            size = 0
        made[-1].append(file)
        size += file.bytes
    return [batch for batch in made if len(batch) > 1]
