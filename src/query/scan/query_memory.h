// QueryMemory: the bytes that operators, groups and created tables of a connection take, against
// the limit of a query.
#pragma once

#include <fmt/core.h>

#include <atomic>
#include <cstddef>

#include "base/result.h"

namespace tracebraid {

struct QueryMemory {
  size_t most = 0;  // bytes; 0: no limit
  std::atomic<size_t> used = 0;
};

// The share of one user, released by the destructor. The QueryMemory must outlive it.
class OperatorMemory {
 public:
  explicit OperatorMemory(QueryMemory* of) : of_(of) {}
  ~OperatorMemory() { release(); }
  OperatorMemory(const OperatorMemory&) = delete;
  OperatorMemory& operator=(const OperatorMemory&) = delete;

  // Adds `bytes`. Error: Limit. Any thread may call it.
  Result<> take(size_t bytes) {
    if (of_ == nullptr) return {};
    held_ += bytes;
    const size_t used = of_->used += bytes;
    if (of_->most == 0 || used <= of_->most) return {};
    return fail(ErrorCode::Limit,
                fmt::format("the query takes more than its limit of {} bytes", of_->most));
  }
  void release() {
    if (of_ != nullptr) of_->used -= held_.exchange(0);
  }

 private:
  QueryMemory* of_;
  std::atomic<size_t> held_ = 0;
};

}  // namespace tracebraid
