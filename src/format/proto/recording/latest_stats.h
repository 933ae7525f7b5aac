// LatestStats: stats that a recorder reports repeatedly, each time in full. The last report
// applies.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "event/sink.h"

namespace tracebraid::proto {

class LatestStats {
 public:
  void set(StatId stat, int64_t value, int32_t index = -1) { values_[{stat, index}] = value; }
  // Returns 0 for a stat that was not reported.
  int64_t get(StatId stat, int32_t index) const {
    const auto at = values_.find({stat, index});
    return at == values_.end() ? 0 : at->second;
  }
  // Call once, at the end of the file.
  void finish(uint32_t machine, EventSink& sink) const {
    for (const auto& [key, value] : values_) sink.tally(key.first, value, machine, key.second);
  }

 private:
  std::map<std::pair<StatId, int32_t>, int64_t> values_;
};

}  // namespace tracebraid::proto
