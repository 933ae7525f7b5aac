// Results of a merge besides its tables.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "event/stat.h"

namespace tracebraid {

// A message for the user, such as a file that could not be read completely or a manifest entry that
// matches nothing: where in which file, and what to do.
struct Problem {
  std::string path;
  Error error;
  StatLevel level = StatLevel::LostData;  // decides with which --strict the problem fails
  // Whether the manifest states something that does not hold for its files, which makes it invalid
  // for `manifest validate`.
  bool is_void_statement = false;
};

struct NotImportedOfFile {
  uint32_t file;  // row of trace_file
  std::string what;
  uint64_t count, bytes;
};

// Nanoseconds of wall time spent in each stage, for benchmarks.
struct StageTimes {
  std::vector<std::pair<const char*, uint64_t>> stages;
};

}  // namespace tracebraid
