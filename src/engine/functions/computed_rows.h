// ComputedFunctionRows: the rows of a table function that computes all of them when it is called.
#pragma once

#include "query/functions/table_function.h"

namespace tracebraid {

class ComputedFunctionRows : public TableFunctionRows {
 public:
  Result<> call(std::span<const Cell> arguments) final {
    rows_ = 0;
    TB_TRY_ASSIGN(rows_, compute(arguments));
    return {};
  }
  Result<size_t> next_chunk() final { return std::exchange(rows_, 0); }

 protected:
  // Returns the number of rows that cell() shows.
  virtual Result<size_t> compute(std::span<const Cell> arguments) = 0;

 private:
  size_t rows_ = 0;
};

}  // namespace tracebraid
