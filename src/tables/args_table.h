// ArgsTable: the args of a trace. SQL columns are computed from records: a record has the number of
// its shape (keys, types and widths) and the values, each in as many bytes as it needs.
//
// The leaves of a set are its listed args, which are the rows of `args`, and its unlisted ones
// (ArgRow::unlisted). "Rows" are listed args; full_view() has all leaves.
//
// The arg_set_id of a set is its first row. A set without rows has an id that no row has: the
// last id, the one before it, and so on.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source_file.h"
#include "column/column.h"
#include "event/args.h"
#include "tables/run_starts.h"

namespace tracebraid {

struct ArgsTable;

// A cursor over the args of one set, in order. Valid until a set is added.
class ArgSet {
 public:
  class Iterator {
   public:
    using value_type = ArgRow;
    using difference_type = ptrdiff_t;
    Iterator() = default;
    ArgRow operator*() const { return (*set_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    void operator++(int) { ++at_; }
    friend bool operator==(Iterator a, Iterator b) { return a.at_ == b.at_; }

   private:
    friend ArgSet;
    Iterator(const ArgSet* set, size_t at) : set_(set), at_(at) {}
    const ArgSet* set_ = nullptr;
    size_t at_ = 0;
  };

  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  ArgRow operator[](size_t index) const;
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, count_}; }

 private:
  friend ArgsTable;
  static constexpr uint32_t kNone = ~uint32_t{0};
  const ArgsTable* table_ = nullptr;
  size_t first_field_ = 0;
  size_t count_ = 0;
  const char* values_ = nullptr;
  uint32_t parted_ = kNone;  // its layout, if it consists of parts
  size_t place_ = 0;         // in that
};

// Keys and types of sets that are added repeatedly.
class ArgLayout {
 public:
  static constexpr size_t kMaxArgs = 16;
  ArgLayout() = default;
  explicit ArgLayout(std::vector<std::pair<uint32_t, ArgType>> args) : args_(std::move(args)) {}

 private:
  friend ArgsTable;
  std::vector<std::pair<uint32_t, ArgType>> args_;        // at most kMaxArgs
  absl::flat_hash_map<uint32_t, uint32_t> shapes_;        // by the widths of the values
  uint32_t last_widths_ = 0, last_shape_ = ~uint32_t{0};  // of the set added last
};

// The layout of sets with the same keys and types and with repeated combinations of values.
// Combinations are stored once (ArgsTable::add_combination); a set has one number per part: of a
// combination, or a value.
struct ArgPart {
  static constexpr uint32_t kValue = ~uint32_t{0};
  uint32_t combinations = kValue;  // of ArgsTable::add_combinations(); kValue: a single value
  uint32_t skipped = 0;            // number of leading values of the combination to skip
  std::vector<std::pair<uint32_t, ArgType>> args;
};

struct ArgsTable {
  static constexpr std::string_view kName = "__intrinsic_args";
  static constexpr std::string_view kFullName = "__intrinsic_args_full";
  static constexpr std::string_view kFile = file_below_root(__FILE__);

  // DeferredArgs has placeholders above the ids.
  static constexpr uint32_t kLastId = (uint32_t{1} << 31) - 1;

  // A test may choose a smaller last id.
  explicit ArgsTable(uint32_t last_id = kLastId) : last_id_(last_id) {}

  std::vector<ArgKey> keys;

  // The record of a set. `values` are valid until the next record.
  struct Record {
    uint32_t shape;
    std::string_view values;
  };
  // Requires: types are not Process or Thread. Ignores `last`.
  Record record(std::span<const ArgRow> rows);
  // Returns the shape of external records of `bytes` bytes; kNoShape if there are too many shapes,
  // so that record() must make the records. Requires: fields are in the order of their values.
  static constexpr uint32_t kNoShape = ~uint32_t{0};
  uint32_t shape(std::span<const ArgField> fields, uint32_t bytes);
  // Returns the arg_set_id; OptRow::kNull if there are no more ids, so that the set is dropped.
  // Sets with equal args are not joined.
  uint32_t add(const Record& record);
  uint32_t add(std::span<const ArgRow> rows) { return add(record(rows)); }
  uint32_t add(ArgLayout& layout, std::span<const int64_t> values);
  // Adds combinations of `width` values, numbered from 0. Does not search for equal ones.
  uint32_t add_combinations(uint32_t width);
  uint32_t add_combination(uint32_t combinations, std::span<const int64_t> values);
  // Returns the number of the layout for add_parts(), whose `numbers` has one per part.
  uint32_t add_parted_layout(std::span<const ArgPart> parts);
  uint32_t add_parts(uint32_t layout, std::span<const int64_t> numbers);
  // Requires: the set exists.
  bool holds(uint32_t arg_set_id, const Record& record) const;

