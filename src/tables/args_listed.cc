// The table of the listed args.
#include <algorithm>
#include <array>

#include "tables/args_columns.h"

namespace tracebraid {

template <class Body>
void ArgsTable::for_each_row(size_t first, size_t count, Body body) const {
  constexpr size_t kSets = 256;  // places of sets unpacked at once
  std::array<int64_t, kSets> shapes, places;
  if (count == 0) return;
  const uint32_t run = starts_.run_of(first);
  uint32_t set = number_of_run(run);
  size_t id = starts_.first_row(run);
  size_t skipped = first - id;
  for (size_t row = 0; row < count;) {
    const size_t block = std::min<size_t>(kSets, sets() - set);
    shapes_of_sets_.read(set, std::span(shapes).first(block));
    places_.read(set, std::span(places).first(block));
    for (size_t i = 0; i < block && row < count; ++i, ++set) {
      const Shape& shape = shapes_[static_cast<size_t>(shapes[i])];
      const size_t end = std::min<size_t>(shape.count, skipped + count - row);
      for (size_t at = skipped; at < end; ++at, ++row) {
        const ArgField& field = fields_[shape.first + at];
        body(row, static_cast<uint32_t>(id), field,
             [&] { return value_in(field, shape.parted, place_of(shape, set, places[i])); });
      }
      id += shape.count;
      skipped = 0;
    }
  }
}

namespace {

// The rows of args, for ArgColumns.
struct ListedArgs {
  static uint32_t set_of(const ArgsTable& args, size_t row) { return args.set_of(row); }
  static std::pair<size_t, size_t> rows_of_set(const ArgsTable& args, uint32_t set) {
    return args.rows_of_set(set);
  }
  static ArgRow row(const ArgsTable& args, size_t row) { return args.row(row); }
  template <class Body>
  static void for_each(const ArgsTable& args, size_t first, size_t count, Body body) {
    args.for_each_row(first, count, body);
  }
  static StringId key(const ArgKey& key) { return key.key; }
  static bool is_integer(ArgType type) { return is_integer_arg(type); }
  static bool is_real(ArgType type) { return is_real_arg(type); }
  static ArgType shown(ArgType type) { return type; }
};

}  // namespace

TableView ArgsTable::view() const {
  return ArgColumns<ListedArgs>::view(
      *this, kName, rows_, Order::Sorted,
      {.table = "Typed key-value details of other rows.",
       .set = "The set that the row is in: the id of the first row of the set.",
       .key = "Path.",
       .type = "int, uint, string, real, pointer, bool, json or null."});
}

}  // namespace tracebraid
