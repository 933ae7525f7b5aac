// ScanCapture: intercepts the first scan of a statement, so that the caller can read its rows
// column by column.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "query/scan/plan.h"
#include "query/scan/table.h"

namespace tracebraid {

// While it is set in a TableModule, the first cursor that starts stores its plan here and returns
// no rows.
struct ScanCapture {
  const Table* table = nullptr;  // null: no cursor has started
  Plan plan;
  uint32_t columns_read = 0;
  std::vector<std::vector<Cell>> operands;
  std::deque<std::string> texts;  // of the operands
};

}  // namespace tracebraid
