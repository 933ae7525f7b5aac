#include "assemble/identity/chrome_processes.h"

#include <algorithm>
#include <optional>

#include "base/saturate.h"

namespace tracebraid {

void ChromeProcesses::fill(Store& store) const {
  constexpr int64_t kNear = 200'000'000;  // ns between a list and a description
  std::vector<int64_t> lists;             // times of all lists
  for (const auto& [upid, process] : processes_)
    lists.insert(lists.end(), process.listed.begin(), process.listed.end());
  std::ranges::sort(lists);
  for (const auto& [upid, process] : processes_) {
    const auto is_missing = [&](int64_t ts) {
      int64_t first = ts, last = ts;
      const auto near = std::ranges::lower_bound(process.described, add_saturated(first, -kNear));
      return near == process.described.end() || *near > add_saturated(last, kNear);
    };
    const auto missing = std::find_if(process.listed.rbegin(), process.listed.rend(), is_missing);
    if (missing == process.listed.rend()) continue;
    OptInt reliable;
    if (const auto next = std::ranges::upper_bound(process.described, *missing);
        next != process.described.end())
      reliable = {*next};
    else if (const auto list = std::ranges::upper_bound(lists, *missing); list != lists.end())
      reliable = {*list};
    store.missing_chrome_processes.upid.append(upid);
    store.missing_chrome_processes.reliable_from.append(reliable);
  }
}

}  // namespace tracebraid
