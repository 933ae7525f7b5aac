// The table of leaves that `args` has not.
#include "tables/args_table.h"

namespace tracebraid {
namespace {

const ArgsTable& table(const void* data) { return *static_cast<const ArgsTable*>(data); }

const ArgKey& key_of(const void* data, size_t row) {
  return table(data).keys[table(data).unlisted_row(row).key];
}

Cell text(StringId id, const StringPool& strings) {
  return id ? Cell::of(strings.get(id)) : Cell::null();
}

Cell arg_set_id(const void* data, size_t row, const StringPool&) {
  return Cell::of(int64_t{table(data).set_of_unlisted(row)});
}

std::pair<size_t, size_t> find_rows_of_set(const void* data, int64_t set) {
  if (set < 0 || set >= int64_t{table(data).sets()}) return {0, 0};
  return table(data).unlisted_rows_of_set(static_cast<uint32_t>(set));
}

StringId flat_key(const void* data, size_t row) { return key_of(data, row).flat_key; }
StringId path(const void* data, size_t row) { return key_of(data, row).full_path(); }

bool is_text(ArgType type) { return type == ArgType::String || type == ArgType::Json; }

StringId string_value(const void* data, size_t row) {
  const ArgRow arg = table(data).unlisted_row(row);
  return is_text(arg.type) ? StringId{static_cast<uint32_t>(arg.value)} : StringId{};
}

template <StringId (*kTextId)(const void*, size_t)>
Cell text_of(const void* data, size_t row, const StringPool& strings) {
  return text(kTextId(data, row), strings);
}

Cell int_value(const void* data, size_t row, const StringPool&) {
  const ArgRow arg = table(data).unlisted_row(row);
  switch (arg.type) {
    case ArgType::Int:
    case ArgType::Uint:
    case ArgType::UintAsReal:
    case ArgType::Bool:
    case ArgType::Pointer:
      return Cell::of(arg.value);
    default:
      return Cell::null();
  }
}

Cell real_value(const void* data, size_t row, const StringPool&) {
  const ArgRow arg = table(data).unlisted_row(row);
  return arg.type == ArgType::Real ? Cell::of(real_of(arg.type, arg.value)) : Cell::null();
}

Cell value_type(const void* data, size_t row, const StringPool&) {
  const ArgType type = table(data).unlisted_row(row).type;
  return Cell::of(type == ArgType::UintAsReal ? "uint" : name_of(type));
}

}  // namespace

TableView ArgsTable::unlisted_view() const {
  const auto column = [&](std::string_view name, std::string_view about, SqlType type,
                          auto compute) {
    return ColumnView{name, about, type, CellType::Computed, Order::None, this, compute};
  };
  const auto text_column = [&](std::string_view name, std::string_view about, auto compute,
                               auto text_id) {
    ColumnView view = column(name, about, SqlType::Text, compute);
    view.text_id = text_id;
    return view;
  };
  ColumnView sets =
      column("arg_set_id", "The set that the leaf is in.", SqlType::Integer, arg_set_id);
  sets.order = Order::Sorted;
  sets.rows_of = find_rows_of_set;
  return {kUnlistedName,
          "Leaves of arg sets without a row in args (ours): null, empty containers, and values "
          "whose key another value has, too.",
          unlisted_rows_,
          {{.name = "id", .about = "Row number.", .order = Order::Sorted},
           sets,
           text_column("flat_key", "Path without array indexes.", text_of<flat_key>, flat_key),
           text_column("path", "Unambiguous path.", text_of<path>, path),
           column("int_value", "Value of an int, uint, bool or pointer.", SqlType::Integer,
                  int_value),
           text_column("string_value", "Value of a string or json.", text_of<string_value>,
                       string_value),
           column("real_value", "Value of a real.", SqlType::Real, real_value),
           column("value_type",
                  "null, empty_array, empty_object, int, uint, string, real, pointer, bool or json.",
                  SqlType::Text, value_type)}};
}

}  // namespace tracebraid
