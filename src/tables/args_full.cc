// The table of all leaves of arg sets.
#include <algorithm>
#include <array>
#include <bit>

#include "tables/arg_bytes.h"
#include "tables/args_table.h"

namespace tracebraid {

size_t ArgsTable::unlisted_before(uint32_t set) const {
  if (unlisted_rows_ == 0) return 0;
  size_t begin = 0, end = unlisted_sets_.size();
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (unlisted_sets_[middle] < int64_t{set})
      begin = middle + 1;
    else
      end = middle;
  }
  return begin == first_unlisted_.size() ? unlisted_rows_
                                         : static_cast<size_t>(first_unlisted_[begin]);
}

std::vector<const ArgField*> ArgsTable::leaf_fields(const Shape& shape) const {
  std::vector<const ArgField*> fields;
  const auto all = std::span(fields_).subspan(shape.first, shape.count + shape.unlisted);
  for (const ArgField& field : all) fields.push_back(&field);
  if (shape.unlisted != 0) std::ranges::sort(fields, {}, &ArgField::at);
  return fields;
}

// A binary search: listed and unlisted fields are each in the order of `at`.
const ArgField& ArgsTable::leaf_field(const Shape& shape, size_t number) const {
  const auto listed = std::span(fields_).subspan(shape.first, shape.count);
  const auto unlisted = std::span(fields_).subspan(shape.first + shape.count, shape.unlisted);
  // Finds how many listed fields are among the first `number` leaves.
  size_t begin = number > unlisted.size() ? number - unlisted.size() : 0;
  size_t end = std::min<size_t>(number, listed.size());
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (listed[middle].at < unlisted[number - middle - 1].at)
      begin = middle + 1;
    else
      end = middle;
  }
  const size_t other = number - begin;
  if (begin == listed.size()) return unlisted[other];
  if (other == unlisted.size() || listed[begin].at < unlisted[other].at) return listed[begin];
  return unlisted[other];
}

ArgRow ArgsTable::leaf(uint32_t set, const ArgField& field) const {
  const Shape& shape = shape_of_set(set);
  ArgRow row{};
  row.value = value_in(field, shape.parted, place_of(shape, set, places_[set]));
  row.key = field.key;
  row.type = field.type;
  row.unlisted = field.unlisted;
  return row;
}

std::pair<size_t, size_t> ArgsTable::leaves_of_set(uint32_t arg_set_id) const {
  if (arg_set_id >= sets()) return {0, 0};
  const size_t first = first_leaf(arg_set_id);
  const Shape& shape = shape_of_set(arg_set_id);
  return {first, first + shape.count + shape.unlisted};
}

uint32_t ArgsTable::set_of_leaf(size_t leaf) const {
  uint32_t begin = 0, end = sets();
  while (begin + 1 < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    (first_leaf(middle) <= leaf ? begin : end) = middle;
  }
  return begin;
}

ArgRow ArgsTable::leaf(size_t leaf) const {
  const uint32_t in = set_of_leaf(leaf);
  const size_t number = leaf - first_leaf(in);
  const Shape& shape = shape_of_set(in);
  if (shape.unlisted == 0) return set(in)[number];
  return this->leaf(in, leaf_field(shape, number));
}

template <class Body>
void ArgsTable::for_each_leaf(size_t first, size_t count, Body body) const {
  if (count == 0) return;
  uint32_t set = set_of_leaf(first);
  size_t skipped = first - first_leaf(set);
  for (size_t row = 0; row < count; ++set) {
    const Shape& shape = shape_of_set(set);
    const size_t end = std::min<size_t>(shape.count + shape.unlisted, skipped + count - row);
    const auto add = [&](size_t at, const ArgField& field) {
      body(row + at - skipped, set, field,
           [&] { return value_in(field, shape.parted, place_of(shape, set, places_[set])); });
    };
    if (shape.unlisted == 0) {
      for (size_t at = skipped; at < end; ++at) add(at, fields_[shape.first + at]);
    } else {
      const std::vector<const ArgField*> fields = leaf_fields(shape);
      for (size_t at = skipped; at < end; ++at) add(at, *fields[at]);
    }
    row += end - skipped;
    skipped = 0;
  }
}

bool ArgsTable::has_details() const {
  const auto is_used_for = [&](const ArgField& field) {
    return field.unlisted || field.type == ArgType::UintAsReal || keys[field.key].path;
  };
  return std::ranges::any_of(fields_, is_used_for);
}

