// VariantBuilder: values of any type, made into a dense union for each batch.
#pragma once

#include "column/cell.h"
#include "query/batch/growing_buffer.h"
#include "query/batch/record_batch.h"

namespace tracebraid {

class VariantBuilder {
 public:
  // Adds the cell unchanged. Requires: text_bytes() stays at most kMostTextBytes.
  void add(const Cell& cell);
  size_t text_bytes() const { return texts_.bytes.size() + blobs_.bytes.size(); }
  size_t memory() const;
  // Returns the values that were added since the last call.
  ArrayData finish();

 private:
  struct Texts {
    GrowingBuffer ends, bytes;
    int32_t count = 0;

    int32_t add(std::string_view text);
    ArrayData finish(DataType type);
  };

  GrowingBuffer kinds_, offsets_, integers_, reals_;
  Texts texts_, blobs_;
  int32_t rows_ = 0, nulls_ = 0, integer_count_ = 0, real_count_ = 0;
};

}  // namespace tracebraid
