// Predicates: constraints of a query, compiled to loops over one typed column.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "column/column.h"
#include "query/scan/stop_check.h"

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
  std::span<const Cell> values;  // exactly one unless op is In
};

struct Predicate {
  enum class Kind : uint8_t {
    IntegerInside,   // low <= value <= high; strings by id; also of Computed with ColumnView::read
    IntegerOutside,  // value < low or value > high
    IntegerInSet,    // value in `set`
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
  // Operands of TextTest and CellTest (one) and CellInSet. `operand_texts` stores the texts.
  std::vector<Cell> operands;
  std::vector<std::string> operand_texts;
};

// Appends the predicates that are equivalent to the constraint. Returns false if no row can satisfy
// it. GLOB and LIKE require a column of text and an operand of text or NULL.
bool compile(const Constraint& constraint, const StringPool& strings,
             std::vector<Predicate>& predicates);

// Removes the elements of `rows` that do not satisfy the predicate. Returns the number of remaining
// rows.
size_t keep_rows(const Predicate& predicate, const StringPool& strings, std::span<uint32_t> rows);

// Caches the result of TextTest per string, for scans with many rows per string.
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

// GLOB of spec sql-dialect 4.4: matches bytes, not characters; `*`, `?`, `[a-c]`, `[^x]`.
bool glob_matches(std::string_view pattern, std::string_view text);
// LIKE: `%` matches any text, `_` one character of UTF-8.
bool like_matches(std::string_view pattern, std::string_view text);

// The same for texts of any length. Returns nothing if `check` stopped. `escape` is the character
// of ESCAPE, or empty.
std::optional<bool> glob_matches(std::string_view pattern, std::string_view text,
                                 PacedStopCheck& check);
std::optional<bool> like_matches(std::string_view pattern, std::string_view escape,
                                 std::string_view text, PacedStopCheck& check);

}  // namespace tracebraid
