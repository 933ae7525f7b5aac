// Joining: moves the strings and names of each batch to common lists.
//
// Input: the strings and names of all batches. Output: Names of the whole trace. Called by merge(),
// while batches are placed.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assemble/placed_batch.h"
#include "event/batch.h"
#include "merge/join/name_index.h"

namespace tracebraid {

// The new indexes of the names of a batch.
struct JoinMap {
  std::vector<StringId> strings;
  std::vector<uint32_t> processes;
  std::vector<uint32_t> threads;
  std::vector<uint32_t> tracks;
  std::vector<uint32_t> sessions;
  // Whether the events of a track are TrackEvents, by track of the batch (spec clocks 9.2).
  std::vector<bool> is_of_track_events;

  StringId string(StringId id) const { return id ? strings[id.row] : id; }
};

// Returns whether tracks of this type have TrackEvents.
bool shows_track_events(std::string_view type);

// Collects the names of all batches; batches must come in a fixed order.
class NameJoiner {
 public:
  // Moves the strings of the batch to `strings`, joins its names, and rewrites all its indexes
  // except those of events and args (see join_events). `machines` has the rows of batch.machines.
  JoinMap join(FileId file, std::span<const MachineId> machines, EventBatch& batch,
               StringPool& strings);

  Names finish() && { return std::move(names_); }

 private:
  uint32_t process(ProcessName name);
  uint32_t thread(ThreadName name);
  uint32_t track(const TrackName& name);
  uint32_t session(SampleSession session, FileId file, std::span<const MachineId> machines,
                   const JoinMap& map);
  uint32_t arg_key(ArgKey key);
  uint32_t args(const ArgSets& from, uint32_t set, const JoinMap& map);
  void join_tracks(FileId file, std::span<const MachineId> machines, const EventBatch& batch,
                   JoinMap& map);

  Names names_;
  NameIndex<ProcessName> processes_;
  NameIndex<ThreadName> threads_;
  NameIndex<TrackName> tracks_;
  NameIndex<SampleSession> sessions_;
  NameIndex<ArgKey> arg_keys_;
  absl::flat_hash_map<std::string, uint32_t> arg_sets_;  // rows of a set as bytes
  std::vector<ArgRow> rows_;                             // the current set
  std::string bytes_;                                    // its bytes
};

// Rewrites the indexes of JSON records.
void join_json(const JoinMap& map, JsonRecords& json);
void join_memory(const JoinMap& map, MemoryRecords& memory);
// Rewrites the indexes in args of the batch. Returns whether any arg refers to a process or thread.
bool join_args(const JoinMap& map, std::span<ArgRow> rows);
// Rewrites strings, sessions and tracks of the callstack records of the batch.
void join_stacks(const JoinMap& map, EventBatch& batch);
// Rewrites the indexes of one event.
void join_event(const JoinMap& map, Event& event);

}  // namespace tracebraid
