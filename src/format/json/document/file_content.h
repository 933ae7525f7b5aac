// FileContent: data of the documents of a file outside of their events.
#pragma once

#include <string>
#include <vector>

#include "event/sink.h"
#include "format/json/recording/facts.h"

namespace tracebraid::json {

// A member that was stored as metadata, and is a trace if controllerTraceDataKey, which may come
// later, names it.
struct MaybeController {
  std::string key, json;
  size_t first_row = 0, rows = 0;  // of the file's metadata
};

// An occurrence that a stat counts, and its offset in the file.
struct Occurrence {
  StatId stat;
  uint64_t at;
};

// Data of the documents of a file outside of their events.
struct FileContent {
  FileFacts facts;
  std::vector<Embedded> embedded;
  std::vector<NotImported> not_imported;
  std::vector<StatCount> stats;
  std::vector<Occurrence> occurrences;
  std::vector<std::string> annotations;  // as JSON
  std::string display_time_unit;         // as JSON; empty if not given
  std::string controller_key;            // member that holds another trace
  std::vector<MaybeController> maybe_controllers;
  size_t maybe_bytes = 0;  // of the JSON of `maybe_controllers`
  // Members of objects at the top level, and those that do not show that the file is a trace.
  uint64_t members = 0, unknown_members = 0;
  std::string first_unknown_member;
  bool gave_up = false;

  void tally(StatId stat, int64_t amount = 1) { stats.push_back({stat, 0, -1, amount}); }
  void count(StatId stat, uint64_t at) {
    if (occurrences.size() < kMaxLogRows)
      occurrences.push_back({stat, at});
    else
      tally(stat);
  }
};

}  // namespace tracebraid::json
