// ScanCapture: takes the first scan of a statement away from SQLite, so that its caller reads the
// rows column by column.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "query/scan/plan.h"
#include "query/scan/table.h"

namespace tracebraid {

// While one is set in a TableModule, the first cursor of its tables to be started writes here what
// it was asked for, and gives no rows.
struct ScanCapture {
  const Table* table = nullptr;  // null: none was started yet
  Plan plan;
  uint32_t columns_read = 0;
  std::vector<std::vector<Cell>> operands;
  std::deque<std::string> texts;  // of the operands
};

}  // namespace tracebraid
