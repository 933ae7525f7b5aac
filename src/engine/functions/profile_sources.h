// Reads the callstacks of profiles into a ProfileTree (spec sql-dialect 3.11).
#pragma once

#include <functional>
#include <set>
#include <string>

#include "engine/functions/profile_tree.h"
#include "query/scan/stop_check.h"
#include "tables/store.h"

namespace tracebraid {

// What a profile covers.
struct ProfileSelection {
  std::function<bool(int64_t ts)> has_time;
  std::set<int64_t> upids;
  bool has(int64_t ts, uint32_t upid) const { return has_time(ts) && upids.contains(upid); }
};

// Texts of a tree that are in no string pool. References stay valid.
using OwnedTexts = std::set<std::string>;

// Each appends to `tree`. Error: that of `stop`, which may be null.

// The allocations of native heap profiles.
Result<> add_heap_profile(const Store& store, const ProfileSelection& selection,
                          const StopCheck* stop, ProfileTree& tree);
// The samples of Linux perf.
Result<> add_perf_samples(const Store& store, const ProfileSelection& selection,
                          const StopCheck* stop, ProfileTree& tree);
// The objects of Java heap dumps, on a shortest path from a root. A node is a class.
Result<> add_heap_graph(const Store& store, const ProfileSelection& selection,
                        const StopCheck* stop, OwnedTexts& texts, ProfileTree& tree);

}  // namespace tracebraid
