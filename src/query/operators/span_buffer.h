// SpanBuffer: a fixed number of intervals, which the owner sets one by one.
#pragma once

#include <cstddef>
#include <memory>

#include "base/pages.h"
#include "query/operators/span_sweep.h"

namespace tracebraid {

// Values are uninitialized, because writing millions of them twice takes longer than sorting them.
class SpanBuffer {
 public:
  SpanBuffer() = default;
  explicit SpanBuffer(size_t size)
      : spans_(std::make_unique_for_overwrite<Span[]>(size)), size_(size) {
    prefer_huge_pages(spans_.get(), size * sizeof(Span));
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
