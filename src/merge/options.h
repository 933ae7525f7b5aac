// MergeOptions: chosen by the caller of merge().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/host_files.h"
#include "base/memory_limit.h"
#include "clock/placement.h"
#include "container/members.h"
#include "event/flow_join.h"
#include "format/format.h"
#include "merge/locate/options.h"

namespace tracebraid {

struct MergeOptions {
  bool strict = false;          // the first loss is an Error
  bool strict_all = false;      // with strict: the first repair, too
  bool reports_losses = false;  // strict options do not refuse losses of placing and assembling
  bool lenient_ends = false;    // an end of a JSON thread ends the innermost slice
  bool drop_negative = false;   // drop events before the start of trace time (spec clocks 9.2)
  bool skip_unknown = false;    // an input that is no trace is a problem, not an Error
  std::optional<ClockModel> clock_model;  // none: as the manifest states, else linear
  std::optional<JoinFlows> join_flows;    // none: as the manifest states, else auto
  std::optional<AlignOptions> align;      // none: as the manifest states, else all kinds
  SyncOptions sync;
  ContainerLimits limits;
  HostFiles files;
  std::shared_ptr<MemoryLimit> memory_limit;  // null: memory is not counted
  ReadOptions read;
  std::string manifest_path;                      // read instead of a manifest among the inputs
  std::optional<std::string> manifest_text = {};  // of the file at manifest_path, if it was read
  std::vector<ClockPair> excluded = {};           // evidence that is ignored
  // Days since 1970-01-01, which determine the years of logs that state none
  // (merge/locate/log_years.h).
  int64_t today = 0;
};

}  // namespace tracebraid
