// How clocks are located: what the caller of merge() and the manifest chose.
#pragma once

#include "clock/placement.h"

namespace tracebraid {

// How sync markers are used (spec json 6.3).
struct SyncOptions {
  bool fit_line = false;        // of several syncs of two clocks: a line instead of the best one
  bool same_domain = false;     // markers also relate files that call their clocks by one name
  bool must_be_linked = false;  // clocks that no chain of syncs joins are an Error
};

struct LocateOptions {
  ClockModel model = ClockModel::Linear;
  SyncOptions sync = {};
  bool strict = false;  // captures that contradict each other on their machine are an Error
};

}  // namespace tracebraid
