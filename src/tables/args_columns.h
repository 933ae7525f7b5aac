// The SQL columns of args and args_full. The two tables differ in their rows and in what counts as
// a number.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "tables/args_table.h"

namespace tracebraid {

// Computes the cells. `Rows` has functions over an ArgsTable: `set_of(row)`, `rows_of_set(set)`,
// `row(row)`, `for_each(first, count, body)` as ArgsTable::for_each_row(), `key(ArgKey)`, and over
// types: `is_integer`, `is_real`, `shown`.
template <class Rows>
struct ArgColumns {
  using Text = StringId (*)(const ArgKey&);

  static const ArgsTable& table(const void* data) { return *static_cast<const ArgsTable*>(data); }
  static StringId flat_key(const ArgKey& key) { return key.flat_key; }

  // One cell.
  static Cell arg_set_id(const void* data, size_t row, const StringPool&) {
    return Cell::of(int64_t{Rows::set_of(table(data), row)});
  }
  static std::pair<size_t, size_t> find_rows_of_set(const void* data, int64_t set) {
    if (set < 0 || set > int64_t{ArgsTable::kLastId}) return {0, 0};
    return Rows::rows_of_set(table(data), static_cast<uint32_t>(set));
  }
  template <Text kText>
  static StringId text_of_key(const void* data, size_t row) {
    return kText(table(data).keys[Rows::row(table(data), row).key]);
  }
  static StringId string_value(const void* data, size_t row) {
    const ArgRow arg = Rows::row(table(data), row);
    return is_text_arg(arg.type) ? StringId{static_cast<uint32_t>(arg.value)} : StringId{};
  }
  template <StringId (*kTextId)(const void*, size_t)>
  static Cell text_of(const void* data, size_t row, const StringPool& strings) {
    const StringId id = kTextId(data, row);
    return id ? Cell::of(strings.get(id)) : Cell::null();
  }
  static Cell int_value(const void* data, size_t row, const StringPool&) {
    const ArgRow arg = Rows::row(table(data), row);
    return Rows::is_integer(arg.type) ? Cell::of(arg.value) : Cell::null();
  }
  static Cell real_value(const void* data, size_t row, const StringPool&) {
    const ArgRow arg = Rows::row(table(data), row);
    return Rows::is_real(arg.type) ? Cell::of(real_of(arg.type, arg.value)) : Cell::null();
  }
  static Cell value_type(const void* data, size_t row, const StringPool&) {
    return Cell::of(name_of(Rows::shown(Rows::row(table(data), row).type)));
  }

  // Many cells of one column.
  static void read_sets(const void* data, size_t first, std::span<int64_t> values,
                        std::span<bool> valid) {
    Rows::for_each(table(data), first, values.size(),
                   [&](size_t i, uint32_t set, const ArgField&, auto) { values[i] = set; });
    std::ranges::fill(valid, true);
  }
  template <Text kText>
  static void read_keys(const void* data, size_t first, std::span<int64_t> values,
                        std::span<bool> valid) {
    const std::span<const ArgKey> keys = table(data).keys;
    Rows::for_each(table(data), first, values.size(),
                   [&](size_t i, uint32_t, const ArgField& field, auto) {
                     const StringId text = kText(keys[field.key]);
                     values[i] = text.row;
                     valid[i] = static_cast<bool>(text);
                   });
  }
  template <bool (*kIsHeld)(ArgType)>
  static void read_values(const void* data, size_t first, std::span<int64_t> values,
                          std::span<bool> valid) {
    Rows::for_each(table(data), first, values.size(),
                   [&](size_t i, uint32_t, const ArgField& field, auto value) {
                     valid[i] = kIsHeld(field.type);
                     values[i] = valid[i] ? value() : 0;
                   });
  }
  static void read_reals(const void* data, size_t first, std::span<int64_t> values,
                         std::span<bool> valid) {
    Rows::for_each(table(data), first, values.size(),
                   [&](size_t i, uint32_t, const ArgField& field, auto value) {
                     valid[i] = Rows::is_real(field.type);
                     values[i] =
                         valid[i] ? std::bit_cast<int64_t>(real_of(field.type, value())) : 0;
                   });
  }
  static void read_types(const void* data, size_t first, std::span<int64_t> values,
                         std::span<bool> valid) {
    Rows::for_each(table(data), first, values.size(),
                   [&](size_t i, uint32_t, const ArgField& field, auto) {
                     values[i] = static_cast<int64_t>(Rows::shown(field.type));
                   });
    std::ranges::fill(valid, true);
  }

  struct Abouts {
    std::string_view table, set, key, type;
  };
  static TableView view(const ArgsTable& args, std::string_view name, size_t rows,
                        Order order_of_sets, const Abouts& abouts) {
    const auto column = [&](std::string_view title, std::string_view about, SqlType type,
                            auto compute, auto read) {
      ColumnView made{title, about, type, CellType::Computed, Order::None, &args, compute};
      made.read = read;
      return made;
    };
    const auto text_column = [&](std::string_view title, std::string_view about, auto compute,
                                 auto text_id, auto read) {
      ColumnView made = column(title, about, SqlType::Text, compute, read);
      made.text_id = text_id;
      return made;
    };
    ColumnView sets = column("arg_set_id", abouts.set, SqlType::Integer, arg_set_id, read_sets);
    sets.order = order_of_sets;
    sets.rows_of = find_rows_of_set;
    ColumnView types = column("value_type", abouts.type, SqlType::Text, value_type, read_types);
    types.texts = type_names();
    return {name,
            abouts.table,
            rows,
            {{.name = "id", .about = "Row number.", .order = Order::Sorted},
             sets,
             text_column("flat_key", "Path without array indexes.", text_of<text_of_key<flat_key>>,
                         text_of_key<flat_key>, read_keys<flat_key>),
             text_column("key", abouts.key, text_of<text_of_key<Rows::key>>, text_of_key<Rows::key>,
                         read_keys<Rows::key>),
             column("int_value", "Value of an int, uint, bool or pointer.", SqlType::Integer,
                    int_value, read_values<Rows::is_integer>),
             text_column("string_value", "Value of a string or json.", text_of<string_value>,
                         string_value, read_values<is_text_arg>),
             column("real_value", "Value of a real.", SqlType::Real, real_value, read_reals),
             types}};
  }
};

}  // namespace tracebraid
