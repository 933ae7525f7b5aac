// Markers: events that the user wrote into several recordings to be found (spec alignment 3.9).
//
// An instant or slice `tracebraid.sync` or `clock_sync` with an arg `id` or `sync_id`. Equal ids in
// two files mark one moment.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "merge/align/recording.h"

namespace tracebraid::align {

struct UserMarker {
  uint64_t key = 0;  // of the id; equal in all recordings
  std::string id;
  uint32_t recording = 0;  // index
  int64_t at = 0;          // reading, ns
  bool is_global = false;  // the id does not occur by chance
};

struct UserMarkers {
  std::vector<Recording> recordings;  // in order of files
  std::vector<UserMarker> markers;
};

UserMarkers read_markers(std::span<const FileToLocate> files, const Trackers& trackers);

// Fits the clocks of each recording to those of the first recording that has the same id. An id
// that a file has twice matches nothing in it. Returns the sets, also refused ones.
std::vector<MatchSet> match_markers(const UserMarkers& all, const Trackers& trackers);

}  // namespace tracebraid::align
