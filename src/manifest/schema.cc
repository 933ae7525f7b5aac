#include "manifest/manifest.h"

namespace tracebraid {

std::string_view manifest_schema() {
  return R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Merge manifest, version 1",
  "type": "object",
  "required": ["perfetto_manifest"],
  "properties": {
    "perfetto_manifest": {
      "type": "object",
      "required": ["version"],
      "properties": {
        "version": {"const": 1},
        "trace_time": {
          "description": "The clock that the merged timeline counts in.",
          "type": "object",
          "required": ["clock"],
          "properties": {
            "clock": {"$ref": "#/$defs/clock"},
            "file": {"description": "Path of an entry of files.", "type": "string"},
            "machine": {"description": "One of that file's machines.", "type": "string"}
          },
          "dependentRequired": {"machine": ["file"]}
        },
        "files": {"type": "array", "items": {"$ref": "#/$defs/file"}},
        "attributes": {
          "description": "Become rows manifest_attribute.<key> of metadata.",
          "type": "object",
          "propertyNames": {"minLength": 1},
          "additionalProperties": {"type": ["string", "integer"]}
        }
      }
    }
  },
  "$defs": {
    "clock": {
      "enum": ["REALTIME", "REALTIME_COARSE", "MONOTONIC", "MONOTONIC_COARSE", "MONOTONIC_RAW", "BOOTTIME"]
    },
    "name": {"type": "string", "minLength": 1},
    "file": {
      "type": "object",
      "required": ["path"],
      "properties": {
        "path": {"description": "Name of the member, with its folders.", "type": "string"},
        "machine": {
          "description": "Machine that recorded all of the file.",
          "type": "object",
          "required": ["name"],
          "properties": {"name": {"$ref": "#/$defs/name"}}
        },
        "machines": {
          "description": "Machine behind each machine id that the file has in it.",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["id", "name"],
            "properties": {
              "id": {"type": "number", "minimum": 0, "maximum": 4294967295},
              "name": {"$ref": "#/$defs/name"}
            }
          }
        },
        "clocks": {"$ref": "#/$defs/clocks"}
      },
      "not": {"required": ["machine", "machines"]}
    },
    "clocks": {
      "description": "This file's clock reads T when that of sync_to reads T + offset_ns.",
      "type": "object",
      "required": ["sync_to"],
      "properties": {
        "clock": {
          "description": "Clock to relate. Without it the whole file moves, by its own timeline.",
          "$ref": "#/$defs/clock"
        },
        "machine": {"description": "One of this file's machines.", "type": "string"},
        "sync_to": {
          "type": "object",
          "required": ["file"],
          "properties": {
            "file": {"description": "Path of an entry of files.", "type": "string"},
            "machine": {"description": "One of that file's machines.", "type": "string"},
            "clock": {
              "description": "Without it: the file's own timeline.",
              "$ref": "#/$defs/clock"
            }
          }
        },
        "offset_ns": {
          "description": "Positive moves this file later.",
          "type": "integer",
          "exclusiveMinimum": -9223372036854775808,
          "maximum": 9223372036854775807
        }
      }
    }
  }
}
)json";
}

}  // namespace tracebraid
