#include "query/scan/predicate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "query/scan/column_values.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

using Wide = __int128;  // any int64 and values beyond its range

bool nullable(const ColumnView& column) {
  return column.type == CellType::OptInt || column.type == CellType::OptRow ||
         column.type == CellType::String || column.type == CellType::Sparse;
}

Predicate integers(const ColumnView& column, Predicate::Kind kind, int64_t low, int64_t high) {
  Predicate predicate;
  predicate.column = &column;
  predicate.kind = kind;
  predicate.low = low;
  predicate.high = high;
  return predicate;
}

Predicate reals(const ColumnView& column, Predicate::Kind kind, double low, double high) {
  Predicate predicate;
  predicate.column = &column;
  predicate.kind = kind;
  predicate.real_low = low;
  predicate.real_high = high;
  return predicate;
}

// Copies texts, so that the predicate outlives the values.
Predicate cells(const ColumnView& column, Predicate::Kind kind, Op op,
                std::span<const Cell> operands) {
  Predicate predicate;
  predicate.column = &column;
  predicate.kind = kind;
  predicate.op = op;
  predicate.operands.assign(operands.begin(), operands.end());
  // Short texts are stored in the strings themselves.
  predicate.operand_texts.reserve(operands.size());
  for (Cell& cell : predicate.operands) cell.text = predicate.operand_texts.emplace_back(cell.text);
  std::sort(predicate.operands.begin(), predicate.operands.end(),
            [](const Cell& a, const Cell& b) { return compare(a, b) < 0; });
  return predicate;
}

bool compile_null(const ColumnView& column, Op op, std::vector<Predicate>& predicates) {
  const bool wants_null = op == Op::IsNull;
  if (column.type == CellType::Computed) {
    const Cell none;
    predicates.push_back(cells(column, Predicate::Kind::CellTest, op, {&none, 1}));
  } else if (column.type == CellType::Double) {
    predicates.push_back(
        reals(column, wants_null ? Predicate::Kind::RealOutside : Predicate::Kind::RealInside,
              -HUGE_VAL, HUGE_VAL));
  } else if (!nullable(column)) {
    return !wants_null;
  } else {
    const Domain domain = domain_of(column);
    predicates.push_back(integers(
        column, wants_null ? Predicate::Kind::IntegerOutside : Predicate::Kind::IntegerInside,
        domain.min, domain.max));
  }
  return true;
}

bool compile_inside(const ColumnView& column, Wide low, Wide high,
                    std::vector<Predicate>& predicates) {
  const Domain domain = domain_of(column);
  if (low <= domain.min && high >= domain.max && !nullable(column)) return true;
  low = std::max(low, Wide{domain.min});
  high = std::min(high, Wide{domain.max});
  if (low > high) return false;
  predicates.push_back(integers(column, Predicate::Kind::IntegerInside, static_cast<int64_t>(low),
                                static_cast<int64_t>(high)));
  return true;
}

// Accepts every value except `value`, which is in the domain; also NULL if the op is IsNot.
bool compile_except(const ColumnView& column, Op op, int64_t value,
                    std::vector<Predicate>& predicates) {
  predicates.push_back(integers(column, Predicate::Kind::IntegerOutside, value, value));
  return op == Op::IsNot || compile_null(column, Op::IsNotNull, predicates);
}

// Handles an operand that equals no value of the column: all cells are below it, or all are above.
bool compile_incomparable(const ColumnView& column, Op op, bool cells_are_below,
                          std::vector<Predicate>& predicates) {
  if (op == Op::IsNot) return true;
  const bool holds = op == Op::Ne || (cells_are_below ? op == Op::Lt || op == Op::Le
                                                      : op == Op::Gt || op == Op::Ge);
  return holds && compile_null(column, Op::IsNotNull, predicates);
}

// Returns the integers next to `value` on both sides; equal if it is integral.
std::pair<Wide, Wide> around(double value) {
  constexpr double kBeyond = 0x1p65;
  const double clamped = std::clamp(value, -kBeyond, kBeyond);
  return {static_cast<Wide>(std::floor(clamped)), static_cast<Wide>(std::ceil(clamped))};
}

