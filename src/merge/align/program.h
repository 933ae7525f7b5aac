// Programs that two recorders noted: slices and instants of one thread in two files (spec alignment
// 3.7).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "merge/align/named.h"
#include "merge/align/recording.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

// The events of threads that other files have, too, in one clock of one file.
struct ProgramRecording {
  Recording of;
  std::optional<int64_t> rank;     // of a job, if the file states it
  uint32_t stride = 1;             // only events whose symbol it divides were kept
  std::vector<NamedEvent> events;  // sorted by reading
};

// Returns the events of threads whose pid and tid several files have, in order of files. At most
// about 260,000 of a recording.
std::vector<ProgramRecording> read_programs(std::span<const FileToLocate> files,
                                            const Trackers& trackers);

// Returns whether the recordings are not known to be of different machines or ranks.
bool may_be_one_program(const ProgramRecording& a, const ProgramRecording& b,
                        const Trackers& trackers);

// Fits the clocks of each recording to those of the first one that has the same thread. Returns the
// sets, also refused ones, except those with too little in common.
std::vector<MatchSet> match_programs(std::span<const ProgramRecording> all,
                                     const Trackers& trackers);

}  // namespace tracebraid::align
