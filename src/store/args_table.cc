#include "store/args_table.h"

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

std::pair<size_t, size_t> find_rows_of_set(const void* data, int64_t set) {
  if (set < 0 || set >= int64_t{table(data).sets()}) return {0, 0};
  return table(data).rows_of_set(static_cast<uint32_t>(set));
}

StringId flat_key(const void* data, size_t row) {
  return table(data).keys[table(data).row(row).key].flat_key;
}

StringId key(const void* data, size_t row) {
  return table(data).keys[table(data).row(row).key].key;
}

StringId string_value(const void* data, size_t row) {
  const ArgRow arg = table(data).row(row);
  const bool is_text = arg.type == ArgType::String || arg.type == ArgType::Json;
  return is_text ? StringId{static_cast<uint32_t>(arg.value)} : StringId{};
}

template <StringId (*kTextId)(const void*, size_t)>
Cell text_of(const void* data, size_t row, const StringPool& strings) {
  return text(kTextId(data, row), strings);
}

Cell int_value(const void* data, size_t row, const StringPool&) {
  const ArgRow arg = table(data).row(row);
  return is_integer(arg.type) ? Cell::of(arg.value) : Cell::null();
}

Cell real_value(const void* data, size_t row, const StringPool&) {
  const ArgRow arg = table(data).row(row);
  return arg.type == ArgType::Real ? Cell::of(std::bit_cast<double>(arg.value)) : Cell::null();
}

Cell value_type(const void* data, size_t row, const StringPool&) {
  return Cell::of(name_of(table(data).row(row).type));
}

}  // namespace

TableView ArgsTable::view() const {
  constexpr auto kInteger = SqlType::Integer;
  constexpr auto kText = SqlType::Text;
  constexpr auto kComputed = CellType::Computed;
  const auto text_column = [&](std::string_view name, std::string_view about, auto compute,
                               auto text_id) {
    ColumnView view{name, about, kText, kComputed, Order::None, this, compute};
    view.text_id = text_id;
    return view;
  };
  return {"__intrinsic_args",
          "Typed key-value details of other rows.",
          rows_,
          {{.name = "id", .about = "Row number.", .order = Order::Sorted},
           {"arg_set_id", "The set that the row is in.", kInteger, kComputed, Order::Sorted, this,
            arg_set_id, false, find_rows_of_set},
           text_column("flat_key", "Path without array indexes.", text_of<flat_key>, flat_key),
           text_column("key", "Path.", text_of<key>, key),
           {"int_value", "Of int, uint, bool and pointer.", kInteger, kComputed, Order::None, this,
            int_value},
           text_column("string_value", "Of string and json.", text_of<string_value>, string_value),
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
