// Predicates: constraints of a query, compiled so that a loop over one typed
// column decides them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/string_pool.h"
#include "column/column.h"

namespace tracebraid {

enum class Op : uint8_t {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Is,     // as Eq, and NULL is NULL
  IsNot,  // as Ne, and NULL is not 1
  IsNull,
  IsNotNull,
  In,
  Glob,
  Like,  // as SQLite's LIKE without ESCAPE, ASCII case ignored
};

// `column op value`, or `column IN values`.
struct Constraint {
  const ColumnView* column;
  Op op;
  std::span<const Cell> values;  // one, if op is not In
};

struct Predicate {
  enum class Kind : uint8_t {
    IntegerInside,   // low <= value <= high; strings by id
    IntegerOutside,  // not that
    IntegerInSet,    // of `set`
    RealInside,
    RealOutside,
    TextTest,  // `op` holds between the string and `operand`
    CellTest,  // `op` holds between the cell and `operand`; slow
    CellInSet,
  };
  Predicate() = default;
  Predicate(Predicate&&) = default;  // no copies: operands point into operand_texts
  Predicate& operator=(Predicate&&) = default;

  const ColumnView* column = nullptr;
  Kind kind = Kind::IntegerInside;
  Op op = Op::Eq;
  int64_t low = 0, high = 0;
  double real_low = 0, real_high = 0;
  std::vector<int64_t> set;  // sorted
  // Of TextTest and CellTest (one) and CellInSet. Text lies in `operand_texts`.
  std::vector<Cell> operands;
  std::vector<std::string> operand_texts;
};

// Appends the predicates that together say what the constraint says. False: no
// row can satisfy it. GLOB and LIKE need a column of text and an operand of text
// or NULL.
bool compile(const Constraint& constraint, const StringPool& strings,
             std::vector<Predicate>& predicates);

// Keeps those of `rows` that satisfy it; returns how many.
size_t keep_rows(const Predicate& predicate, const StringPool& strings, std::span<uint32_t> rows);

// Remembers what TextTest said of each string, for scans that meet the same
// strings many times.
class TextVerdicts {
 public:
  explicit TextVerdicts(uint32_t strings) : known_(strings) {}
  bool test(const Predicate& predicate, const StringPool& strings, StringId id);

 private:
  enum class Verdict : uint8_t { Unknown, No, Yes };
  std::vector<Verdict> known_;
};
size_t keep_rows(const Predicate& predicate, const StringPool& strings, TextVerdicts& verdicts,
                 std::span<uint32_t> rows);

// GLOB of spec sql-dialect 4.4: bytes, not characters; `*`, `?`, `[a-c]`, `[^x]`.
bool glob_matches(std::string_view pattern, std::string_view text);
// LIKE: `%` any, `_` one character of UTF-8.
bool like_matches(std::string_view pattern, std::string_view text);

}  // namespace tracebraid
