// SpanBuffer: a fixed number of intervals, which the owner sets one by one.
#pragma once

#include <cstddef>
#include <memory>

#include "base/pages.h"
#include "query/operators/span_sweep.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// Values are uninitialized, because writing millions of them twice takes longer than sorting them.
class SpanBuffer {
 public:
  // Allocates memory for `size` intervals. Returns false if stopped.
  [[nodiscard]] bool allocate(size_t size, const StopCheck& stop) {
    spans_ = std::make_unique_for_overwrite<Span[]>(size);
    size_ = size;
    prefer_huge_pages(spans_.get(), size * sizeof(Span));
    // The system clears a page at the first access. The intervals of many partitions are written
    // all over the memory, so that it would clear all pages between two checks.
    constexpr size_t kPage = (size_t{1} << 21) / sizeof(Span);
    for (size_t at = 0; at < size; at += kPage) {
      if (stop.stopped()) return false;
      spans_[at].ts = 0;
    }
    return true;
  }

  size_t size() const { return size_; }
  Span& operator[](size_t at) { return spans_[at]; }
  const Span& operator[](size_t at) const { return spans_[at]; }
  Span* begin() { return spans_.get(); }
  Span* end() { return spans_.get() + size_; }
  const Span* begin() const { return spans_.get(); }
  const Span* end() const { return spans_.get() + size_; }

 private:
  std::unique_ptr<Span[]> spans_;
  size_t size_ = 0;
};

}  // namespace tracebraid
