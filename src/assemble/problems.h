// Problems: events that assembling dropped or changed, as stats and rows of the import log.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <tuple>
#include <vector>

#include "assemble/report.h"
#include "event/stat.h"

namespace tracebraid {

class Problems {
 public:
  void count(StatId stat, uint32_t machine, FileId file, int32_t index = -1, int64_t amount = 1);
  // Counts, and returns whether to add a row of the import log.
  bool count_logged(StatId stat, uint32_t machine, FileId file);
  // Counts, and adds a row of the import log with the time.
  void count_at(StatId stat, uint32_t machine, FileId file, int64_t ts) {
    if (count_logged(stat, machine, file)) log({stat, file, ts, kNone});
  }
  void log(AssembleLog row) { log_.push_back(row); }

  // Returns stats in a fixed order, independent of the order of counting.
  AssembleReport finish() &&;

 private:
  using Key = std::tuple<FileId, uint32_t, StatId, int32_t>;
  absl::flat_hash_map<Key, int64_t> counts_;
  std::vector<AssembleLog> log_;
};

}  // namespace tracebraid
