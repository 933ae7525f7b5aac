// Conditions that compare a column with constants, as a scan can decide them by itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "query/compile/select_text.h"
#include "query/scan/predicate.h"

namespace tracebraid {

struct Literal {
  std::string sql;  // of one constant: 5, -1.5, 'text', NULL, ?1
  bool is_text = false;
};

// `column op literals`: several of In; of IsNull and IsNotNull one that is ignored.
struct FilterText {
  ColumnName column;
  Op op;
  std::vector<Literal> literals;
};

// All of which must hold (BETWEEN is two). Empty: the condition is another. Variables are written
// ?N; `values` are theirs, values[0] of ?1. Those that are numbers or texts are constants.
std::vector<FilterText> parse_filters(Tokens condition, std::span<const Cell> values = {});

// Null: the variable has none.
const Cell* value_of(const Token& variable, std::span<const Cell> values);

}  // namespace tracebraid
