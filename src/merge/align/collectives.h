// Collectives: operations that all ranks of a group run together (spec alignment 3.1).
//
// Kineto writes each operation of a rank as a kernel whose args name the group and, in newer files,
// the number of the operation in it. Nobody ends before all have begun, and the ranks end nearly
// together. Operations without numbers are paired by kind and size, at the only distance between
// the files at which most of them have a partner.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "merge/align/match_set.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

// One operation of one rank.
struct Operation {
  uint64_t key = 0;            // of the group, the number and the name; equal for all ranks
  uint64_t ranks = 0;          // hash of the ranks of the group; 0 if the file does not state them
  uint64_t number = 0;         // 0 if the file does not number operations
  uint32_t group = 0;          // index of RankRecording::groups
  bool ends_together = true;   // no rank ends before all have begun
  int64_t start = 0, end = 0;  // readings, ns
};

// The operations of one file, in one clock.
struct RankRecording {
  Side side;
  FileId file;
  std::optional<int64_t> rank, world_size;
  std::vector<Operation> operations;
  // Operations of a file that numbers none, sorted by end. The key has kind, type and size.
  std::vector<Operation> unnumbered;
  std::vector<std::string> groups;  // names of the groups, with the kind of the operation
};

// Returns the recordings with operations, in order of files. Operations in which ranks need not
// wait for each other are left out, except broadcasts without numbers, and those without a group.
std::vector<RankRecording> rank_recordings(std::span<const FileToLocate> files,
                                           const Trackers& trackers);

// Returns the text of the key of an operation, such as "0 allreduce #17", without its number if the
// file has none.
std::string key_text(const RankRecording& recording, const Operation& operation);

// Matches each operation with the first recording of the job that has it, and fits the clocks.
// Recordings that do not fit the first one are matched with each other. Returns the sets by pair of
// recordings, also refused ones. `source`: Collectives or Barriers.
std::vector<MatchSet> match_collectives(std::span<const RankRecording> recordings,
                                        const Trackers& trackers, EvidenceSource source);

}  // namespace tracebraid::align
