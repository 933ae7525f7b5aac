#include "tables/args_table.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tracebraid {

template <class Body>
void ArgsTable::for_each_row(size_t first, size_t count, Body body) const {
  constexpr size_t kSets = 256;  // places of sets unpacked at once
  std::array<int64_t, kSets> shapes, places;
  uint32_t set = count == 0 ? 0 : set_of(first);
  size_t skipped = count == 0 ? 0 : first - static_cast<size_t>(first_rows_[set]);
  for (size_t row = 0; row < count;) {
    const size_t block = std::min<size_t>(kSets, sets() - set);
    shapes_of_sets_.read(set, std::span(shapes).first(block));
    places_.read(set, std::span(places).first(block));
    for (size_t i = 0; i < block && row < count; ++i, ++set) {
      const Shape& shape = shapes_[static_cast<size_t>(shapes[i])];
      const size_t end = std::min<size_t>(shape.count, skipped + count - row);
      for (size_t at = skipped; at < end; ++at, ++row) {
        const ArgField& field = fields_[shape.first + at];
        body(row, set, field,
             [&] { return value_in(field, shape.parted, place_of(shape, set, places[i])); });
      }
      skipped = 0;
    }
  }
}

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

bool is_real(ArgType type) { return type == ArgType::Real || type == ArgType::UintAsReal; }

bool is_text(ArgType type) { return type == ArgType::String || type == ArgType::Json; }

StringId string_value(const void* data, size_t row) {
  const ArgRow arg = table(data).row(row);
  return is_text(arg.type) ? StringId{static_cast<uint32_t>(arg.value)} : StringId{};
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
  return is_real(arg.type) ? Cell::of(real_of(arg.type, arg.value)) : Cell::null();
}

Cell value_type(const void* data, size_t row, const StringPool&) {
  return Cell::of(name_of(table(data).row(row).type));
}

// Values of value_type, by ArgType. Types without a name are not stored.
constexpr auto kTypeNames = [] {
  std::array<std::string_view, static_cast<size_t>(ArgType::EmptyObject) + 1> names;
  names.fill("int");
  const auto name = [&](ArgType type, std::string_view text) {
    names[static_cast<size_t>(type)] = text;
  };
  name(ArgType::Uint, "uint");
  name(ArgType::String, "string");
  name(ArgType::Real, "real");
  name(ArgType::Pointer, "pointer");
  name(ArgType::Bool, "bool");
  name(ArgType::Json, "json");
  name(ArgType::Null, "null");
  name(ArgType::UintAsReal, "real");
  name(ArgType::EmptyArray, "empty_array");
  name(ArgType::EmptyObject, "empty_object");
  return names;
}();

// Reads many rows of the same columns at once.

void read_sets(const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
  table(data).for_each_row(first, values.size(),
                           [&](size_t i, uint32_t set, const ArgField&, auto) { values[i] = set; });
  std::ranges::fill(valid, true);
}

template <StringId ArgKey::* kText>
void read_keys(const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
  const std::span<const ArgKey> keys = table(data).keys;
  table(data).for_each_row(first, values.size(),
                           [&](size_t i, uint32_t, const ArgField& field, auto) {
                             const StringId text = keys[field.key].*kText;
                             values[i] = text.row;
                             valid[i] = static_cast<bool>(text);
                           });
}

template <bool (*kIsHeld)(ArgType)>
void read_values(const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
  table(data).for_each_row(first, values.size(),
                           [&](size_t i, uint32_t, const ArgField& field, auto value) {
                             valid[i] = kIsHeld(field.type);
                             values[i] = valid[i] ? value() : 0;
                           });
}

void read_reals(const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
  table(data).for_each_row(
      first, values.size(), [&](size_t i, uint32_t, const ArgField& field, auto value) {
        valid[i] = is_real(field.type);
        values[i] = valid[i] ? std::bit_cast<int64_t>(real_of(field.type, value())) : 0;
      });
}

void read_types(const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
  table(data).for_each_row(first, values.size(),
                           [&](size_t i, uint32_t, const ArgField& field, auto) {
                             values[i] = static_cast<int64_t>(field.type);
                           });
  std::ranges::fill(valid, true);
}

}  // namespace

TableView ArgsTable::view() const {
  const auto column = [&](std::string_view name, std::string_view about, SqlType type, auto compute,
                          auto read) {
    ColumnView view{name, about, type, CellType::Computed, Order::None, this, compute};
    view.read = read;
    return view;
  };
  const auto text_column = [&](std::string_view name, std::string_view about, auto compute,
                               auto text_id, auto read) {
    ColumnView view = column(name, about, SqlType::Text, compute, read);
    view.text_id = text_id;
    return view;
  };
  ColumnView sets =
      column("arg_set_id", "The set that the row is in.", SqlType::Integer, arg_set_id, read_sets);
  sets.order = Order::Sorted;
  sets.rows_of = find_rows_of_set;
  ColumnView types = column("value_type", "int, uint, string, real, pointer, bool, json or null.",
                            SqlType::Text, value_type, read_types);
  types.texts = kTypeNames;
  return {"__intrinsic_args",
          "Typed key-value details of other rows.",
          rows_,
          {{.name = "id", .about = "Row number.", .order = Order::Sorted},
           sets,
           text_column("flat_key", "Path without array indexes.", text_of<flat_key>, flat_key,
                       read_keys<&ArgKey::flat_key>),
           text_column("key", "Path.", text_of<key>, key, read_keys<&ArgKey::key>),
           column("int_value", "Value of an int, uint, bool or pointer.", SqlType::Integer,
                  int_value, read_values<is_integer>),
           text_column("string_value", "Value of a string or json.", text_of<string_value>,
                       string_value, read_values<is_text>),
           column("real_value", "Value of a real.", SqlType::Real, real_value, read_reals),
           types}};
}

std::string_view name_of(ArgType type) { return kTypeNames[static_cast<size_t>(type)]; }

std::span<const std::string_view> type_names() { return kTypeNames; }

double real_of(ArgType type, int64_t value) {
  return type == ArgType::UintAsReal ? static_cast<double>(static_cast<uint64_t>(value))
                                     : std::bit_cast<double>(value);
}

Cell value_of(const ArgRow& row, const StringPool& strings) {
  if (is_integer(row.type)) return Cell::of(row.value);
  if (is_real(row.type)) return Cell::of(real_of(row.type, row.value));
  if (!is_text(row.type)) return Cell::null();
  return text({static_cast<uint32_t>(row.value)}, strings);
}

}  // namespace tracebraid
