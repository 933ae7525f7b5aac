// Identified: events of things that ids name: objects, contexts, links (spec json
// 4.13, 4.17, 4.18).
#pragma once

#include "format/json/trace_event/chunk.h"
#include "format/json/trace_event/ids.h"

namespace tracebraid::json {

// An event with both `id` and `id2` counts; `id2` holds.
void count_double_id(Chunk& chunk, const Members& members);

// Index of json.ids for an event's id.
uint32_t add_id(Chunk& chunk, const Members& members, const EventId& id, const Who& who);

// For one phase each. `ts` is in ns of the file's clock.
void write_object(Chunk& chunk, const Members& members, char phase, int64_t ts);   // N O D
void write_context(Chunk& chunk, const Members& members, char phase, int64_t ts);  // ( )
void write_link(Chunk& chunk, const Members& members, int64_t ts);                 // =

// The snapshot of an 'O', and those of other objects inside it.
struct SnapshotOf {
  EventTime time;
  uint32_t thread;
  EventParts parts;  // name and category of the object
  JsonObject object;
};
void write_snapshot(Chunk& chunk, const Members& members, const SnapshotOf& of);

}  // namespace tracebraid::json