bool compile_number(const ColumnView& column, Op op, const Cell& value,
                    std::vector<Predicate>& predicates) {
  constexpr Wide kBeyond = Wide{1} << 100;
  const auto [below, above] = value.kind == Cell::Kind::Int
                                  ? std::pair<Wide, Wide>{value.integer, value.integer}
                                  : around(value.real);
  const bool whole = below == above;
  switch (op) {
    case Op::Lt:
      return compile_inside(column, -kBeyond, above - 1, predicates);
    case Op::Le:
      return compile_inside(column, -kBeyond, below, predicates);
    case Op::Gt:
      return compile_inside(column, below + 1, kBeyond, predicates);
    case Op::Ge:
      return compile_inside(column, above, kBeyond, predicates);
    case Op::Ne:
    case Op::IsNot: {
      const Domain domain = domain_of(column);
      if (whole && below >= domain.min && below <= domain.max)
        return compile_except(column, op, static_cast<int64_t>(below), predicates);
      return compile_incomparable(column, op, true, predicates);
    }
    default:
      return whole && compile_inside(column, below, below, predicates);
  }
}

bool compile_real(const ColumnView& column, Op op, const Cell& value,
                  std::vector<Predicate>& predicates) {
  // The doubles next to the value on both sides; an integer may be between two doubles.
  const bool is_real = value.kind == Cell::Kind::Real;
  const double above = is_real ? value.real : double_at_least(value.integer);
  const double below = is_real ? value.real : double_at_most(value.integer);
  const bool exact = above == below;
  const auto inside = [&](double low, double high) {
    predicates.push_back(reals(column, Predicate::Kind::RealInside, low, high));
    return true;
  };
  switch (op) {
    case Op::Lt:
      return inside(-HUGE_VAL, exact ? std::nextafter(below, -HUGE_VAL) : below) &&
             below != -HUGE_VAL;
    case Op::Le:
      return inside(-HUGE_VAL, below);
    case Op::Gt:
      return inside(exact ? std::nextafter(above, HUGE_VAL) : above, HUGE_VAL) && above != HUGE_VAL;
    case Op::Ge:
      return inside(above, HUGE_VAL);
    case Op::Ne:
    case Op::IsNot:
      if (!exact) return compile_incomparable(column, op, true, predicates);
      predicates.push_back(reals(column, Predicate::Kind::RealOutside, above, above));
      return op == Op::IsNot || compile_null(column, Op::IsNotNull, predicates);
    default:
      return exact && inside(above, above);
  }
}

bool compile_text(const ColumnView& column, Op op, const Cell& value, const StringPool& strings,
                  std::vector<Predicate>& predicates) {
  const bool plain_glob =
      op == Op::Glob && value.text.find_first_of("*?[") == std::string_view::npos;
  if (op == Op::Eq || op == Op::Is || op == Op::Ne || op == Op::IsNot || plain_glob) {
    const StringId id = strings.find(value.text);
    const bool equal = op == Op::Eq || op == Op::Is || op == Op::Glob;
    if (!id) return !equal && compile_incomparable(column, op, true, predicates);
    return equal ? compile_inside(column, id.row, id.row, predicates)
                 : compile_except(column, op, id.row, predicates);
  }
  predicates.push_back(cells(column, Predicate::Kind::TextTest, op, {&value, 1}));
  return true;
}

bool compile_set(const Constraint& constraint, const StringPool& strings,
                 std::vector<Predicate>& predicates) {
  const ColumnView& column = *constraint.column;
  if (!holds_integers(column)) {
    predicates.push_back(cells(column, Predicate::Kind::CellInSet, Op::In, constraint.values));
    return !constraint.values.empty();
  }
  // Compiles each value separately; the results are bounds of single-value ranges.
  std::vector<Predicate> singles;
  for (const Cell& value : constraint.values)
    (void)compile({&column, Op::Eq, {&value, 1}}, strings, singles);
  if (singles.empty()) return false;
  Predicate predicate = integers(column, Predicate::Kind::IntegerInSet, 0, 0);
  for (const Predicate& single : singles) predicate.set.push_back(single.low);
  std::sort(predicate.set.begin(), predicate.set.end());
  predicate.set.erase(std::unique(predicate.set.begin(), predicate.set.end()), predicate.set.end());
  predicates.push_back(std::move(predicate));
  return true;
}

