#include "assemble/problems.h"

#include <algorithm>

namespace tracebraid {

void Problems::count(StatId stat, uint32_t machine, FileId file, int32_t index, int64_t amount) {
  counts_[{file, machine, stat, index}] += amount;
}

bool Problems::count_logged(StatId stat, uint32_t machine, FileId file) {
  return ++counts_[{file, machine, stat, -1}] <= static_cast<int64_t>(kMaxLogRows);
}

AssembleReport Problems::finish() && {
  std::vector<std::pair<Key, int64_t>> sorted(counts_.begin(), counts_.end());
  std::ranges::sort(sorted);
  AssembleReport report;
  for (const auto& [key, value] : sorted) {
    const auto& [file, machine, stat, index] = key;
    report.stats.push_back({stat, machine, file, index, value});
  }
  report.log = std::move(log_);
  return report;
}

}  // namespace tracebraid
