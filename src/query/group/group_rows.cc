#include "query/group/group_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "query/group/read_values.h"
#include "query/group/value_codes.h"
#include "query/scan/scan.h"

namespace tracebraid {
namespace {

double real_of(int64_t bits) { return std::bit_cast<double>(bits); }

// Numbers the groups and stores the first row of each.
class GroupCodes {
 public:
  explicit GroupCodes(const std::vector<GroupKey>& keys)
      : keys_(keys), of_key_(keys.size()), of_pair_(keys.empty() ? 0 : keys.size() - 1) {}

  // Returns the group of each of the rows.
  std::span<const uint32_t> add(const Scan::Rows& rows) {
    if (keys_.empty()) return add_to_only(rows);
    codes_.assign(rows.count, 0);
    for (size_t k = 0; k < keys_.size(); ++k) {
      is_exact_ &= read_values(*keys_[k].column, rows, values_);
      for (size_t i = 0; i < rows.count; ++i) {
        const uint32_t code = of_key_[k].code(static_cast<uint64_t>(values_[i]));
        codes_[i] = k == 0 ? code : of_pair_[k - 1].code(uint64_t{codes_[i]} << 32 | code);
      }
    }
    // Codes count up: a group is new if its code is.
    for (size_t i = 0; i < rows.count; ++i)
      if (codes_[i] == first_rows_.size()) first_rows_.push_back(row_at(rows, i));
    return codes_;
  }
  const std::vector<uint32_t>& first_rows() const { return first_rows_; }
  // Whether no value was taken for NULL.
  bool is_exact() const { return is_exact_; }

 private:
  static uint32_t row_at(const Scan::Rows& rows, size_t i) {
    return rows.list == nullptr ? rows.first + static_cast<uint32_t>(i) : rows.list[i];
  }
  // Without keys all rows are one group.
  std::span<const uint32_t> add_to_only(const Scan::Rows& rows) {
    if (first_rows_.empty() && rows.count > 0) first_rows_.push_back(row_at(rows, 0));
    if (codes_.size() < rows.count) codes_.resize(rows.count);
    return std::span(codes_).first(rows.count);
  }

  const std::vector<GroupKey>& keys_;
  std::vector<ValueCodes> of_key_, of_pair_;  // by key; of the keys before it together with it
  std::vector<uint32_t> first_rows_, codes_;
  Values values_;
  bool is_exact_ = true;
};

// An aggregated column of the result.
struct Total {
  GroupColumn what;
  std::vector<int64_t> counts, values;  // by group
  uint64_t magnitude = 0;               // sum of the absolute values
  bool is_exact = true;  // whether `magnitude` is exact and no value was taken for NULL
};

template <class Visit>
void for_each_value(const ColumnView& column, const Values& values, Visit visit) {
  if (column.type == CellType::Double) {
    for (size_t i = 0; i < values.size(); ++i)
      if (!std::isnan(real_of(values[i]))) visit(i, values[i]);
    return;
  }
  const Domain domain = domain_read(column);
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] >= domain.min && values[i] <= domain.max) visit(i, values[i]);
}

void add_sums(Total& total, std::span<const uint32_t> groups, const Values& values) {
  for_each_value(*total.what.column, values, [&](size_t i, int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    auto& sum = total.values[groups[i]];
    sum = static_cast<int64_t>(static_cast<uint64_t>(sum) + bits);
    ++total.counts[groups[i]];
    const bool overflows =
        __builtin_add_overflow(total.magnitude, value < 0 ? ~bits + 1 : bits, &total.magnitude);
    total.is_exact &= !overflows;
  });
}

// `is_better(a, b)`: a replaces b.
template <class IsBetter>
void add_best(Total& total, std::span<const uint32_t> groups, const Values& values,
              IsBetter is_better) {
  for_each_value(*total.what.column, values, [&](size_t i, int64_t value) {
    int64_t& count = total.counts[groups[i]];
    int64_t& best = total.values[groups[i]];
    if (count++ == 0 || is_better(value, best)) best = value;
  });
}

template <class Less>
void add_extremes(Total& total, std::span<const uint32_t> groups, const Values& values, Less less) {
  if (total.what.value == GroupValue::Min)
    add_best(total, groups, values, less);
  else
    add_best(total, groups, values, [&](int64_t a, int64_t b) { return less(b, a); });
}

