// Joining: each batch's own strings and names become entries of common lists.
//
// Input: the strings and names of all batches. Output: Names of the whole trace. Called by merge(),
// while batches are placed.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>
#include <string>
#include <vector>

#include "assemble/placed_batch.h"
#include "event/batch.h"
#include "merge/join/name_index.h"

namespace tracebraid {

// Where a batch's own indexes went.
struct JoinMap {
  std::vector<StringId> strings;
  std::vector<uint32_t> processes;
  std::vector<uint32_t> threads;
  std::vector<uint32_t> tracks;
  std::vector<uint32_t> sessions;
  // By the batch's own track: the packets that write to it are TrackEvents (spec clocks 9.2).
  std::vector<bool> is_of_track_events;

  StringId string(StringId id) const { return id ? strings[id.row] : id; }
};

// Collects the names of all batches; batches must come in a fixed order.
class NameJoiner {
 public:
  // Moves the batch's strings to `strings`, joins its names, and rewrites
  // everything in it but the events and args (join_events does those).
  // `machines` are the rows of batch.machines.
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
  std::vector<ArgRow> rows_;                             // the set that is being joined ...
  std::string bytes_;                                    // ... and its bytes
};

// Rewrites the indexes in what only JSON events say.
void join_json(const JoinMap& map, JsonRecords& json);
void join_memory(const JoinMap& map, MemoryRecords& memory);
// Rewrites the indexes in args of the batch.
// Returns whether any of them names a process or thread.
bool join_args(const JoinMap& map, std::span<ArgRow> rows);
// Rewrites strings, sessions and tracks in what the batch says of callstacks.
void join_stacks(const JoinMap& map, EventBatch& batch);
// Rewrites the indexes of one event.
void join_event(const JoinMap& map, Event& event);

}  // namespace tracebraid
