// Collectives: operations that all ranks of a group run together (spec alignment 3.1).
//
// Kineto writes each operation of a rank as a kernel whose args name the group and the number of
// the operation in it. Nobody ends before all have begun, and the ranks end nearly together.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "merge/align/match_set.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

// One operation of one rank.
struct Operation {
  uint64_t key = 0;    // of the group, the number and the name; equal for all ranks
  uint64_t ranks = 0;  // hash of the ranks of the group; 0 if the file does not state them
  uint64_t number = 0;
  uint32_t group = 0;          // index of RankRecording::groups
  int64_t start = 0, end = 0;  // readings, ns
};

// The operations of one file, in one clock.
struct RankRecording {
  Side side;
  FileId file;
  std::optional<int64_t> rank, world_size;
  std::vector<Operation> operations;
  std::vector<std::string> groups;  // names of the groups, with the kind of the operation
};

// Returns the recordings with operations, in order of files. Operations in which ranks need not
// wait for each other are left out, and those without a group or a number.
std::vector<RankRecording> rank_recordings(std::span<const FileToLocate> files,
                                           const Trackers& trackers);

// Returns the text of the key of an operation, such as "0 allreduce #17".
std::string key_text(const RankRecording& recording, const Operation& operation);

// Matches each operation with the first recording that has it, and fits the clocks. Returns the
// sets by pair of recordings, also refused ones.
std::vector<MatchSet> match_collectives(std::span<const RankRecording> recordings,
                                        const Trackers& trackers);

}  // namespace tracebraid::align
