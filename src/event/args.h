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
  Process,      // index of a process name; becomes Int, its upid
  Thread,       // index of a thread name; becomes Int, its utid
  ProcessUint,  // likewise, but becomes Uint
  ThreadUint,
  Time,  // index of EventBatch::arg_times; becomes Int, ns of trace time, or Null without a place
  Session,  // index of a sample session; becomes Int, its row
  // Only in the cells of EventKind::Row, where they become Int:
  Track,     // index of a track name; its id, which makes the track if need be
  Callsite,  // index of a callsite; its row
  Row,       // value of an EventKind::Row of the same batch; its row number, null if it comes later
};

// Becomes the row of a process or thread.
constexpr bool names_row(ArgType type) {
  return type == ArgType::Process || type == ArgType::ProcessUint || type == ArgType::Thread ||
         type == ArgType::ThreadUint;
}

struct ArgKey {
  StringId flat_key;  // without array indexes
  StringId key;       // with them
  friend constexpr auto operator<=>(ArgKey, ArgKey) = default;
  template <class H>
  friend H AbslHashValue(H h, ArgKey k) {
    return H::combine(std::move(h), k.flat_key, k.key);
  }
};

struct ArgRow {  // 16 bytes
  int64_t value;
  uint32_t key;  // index of ArgKeys
  ArgType type;
  bool last;  // of its set
};
static_assert(sizeof(ArgRow) == 16);

// A time that an arg tells.
struct ArgTime {
  int64_t ticks;
  uint32_t clock;  // index of the clock names
};

// One arg of a record: sets with the same keys, types and widths have one shape, and the
// values of each behind each other.
struct ArgField {
  uint32_t key;  // index of ArgSets::keys or, in a table, of its own
  uint32_t at;   // in the record
  ArgType type;
  uint8_t bytes;  // 1, 2, 4 or 8
  friend bool operator==(const ArgField&, const ArgField&) = default;
};
struct ArgShape {
  uint32_t first, count;  // of the fields
  uint32_t bytes;         // of a record
};

// Sets lie one behind the other; a set is named by the index of its first row.
struct ArgSets {
  std::vector<ArgKey> keys;
  std::vector<ArgRow> rows;
  // Whether there may be args that name processes or threads.
  bool names_rows = true;
  // Once packed, records lie in the place of the rows (tables/packed_args.h).
  bool is_packed = false;
  std::vector<ArgField> fields;
  std::vector<ArgShape> shapes;
};

}  // namespace tracebraid
