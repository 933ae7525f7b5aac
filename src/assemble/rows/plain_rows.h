// Events that become rows unchanged: logs, chrome_raw, counter.
//
// Input: events that need no state. Output: one row each. Called by row_stage.h and by handlers of
// kernel events.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/placed_batch.h"
#include "tables/store.h"

namespace tracebraid {

void add_chrome_raw(const Event& event, uint32_t utid, uint32_t arg_set_id, Store& store);
// Adds a row of a JSON table (spec json 7.4).
void add_unfinished_complete(const Event& event, uint32_t utid, uint32_t arg_set_id, Store& store);
void add_unhandled_event(const Event& event, uint32_t utid, Store& store);
void add_metadata_event(const Event& event, uint32_t utid, uint32_t arg_set_id, Store& store);
void add_counter(const Event& event, uint32_t track_row, OptRow arg_set_id, Store& store);

// Log lines. Joins lines that a bug report has twice, in its text and in the files beside it.
class LogRows {
 public:
  void add(const Event& event, uint32_t utid, uint32_t arg_set_id, Store& store);

 private:
  struct Recent {
    uint32_t row;
    bool is_copy;  // from the text
  };
  bool is_repeated(const Event& event, uint32_t utid, const LogTable& table);

  std::vector<Recent> recent_;  // rows of the current time without a counterpart yet
  int64_t ts_ = 0;
};

// Counters whose values apply to the time before them.
class PastCounters {
 public:
  void add(const Event& event, uint32_t track_row, OptRow arg_set_id, Store& store);

 private:
  absl::flat_hash_map<uint32_t, size_t> last_;  // row of counter, by track
};

}  // namespace tracebraid
