// Conditions that compare a column with constants, as a scan can decide them by itself.
#pragma once

#include <string>
#include <vector>

#include "query/compile/select_text.h"
#include "query/scan/predicate.h"

namespace tracebraid {

struct Literal {
  std::string sql;  // of one constant: 5, -1.5, 'text', NULL
  bool is_text = false;
};

// `column op literals`: several of In; of IsNull and IsNotNull one that is ignored.
struct FilterText {
  ColumnName column;
  Op op;
  std::vector<Literal> literals;
};

// All of which must hold (BETWEEN is two). Empty: the condition is another.
std::vector<FilterText> parse_filters(Tokens condition);

}  // namespace tracebraid
