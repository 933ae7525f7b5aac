// Identified: events with ids of objects, contexts and links (spec json 4.13, 4.17, 4.18).
#pragma once

#include "format/json/trace_event/chunk.h"
#include "format/json/trace_event/ids.h"

namespace tracebraid::json {

// Counts an event with both `id` and `id2`; `id2` applies.
void count_double_id(Chunk& chunk, const Members& members);

// Returns the index of json.ids for an event's id.
uint32_t add_id(Chunk& chunk, const Members& members, const EventId& id, const Who& who);

// Each handles the phases in its comment. `ts` is in ns of the file's clock.
void write_object(Chunk& chunk, const Members& members, char phase, int64_t ts);   // N O D
void write_context(Chunk& chunk, const Members& members, char phase, int64_t ts);  // ( )
void write_link(Chunk& chunk, const Members& members, int64_t ts);                 // =

// The snapshot of an 'O', and snapshots of other objects inside it.
struct SnapshotOf {
  EventTime time;
  uint32_t thread;
  EventParts parts;  // name and category of the object
  JsonObject object;
};
void write_snapshot(Chunk& chunk, const Members& members, const SnapshotOf& of);

}  // namespace tracebraid::json
