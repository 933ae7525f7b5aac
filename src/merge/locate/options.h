// LocateOptions: how clocks are located, chosen by the caller of merge() and by the manifest.
#pragma once

#include <vector>

#include "clock/clock_graph.h"
#include "clock/placement.h"
#include "event/align_options.h"
#include "event/flow_join.h"

namespace tracebraid {

// Use of sync markers (spec json 6.3).
struct SyncOptions {
  bool fit_line = false;  // with several syncs of two clocks: use a line instead of the best sync
  bool same_domain = false;     // markers also relate files that call their clocks by one name
  bool must_be_linked = false;  // clocks without a chain of syncs are an Error
};

struct LocateOptions {
  ClockModel model = ClockModel::Linear;
  SyncOptions sync = {};
  AlignOptions align = {};
  bool files_choose_kinds = true;  // entries of the manifest limit the content of their files
  JoinFlows join_flows = JoinFlows::Auto;
  bool checks_causality = true;
  std::vector<ClockPair> excluded = {};  // evidence that is ignored
  bool strict = false;  // captures of one machine that contradict each other are an Error
};

}  // namespace tracebraid
