// Messages and collectives of MPI (spec alignment 3.5).
//
// MPI does not overtake within one channel: the n-th message of a source, destination and tag is
// the n-th that was received. A message is not received before it was sent, and no rank leaves a
// collective before all ranks have entered it. Only calls on the communicator of all ranks count:
// ranks and handles of other communicators differ from file to file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "merge/align/causes.h"
#include "merge/align/collectives.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

struct MpiCall {
  enum class Role : uint8_t { Send, Receive, Collective };
  uint64_t channel = 0;  // hash of source, destination and tag; one for all collectives
  uint64_t what = 0;     // hash of the size of a message, or of the name; 0: not known
  uint32_t recording = 0;
  Role role = Role::Send;
  bool has_end = true;         // false for a receive that only begins
  int64_t begin = 0, end = 0;  // readings, ns
};

// The rank of a file, and whether it has all calls that the program made, from MPI_Init to
// MPI_Finalize.
struct MpiFile {
  int64_t rank = 0;
  std::optional<int64_t> world_size;
  bool is_whole = false;
};

struct MpiCalls {
  std::vector<Recording> recordings;  // in order of files
  std::map<uint32_t, MpiFile> files;  // by row of the file
  std::vector<MpiCall> calls;         // in order of time of each recording
};

// Returns the calls of files that state their rank, in metadata or as arg `rank` of the calls. A
// file with more than a million calls has none.
MpiCalls read_mpi(std::span<const FileToLocate> files, const Trackers& trackers);

// Links calls of each channel in order. A channel whose sides have different numbers of calls has
// none, because some were lost. Of a collective, each recording is linked with the first one that
// has it.
CauseLinks link_mpi(const MpiCalls& all);

// Fits the clocks of each pair of recordings. Refuses pairs of one rank or of other numbers of
// ranks, pairs that fit in another repetition of the program as well, unless both recordings are
// whole, and pairs that a second run could fit.
std::vector<MatchSet> match_mpi(const MpiCalls& all, const Causes& causes,
                                const Trackers& trackers);

// Whether args name the communicator of all ranks: a text such as MPI_COMM_WORLD, the number that
// MPICH gives it, or the number of its ranks.
bool is_world(std::string_view text, std::optional<int64_t> number, std::optional<int64_t> size,
              std::optional<int64_t> world_size);

}  // namespace tracebraid::align
