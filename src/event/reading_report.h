// The report of a reader about its file: counts, log rows, data that was not imported.
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
  int32_t index;     // index of an indexed stat, else -1
  int64_t value;
};

// One occurrence, for `_trace_import_logs`.
struct LogRow {
  StatId stat;
  uint32_t machine;
  uint64_t byte_offset;       // offset in the decompressed file; kNoOffset if not known
  uint32_t args = kNone;      // arg set
  std::string text;           // the bytes concerned, at most 4 KiB; may be empty
  ArgTime time = {0, kNone};  // time of the event; not known if the clock is none
  int64_t ts = kUnset;        // `time` as trace time, ns, after placing
};
inline constexpr uint64_t kNoOffset = ~uint64_t{0};
inline constexpr size_t kMaxLogRows = 1000;  // per stat and file

// A file that is embedded in the file.
struct Embedded {
  std::string name;
  std::string bytes;
};

// Recognised data of the file that was not imported, for `info`.
struct NotImported {
  std::string what;  // "packet field 77"
  uint64_t count = 0, bytes = 0;
};

}  // namespace tracebraid
