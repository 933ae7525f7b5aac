// ArgsBuilder: converts the arg sets of batches to those of the args table. Stores repeated sets
// once.
//
// Input: arg sets of batches. Output: rows of ArgsTable. Called by all builders of tables with
// args.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>
#include <string_view>
#include <vector>

#include "assemble/args/array_ends.h"
#include "assemble/identity/identity.h"
#include "event/arg_source.h"
#include "event/args.h"
#include "tables/args_table.h"

namespace tracebraid {

// The sources that ArgSource::source indexes: the sets of batches, the sets that assembling makes,
// and the sets of Names. They must not move.
struct ArgSourceList {
  std::vector<const ArgSets*> all;
  std::vector<ArgSets*> packed;  // the first of `all`; packed sources note which sets are stored

  uint32_t made() const { return static_cast<uint32_t>(all.size()) - 2; }
  uint32_t names() const { return static_cast<uint32_t>(all.size()) - 1; }
  bool is_packed(uint32_t source) const {
    return source < packed.size() && packed[source]->is_packed;
  }
  ArgKey key_of(ArgSource set, const ArgRow& row) const { return all[set.source]->keys[row.key]; }
  // Returns the rows of a set, with keys of its source. Packed rows are unpacked into `unpacked`.
  // Returns no rows if the source was released.
  std::span<const ArgRow> rows(ArgSource set, std::vector<ArgRow>& unpacked) const;
};

// Replaces a process or thread by its row, or by Null; other values are unchanged.
void resolve_name(Identity& identity, ArgType& type, int64_t& value);

// Builds one set at a time: open(), any of the add functions, and close(). A repeated key takes the
// new value at its old position; if the paths of the values differ, the old one becomes unlisted.
// One thread at a time.
class ArgsBuilder {
 public:
  ArgsBuilder(const ArgSourceList& sources, Identity& identity, StringPool& strings,
              ArgsTable& table);

  void open();
  void add(uint32_t key, ArgType type, int64_t value);
  void add_set(ArgSource set);
  // Adds a set of the table; nothing for OptRow::kNull.
  void add_stored(uint32_t arg_set_id);
  // Adds the set of the event that closes a slice: elements of an array continue the existing ones
  // (spec json 3.5, proto 2.8). Returns the number of values that replaced another.
  uint32_t add_closing_set(ArgSource set);
  // Stores the set. Returns its arg_set_id; OptRow::kNull if nothing was added.
  uint32_t close();

  // Adds a single set: open(), add_set(), close().
  uint32_t set(ArgSource set);
  // Adds a single set with only the last element of an array, under its flat key.
  uint32_t set_without_arrays(ArgSource set);
  // Adds a set of the layout, with keys from key(). Does not search for an equal set.
  uint32_t add(ArgLayout& layout, std::span<const int64_t> values) {
    return table_.add(layout, values);
  }
  uint32_t add_parted_layout(std::span<const ArgPart> parts) {
    return table_.add_parted_layout(parts);
  }
  uint32_t add_parts(uint32_t parted_layout, std::span<const int64_t> numbers) {
    return table_.add_parts(parted_layout, numbers);
  }

  // Return keys of the table.
  uint32_t key(ArgKey key);
  uint32_t key(std::string_view name);  // without array indexes
  void add_int(std::string_view name, int64_t value) { add(key(name), ArgType::Int, value); }
  void add_text(std::string_view name, StringId value) {
    add(key(name), ArgType::String, value.row);
  }

  // Releases a packed source.
  void release_source(uint32_t source);
  // Prefetches what set() reads of this set. Call with `very_soon` after an earlier call without it
  // had time to take effect.
  void prefetch(ArgSource set, bool very_soon) const;

 private:
  struct LastUse {  // the last use of a key in the set that is being built
    uint32_t serial = 0;
    uint32_t position = 0;
  };
  enum class Nested : uint8_t { Unknown, No, Yes };
  struct Slot {
    uint32_t hash = 0;
    uint32_t set = kNone;
  };

  bool is_nested(uint32_t key);
  void prefetch_slot(ArgSource set) const;
  uint32_t table_key(uint32_t source, uint32_t key);
  // Returns the row in the table of a set of a packed source; kNone if the set must be built.
  uint32_t packed_set_row(ArgSource set);
  void add(uint32_t key, const ArgRow& row);  // of a source
  void add_unlisted(uint32_t key, ArgType type, int64_t value);
  // Returns the key without its path, which identifies the row in `args`.
  uint32_t listed_key(uint32_t key) const { return has_paths_ ? listed_keys_[key] : key; }
  uint32_t table_shape(uint32_t source, uint32_t shape);
  uint32_t new_table_shape(uint32_t source, const ArgShape& shape);
  ArgKey continued(ArgKey key);
  bool keeps_first(StringId name);
  void drop_scalar_params();
  void number_positions();
  // Drops members of the opening set that the closing set has as another kind of value; makes them
  // unlisted where paths may differ. Returns the number of members.
  uint32_t drop_replaced(ArgSource closing);
  uint32_t intern(const ArgsTable::Record& record, uint32_t hash_of_values);
  void grow();

  const ArgSourceList& sources_;
  Identity& identity_;
  StringPool& strings_;
  ArgsTable& table_;
  const StringId passthrough_;  // the arg that an end does not replace

  std::vector<std::vector<uint32_t>> key_maps_;  // of the sources, up to the last used key
  // Shapes of the table by packed source, up to the last used shape.
  std::vector<std::vector<uint32_t>> shape_maps_;
  std::vector<ArgField> new_fields_;  // of new_table_shape()
  std::vector<ArgRow> closing_;       // rows that add_closing_set() reads
  std::vector<ArgRow> added_;         // rows that add_set() reads
  absl::flat_hash_map<ArgKey, uint32_t> keys_;
  bool has_paths_ = false;             // whether a key has a path
  std::vector<uint32_t> listed_keys_;  // see listed_key()
  std::vector<LastUse> last_uses_;     // by listed key of the table
  std::vector<Nested> nested_;         // by key of the table, for members of objects or arrays
  uint32_t serial_ = 0;
  std::vector<ArgRow> open_;   // the set that is being built
  bool has_unlisted_ = false;  // whether open_ has unlisted leaves
  bool is_joined_ = false;     // whether open_ may have leaves of several sets
  size_t opened_rows_ = 0;     // rows of open_ before the closing set
  bool has_array_ends_ = false;
  ArrayEnds array_ends_;         // of open_ before the closing set, if has_array_ends_
  uint32_t params_key_ = kNone;  // "args.params", once used
  std::vector<Slot> slots_;      // open addressing; the size is a power of two
};

}  // namespace tracebraid
