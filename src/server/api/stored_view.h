// StoredView: the rows of a kept result in the order of a view, as batches for writers.
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "server/api/stored_result.h"
#include "server/api/view.h"

namespace tracebraid::api {

struct StoredView {
  StoredRows rows;
  RowOrder order;  // null: all rows in their order

  uint64_t size() const { return order == nullptr ? rows.rows : order->size(); }
  StoredRows::Place find(uint64_t row) const {
    return rows.find(order == nullptr ? row : (*order)[row]);
  }
  // Returns some rows as one batch. Error Limit if they have more than 256 MiB of texts.
  Result<RecordBatch> batch(uint64_t begin, uint64_t end) const;
  // Passes all rows to `each` in batches, until it returns false. Returns whether all were passed.
  Result<bool> for_each_batch(const std::function<bool(const RecordBatch& batch)>& each) const;
};

}  // namespace tracebraid::api
