// What events of the Trace Event Format say that others have no word for: ids
// that name things (objects, contexts, groups), colours, object snapshots, memory
// dumps (spec json 3.4, 4.13 to 4.18). Events point here with `extra`.
#pragma once

#include <cstdint>
#include <vector>

#include "base/id.h"
#include "event/names.h"

namespace tracebraid {

// The name of a thing. Equal if scope, canonical text and process are.
struct JsonId {
  StringId scope;            // "ptr" unless the event says otherwise
  StringId spelling;         // as the event has it; an integer in decimal
  StringId canonical;        // spec json 3.4: numbers in decimal, other text as it is
  uint32_t process = kNone;  // index of the process names; kNone: global
};

// Of a slice. What it belongs to if it is told apart by an id, and its colour.
struct JsonExtra {
  StringId colour;          // a reserved name
  uint32_t id = kNone;      // index of json_ids; kNone: a slice of a thread or process
  uint32_t thread = kNone;  // index of the thread names: whose event it was
  uint32_t timing = kNone;  // index of json_timings
  char phase = '\0';        // of the event
  bool is_legacy = false;   // S, F, T, p
};

// What the name of a user timing means (spec json 4.7).
struct JsonTiming {
  StringId group, title;
  uint32_t args = kNone;  // that were in the name
};

// Of ObjectNew, ObjectSnapshot and ObjectDelete.
struct JsonObject {
  uint32_t id = kNone;  // index of json_ids
  StringId colour;
  // Of snapshots:
  StringId base_type;          // none if not said
  StringId raw_json;           // the value as it stood in the file
  uint32_t container = kNone;  // index of json_objects: the snapshot that it stood in ...
  StringId place;              // ... and the arg key of the reference that is there now
};

// Of LinkedIds: these name the same thing. Indexes of json_ids.
struct JsonLink {
  uint32_t a = kNone, b = kNone;
};

// A note for viewers (spec json 5.5).
struct JsonAnnotation {
  StringId type, text, raw_json;  // text: none if it has none
  int64_t offset_ns = 0;          // from the start of the trace; kUnset if not said
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
