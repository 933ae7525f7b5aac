// ArgsBuilder: from the arg sets of batches to those of the args table. Sets
// that come again are not stored again.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>
#include <string_view>
#include <vector>

#include "assemble/assemble.h"
#include "assemble/identity.h"
#include "tables/args_table.h"

namespace tracebraid {

class Later;

// A set of one of the sources, or none.
struct ArgSource {
  uint32_t source = kNone;
  uint32_t first = kNone;
  explicit operator bool() const { return first != kNone; }
};

// Sets are put together one at a time: open(), any of the add functions, and
// close(). A key that is added again takes the new value at the old place.
//
// Of one thread, but for what a Later does of it on another; what would disturb that waits.
class ArgsBuilder {
 public:
  // `sources` are what ArgSource::source indexes: those of the batches, those that building
  // makes, those of Names. They stay where they are. `packed` are the first of them once more:
  // in those that are packed is noted what was stored.
  ArgsBuilder(std::vector<const ArgSets*> sources, std::vector<ArgSets*> packed, Identity& identity,
              StringPool& strings, ArgsTable& table);

  void open();
  void add(uint32_t key, ArgType type, int64_t value);
  void add_set(ArgSource set);
  // A set of the table; nothing for OptRow::kNull.
  void add_stored(uint32_t arg_set_id);
  // The set of the event that closes a slice: elements of an array continue
  // those there are (spec json 3.5, proto 2.8). Returns the number of values
  // that replaced another.
  uint32_t add_closing_set(ArgSource set);
  // The row in the table as arg_set_id; OptRow::kNull if nothing was added.
  uint32_t close();

  // open(), add_set(), close().
  uint32_t set(ArgSource set);
  // A set of the layout, whose keys are of key(); it is not looked whether there is an equal one.
  uint32_t add(ArgLayout& layout, std::span<const int64_t> values);

  uint32_t add_parted_layout(std::span<const ArgPart> parts) {
    return table_.add_parted_layout(parts);
  }
  // As those of ArgsTable. Combinations are only made by the thread that builds, and nobody else
  // looks at them.
  uint32_t add_combinations(uint32_t width) { return table_.add_combinations(width); }
  uint32_t add_combination(uint32_t combinations, std::span<const int64_t> values) {
    return table_.add_combination(combinations, values);
  }

  // A packed source is freed once it is used_up(), but for as long as a set of it is held: by
  // whoever keeps an ArgSource beyond the event that it came with.
  void hold(ArgSource set) {
    if (set) ++uses_[set.source].holds;
  }
  void release(ArgSource set) {
    if (set && --uses_[set.source].holds == 0 && uses_[set.source].is_over) forget(set.source);
  }
  void used_up(uint32_t source) {
    uses_[source].is_over = true;
    if (uses_[source].holds == 0) forget(source);
  }
  // Whether the set can be looked up on another thread: it will not change, and names no row of
  // another table.
  bool can_wait(ArgSource set);
  void set_later(Later* later) { later_ = later; }

  uint32_t made_source() const { return static_cast<uint32_t>(sources_.size()) - 2; }
  // Likewise, but of an array only the last element, under its flat key.
  uint32_t set_without_arrays(ArgSource set);

  uint32_t names_source() const { return static_cast<uint32_t>(sources_.size()) - 1; }
  uint32_t key(ArgKey key);
  uint32_t key(std::string_view name);  // without array indexes
  void add_int(std::string_view name, int64_t value) { add(key(name), ArgType::Int, value); }
  void add_text(std::string_view name, StringId value) {
    add(key(name), ArgType::String, value.row);
  }
  // A process or thread as its row, or Null; other values stay as they are.
  void resolve(ArgType& type, int64_t& value);
  // Rows of a set, as they are in the source. Valid until it is asked again.
  std::span<const ArgRow> rows(ArgSource set);
  ArgKey key_of(ArgSource set, const ArgRow& row) const {
    return sources_[set.source]->keys[row.key];
  }

 private:
  friend Later;
  // What is done later is done.
  void settle();
  // As those without _now, whatever else is to be done.
  void open_now();
  uint32_t set_now(ArgSource set);
  uint32_t set_without_arrays_now(ArgSource set);
  uint32_t add_parts_now(uint32_t layout, std::span<const int64_t> numbers) {
    return table_.add_parts(layout, numbers);
  }
  uint32_t key_now(ArgKey key);
  void forget_now(uint32_t source);
  // The set will be asked for soon; `very` soon is when the first look at it has come back.
  void expect(ArgSource set, bool very) const;
  std::span<const ArgRow> rows(ArgSource set, std::vector<ArgRow>& unpacked) const;
  bool is_nested(uint32_t key);

  struct LastUse {  // of a key, in the set that is being put together
    uint32_t serial = 0;
    uint32_t position = 0;
  };
  void expect_slot(ArgSource set) const;
  struct Use {  // of a source
    uint32_t holds = 0;
    bool is_over = false, is_forgotten = false;
  };
  void forget(uint32_t source);
  bool shape_names_rows(uint32_t source, uint32_t shape);
  uint32_t table_key(uint32_t source, uint32_t key);
  // The row in the table of a set of a packed source; kNone if it must be put together.
  uint32_t packed_set_row(ArgSource set);
  uint32_t table_shape(uint32_t source, uint32_t shape);
  uint32_t new_table_shape(uint32_t source, const ArgShape& shape);
  ArgKey continued(ArgKey key);
  int64_t next_index(std::string_view array);
  void drop_scalar_params();
  // Of the opening set, what the closing set has as another kind of thing. Returns how many
  // members.
  uint32_t drop_replaced(ArgSource closing);
  uint32_t intern(const ArgsTable::Record& record, uint32_t hash_of_values);
  void grow();

  std::vector<const ArgSets*> sources_;
  std::vector<ArgSets*> packed_;  // of the first sources
  std::vector<Use> uses_;
  std::vector<std::vector<bool>> shapes_with_names_;  // of sources where can_wait() asked
  Identity& identity_;
  StringPool& strings_;
  ArgsTable& table_;

  std::vector<std::vector<uint32_t>> key_maps_;    // of the sources, as far as used
  std::vector<std::vector<uint32_t>> shape_maps_;  // likewise, of packed ones
  std::vector<ArgField> new_fields_;               // of new_table_shape()
  std::vector<ArgRow> unpacked_;                   // what rows() gave
  std::vector<ArgRow> added_;                      // what add_set() goes through
  absl::flat_hash_map<ArgKey, uint32_t> keys_;
  std::vector<LastUse> last_uses_;  // by key of the table
  enum class Nested : uint8_t { Unknown, No, Yes };
  std::vector<Nested> nested_;  // by key of the table: of a member in an object or array
  uint32_t serial_ = 0;
  std::vector<ArgRow> open_;  // the set that is being put together
  size_t opened_rows_ = 0;    // of open_, before the closing set came
  bool arrays_known_ = false;
  absl::flat_hash_map<std::string_view, int64_t> next_indexes_;  // of its arrays by then
  uint32_t params_key_ = kNone;                                  // "args.params", once used
  Later* later_ = nullptr;

  struct Slot {
    uint32_t hash = 0;
    uint32_t set = kNone;
  };
  std::vector<Slot> slots_;  // open addressing, a power of two
};

}  // namespace tracebraid