void add_extremes(Total& total, std::span<const uint32_t> groups, const Values& values,
                  const StringPool& strings) {
  const auto text_of = [&](int64_t id) { return strings.get({static_cast<uint32_t>(id)}); };
  switch (type_read(*total.what.column)) {
    case CellType::Double:
      return add_extremes(total, groups, values,
                          [](int64_t a, int64_t b) { return real_of(a) < real_of(b); });
    case CellType::String:
      return add_extremes(total, groups, values,
                          [&](int64_t a, int64_t b) { return a != b && text_of(a) < text_of(b); });
    default:
      return add_extremes(total, groups, values, [](int64_t a, int64_t b) { return a < b; });
  }
}

void add_block(Total& total, size_t group_count, std::span<const uint32_t> groups,
               const Scan::Rows& rows, const StringPool& strings, Values& values) {
  total.counts.resize(group_count);
  total.values.resize(group_count);
  if (total.what.column != nullptr) total.is_exact &= read_values(*total.what.column, rows, values);
  switch (total.what.value) {
    case GroupValue::Rows:
      if (group_count == 1) {
        total.counts[0] += static_cast<int64_t>(groups.size());
        break;
      }
      for (const uint32_t group : groups) ++total.counts[group];
      break;
    case GroupValue::Count:
      for_each_value(*total.what.column, values,
                     [&](size_t i, int64_t) { ++total.counts[groups[i]]; });
      break;
    case GroupValue::Sum:
      add_sums(total, groups, values);
      break;
    case GroupValue::Min:
    case GroupValue::Max:
      add_extremes(total, groups, values, strings);
      break;
  }
}

// Returns whether no value was taken for NULL and no order of adding the values can leave the range
// of integers.
bool is_safe(const Total& total) {
  return total.is_exact &&
         total.magnitude <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
}

// Appends columns to the table of groups.
class GroupTable {
 public:
  GroupTable(const GroupQuery& query, const std::vector<uint32_t>& first_rows, Groups& groups,
             const StopCheck& stop)
      : query_(query),
        first_rows_(first_rows),
        groups_(groups),
        stop_(stop),
        view_{groups.names.front(), "", first_rows.size(), {}} {}

  // Returns false if stopped.
  bool make(const std::vector<Total>& totals) {
    for (const GroupKey& key : query_.keys)
      if (!add_key(key, groups_.names.emplace_back(key.name))) return false;
    for (size_t i = 0; i < totals.size(); ++i)
      if (!add_total(totals[i], groups_.names.emplace_back(group_column_name(i)))) return false;
    groups_.table = std::make_unique<Table>(std::move(view_), query_.table->strings());
    return true;
  }

 private:
  // Appends a column of type T with the value convert(i) for group i.
  template <class T, class Convert>
  bool add_column(std::deque<Column<T>>& columns, std::string_view name, Convert convert) {
    std::vector<T> values(first_rows_.size());
    const bool is_done = for_each_block(values.size(), stop_, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) values[i] = convert(i);
    });
    if (!is_done) return false;
    columns.emplace_back().take(std::move(values));
    view_.columns.push_back(column_view(name, "", Order::None, columns.back()));
    return true;
  }

  bool add_key(const GroupKey& key, std::string_view name) {
    Values values, block;
    const bool is_read = for_each_block(first_rows_.size(), stop_, [&](size_t begin, size_t end) {
      static_cast<void>(
          read_values(*key.column, {first_rows_.data() + begin, 0, end - begin}, block));
      values.insert(values.end(), block.begin(), block.end());
    });
    if (!is_read) return false;
    const auto row = [&](size_t i) { return static_cast<uint32_t>(values[i]); };
    switch (type_read(*key.column)) {
      case CellType::OptInt:
      case CellType::Sparse:
        return add_column(groups_.optional_integers, name,
                          [&](size_t i) { return OptInt{values[i]}; });
      case CellType::OptRow:
        return add_column(groups_.rows, name, [&](size_t i) { return OptRow{row(i)}; });
      case CellType::String:
        return add_column(groups_.texts, name, [&](size_t i) { return StringId{row(i)}; });
      default:
        return add_column(groups_.integers, name, [&](size_t i) { return values[i]; });
    }
  }

  bool add_total(const Total& total, std::string_view name) {
    const bool is_added = add_values(total, name);
    if (is_added) view_.columns.back().hidden = true;
    return is_added;
  }
  bool add_values(const Total& total, std::string_view name) {
    const auto is_null = [&](size_t i) { return total.counts[i] == 0; };
    if (total.what.value == GroupValue::Rows || total.what.value == GroupValue::Count)
      return add_column(groups_.integers, name, [&](size_t i) { return total.counts[i]; });
    if (total.what.column->type == CellType::Double)
      return add_column(groups_.reals, name, [&](size_t i) {
        return is_null(i) ? std::nan("") : real_of(total.values[i]);
      });
    if (type_read(*total.what.column) == CellType::String)
      return add_column(groups_.texts, name, [&](size_t i) {
        return is_null(i) ? StringId{} : StringId{static_cast<uint32_t>(total.values[i])};
      });
    if (may_be_null(*total.what.column))
      return add_column(groups_.optional_integers, name,
                        [&](size_t i) { return is_null(i) ? OptInt{} : OptInt{total.values[i]}; });
    return add_column(groups_.integers, name, [&](size_t i) { return total.values[i]; });
  }

  const GroupQuery& query_;
  const std::vector<uint32_t>& first_rows_;
  Groups& groups_;
  const StopCheck& stop_;
  TableView view_;
};