  uint64_t dropped_sets() const { return dropped_sets_; }
  uint32_t sets() const { return static_cast<uint32_t>(shapes_of_sets_.size()); }
  size_t rows() const { return rows_; }
  // Returns an empty set for an unknown id.
  ArgSet set(uint32_t arg_set_id) const;
  // Calls body(arg_set_id, set) for all sets, in the order of adding.
  template <class Body>
  void for_each_set(Body body) const {
    size_t row = 0;
    uint32_t rowless = 0;
    for (uint32_t number = 0; number < sets(); ++number) {
      const ArgSet each = numbered_set(number);
      body(each.empty() ? last_id_ - rowless++ : static_cast<uint32_t>(row), each);
      row += each.size();
    }
  }
  // Returns the arg_set_id of a row.
  uint32_t set_of(size_t row) const { return static_cast<uint32_t>(starts_.first_row_of(row)); }
  ArgRow row(size_t row) const;
  // Calls body(i, arg_set_id, field, value) for `count` rows from `first` on: `i` counts from 0,
  // and value() returns ArgRow::value. Many times faster than row().
  template <class Body>
  void for_each_row(size_t first, size_t count, Body body) const;
  std::pair<size_t, size_t> rows_of_set(uint32_t arg_set_id) const;
  // Returns the first arg of the set with this `key`.
  std::optional<ArgRow> find(uint32_t arg_set_id, StringId key) const;
  // Replaces ids of sets by the value that find() returns. Sets `valid` to false if there is none,
  // also for a value of any integer that is the id of no set; skips rows that are not valid.
  // Returns false if a value is not an integer (is_integer_arg()). Several times faster than
  // find().
  bool find_integers(StringId key, std::span<int64_t> sets, std::span<bool> valid) const;

  TableView view() const;

  // All leaves, in the order of their sets and of the source (tables/args_full.cc).
  TableView full_view() const;
  // Whether ids increase in full_view().
  bool has_sorted_leaves() const { return rowless_sets_.size() == 0; }
  // Whether full_view() differs from view().
  bool has_details() const;
  size_t leaves() const { return rows_ + unlisted_rows_; }
  // Calls body(row) for the leaves of a set.
  template <class Body>
  void for_each_leaf(uint32_t arg_set_id, Body body) const {
    const uint32_t number = number_of(arg_set_id);
    if (number == kNone) return;
    const Shape& shape = shape_of_set(number);
    if (shape.unlisted == 0) {
      for (const ArgRow row : numbered_set(number)) body(row);
      return;
    }
    for_each_leaf_field(shape, 0, shape.count + shape.unlisted,
                        [&](const ArgField& field) { body(leaf(number, field)); });
  }
  std::pair<size_t, size_t> leaves_of_set(uint32_t arg_set_id) const;
  // Returns the arg_set_id of a leaf.
  uint32_t set_of_leaf(size_t leaf) const { return id_of(place_of_leaf(leaf).set); }
  ArgRow leaf(size_t leaf) const;
  // As for_each_row().
  template <class Body>
  void for_each_leaf(size_t first, size_t count, Body body) const;
  // Returns the bytes in memory, for reports.
  size_t memory() const;

 private:
  friend ArgSet;
  friend struct ArgsImage;  // tables/image_args.cc
  using Field = ArgField;
  struct Shape {
    uint32_t first, count;  // of fields_: the listed ones
    uint32_t unlisted;      // number of fields after the listed ones; all are in the order of `at`
    uint32_t bytes;         // of a record
    uint32_t next;          // shape of the same hash
    uint32_t parted;        // layout of parts; kNone: sets are records
  };
  struct Combinations {
    uint32_t width;
    Column<int64_t> values;
  };
  // The place of a set is its row in the columns of the parts: that of the first set of its layout
  // in its block of kSetsOfBlock sets, plus a number. ArgField::at is the number of the part <<
  // kPartShift | the index in its combination.
  struct PartedLayout {
    struct Part {
      uint32_t combinations;
      PackedInts numbers;
    };
    uint32_t shape;
    std::vector<Part> parts;
    PackedInts firsts;  // by block of sets
  };
  static constexpr uint32_t kNone = ~uint32_t{0};
  static constexpr unsigned kPartShift = 16;
  static constexpr uint32_t kSetsOfBlock = 1024;

  // Requires: listed fields come first.
  uint32_t shape_of(std::span<const ArgField> fields, uint32_t bytes);
  uint32_t shape_of(uint64_t hash, std::span<const ArgField> fields, uint32_t bytes);
  const Shape& shape_of_set(uint32_t set) const {
    return shapes_[static_cast<uint32_t>(shapes_of_sets_[set])];
  }

  // Sets have numbers in the order of adding. Functions below take numbers, except `id`.

