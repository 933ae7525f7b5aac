// ExportRequest: what to export; ExportReport: the result.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"

namespace tracebraid {

// The options of the user. Empty means all.
struct SelectionRequest {
  std::string from, to;                // see parse_time()
  std::vector<std::string> machines;   // names, or rows of machine
  std::vector<std::string> processes;  // names, or pids
  std::string clock;  // on the one machine in `machines`, else on the machine of the timeline
};

struct ExportRequest {
  std::string path;  // the file, or the folder for kinds that write several files
  SelectionRequest selection;
  std::vector<std::string> tables;  // empty: all public tables
  std::string query;                // excludes tables
  bool by_machine = false;          // one folder of files per machine
  // Replaces files of the user at `path`. Otherwise a file must be new, and a folder must be new,
  // empty, or hold an earlier export.
  bool force = false;
  // End statements of the export with Cancelled and Timeout, also one that returns no row for long;
  // Progress::cancel() ends the export between rows. May be null and empty.
  std::shared_ptr<const Stop> stop = {};
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

// The result of an export besides its files.
struct ExportReport {
  uint64_t rows = 0;               // or number of events
  uint64_t bytes = 0;              // written
  std::vector<std::string> notes;  // data that the format cannot represent, with counts
};

}  // namespace tracebraid
