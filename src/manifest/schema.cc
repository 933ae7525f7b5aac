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
          "description": "The clock of the merged timeline.",
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
        "machines": {
          "description": "Tracebraid: facts about the machines of the files.",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["name"],
            "properties": {
              "name": {"$ref": "#/$defs/name"},
              "wall_clock_skew_ns": {
                "description": "How far its wall clock is ahead of the true time.",
                "type": "integer"
              }
            }
          }
        },
        "clock_model": {
          "description": "Tracebraid: how to convert between two readings of a pair of clocks.",
          "enum": ["step", "linear"]
        },
        "join_flows": {
          "description": "Tracebraid: whether equal flow ids in several files are one flow: if they look global, always, never.",
          "enum": ["auto", "all", "none"]
        },
        "align": {
          "description": "Tracebraid: which kinds of common content relate clocks.",
          "oneOf": [
            {"enum": ["auto", "off", "verify"]},
            {"type": "array", "items": {"$ref": "#/$defs/kind"}}
          ]
        },
        "attributes": {
          "description": "Added to metadata as rows manifest_attribute.<key>.",
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
    "kind": {"enum": ["task_switches", "collectives", "flows", "markers", "spans", "same_events", "logs", "rpc", "packets", "wakeups", "barriers", "mpi"]},
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
          "description": "Machine of each machine id in the file.",
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
        "clocks": {"$ref": "#/$defs/clocks"},
        "glob": {
          "description": "Tracebraid: path is a pattern of *, ? and ** for files without an entry.",
          "type": "boolean"
        },
        "start": {
          "description": "Tracebraid: wall-clock time of the file's first event, with a time zone.",
          "type": "string",
          "format": "date-time"
        },
        "align": {
          "description": "Tracebraid: which kinds of common content may relate the file; false: none.",
          "oneOf": [
            {"const": false},
            {"type": "array", "items": {"$ref": "#/$defs/kind"}}
          ]
        },
        "clock_group": {
          "description": "Tracebraid: files of one group share one clock.",
          "$ref": "#/$defs/name"
        }
      },
      "not": {"required": ["machine", "machines"]}
    },
    "clocks": {
      "description": "This file's clock reads T when that of sync_to reads T + offset_ns.",
      "type": "object",
      "required": ["sync_to"],
      "properties": {
        "clock": {
          "description": "Clock to relate. Without it the file's own timeline is related, which moves the whole file.",
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
              "description": "Clock of that file; by default its own timeline.",
              "$ref": "#/$defs/clock"
            }
          }
        },
        "offset_ns": {
          "description": "Positive moves this file later.",
          "type": "integer",
          "exclusiveMinimum": -9223372036854775808,
          "maximum": 9223372036854775807
        },
        "drift_ppm": {
          "description": "Tracebraid: microseconds that this clock gains on the other in a second.",
          "type": "number",
          "minimum": -100000,
          "maximum": 100000
        },
        "offset_at_ns": {
          "description": "Tracebraid: this clock reads this where offset_ns holds, if it drifts.",
          "type": "integer"
        },
        "points": {
          "description": "Tracebraid, instead of offset and drift: readings of both clocks at the same moments, rising.",
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "required": ["this_ns", "other_ns"],
            "properties": {"this_ns": {"type": "integer"}, "other_ns": {"type": "integer"}}
          }
        }
      }
    }
  }
}
)json";
}

}  // namespace tracebraid
