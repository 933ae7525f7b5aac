#include "query/scan/best_index.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "query/scan/column_values.h"
#include "query/scan/estimate.h"
#include "query/scan/plan.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

std::optional<Op> op_of(unsigned char constraint) {
  switch (constraint) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return Op::Eq;
    case SQLITE_INDEX_CONSTRAINT_NE:
      return Op::Ne;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return Op::Lt;
    case SQLITE_INDEX_CONSTRAINT_LE:
      return Op::Le;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return Op::Gt;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return Op::Ge;
    case SQLITE_INDEX_CONSTRAINT_IS:
      return Op::Is;
    case SQLITE_INDEX_CONSTRAINT_ISNOT:
      return Op::IsNot;
    case SQLITE_INDEX_CONSTRAINT_ISNULL:
      return Op::IsNull;
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL:
      return Op::IsNotNull;
    case SQLITE_INDEX_CONSTRAINT_GLOB:
      return Op::Glob;
    case SQLITE_INDEX_CONSTRAINT_LIKE:
      return Op::Like;
    default:
      return std::nullopt;
  }
}

const ColumnView& column_at(const Table& table, int column) {
  return column < 0 ? kRowid : table.view().columns[static_cast<size_t>(column)];
}

std::optional<KnownTerm> term_of(sqlite3_index_info* info, int i, const Table& table) {
  const auto& constraint = info->aConstraint[i];
  std::optional<Op> op = op_of(constraint.op);
  if (constraint.usable == 0 || !op) return std::nullopt;
  const ColumnView& column = column_at(table, constraint.iColumn);
  const bool text_match = op == Op::Glob || op == Op::Like;
  if (text_match && column.sql_type != SqlType::Text) return std::nullopt;
  if (op == Op::Eq && sqlite3_vtab_in(info, i, -1) != 0) op = Op::In;
  sqlite3_value* value = nullptr;
  const bool constant =
      op != Op::In && sqlite3_vtab_rhs_value(info, i, &value) == SQLITE_OK && value != nullptr;
  return KnownTerm{{&column, *op, constant},
                   constant ? std::optional(cell_of(value)) : std::nullopt};
}

// Returns whether SQLite need not check the rows of a scan again. A constant is compared unchanged
// (spec sql-dialect 5.3). Other operands are subject to SQLite's affinities. The scan applies those
// of numeric columns; those of text columns depend on the origin of the operand, which only SQLite
// knows.
bool is_settled(const KnownTerm& known) {
  switch (known.term.op) {
    case Op::IsNull:
    case Op::IsNotNull:
      return true;
    case Op::Like:
      return false;  // PRAGMA case_sensitive_like
    case Op::Glob:
      return known.operand && known.operand->kind == Cell::Kind::Text;
    default:
      return known.term.constant || known.term.column->sql_type != SqlType::Text;
  }
}

// Returns whether the operand has the kind of the column, or there is none.
bool is_alike(const KnownTerm& known) {
  if (known.term.op == Op::IsNull || known.term.op == Op::IsNotNull) return true;
  if (!known.operand) return false;
  const bool is_text = known.term.column->sql_type == SqlType::Text;
  return known.operand->kind == (is_text ? Cell::Kind::Text : Cell::Kind::Int);
}

// Returns whether all rows of the scan have the same value in this column.
bool is_pinned(const ColumnView& column, std::span<const KnownTerm> terms) {
  for (const KnownTerm& known : terms) {
    const bool single = known.term.op == Op::Eq || known.term.op == Op::IsNull;
    if (known.term.column == &column && single && is_settled(known)) return true;
  }
  return false;
}

// Returns the requested order without redundant keys: columns of one value, keys after the row
// number, and trailing keys that row order satisfies.
std::vector<SortKey> wanted_order(const sqlite3_index_info* info, const Table& table,
                                  std::span<const KnownTerm> terms) {
  std::vector<SortKey> keys;
  for (int i = 0; i < info->nOrderBy; ++i) {
    const ColumnView& column = column_at(table, info->aOrderBy[i].iColumn);
    if (is_pinned(column, terms)) continue;
    keys.push_back({&column, info->aOrderBy[i].desc != 0});
    if (column.type == CellType::RowNumber) break;
  }
  while (!keys.empty() && !keys.back().descending && is_searchable(*keys.back().column))
    keys.pop_back();
  return keys;
}