// Returns whether there are so many groups that grouping saves nothing.
bool is_futile(size_t groups, size_t rows) {
  constexpr size_t kEnoughRows = 65536;
  return rows >= kEnoughRows && groups > rows / 2;
}

// The bytes of a group while groups are computed, and in the result.
size_t bytes_per_group(const GroupQuery& query) {
  constexpr size_t kCode = 32;  // of a slot in ValueCodes, at most
  return query.keys.size() * (kCode + sizeof(int64_t)) + sizeof(uint32_t) +
         query.columns.size() * 3 * sizeof(int64_t);
}

Result<Grouping> add_all(const GroupQuery& query, GroupCodes& codes, std::vector<Total>& totals,
                         const StopCheck& stop, Groups& made) {
  Plan plan;
  std::vector<Scan::Operand> operands;
  for (const GroupFilter& filter : query.filters) {
    plan.terms.push_back(filter.term);
    operands.push_back({filter.values});
  }
  Scan scan;
  if (!scan.start(*query.table, plan, operands, stop)) return Grouping::Stopped;
  Values values;
  size_t row_count = 0, charged = 0;
  while (!scan.at_end()) {
    const Scan::Rows rows = scan.rows();
    const std::span<const uint32_t> groups = codes.add(rows);
    const size_t group_count = codes.first_rows().size();
    row_count += rows.count;
    if (is_futile(group_count, row_count)) return Grouping::GaveUp;
    TB_TRY(made.memory.take((group_count - charged) * bytes_per_group(query)));
    charged = group_count;
    for (Total& total : totals)
      add_block(total, group_count, groups, rows, query.table->strings(), values);
    if (!scan.skip_rows()) return Grouping::Stopped;
  }
  made.counts = scan.counts();
  const bool is_valid = codes.is_exact() && std::ranges::all_of(totals, is_safe);
  return is_valid ? Grouping::Done : Grouping::GaveUp;
}

}  // namespace

bool is_groupable(const ColumnView& column) {
  return is_aggregable(column) && column.type != CellType::Double;
}
bool is_aggregable(const ColumnView& column) { return type_read(column) != CellType::Computed; }
bool may_be_null(const ColumnView& column) {
  constexpr CellType kNullable[] = {CellType::OptInt, CellType::OptRow, CellType::Double,
                                    CellType::String, CellType::Sparse};
  return std::ranges::find(kNullable, type_read(column)) != std::end(kNullable);
}

std::string group_column_name(size_t index) { return fmt::format("__intrinsic_{}", index); }

Result<> group_rows(const GroupQuery& query, std::string_view name, const StopCheck& stop,
                    Groups& groups) {
  groups.names.emplace_back(name);
  GroupCodes codes(query.keys);
  std::vector<Total> totals;
  for (const GroupColumn& column : query.columns)
    totals.push_back({.what = column, .counts = {}, .values = {}});
  TB_TRY_ASSIGN(groups.outcome, add_all(query, codes, totals, stop, groups));
  if (groups.outcome == Grouping::Done &&
      !GroupTable(query, codes.first_rows(), groups, stop).make(totals))
    groups.outcome = Grouping::Stopped;
  return {};
}

}  // namespace tracebraid