// Compiles a comparison of a column that ColumnView::read computes, and that is not searched.
// Returns nothing if only a test of cells decides it.
std::optional<bool> compile_computed(const ColumnView& column, Op op, const Cell& value,
                                     const StringPool& strings,
                                     std::vector<Predicate>& predicates) {
  if (column.read == nullptr || column.order != Order::None) return std::nullopt;
  int64_t low = std::numeric_limits<int64_t>::min(), high = std::numeric_limits<int64_t>::max();
  const bool is_equality = op == Op::Eq || op == Op::Is;
  if (column.sql_type == SqlType::Text) {
    if (!column.texts.empty() || value.kind != Cell::Kind::Text || !is_equality)
      return std::nullopt;
    const StringId id = strings.find(value.text);
    if (!id) return false;
    low = high = id.row;
  } else {
    const bool is_bound = op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge;
    if (column.sql_type != SqlType::Integer || value.kind != Cell::Kind::Int ||
        (!is_equality && !is_bound))
      return std::nullopt;
    if ((op == Op::Lt && value.integer == low) || (op == Op::Gt && value.integer == high))
      return false;
    if (is_equality || op == Op::Ge || op == Op::Gt) low = value.integer + (op == Op::Gt ? 1 : 0);
    if (is_equality || op == Op::Le || op == Op::Lt) high = value.integer - (op == Op::Lt ? 1 : 0);
  }
  predicates.push_back(integers(column, Predicate::Kind::IntegerInside, low, high));
  return true;
}

bool holds(Op op, const Cell& cell, const Cell& operand) {
  const bool both = cell.kind != Cell::Kind::Null && operand.kind != Cell::Kind::Null;
  const auto order = compare(cell, operand);
  switch (op) {
    case Op::Eq:
      return both && order == 0;
    case Op::Ne:
      return both && order != 0;
    case Op::Lt:
      return both && order < 0;
    case Op::Le:
      return both && order <= 0;
    case Op::Gt:
      return both && order > 0;
    case Op::Ge:
      return both && order >= 0;
    case Op::Is:
      return order == 0;
    case Op::IsNot:
      return order != 0;
    case Op::IsNull:
      return cell.kind == Cell::Kind::Null;
    case Op::IsNotNull:
      return cell.kind != Cell::Kind::Null;
    case Op::Glob:
      return cell.kind == Cell::Kind::Text && glob_matches(operand.text, cell.text);
    case Op::Like:
      return cell.kind == Cell::Kind::Text && like_matches(operand.text, cell.text);
    case Op::In:
      break;  // has a set
  }
  return false;
}

bool in_set(std::span<const Cell> sorted, const Cell& cell) {
  return cell.kind != Cell::Kind::Null &&
         std::binary_search(sorted.begin(), sorted.end(), cell,
                            [](const Cell& a, const Cell& b) { return compare(a, b) < 0; });
}

// Moves the rows that pass to the front, without branches, because they would be unpredictable.
// Returns their number.
template <class Test>
size_t keep(std::span<uint32_t> rows, Test test) {
  size_t kept = 0;
  for (const uint32_t row : rows) {
    rows[kept] = row;
    kept += test(row) ? 1 : 0;
  }
  return kept;
}

// Keeps the integers inside of a column that ColumnView::read computes, in runs of consecutive
// rows.
size_t keep_computed_integers(const Predicate& predicate, std::span<uint32_t> rows) {
  constexpr size_t kMostRun = 1024;
  const ColumnView& column = *predicate.column;
  std::array<int64_t, kMostRun> values{};
  std::array<bool, kMostRun> valid{};
  size_t kept = 0;
  for (size_t begin = 0; begin < rows.size();) {
    const uint32_t first = rows[begin];
    size_t count = 1;
    while (count < kMostRun && begin + count < rows.size() && rows[begin + count] == first + count)
      ++count;
    column.read(column.data, first, std::span(values).first(count), std::span(valid).first(count));
    for (size_t i = 0; i < count; ++i) {
      rows[kept] = first + static_cast<uint32_t>(i);
      const bool is_inside = (predicate.low <= values[i]) && (values[i] <= predicate.high);
      kept += valid[i] && is_inside ? 1 : 0;
    }
    begin += count;
  }
  return kept;
}

