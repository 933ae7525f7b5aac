"""Logs of Delta Lake beside that of a lake, one in the folder of each table, so that engines which read Delta tables see the files
of the last commit only. They follow from the log of the lake: a process that is killed between leaves them behind it, and the next
one that opens the lake writes what is missing."""
from __future__ import annotations

import calendar
import json
import os
import re
import time
import uuid
from typing import Any

from .log import LakeFile, Log
from .schema import read_schema

# ts_utc is a long: timestamps of Delta Lake are in microseconds.
_TYPES: dict[str, Any] = {
    "utf8": "string", "int64": "long", "float64": "double", "binary": "binary", "timestamp_ns": "long",
    "list<utf8>": {"type": "array", "elementType": "string", "containsNull": True},
    "map<utf8,int64>": {"type": "map", "keyType": "string", "valueType": "long", "valueContainsNull": True},
    "map<utf8,utf8>": {"type": "map", "keyType": "string", "valueType": "string", "valueContainsNull": True}}


def _partition_columns(table: str) -> list[str]:
    return ["date"] if table == "traces" else ["date", "bucket"]


def _schema_string(table: str, columns: list[dict[str, str]]) -> str:
    fields = [{"name": column["name"], "type": _TYPES[column["type"]], "nullable": True,
               "metadata": {"comment": column["text"]} if column.get("text") else {}} for column in columns]
    fields += [{"name": name, "type": "string", "nullable": True, "metadata": {}} for name in _partition_columns(table)]
    return json.dumps({"type": "struct", "fields": fields})


def _add(file: LakeFile, milliseconds: int) -> dict[str, Any]:
    inner = file.path.split("/", 1)[1]
    values = dict(part.split("=", 1) for part in inner.split("/")[:-1])
    stats = {"numRecords": file.rows, "minValues": {"_group": file.first}, "maxValues": {"_group": file.last}}
    return {"add": {"path": inner, "partitionValues": values, "size": file.bytes, "modificationTime": milliseconds,
                    "dataChange": True, "stats": json.dumps(stats)}}


class _Table:
    """The Delta log of one table."""

    def __init__(self, folder: str, name: str, columns: list[dict[str, str]]) -> None:
        self._name = name
        self._folder = os.path.join(folder, name, "_delta_log")
        self._schema = _schema_string(name, columns)
        names = os.listdir(self._folder) if os.path.isdir(self._folder) else []
        self._next = max((int(found[:-5]) + 1 for found in names if re.fullmatch(r"\d{20}\.json", found)), default=0)
        self._info = self._last_info()

    def _last_info(self) -> dict[str, Any]:
        if self._next == 0:
            return {}
        with open(os.path.join(self._folder, f"{self._next - 1:020}.json"), encoding="utf-8") as file:
            return dict(json.loads(file.readline())["commitInfo"])

    @property
    def version(self) -> int | None:
        """The version of the lake that the log has reached; None if there is no log."""
        return self._info.get("lakeVersion")

    def write(self, version: int, milliseconds: int, add: list[LakeFile], remove: list[str]) -> bool:
        """Writes the next commit. Returns False if another process was first."""
        operation = "WRITE" if self._next else "CREATE TABLE"
        digest = str(uuid.uuid5(uuid.NAMESPACE_OID, self._schema))
        info = {"timestamp": milliseconds, "operation": operation, "operationParameters": {}, "lakeVersion": version,
                "schemaDigest": digest}
        actions: list[dict[str, Any]] = [{"commitInfo": info}]
        if self._next == 0:
            actions.append({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}})
        if self._info.get("schemaDigest") != digest:
            table_id = self._info.get("tableId") or str(uuid.uuid4())
            info["tableId"] = table_id
            actions.append({"metaData": {
                "id": table_id, "name": self._name, "format": {"provider": "parquet", "options": {}},
                "schemaString": self._schema, "partitionColumns": _partition_columns(self._name), "configuration": {},
                "createdTime": milliseconds}})
        info.setdefault("tableId", self._info.get("tableId"))
        actions += [{"remove": {"path": path.split("/", 1)[1], "deletionTimestamp": milliseconds, "dataChange": True}}
                    for path in remove]
        actions += [_add(file, milliseconds) for file in add]
        os.makedirs(self._folder, exist_ok=True)
        unfinished = os.path.join(self._folder, f".{uuid.uuid4().hex}.tmp")
        with open(unfinished, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(action) + "\n" for action in actions)
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(unfinished, os.path.join(self._folder, f"{self._next:020}.json"))
        except FileExistsError:
            return False
        finally:
            os.remove(unfinished)
        self._next += 1
        self._info = info
        return True


def _milliseconds(commit: dict[str, Any]) -> int:
    return calendar.timegm(time.strptime(commit["time"], "%Y-%m-%dT%H:%M:%SZ")) * 1000


def _catch_up(table: _Table, name: str, version: int, live: dict[str, LakeFile], commits: dict[int, dict[str, Any]],
              log: Log) -> bool:
    """Writes what is missing of one log. Returns False if another process wrote to it meanwhile."""
    def commit_of(number: int) -> dict[str, Any]:
        if number not in commits:
            commits[number] = log.commit_of(number)
        return commits[number]
    if table.version is None:
        files = [file for file in live.values() if file.table == name]
        return not files or table.write(version, _milliseconds(commit_of(version)), files, [])
    for number in range(table.version + 1, version + 1):
        commit = commit_of(number)
        add = [file for file in (LakeFile(**entry) for entry in commit["add"]) if file.table == name]
        remove = [path for path in commit["remove"] if path.startswith(name + "/")]
        if (add or remove) and not table.write(number, _milliseconds(commit), add, remove):
            return False
    return True


def update_delta(log: Log) -> None:
    """Writes what is missing of the Delta logs, if the lake has them."""
    schema = read_schema(log.folder)
    version, live = log.files()
    if schema is None or not schema.get("delta") or version == 0:
        return
    commits: dict[int, dict[str, Any]] = {}
    for name, columns in schema["tables"].items():
        while not _catch_up(_Table(log.folder, name, columns), name, version, live, commits, log):
            pass
