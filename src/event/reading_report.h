// What a reader reports about the reading itself: counts, log rows, what it left out.
#pragma once

#include <cstdint>
#include <string>

#include "event/args.h"
#include "event/event.h"
#include "event/names.h"
#include "event/stat.h"

namespace tracebraid {

struct StatCount {
  StatId stat;
  uint32_t machine;  // index of EventBatch::machines
  int32_t index;     // of an indexed stat, else -1
  int64_t value;
};

// One occurrence, for `_trace_import_logs`.
struct LogRow {
  StatId stat;
  uint32_t machine;
  uint64_t byte_offset;       // in the file, after decompression; kNoOffset if not known
  uint32_t args = kNone;      // arg set
  std::string text;           // the offending bytes, cut at 4 KiB; may be empty
  ArgTime time = {0, kNone};  // of the event; without clock: not known
  int64_t ts = kUnset;        // `time` as trace time, ns, once events are placed
};
inline constexpr uint64_t kNoOffset = ~uint64_t{0};
inline constexpr size_t kMaxLogRows = 1000;  // for each stat of a file

// A file inside the file.
struct Embedded {
  std::string name;
  std::string bytes;
};

// Bytes of the file that were understood but not used, for `info`.
struct NotImported {
  std::string what;  // "packet field 77"
  uint64_t count = 0, bytes = 0;
};

}  // namespace tracebraid
