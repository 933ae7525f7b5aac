#include "store/args_table.h"

#include <algorithm>
#include <bit>

namespace tracebraid {
namespace {

const ArgsTable& table(const void* data) { return *static_cast<const ArgsTable*>(data); }

Cell text(StringId id, const StringPool& strings) {
  return id ? Cell::of(strings.get(id)) : Cell::null();
}

bool is_integer(ArgType type) {
  return type == ArgType::Int || type == ArgType::Uint || type == ArgType::Bool ||
         type == ArgType::Pointer;
}

Cell arg_set_id(const void* data, size_t row, const StringPool&) {
  return Cell::of(int64_t{table(data).set_of(row)});
}

std::pair<size_t, size_t> rows_of_set(const void* data, int64_t set) {
  const auto& begins = table(data).set_begin;
  if (set < 0 || static_cast<size_t>(set) >= begins.size()) return {0, 0};
  const auto at = static_cast<size_t>(set);
  return {begins[at], at + 1 < begins.size() ? begins[at + 1] : table(data).rows.size()};
}

Cell flat_key(const void* data, size_t row, const StringPool& strings) {
  return text(table(data).keys[table(data).rows[row].key].flat_key, strings);
}

Cell key(const void* data, size_t row, const StringPool& strings) {
  return text(table(data).keys[table(data).rows[row].key].key, strings);
}

Cell int_value(const void* data, size_t row, const StringPool&) {
  const ArgRow& arg = table(data).rows[row];
  return is_integer(arg.type) ? Cell::of(arg.value) : Cell::null();
}

Cell string_value(const void* data, size_t row, const StringPool& strings) {
  const ArgRow& arg = table(data).rows[row];
  const bool is_text = arg.type == ArgType::String || arg.type == ArgType::Json;
  return is_text ? text({static_cast<uint32_t>(arg.value)}, strings) : Cell::null();
}

Cell real_value(const void* data, size_t row, const StringPool&) {
  const ArgRow& arg = table(data).rows[row];
  return arg.type == ArgType::Real ? Cell::of(std::bit_cast<double>(arg.value)) : Cell::null();
}

Cell value_type(const void* data, size_t row, const StringPool&) {
  return Cell::of(name_of(table(data).rows[row].type));
}

}  // namespace

std::span<const ArgRow> ArgsTable::set(uint32_t arg_set_id) const {
  if (arg_set_id >= set_begin.size()) return {};
  const size_t begin = set_begin[arg_set_id];
  const size_t end = arg_set_id + 1 < set_begin.size() ? set_begin[arg_set_id + 1] : rows.size();
  return std::span(rows).subspan(begin, end - begin);
}

uint32_t ArgsTable::set_of(size_t row) const {
  const auto after = std::upper_bound(set_begin.begin(), set_begin.end(), row);
  return static_cast<uint32_t>(after - set_begin.begin() - 1);
}

const ArgRow* ArgsTable::find(uint32_t arg_set_id, StringId key) const {
  for (const ArgRow& row : set(arg_set_id))
    if (keys[row.key].key == key) return &row;
  return nullptr;
}

TableView ArgsTable::view() const {
  constexpr auto kInteger = SqlType::Integer;
  constexpr auto kText = SqlType::Text;
  constexpr auto kComputed = CellType::Computed;
  return {
      "__intrinsic_args",
      "Typed key-value details of other rows.",
      rows.size(),
      {{.name = "id", .about = "Row number.", .order = Order::Sorted},
       {"arg_set_id", "The set that the row is in.", kInteger, kComputed, Order::Sorted, this,
        arg_set_id, false, rows_of_set},
       {"flat_key", "Path without array indexes.", kText, kComputed, Order::None, this, flat_key},
       {"key", "Path.", kText, kComputed, Order::None, this, key},
       {"int_value", "Of int, uint, bool and pointer.", kInteger, kComputed, Order::None, this,
        int_value},
       {"string_value", "Of string and json.", kText, kComputed, Order::None, this, string_value},
       {"real_value", "Of real.", SqlType::Real, kComputed, Order::None, this, real_value},
       {"value_type", "int, uint, string, real, pointer, bool, json or null.", kText, kComputed,
        Order::None, this, value_type}}};
}

std::string_view name_of(ArgType type) {
  constexpr std::string_view kNames[] = {"int",  "uint", "string", "real", "pointer",
                                         "bool", "json", "null",   "int",  "int"};
  return kNames[static_cast<size_t>(type)];
}

Cell value_of(const ArgRow& row, const StringPool& strings) {
  if (is_integer(row.type)) return Cell::of(row.value);
  if (row.type == ArgType::Real) return Cell::of(std::bit_cast<double>(row.value));
  if (row.type == ArgType::Null) return Cell::null();
  return text({static_cast<uint32_t>(row.value)}, strings);
}

}  // namespace tracebraid
