// What a strict reader, a program that follows the rules of the reference alone (spec clocks 2 to
// 11), loses of a file, and why.
//
// Input: one file or archive. Output: a Report of values. Called by engine; report/ writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "container/trace_input.h"
#include "format/proto/reference/tally.h"
#include "merge/options.h"

namespace tracebraid::reference {

struct Loss {
  LossCause cause = LossCause::NoPath;
  EventCounts counts{};
  uint64_t first_at = 0;  // offset of the first packet in the uncompressed file
  std::string why;        // a sentence without its full stop
};

// The events of one machine of a file that read one clock.
struct Row {
  std::string file, machine, clock;
  uint32_t file_row = 0, machine_row = 0;  // of trace_file and machine
  uint32_t clock_id = 0;                   // 0: times without a clock
  EventCounts all{};
  std::vector<Loss> losses;
  std::optional<int64_t> first_ns, last_ns;  // trace times of events that are placed
};

// A file that a strict reader does not read, or whose events are not counted.
struct OtherFile {
  std::string path, format;
  uint32_t row = 0;
  bool is_lost = false;  // all its events
  std::string why;
};

// A snapshot that is ignored, or a clock that is refused as a source from a snapshot on.
struct RefusedClock {
  std::string file, machine, clock;
  uint32_t file_row = 0, machine_row = 0, clock_id = 0, sequence = 0;
  uint64_t at = 0;
  bool is_void = false;
  std::string why;  // "goes back from 5 to 3"
};

// The error that ends the import: later events of the file, and later files, are lost.
struct ImportError {
  std::string file, message;
  uint32_t row = 0;
  uint64_t at = 0;
};

struct Report {
  std::string path;
  std::string timeline;  // "BOOTTIME of machine 0"; empty: no clock
  std::vector<Row> rows;
  std::vector<OtherFile> others;
  std::vector<RefusedClock> refused;                     // at most Graph::kMostRefusals
  uint64_t void_snapshots = 0, clocks_that_go_back = 0;  // all of them
  std::optional<ImportError> error;
  std::vector<std::string> unread;  // paths of files after the error
  std::vector<std::string> notes;   // without full stop
};

uint64_t events_of(const Report& report);
EventCounts kinds_of(const Report& report);
EventCounts lost_kinds(const Report& report);
EventCounts lost_kinds(const Row& row);
uint64_t lost_of(const Report& report);
uint64_t lost_of(const Row& row);
// Returns whether a strict reader shows all that it can place: no event is lost, and no file.
bool is_complete(const Report& report);

Result<Report> check(const TraceInput& input, const MergeOptions& options, Progress& progress);

}  // namespace tracebraid::reference
