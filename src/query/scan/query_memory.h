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
  std::atomic<size_t>* of_trace = nullptr;  // the bytes of all its connections; may be null

  // Returns the bytes that are used now.
  size_t add(size_t bytes) {
    if (of_trace != nullptr) *of_trace += bytes;
    return used += bytes;
  }
  void remove(size_t bytes) {
    if (of_trace != nullptr) *of_trace -= bytes;
    used -= bytes;
  }
};

// The share of one user, released by the destructor. The QueryMemory must outlive it.
class OperatorMemory {
 public:
  explicit OperatorMemory(QueryMemory* of) : of_(of) {}
  ~OperatorMemory() {
    release();
    if (of_ != nullptr && of_->of_trace != nullptr) *of_->of_trace -= outlasting_;
  }
  OperatorMemory(const OperatorMemory&) = delete;
  OperatorMemory& operator=(const OperatorMemory&) = delete;

  // Adds `bytes`. Error: Limit. Any thread may call it.
  Result<> take(size_t bytes) {
    if (of_ == nullptr) return {};
    held_ += bytes;
    const size_t used = of_->add(bytes);
    if (of_->most == 0 || used <= of_->most) return {};
    return fail(ErrorCode::Limit,
                fmt::format("the query takes more than its limit of {} bytes", of_->most));
  }
  void release() {
    if (of_ != nullptr) of_->remove(held_.exchange(0));
  }
  // Ends the share in the limit of the query. The bytes still count for the trace.
  void outlast_query() {
    if (of_ == nullptr) return;
    const size_t bytes = held_.exchange(0);
    of_->used -= bytes;
    outlasting_ += bytes;
  }

 private:
  QueryMemory* of_;
  std::atomic<size_t> held_ = 0;
  size_t outlasting_ = 0;
};

}  // namespace tracebraid
