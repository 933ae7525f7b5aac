#include "assemble/rows/plain_tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "base/assert.h"
#include "tables/all_tables.h"

namespace tracebraid {
namespace {

// Stores a cell by the type of its column. kUnset is NULL if the type has one.
template <class T>
T value_as(int64_t value) {
  if constexpr (std::is_same_v<T, OptInt>) return {value};
  if constexpr (std::is_same_v<T, OptRow>)
    return {value == kUnset ? OptRow::kNull : static_cast<uint32_t>(value)};
  if constexpr (std::is_same_v<T, StringId>)
    return value == kUnset ? StringId{} : StringId{static_cast<uint32_t>(value)};
  if constexpr (std::is_same_v<T, double>)
    return value == kUnset ? std::numeric_limits<double>::quiet_NaN()
                           : std::bit_cast<double>(value);
  if constexpr (std::is_integral_v<T>) return value == kUnset ? T{0} : static_cast<T>(value);
}

template <class T>
struct ValueOf;
template <class T>
struct ValueOf<Column<T>> {
  using type = T;
};
template <class T>
struct ValueOf<PackedColumn<T>> {
  using type = T;
};

template <class AnyColumn>
void append(void* column, int64_t value) {
  static_cast<AnyColumn*>(column)->append(value_as<typename ValueOf<AnyColumn>::type>(value));
}

}  // namespace

PlainTables::PlainTables(DeferredArgs& args, Tracks& tracks, Stacks& stacks, Store& store)
    : args_(args), tracks_(tracks), stacks_(stacks), store_(store) {
  for_each_plain_table(store, [&](std::string_view name, auto& table) {
    std::vector<ColumnOf>& columns = tables_[name].columns;
    table.for_each_column([&]<class AnyColumn>(std::string_view column_name, AnyColumn& column) {
      constexpr bool kIsReal = std::is_same_v<typename ValueOf<AnyColumn>::type, double>;
      columns.push_back({column_name, kIsReal, &column, append<AnyColumn>});
    });
  });
}

void PlainTables::add(const PlainRow& row) {
  Table& into = table(row.event.name);
  values_.assign(into.columns.size(), kUnset);
  const ArgSource cells{row.batch, row.event.args};
  for (const ArgRow& arg : args_.rows(cells))
    values_[column(into, args_.now().key(args_.key_of(cells, arg)))] = cell(row, arg);
  for (size_t i = 0; i < values_.size(); ++i)
    if (values_[i] == kUnset) values_[i] = value_without_cell(row, into.columns[i].name);
  const int64_t number = row.event.value;
  const uint32_t place = number < 0 ? shared_row(into) : into.rows;
  if (number != 0) numbered_[{row.batch, number}] = place;
  if (place < into.rows) return;
  for (size_t i = 0; i < values_.size(); ++i)
    into.columns[i].append(into.columns[i].column, values_[i]);
  ++into.rows;
}

// Returns the row whose values equal values_; the next row if there is none. Reals within 10^-6 are
// equal.
uint32_t PlainTables::shared_row(Table& table) {
  constexpr double kScale = 1e6, kMost = 1e12;
  std::vector<int64_t> key = values_;
  for (size_t i = 0; i < key.size(); ++i) {
    if (!table.columns[i].is_real || key[i] == kUnset) continue;
    const auto value = std::bit_cast<double>(key[i]);
    if (std::abs(value) < kMost) key[i] = std::llround(value * kScale);
  }
  return table.shared.try_emplace(std::move(key), table.rows).first->second;
}

uint32_t PlainTables::numbered_row(uint32_t batch, int64_t number) const {
  const auto at = numbered_.find({batch, number});
  return at == numbered_.end() ? kNone : at->second;
}

PlainTables::Table& PlainTables::table(StringId name) {
  Table*& known = by_id_[name];
  if (known == nullptr) {
    const auto at = tables_.find(store_.strings.get(name));
    TB_ASSERT(at != tables_.end());
    known = &at->second;
  }
  return *known;
}

uint32_t PlainTables::column(Table& table, uint32_t key) {
  if (table.column_of_key.size() <= key) table.column_of_key.resize(key + 1, kNone);
  uint32_t& index = table.column_of_key[key];
  if (index == kNone) {
    const std::string_view name = store_.strings.get(store_.args.keys[key].key);
    const auto at = std::ranges::find(table.columns, name, &ColumnOf::name);
    TB_ASSERT(at != table.columns.end());
    index = static_cast<uint32_t>(at - table.columns.begin());
  }
  return index;
}

int64_t PlainTables::cell(const PlainRow& row, const ArgRow& arg) {
  ArgType type = arg.type;
  int64_t value = arg.value;
  if (type == ArgType::Track) {
    const uint32_t track = tracks_.instant_row(static_cast<uint32_t>(value), {});
    return track == kNone ? kUnset : int64_t{track};
  }
  if (type == ArgType::Callsite) {
    const uint32_t callsite = stacks_.callsite(row.batch, static_cast<uint32_t>(value));
    return callsite == kNone ? kUnset : int64_t{callsite};
  }
  if (type == ArgType::Row) {
    const uint32_t named = numbered_row(row.batch, value);
    return named == kNone ? kUnset : int64_t{named};
  }
  args_.resolve(type, value);
  return type == ArgType::Null ? kUnset : value;
}

int64_t PlainTables::value_without_cell(const PlainRow& row, std::string_view column) {
  if (column == "ts" || column == "timestamp") return row.event.ts;
  if (column == "machine_id") return row.machine;
  if (column == "trace_id") return row.file.row;
  if (column == "arg_set_id" && row.event.extra != kNone) {
    const uint32_t set = args_.set({row.batch, row.event.extra});
    if (set != OptRow::kNull) return set;
  }
  return kUnset;
}

}  // namespace tracebraid