  // Adds a set of this shape. Returns its id; kNone if there is none.
  uint32_t add_id(uint32_t number, const Shape& shape);
  // Returns kNone for an unknown id. O(1), except with sets without rows.
  uint32_t number_of(uint32_t id) const {
    if (starts_.is_start(id)) [[likely]]
      return number_of_run(starts_.run_of(id));
    const uint32_t rowless = last_id_ - id;
    return rowless < rowless_sets_.size() ? static_cast<uint32_t>(rowless_sets_[rowless]) : kNone;
  }
  // Returns the number of the set with a run of rows.
  uint32_t number_of_run(uint32_t run) const;
  uint32_t number_of_row(size_t row) const { return number_of_run(starts_.run_of(row)); }
  struct LeafPlace {
    uint32_t set;
    size_t first;  // leaf of the set
  };
  LeafPlace place_of_leaf(size_t leaf) const;
  // Returns how many of the sets before this one have no rows.
  uint32_t rowless_before(uint32_t set) const;
  // Returns the number of rows of all sets before this one.
  size_t first_row(uint32_t set) const;
  uint32_t id_of(uint32_t set) const {
    return shape_of_set(set).count == 0 ? last_id_ - rowless_before(set)
                                        : static_cast<uint32_t>(first_row(set));
  }
  ArgSet numbered_set(uint32_t set) const;
  // Returns the number of unlisted leaves of all sets before this one.
  size_t unlisted_before(uint32_t set) const;
  size_t first_leaf(uint32_t set) const { return first_row(set) + unlisted_before(set); }
  std::span<const ArgField> listed_fields(const Shape& shape) const {
    return std::span(fields_).subspan(shape.first, shape.count);
  }
  std::span<const ArgField> unlisted_fields(const Shape& shape) const {
    return std::span(fields_).subspan(shape.first + shape.count, shape.unlisted);
  }
  // Returns how many of the first `number` leaves of a shape are listed. O(log leaves).
  size_t listed_before(const Shape& shape, size_t number) const;
  // Calls body(field) for the leaves [first, end) of a shape, in the order of the source: merges
  // listed and unlisted fields, which are each in the order of `at`.
  template <class Body>
  void for_each_leaf_field(const Shape& shape, size_t first, size_t end, Body body) const {
    const auto listed = listed_fields(shape), unlisted = unlisted_fields(shape);
    size_t next = listed_before(shape, first), other = first - next;
    for (size_t number = first; number < end; ++number) {
      const bool is_listed = other == unlisted.size() ||
                             (next < listed.size() && listed[next].at < unlisted[other].at);
      body(is_listed ? listed[next++] : unlisted[other++]);
    }
  }
  ArgRow leaf(uint32_t set, const ArgField& field) const;
  int64_t value_of_part(const ArgField& field, uint32_t parted, size_t place) const;
  int64_t value_in(const ArgField& field, uint32_t parted, uint64_t place) const;
  // Decodes `places_` for a set of this shape.
  uint64_t place_of(const Shape& shape, uint32_t set, int64_t stored) const {
    if (shape.parted == kNone) return static_cast<uint64_t>(stored);
    return static_cast<uint64_t>(stored + parted_layouts_[shape.parted].firsts[set / kSetsOfBlock]);
  }
  const char* values_at(uint64_t place) const;
  uint64_t store(std::string_view values);

  std::vector<ArgField> fields_;
  std::vector<Shape> shapes_;
  absl::flat_hash_map<uint64_t, uint32_t> shapes_by_hash_;
  PackedInts shapes_of_sets_, places_;  // by set; see place_of()
  RunStarts starts_;                    // of the rows of sets
  PackedInts rowless_sets_;             // the sets without rows, in order
  uint32_t last_id_;
  size_t rows_ = 0;
  uint64_t dropped_sets_ = 0;
  // The sets with unlisted leaves, in order, and the first leaf of each.
  PackedInts unlisted_sets_, first_leaves_;
  size_t unlisted_rows_ = 0;
  std::vector<Combinations> combinations_;
  std::vector<PartedLayout> parted_layouts_;
  std::vector<MaybeOwnBytes> chunks_;  // records
  size_t chunk_left_ = 0;
  std::vector<ArgField> new_fields_;  // of record()
  std::string new_values_;
};

// The columns of `args` that hold values of a type.
inline bool is_text_arg(ArgType type) { return type == ArgType::String || type == ArgType::Json; }
inline bool is_integer_arg(ArgType type) {
  return type == ArgType::Int || type == ArgType::Uint || type == ArgType::Bool ||
         type == ArgType::Pointer;
}
inline bool is_real_arg(ArgType type) {
  return type == ArgType::Real || type == ArgType::UintAsReal;
}

// Returns the value_type column: int, uint, string, real, pointer, bool, json, null ...
std::string_view name_of(ArgType type);
std::span<const std::string_view> type_names();  // by ArgType
// Returns the value of a Real or UintAsReal.
double real_of(ArgType type, int64_t value);
// Returns the value of extract_arg().
Cell value_of(const ArgRow& row, const StringPool& strings);

}  // namespace tracebraid
