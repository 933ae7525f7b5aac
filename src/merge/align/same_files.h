// One file that was given twice: its events say nothing about two clocks (spec alignment 13).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "merge/align/match_set.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

// Pairs of files with the same events, the later one first.
using SameFiles = std::vector<std::pair<FileId, FileId>>;

// Compares events with their names and args. Files of fewer than 8 events are never the same.
SameFiles find_same_files(std::span<const FileToLocate> files, const Trackers& trackers);

// Refuses the sets of such files.
void refuse_same_files(const SameFiles& same, std::vector<MatchSet>& sets);

}  // namespace tracebraid::align