namespace {

const ArgsTable& table(const void* data) { return *static_cast<const ArgsTable*>(data); }

Cell arg_set_id(const void* data, size_t row, const StringPool&) {
  return Cell::of(int64_t{table(data).set_of_leaf(row)});
}

std::pair<size_t, size_t> find_leaves_of_set(const void* data, int64_t set) {
  if (set < 0 || set >= int64_t{table(data).sets()}) return {0, 0};
  return table(data).leaves_of_set(static_cast<uint32_t>(set));
}

StringId flat_key(const ArgKey& key) { return key.flat_key; }
StringId full_path(const ArgKey& key) { return key.full_path(); }

template <StringId (*kText)(const ArgKey&)>
StringId text_of_key(const void* data, size_t row) {
  return kText(table(data).keys[table(data).leaf(row).key]);
}

bool is_text(ArgType type) { return type == ArgType::String || type == ArgType::Json; }
bool is_real(ArgType type) { return type == ArgType::Real; }
bool is_integer(ArgType type) {
  return type == ArgType::Int || type == ArgType::Uint || type == ArgType::UintAsReal ||
         type == ArgType::Bool || type == ArgType::Pointer;
}

StringId string_value(const void* data, size_t row) {
  const ArgRow arg = table(data).leaf(row);
  return is_text(arg.type) ? StringId{static_cast<uint32_t>(arg.value)} : StringId{};
}

template <StringId (*kTextId)(const void*, size_t)>
Cell text_of(const void* data, size_t row, const StringPool& strings) {
  const StringId id = kTextId(data, row);
  return id ? Cell::of(strings.get(id)) : Cell::null();
}

Cell int_value(const void* data, size_t row, const StringPool&) {
  const ArgRow arg = table(data).leaf(row);
  return is_integer(arg.type) ? Cell::of(arg.value) : Cell::null();
}

Cell real_value(const void* data, size_t row, const StringPool&) {
  const ArgRow arg = table(data).leaf(row);
  return is_real(arg.type) ? Cell::of(std::bit_cast<double>(arg.value)) : Cell::null();
}

ArgType shown_type(ArgType type) { return type == ArgType::UintAsReal ? ArgType::Uint : type; }

Cell value_type(const void* data, size_t row, const StringPool&) {
  return Cell::of(name_of(shown_type(table(data).leaf(row).type)));
}

void read_sets(const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
  table(data).for_each_leaf(
      first, values.size(),
      [&](size_t i, uint32_t set, const ArgField&, auto) { values[i] = set; });
  std::ranges::fill(valid, true);
}

template <StringId (*kText)(const ArgKey&)>
void read_keys(const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
  table(data).for_each_leaf(first, values.size(),
                            [&](size_t i, uint32_t, const ArgField& field, auto) {
                              const StringId text = kText(table(data).keys[field.key]);
                              values[i] = text.row;
                              valid[i] = static_cast<bool>(text);
                            });
}

template <bool (*kIsHeld)(ArgType)>
void read_values(const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
  table(data).for_each_leaf(first, values.size(),
                            [&](size_t i, uint32_t, const ArgField& field, auto value) {
                              valid[i] = kIsHeld(field.type);
                              values[i] = valid[i] ? value() : 0;
                            });
}

void read_types(const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
  table(data).for_each_leaf(first, values.size(),
                            [&](size_t i, uint32_t, const ArgField& field, auto) {
                              values[i] = static_cast<int64_t>(shown_type(field.type));
                            });
  std::ranges::fill(valid, true);
}

}  // namespace

TableView ArgsTable::full_view() const {
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
      column("arg_set_id", "The set that the leaf is in.", SqlType::Integer, arg_set_id, read_sets);
  sets.order = Order::Sorted;
  sets.rows_of = find_leaves_of_set;
  ColumnView types = column("value_type",
                            "int, uint, string, real, pointer, bool, json, null, empty_array or "
                            "empty_object.",
                            SqlType::Text, value_type, read_types);
  types.texts = type_names();
  return {
      kFullName,
      "All leaves of arg sets, also those without a row in args (ours): null, empty arrays and "
      "objects, and values whose key another value has, too.",
      leaves(),
      {{.name = "id", .about = "Row number.", .order = Order::Sorted},
       sets,
       text_column("flat_key", "Path without array indexes.", text_of<text_of_key<flat_key>>,
                   text_of_key<flat_key>, read_keys<flat_key>),
       text_column("key",
                   "Unambiguous path: names with a dot or bracket, and empty names, are in "
                   "brackets and quotes, and indexes count nulls.",
                   text_of<text_of_key<full_path>>, text_of_key<full_path>, read_keys<full_path>),
       column("int_value", "Value of an int, uint, bool or pointer.", SqlType::Integer, int_value,
              read_values<is_integer>),
       text_column("string_value", "Value of a string or json.", text_of<string_value>,
                   string_value, read_values<is_text>),
       column("real_value", "Value of a real.", SqlType::Real, real_value, read_values<is_real>),
       types}};
}

}  // namespace tracebraid