size_t keep_integers(const Predicate& predicate, std::span<uint32_t> rows) {
  if (predicate.column->type == CellType::Computed) return keep_computed_integers(predicate, rows);
  const int64_t low = predicate.low, high = predicate.high;
  return visit_integers(*predicate.column, [&](auto values) {
    switch (predicate.kind) {
      case Predicate::Kind::IntegerInside:
        return keep(rows, [=](size_t row) {
          const int64_t value = values[row];
          return (low <= value) & (value <= high);
        });
      case Predicate::Kind::IntegerOutside:
        return keep(rows, [=](size_t row) {
          const int64_t value = values[row];
          return (value < low) | (high < value);
        });
      default:
        return keep(rows, [&, values](size_t row) {
          return std::binary_search(predicate.set.begin(), predicate.set.end(), values[row]);
        });
    }
  });
}

size_t keep_reals(const Predicate& predicate, std::span<uint32_t> rows) {
  const auto* values = static_cast<const double*>(predicate.column->data);
  const double low = predicate.real_low, high = predicate.real_high;
  const bool inside = predicate.kind == Predicate::Kind::RealInside;
  return keep(rows, [=](size_t row) {
    const double value = values[row];
    return ((low <= value) & (value <= high)) == inside;
  });
}

}  // namespace

bool compile(const Constraint& constraint, const StringPool& strings,
             std::vector<Predicate>& predicates) {
  const ColumnView& column = *constraint.column;
  const Op op = constraint.op;
  if (op == Op::IsNull || op == Op::IsNotNull) return compile_null(column, op, predicates);
  if (op == Op::In) return compile_set(constraint, strings, predicates);
  const Cell& value = constraint.values.front();
  if (value.kind == Cell::Kind::Null) {
    if (op != Op::Is && op != Op::IsNot) return false;
    return compile_null(column, op == Op::Is ? Op::IsNull : Op::IsNotNull, predicates);
  }
  if (column.type == CellType::Computed) {
    if (const auto found = compile_computed(column, op, value, strings, predicates)) return *found;
    predicates.push_back(cells(column, Predicate::Kind::CellTest, op, constraint.values));
    return true;
  }
  const bool is_number = value.kind == Cell::Kind::Int || value.kind == Cell::Kind::Real;
  if (column.type == CellType::String) {
    if (value.kind == Cell::Kind::Text) return compile_text(column, op, value, strings, predicates);
    return compile_incomparable(column, op, !is_number, predicates);
  }
  if (!is_number) return compile_incomparable(column, op, true, predicates);
  return column.type == CellType::Double ? compile_real(column, op, value, predicates)
                                         : compile_number(column, op, value, predicates);
}

size_t keep_rows(const Predicate& predicate, const StringPool& strings, std::span<uint32_t> rows) {
  switch (predicate.kind) {
    case Predicate::Kind::IntegerInside:
    case Predicate::Kind::IntegerOutside:
    case Predicate::Kind::IntegerInSet:
      return keep_integers(predicate, rows);
    case Predicate::Kind::RealInside:
    case Predicate::Kind::RealOutside:
      return keep_reals(predicate, rows);
    case Predicate::Kind::TextTest:
    case Predicate::Kind::CellTest:
      return keep(rows, [&](size_t row) {
        return holds(predicate.op, cell(*predicate.column, row, strings),
                     predicate.operands.front());
      });
    case Predicate::Kind::CellInSet:
      return keep(rows, [&](size_t row) {
        return in_set(predicate.operands, cell(*predicate.column, row, strings));
      });
  }
  return 0;
}

bool TextVerdicts::test(const Predicate& predicate, const StringPool& strings, StringId id) {
  if (!id) return false;
  Verdict& known = known_[id.row];
  if (known == Verdict::Unknown) {
    const Cell text = Cell::of(strings.get(id));
    known = holds(predicate.op, text, predicate.operands.front()) ? Verdict::Yes : Verdict::No;
  }
  return known == Verdict::Yes;
}

size_t keep_rows(const Predicate& predicate, const StringPool& strings, TextVerdicts& verdicts,
                 std::span<uint32_t> rows) {
  return visit_integers(*predicate.column, [&](auto ids) {
    return keep(rows, [&](size_t row) {
      return verdicts.test(predicate, strings, StringId{static_cast<uint32_t>(ids[row])});
    });
  });
}

}  // namespace tracebraid
