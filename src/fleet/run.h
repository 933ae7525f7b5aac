// Runs a statement over the groups of a fleet, and passes on or keeps the rows.
//
// Input: groups, what is done with each, settings. Output: batches or a file, and the groups that
// failed. Called by the command `fleet`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/host_files.h"
#include "base/result.h"
#include "base/stop.h"
#include "fleet/group.h"
#include "fleet/pool.h"
#include "fleet/statement.h"
#include "fleet/task.h"
#include "query/batch/batch_sink.h"

namespace tracebraid::fleet {

struct FailedGroup {
  size_t group = 0;  // index
  unsigned attempt = 1;
  Failure failure;
};

struct RunProgress {
  size_t done = 0, failed = 0, total = 0;  // groups
  uint64_t bytes = 0;                      // of the groups that ended
  double seconds = 0;                      // since the begin
};

struct FleetRun {
  std::vector<Group> groups;
  Ask ask;
  FrontColumns front;             // of the groups
  bool fails = true;              // ends with the first group that fails, as its Error
  bool sorts = false;             // rows by group, instead of as groups end
  PoolOptions pool;               // command, jobs, temporary folder
  std::string cache_folder = {};  // kept below `cache_size`; empty: none
  std::optional<uint64_t> cache_size = {};
  std::string plugin_folder = {};
  HostFiles files = {};
  std::function<void(const RunProgress&)> report = {};
};

// Passes the rows to `sink`, which may end the run. Adds groups that failed to `failed`.
Result<> pass_rows(const FleetRun& run, BatchSink& sink, const Stop& stop,
                   std::vector<FailedGroup>& failed);

// Writes the rows to a file, by group. Keeps the rows of groups that ended in a journal, from which
// a run with `resume` continues (fleet/journal.h).
Result<> write_rows(const FleetRun& run, const std::string& path, const std::string& format,
                    bool resume, const Stop& stop, std::vector<FailedGroup>& failed);

// Returns the table of errors, by group: _group, _trace, stage, code, message, file, offset,
// attempt, seconds, peak_bytes.
RecordBatch error_table(const std::vector<Group>& groups, const std::vector<FailedGroup>& failed);

// Returns "group: stage: code: message".
std::string error_line(const std::vector<Group>& groups, const FailedGroup& failed);

}  // namespace tracebraid::fleet