// Chooses how to return rows in the order of `keys`.
void arrange(std::vector<SortKey> keys, Plan& plan) {
  const auto is_row_number = [](const SortKey& key) {
    return key.column->type == CellType::RowNumber;
  };
  if (keys.empty()) return;
  const SortKey& first = keys.front();
  const bool searchable = first.descending && is_searchable(*first.column);
  const bool row_breaks_ties = keys.size() == 2 && keys[1].descending && is_row_number(keys[1]);
  if (searchable && (is_row_number(first) || row_breaks_ties)) {
    plan.arrangement = Arrangement::Reversed;
    return;
  }
  plan.arrangement = searchable && keys.size() == 1 ? Arrangement::Descending : Arrangement::Sorted;
  plan.keys = std::move(keys);
}

// Returns whether the rows depend on those of another table: then this table is the inner side of a
// join.
bool is_inner(std::span<const KnownTerm> terms) {
  return std::any_of(terms.begin(), terms.end(), [](const KnownTerm& known) {
    const Op op = known.term.op;
    const bool has_operand = op != Op::IsNull && op != Op::IsNotNull && op != Op::In;
    return has_operand && !known.term.constant;
  });
}

// Takes over ORDER BY and GROUP BY. Takes over DISTINCT only if rows come in that order anyway,
// because its rows are in the order of their first appearance.
void take_order(sqlite3_index_info* info, const Table& table, std::span<const KnownTerm> terms,
                bool is_only_table, Estimate& estimate, Plan& plan) {
  if (info->nOrderBy == 0) return;
  std::vector<SortKey> keys = wanted_order(info, table, terms);
  constexpr int kDistinctOnly = 2;
  if (sqlite3_vtab_distinct(info) == kDistinctOnly && !keys.empty()) return;
  // Sorting the few rows of each lookup of a join does not sort the join.
  if (!estimate.unique && !keys.empty() && !is_only_table && is_inner(terms)) return;
  if (!estimate.unique) arrange(std::move(keys), plan);
  info->orderByConsumed = 1;
  if (plan.arrangement == Arrangement::Sorted)
    estimate.cost += estimate.rows * static_cast<double>(plan.keys.size());
}

// Takes over the limit of sorted rows, so that only this many rows are searched. Not possible if
// SQLite filters the rows of the scan.
void take_limit(sqlite3_index_info* info, Plan& plan) {
  if (plan.arrangement != Arrangement::Sorted || plan.keys.size() != 1 ||
      !has_own_order(*plan.keys.front().column) || sqlite3_vtab_distinct(info) != 0)
    return;
  int limit = -1, offset = -1;
  for (int i = 0; i < info->nConstraint; ++i) {
    const unsigned char op = info->aConstraint[i].op;
    const bool is_usable = info->aConstraint[i].usable != 0;
    if (op == SQLITE_INDEX_CONSTRAINT_LIMIT && is_usable)
      limit = i;
    else if (op == SQLITE_INDEX_CONSTRAINT_OFFSET && is_usable)
      offset = i;
    else if (info->aConstraintUsage[i].omit == 0)
      return;
  }
  if (limit < 0) return;
  plan.has_limit = true;
  info->aConstraintUsage[limit].argvIndex = static_cast<int>(plan.terms.size()) + 1;
  if (offset < 0) return;
  plan.has_offset = true;
  info->aConstraintUsage[offset].argvIndex = static_cast<int>(plan.terms.size()) + 2;
}

int set_text(sqlite3_index_info* info, const std::string& text) {
  info->idxStr = static_cast<char*>(sqlite3_malloc64(text.size() + 1));
  if (info->idxStr == nullptr) return SQLITE_NOMEM;
  std::memcpy(info->idxStr, text.c_str(), text.size() + 1);
  info->needToFreeIdxStr = 1;
  return SQLITE_OK;
}

}  // namespace

int choose_plan(sqlite3_index_info* info, const Table& table, bool is_only_table, bool is_typed) {
  Plan plan;
  std::vector<KnownTerm> terms;
  for (int i = 0; i < info->nConstraint; ++i) {
    const std::optional<KnownTerm> known = term_of(info, i, table);
    if (!known || (!is_typed && !is_alike(*known))) continue;
    if (known->term.op == Op::In) sqlite3_vtab_in(info, i, 1);
    terms.push_back(*known);
    plan.terms.push_back(known->term);
    info->aConstraintUsage[i].argvIndex = static_cast<int>(terms.size());
    info->aConstraintUsage[i].omit = is_settled(*known) ? 1 : 0;
  }
  Estimate result = estimate(table, terms);
  take_order(info, table, terms, is_only_table, result, plan);
  take_limit(info, plan);
  info->estimatedCost = result.cost;
  info->estimatedRows = static_cast<sqlite3_int64>(std::ceil(result.rows));
  // Passes the columns that will be read; only the first 31 fit.
  info->idxNum = static_cast<int>(info->colUsed & 0x7fffffff);
  if (result.unique) info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
  return set_text(info, text_of(plan));
}

}  // namespace tracebraid
