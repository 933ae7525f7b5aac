// Conditions that compare a column with constants, which a scan can decide.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "query/compile/select_text.h"
#include "query/scan/predicate.h"

namespace tracebraid {

struct Literal {
  // A constant: 5, -1.5, 'text', NULL, ?1, (trace_start() + 9) / 2. Arithmetic may result in NULL.
  std::string sql;
  bool is_text = false;
};

// `column op literals`: In has several literals; that of IsNull and IsNotNull is ignored.
struct FilterText {
  ColumnName column;
  Op op;
  std::vector<Literal> literals;
};

// Returns filters that must all hold (BETWEEN is two); none for other conditions. Variables have
// the form ?N; `values` are their values, values[0] of ?1. Variables with a number or text count as
// constants.
std::vector<FilterText> parse_filters(Tokens condition, std::span<const Cell> values = {});

// Returns null if the variable has no value.
const Cell* value_of(const Token& variable, std::span<const Cell> values);

}  // namespace tracebraid
