// Args: typed key-value rows, in sets.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/id.h"

namespace tracebraid {

enum class ArgType : uint8_t {
  Int,
  Uint,    // the bits of a uint64
  String,  // value is a StringId's row
  Real,    // the bits of a double
  Pointer,
  Bool,
  Json,  // a StringId's row
  Null,
  Process,      // index of a process name; becomes an Int, the upid
  Thread,       // index of a thread name; becomes an Int, the utid
  ProcessUint,  // index of a process name; becomes a Uint, the upid
  ThreadUint,
  Time,     // index of EventBatch::arg_times; becomes an Int, ns of trace time, or Null without a
            // place
  Session,  // index of a sample session; becomes an Int, its row
  // Types of cells of EventKind::Row only, where they become Int:
  Track,     // index of a track name; becomes its id, and creates the track if needed
  Callsite,  // index of a callsite; becomes its row
  Row,  // number of an EventKind::Row of the same batch; becomes its row, NULL if that comes later
  // Types of leaves that only args_full shows. Their numbers are in files.
  UintAsReal,  // the bits of a uint64 of 2^63 or more, which is a Real in `args`
  EmptyArray,
  EmptyObject,
};

// Whether the args table can have the type.
constexpr bool is_stored(ArgType type) {
  return type <= ArgType::Null || (type >= ArgType::UintAsReal && type <= ArgType::EmptyObject);
}

// Whether the arg becomes the row of a process or thread.
constexpr bool names_row(ArgType type) {
  return type == ArgType::Process || type == ArgType::ProcessUint || type == ArgType::Thread ||
         type == ArgType::ThreadUint;
}

struct ArgKey {
  StringId flat_key;  // without array indexes
  StringId key;       // with array indexes
  // The unambiguous path (event/arg_path.h), if it differs from `key`.
  StringId path = {};

  StringId full_path() const { return path ? path : key; }
  friend constexpr auto operator<=>(ArgKey, ArgKey) = default;
  template <class H>
  friend H AbslHashValue(H h, ArgKey k) {
    return H::combine(std::move(h), k.flat_key, k.key, k.path);
  }
};

struct ArgRow {  // 16 bytes
  int64_t value;
  uint32_t key;  // index of ArgKeys
  ArgType type;
  bool last;  // whether it is the last row of its set
  // Whether the leaf has no row in `args`: null, an empty container, or a value whose key another
  // value of the set has, too.
  bool unlisted = false;
};
static_assert(sizeof(ArgRow) == 16);

// The time of an ArgType::Time arg.
struct ArgTime {
  int64_t ticks;
  uint32_t clock;  // index of the clock names
};

// One field of a record. Sets with the same keys, types and widths share a shape; a record has the
// values of one set.
struct ArgField {
  uint32_t key;  // index of ArgSets::keys or, in ArgsTable, of the keys of the table
  uint32_t at;   // offset in the record, bytes
  ArgType type;
  uint8_t bytes;          // 1, 2, 4 or 8
  bool unlisted = false;  // ArgRow::unlisted
  friend bool operator==(const ArgField&, const ArgField&) = default;
};
struct ArgShape {
  uint32_t first, count;  // indexes of the fields, listed and unlisted in the order of the rows
  uint32_t bytes;         // size of a record
};

// The arg sets of a batch. A set is identified by the index of its first row; its rows are
// consecutive.
struct ArgSets {
  std::vector<ArgKey> keys;
  std::vector<ArgRow> rows;
  // Whether there may be args that refer to processes or threads.
  bool names_rows = true;
  // After packing, records replace the rows (tables/packed_args.h).
  bool is_packed = false;
  std::vector<ArgField> fields;
  std::vector<ArgShape> shapes;
};

}  // namespace tracebraid
