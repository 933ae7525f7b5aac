// QueryOptions: what a caller may say of a query beside its text.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/stop.h"
#include "query/batch/record_batch.h"
#include "query/compile/parameters.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

struct QueryOptions {
  std::vector<Parameter> parameters = {};
  // Ends the query with Cancelled: before, during and between rows. May be null.
  std::shared_ptr<const Stop> stop = {};
  std::optional<StopCheck::Clock::time_point> deadline = {};  // then it ends with Timeout

  // These only of query/compile/query.h.
  std::vector<Field> types = {};       // of result columns by name, in place of what would follow
  bool plain_text = false;             // texts as Utf8, not Dictionary
  size_t batch_rows = kMostBatchRows;  // at most, of a batch
  uint64_t most_rows = 0;              // more is an Error (Limit); 0: no limit
  size_t most_bytes = 0;               // of rows kept, batches and dictionaries, likewise
  // Of the texts of a column in a batch, which ends before there are more, and of a dictionary, of
  // which more are an Error (Limit). At most kMostTextBytes; tests take less.
  size_t most_text_bytes = kMostTextBytes;
};

}  // namespace tracebraid
