// Records that only the Trace Event Format has: ids of objects, contexts and groups, colours,
// object snapshots, memory dumps (spec json 3.4, 4.13 to 4.18). Event::extra refers to them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/id.h"
#include "event/names.h"

namespace tracebraid {

// An id. Ids are equal if scope, canonical text and process are.
struct JsonId {
  StringId scope;            // "ptr" unless the event has a scope
  StringId spelling;         // the text in the event; integers in decimal
  StringId canonical;        // numbers in decimal, other texts unchanged (spec json 3.4)
  uint32_t process = kNone;  // index of the process names; kNone: global
};

// Fields of a slice: its id if it is keyed by one, and its colour.
struct JsonExtra {
  StringId colour;          // a reserved name
  uint32_t id = kNone;      // index of json_ids; kNone: a slice of a thread or process
  uint32_t thread = kNone;  // index of the thread names: thread of the event
  uint32_t timing = kNone;  // index of json_timings
  char phase = '\0';        // of the event
  bool is_legacy = false;   // S, F, T, p
};

// The parts of the name of a user timing (spec json 4.7).
struct JsonTiming {
  StringId group, title;
  uint32_t args = kNone;  // arg set of the args in the name
};

// The record of ObjectNew, ObjectSnapshot and ObjectDelete.
struct JsonObject {
  uint32_t id = kNone;  // index of json_ids
  StringId colour;
  // Fields of snapshots:
  StringId base_type;          // none if not given
  StringId raw_json;           // the text of the value in the file
  uint32_t container = kNone;  // index of json_objects: the snapshot that contains it
  StringId place;              // arg key of the reference that replaces it there
};

// The record of LinkedIds: ids with the same meaning, as indexes of json_ids.
struct JsonLink {
  uint32_t a = kNone, b = kNone;
};

// An annotation for viewers (spec json 5.5).
struct JsonAnnotation {
  StringId type, text, raw_json;  // text: none if it has none
  int64_t offset_ns = 0;          // from the start of the trace; kUnset if not given
};

struct JsonRecords {
  std::vector<JsonId> ids;
  std::vector<JsonExtra> extras;
  std::vector<JsonTiming> timings;
  std::vector<JsonObject> objects;
  std::vector<JsonLink> links;
  std::vector<JsonAnnotation> annotations;
};

}  // namespace tracebraid
