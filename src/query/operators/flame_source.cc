#include "query/operators/flame_source.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "query/operators/relation_columns.h"
#include "query/scan/large_vector.h"

namespace tracebraid {
namespace {

constexpr std::string_view kFirst[] = {"id", "parent_id", "name", "value"};
constexpr std::string_view kReserved[] = {
    "_tree_id",   "_tree_parent_id",  "depth",
    "self_value", "cumulative_value", "x_start",
    "x_end",      "in_config",        "parent_cumulative_value"};

Result<> check_columns(const std::vector<std::string>& names) {
  if (names.size() < std::size(kFirst))
    return fail(ErrorCode::Sql, "flamegraph: source must contain id, parent_id, name and value");
  for (size_t i = 0; i < std::size(kFirst); ++i)
    if (!is_same_name(names[i], kFirst[i]))
      return fail(ErrorCode::Sql,
                  "flamegraph: first source columns must be id, parent_id, name, value");
  for (size_t i = std::size(kFirst); i < names.size(); ++i)
    for (const std::string_view reserved : kReserved)
      if (is_same_name(names[i], reserved))
        return fail(ErrorCode::Sql,
                    fmt::format("flamegraph: reserved property column '{}'", names[i]));
  return {};
}

// Reads a stored column of integers or texts.
Result<ValueColumn> stored_values(const GatheredColumn& column, size_t rows,
                                  const StopCheck& stop) {
  constexpr uint32_t kUnknown = ~uint32_t{0};
  const bool is_text = column.strings() != nullptr && *column.type() == SqlType::Text;
  std::vector<uint32_t> numbers;  // of the texts of the table
  std::array<uint32_t, kGatheredBlockRows> block{};
  std::array<int64_t, kGatheredBlockRows> words{};
  std::array<bool, kGatheredBlockRows> valid{};
  ValueColumn values;
  values.reserve(rows);
  TB_TRY(for_each_gathered_block(rows, stop, [&](size_t first, size_t count) -> Result<> {
    std::iota(block.begin(), block.end(), static_cast<uint32_t>(first));
    column.read_rows(std::span(block).first(count), words, valid);
    for (size_t i = 0; i < count; ++i) {
      if (!valid[i]) {
        values.add_null();
        continue;
      }
      if (!is_text) {
        values.add_integer(words[i]);
        continue;
      }
      const auto text = static_cast<size_t>(words[i]);
      if (text >= numbers.size()) numbers.resize(std::max(text + 1, 2 * numbers.size()), kUnknown);
      if (numbers[text] == kUnknown)
        numbers[text] = values.intern(column.strings()->get({static_cast<uint32_t>(text)}));
      values.add_text(numbers[text]);
    }
    return {};
  }));
  return values;
}

// Reads a whole column of `rows`.
Result<ValueColumn> values_of(const GatheredColumn& column, size_t rows, const StopCheck& stop) {
  if (column.is_stored() && column.type()) return stored_values(column, rows, stop);
  ValueColumn values;
  values.reserve(rows);
  PacedStopCheck check(stop);
  for (size_t row = 0; row < rows; ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    values.add(column.cell(row));
  }
  return values;
}

// Sets the rows of the parents. Ids are mostly dense.
Result<> find_parents(const ValueColumn& ids, const ValueColumn& parent_ids,
                      std::vector<uint32_t>& parents, const StopCheck& stop) {
  constexpr uint32_t kNone = FlameSource::kNone;
  const size_t rows = ids.size();
  std::vector<uint32_t> dense;
  absl::flat_hash_map<int64_t, uint32_t> others;
  const size_t dense_end = 2 * rows + 1024;
  if (!set_size(dense, dense_end, stop, kNone)) return tl::unexpected(stop.error());
  PacedStopCheck check(stop);
  for (size_t row = 0; row < rows; ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    const int64_t id = ids.word(row);
    if (ids.kind(row) != Cell::Kind::Int)
      return fail(ErrorCode::Sql, "flamegraph: ids must be integers");
    uint32_t& slot = id >= 0 && static_cast<size_t>(id) < dense_end
                         ? dense[static_cast<size_t>(id)]
                         : others.try_emplace(id, kNone).first->second;
    if (slot != kNone)
      return fail(ErrorCode::Sql, fmt::format("flamegraph: id {} occurs twice", id));
    slot = static_cast<uint32_t>(row);
  }
  if (!set_size(parents, rows, stop, kNone)) return tl::unexpected(stop.error());
  for (size_t row = 0; row < rows; ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    if (parent_ids.kind(row) != Cell::Kind::Int) continue;
    const int64_t id = parent_ids.word(row);
    if (id >= 0 && static_cast<size_t>(id) < dense_end) {
      parents[row] = dense[static_cast<size_t>(id)];
    } else if (const auto found = others.find(id); found != others.end()) {
      parents[row] = found->second;
    }
  }
  return {};
}

// Sets rows in an order of parents before children: their own order if that is one.
Result<> find_order(const std::vector<uint32_t>& parents, std::vector<uint32_t>& order,
                    const StopCheck& stop) {
  constexpr uint32_t kNone = FlameSource::kNone;
  const size_t rows = parents.size();
  reserve_in_huge_pages(order, rows);
  bool is_in_order = true;
  const bool is_filled = for_each_block(rows, stop, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      is_in_order &= parents[row] == kNone || parents[row] < row;
      order.push_back(static_cast<uint32_t>(row));
    }
  });
  if (!is_filled) return tl::unexpected(stop.error());
  if (is_in_order) return {};
  order.clear();
  std::vector<uint8_t> is_placed;
  if (!set_size(is_placed, rows, stop)) return tl::unexpected(stop.error());
  std::vector<uint32_t> path;
  PacedStopCheck check(stop);
  for (uint32_t row = 0; row < rows; ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    for (uint32_t at = row; at != kNone && is_placed[at] == 0; at = parents[at]) {
      if (check.stopped()) return tl::unexpected(check.error());
      path.push_back(at);
      if (path.size() > rows) return fail(ErrorCode::Sql, "flamegraph: the parents form a cycle");
    }
    for (; !path.empty(); path.pop_back()) {
      is_placed[path.back()] = 1;
      order.push_back(path.back());
    }
  }
  return {};
}

}  // namespace

