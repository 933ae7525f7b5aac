// Barriers of MPI and of the user, which all ranks pass together (spec alignment 3.1, 3.5).
//
// Nobody leaves a barrier before all have entered it, and the ranks leave it nearly together: they
// are matched as collectives are.
#pragma once

#include <span>
#include <vector>

#include "merge/align/collectives.h"

namespace tracebraid::align {

// Returns the recordings with barriers, in order of files. A file must state its rank and the
// number of ranks, in metadata or as args. MPI_Barrier of all ranks is numbered if the file has all
// calls, from MPI_Init to MPI_Finalize; a slice with args `barrier` and `generation` by its
// generation.
std::vector<RankRecording> read_barriers(std::span<const FileToLocate> files,
                                         const Trackers& trackers);

}  // namespace tracebraid::align
