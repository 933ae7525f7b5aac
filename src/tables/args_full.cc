// The table of all leaves of arg sets.
#include <algorithm>

#include "tables/arg_bytes.h"
#include "tables/args_columns.h"

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
  if (begin == unlisted_sets_.size()) return unlisted_rows_;
  const auto next = static_cast<uint32_t>(unlisted_sets_[begin]);
  return static_cast<size_t>(first_leaves_[begin]) - first_row(next);
}

size_t ArgsTable::listed_before(const Shape& shape, size_t number) const {
  const auto listed = listed_fields(shape), unlisted = unlisted_fields(shape);
  size_t begin = number > unlisted.size() ? number - unlisted.size() : 0;
  size_t end = std::min<size_t>(number, listed.size());
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (listed[middle].at < unlisted[number - middle - 1].at)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
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
  const uint32_t number = number_of(arg_set_id);
  if (number == kNone) return {0, 0};
  const size_t first = first_leaf(number);
  const Shape& shape = shape_of_set(number);
  return {first, first + shape.count + shape.unlisted};
}

// Searches among the sets with unlisted leaves. Leaves between two of them are rows.
ArgsTable::LeafPlace ArgsTable::place_of_leaf(size_t leaf) const {
  size_t begin = 0, end = unlisted_sets_.size();
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (first_leaves_[middle] <= static_cast<int64_t>(leaf))
      begin = middle + 1;
    else
      end = middle;
  }
  size_t unlisted = 0;  // leaves before this one
  if (begin > 0) {
    const auto last = static_cast<uint32_t>(unlisted_sets_[begin - 1]);
    const auto first = static_cast<size_t>(first_leaves_[begin - 1]);
    const Shape& shape = shape_of_set(last);
    if (leaf - first < shape.count + shape.unlisted) return {last, first};
    unlisted = first - first_row(last) + shape.unlisted;
  }
  const size_t row = leaf - unlisted;
  return {number_of_row(row), starts_.first_row_of(row) + unlisted};
}

ArgRow ArgsTable::leaf(size_t leaf) const {
  const auto [in, first] = place_of_leaf(leaf);
  const size_t number = leaf - first;
  ArgRow row{};
  for_each_leaf_field(shape_of_set(in), number, number + 1,
                      [&](const ArgField& field) { row = this->leaf(in, field); });
  return row;
}

template <class Body>
void ArgsTable::for_each_leaf(size_t first, size_t count, Body body) const {
  if (count == 0) return;
  auto [set, first_leaf] = place_of_leaf(first);
  size_t skipped = first - first_leaf;
  size_t first_of_set = first_row(set);
  uint32_t rowless = rowless_before(set);
  for (size_t row = 0; row < count; ++set) {
    const Shape& shape = shape_of_set(set);
    const size_t end = std::min<size_t>(shape.count + shape.unlisted, skipped + count - row);
    const uint32_t id =
        shape.count == 0 ? last_id_ - rowless++ : static_cast<uint32_t>(first_of_set);
    first_of_set += shape.count;
    size_t at = row;
    for_each_leaf_field(shape, skipped, end, [&](const ArgField& field) {
      body(at++, id, field,
           [&] { return value_in(field, shape.parted, place_of(shape, set, places_[set])); });
    });
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

// The rows of args_full, for ArgColumns.
struct AllArgs {
  static uint32_t set_of(const ArgsTable& args, size_t row) { return args.set_of_leaf(row); }
  static std::pair<size_t, size_t> rows_of_set(const ArgsTable& args, uint32_t set) {
    return args.leaves_of_set(set);
  }
  static ArgRow row(const ArgsTable& args, size_t row) { return args.leaf(row); }
  template <class Body>
  static void for_each(const ArgsTable& args, size_t first, size_t count, Body body) {
    args.for_each_leaf(first, count, body);
  }
  static StringId key(const ArgKey& key) { return key.full_path(); }
  static bool is_integer(ArgType type) {
    return is_integer_arg(type) || type == ArgType::UintAsReal;
  }
  static bool is_real(ArgType type) { return type == ArgType::Real; }
  static ArgType shown(ArgType type) { return type == ArgType::UintAsReal ? ArgType::Uint : type; }
};

}  // namespace

TableView ArgsTable::full_view() const {
  return ArgColumns<AllArgs>::view(
      *this, kFullName, leaves(), has_sorted_leaves() ? Order::Sorted : Order::None,
      {.table = "All leaves of arg sets, also those without a row in args (ours): null, empty "
                "arrays and objects, and values whose key another value has, too.",
       .set = "The set that the leaf is in, as in args.",
       .key = "Unambiguous path: names with a dot or bracket, and empty names, are in brackets and "
              "quotes, and indexes count nulls.",
       .type = "int, uint, string, real, pointer, bool, json, null, empty_array or empty_object."});
}

}  // namespace tracebraid
