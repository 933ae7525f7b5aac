// Chunk: a chunk of events, read on any thread into a batch of its own, and the state that its
// readers share.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "event/make_event.h"
#include "event/sink.h"
#include "format/json/args/args.h"
#include "format/json/recording/chunk_facts.h"
#include "format/json/trace_event/members.h"
#include "format/json/trace_event/threads.h"

namespace tracebraid::json {

// Returns the clock of all times of the file, which no other file has.
uint32_t own_clock(EventSink& sink);

// The state of reading one chunk of the event array, and its results.
struct Chunk {
  // `text_bytes` is the size of the text of the chunk.
  Chunk(EventSink& into, uint32_t max_depth, size_t text_bytes);

  // Returns `ns` on the file's clock.
  EventTime at(int64_t ns) const { return {ns, clock}; }

  EventSink& sink;
  ArgReader args;
  Threads threads;
  ChunkFacts facts;
  uint32_t depth_limit;
  uint32_t clock;  // the file's own, index of the clock names
  // Tracks by their keys, so that few are looked up by name.
  absl::flat_hash_map<uint64_t, uint32_t> async_tracks;    // by cookie
  absl::flat_hash_map<uint32_t, uint32_t> instant_tracks;  // by process, kNone for all
  using CounterKey = std::tuple<int64_t, uint32_t, uint32_t, uint32_t>;  // pid, name, id, series
  absl::flat_hash_map<CounterKey, uint32_t> counter_tracks;
  size_t counter_name_room;  // bytes that names of tracks may still take
  std::string scratch;
};

// Returns a time of the event; nothing if it is missing or invalid.
std::optional<int64_t> ns_of(const Value& value);
// Returns the text of a field; none if it is missing. A number or bool is its text; an array of
// category strings is joined by commas.
StringId name_of(Chunk& chunk, const Members& members);
StringId category_of(Chunk& chunk, const Members& members);
bool is_true(const Value& value);
// Returns the rows of `args` that belong to a slice.
uint32_t slice_args(const Members& members);
// Notes that the thread exists, for events whose row belongs to its process or to no owner.
void note_thread(Chunk& chunk, const Who& who, int64_t ts);
// Drops the event; the log contains its text.
void drop(Chunk& chunk, const Members& members, StatId stat);
// Counts an event that lacks something that its phase needs. `what` states the consequence, which
// json_parser_failure, the stat of the reference, does not.
void note_failure(Chunk& chunk, const Members& members, StatId what);

inline constexpr std::string_view kNoName = "[No name]";

}  // namespace tracebraid::json