void Amounts::set(size_t row, const Cell& cell) {
  if (is_real_)
    words_[row] = std::bit_cast<int64_t>(
        cell.kind == Cell::Kind::Real ? cell.real + 0.0 : static_cast<double>(cell.integer));
  else
    words_[row] = cell.integer;
}

Cell Amounts::cell(size_t row) const {
  return is_real_ ? Cell::of(std::bit_cast<double>(words_[row])) : Cell::of(words_[row]);
}

size_t FlameSource::memory() const {
  size_t bytes = texts.memory() + (parents.capacity() + order.capacity()) * sizeof(uint32_t);
  for (const ValueColumn& column : columns) bytes += column.memory();
  return bytes;
}

Result<size_t> FlameSource::column(std::string_view role, std::string_view name) const {
  for (size_t i = 0; i < names.size(); ++i)
    if (is_same_name(names[i], name)) return i;
  return fail(ErrorCode::Sql,
              fmt::format("flamegraph: {}: column '{}' does not exist", role, name));
}

Result<Amounts> FlameSource::amounts(size_t index, const StopCheck& stop) const {
  const ValueColumn& column = columns[index];
  if (is_numeric[index] == 0)
    return fail(ErrorCode::Sql, "flamegraph: value columns must be numeric");
  bool is_real = false;
  PacedStopCheck check(stop);
  for (size_t row = 0; row < column.size() && !column.is_all(Cell::Kind::Int); ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    is_real |= column.kind(row) == Cell::Kind::Real;
  }
  Amounts amounts(is_real, column.size());
  for (size_t row = 0; row < column.size(); ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    const Cell cell = column.cell(row);
    if (cell.integer < 0 || cell.real < 0)
      return fail(ErrorCode::Sql, "flamegraph: value columns must be non-negative");
    amounts.set(row, cell);
  }
  return amounts;
}

Result<FlameSource> flame_source(const GatheredRows& rows, const StopCheck& stop) {
  TB_TRY(check_columns(rows.names));
  if (rows.rows >= FlameSource::kNone)
    return fail(ErrorCode::Limit, "flamegraph: an operator takes at most 2^32 rows");
  FlameSource source;
  constexpr size_t kValue = 3;
  TB_TRY_ASSIGN(const ValueColumn ids, values_of(rows.columns[0], rows.rows, stop));
  TB_TRY_ASSIGN(const ValueColumn parent_ids, values_of(rows.columns[1], rows.rows, stop));
  TB_TRY_ASSIGN(source.texts, values_of(rows.columns[2], rows.rows, stop));
  PacedStopCheck check(stop);
  for (size_t row = 0; row < rows.rows && !source.texts.is_all(Cell::Kind::Text); ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    if (const auto kind = source.texts.kind(row);
        kind != Cell::Kind::Text && kind != Cell::Kind::Null)
      return fail(ErrorCode::Sql, "flamegraph: name column must be a string");
  }
  for (size_t i = kValue; i < rows.columns.size(); ++i) {
    TB_TRY_ASSIGN(ValueColumn values, values_of(rows.columns[i], rows.rows, stop));
    bool is_numeric = true;
    for (size_t row = 0; row < rows.rows && is_numeric && !values.is_all(Cell::Kind::Int); ++row) {
      if (check.stopped()) return tl::unexpected(check.error());
      is_numeric = values.kind(row) < Cell::Kind::Text;
    }
    source.names.push_back(rows.names[i]);
    source.is_numeric.push_back(is_numeric ? 1 : 0);
    source.columns.push_back(std::move(values));
  }
  TB_TRY(find_parents(ids, parent_ids, source.parents, stop));
  TB_TRY(find_order(source.parents, source.order, stop));
  return source;
}

}  // namespace tracebraid
