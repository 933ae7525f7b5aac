"""Columns of fleets as those of Spark and Arrow."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyspark.sql.types import BinaryType, DoubleType, LongType, StringType, StructField, StructType

import tracebraid as tb

_SPARK: dict[str, Any] = {"int64": LongType, "float64": DoubleType, "utf8": StringType, "binary": BinaryType}
_ARROW = {"int64": pa.int64(), "float64": pa.float64(), "utf8": pa.utf8(), "binary": pa.binary()}
_OURS = {kind().simpleString(): name for name, kind in _SPARK.items()}


def spark_schema(fields: Iterable[tb.Field]) -> StructType:
    """All columns may have NULLs."""
    return StructType([StructField(field.name, _SPARK[field.type]()) for field in fields])


def arrow_schema(fields: Iterable[tb.Field]) -> Any:
    return pa.schema([(field.name, _ARROW[field.type]) for field in fields])


def types_of(schema: StructType) -> dict[str, str]:
    """The types of a schema that the user gives. UsageError for one that rows cannot have."""
    made = {}
    for field in schema.fields:
        name = field.dataType.simpleString()
        if name not in _OURS:
            raise tb.UsageError(f"schema: the column {field.name} is {name}; columns are {', '.join(_OURS)}")
        made[field.name] = _OURS[name]
    return made
