// The placement report: rows of `placement`, and the stats of dropped events.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assemble/assemble.h"
#include "merge/facts.h"
#include "merge/locate/located.h"
#include "merge/place/place.h"
#include "merge/problem.h"

namespace tracebraid {

// A future row of the import log. Args are numbers, or a text.
struct PendingLog {
  StatId stat;
  FileId file;
  OptInt byte_offset = {};
  OptInt ts = {};
  std::vector<std::pair<std::string_view, int64_t>> numbers;
  std::string text;          // the bytes concerned, or the error; empty: none
  uint32_t arg_set = kNone;  // set of Store::args, instead of numbers and text
};

struct PlacementReport {
  std::vector<StatBump> bumps;
  std::vector<PendingLog> logs;
};

// Adds one row of `placement` for each (file, machine, clock) with events. `counts[i]` has the
// counts of batch i, by clock.
PlacementReport report_placement(std::span<const PlacedBatch> batches,
                                 std::span<const std::vector<PlaceCount>> counts,
                                 const Located& located, const PlacingRules& rules, Store& store);

// Raises the bound of files that, by table causality, are misplaced by more than their bound: more
// than 1 percent and more than 3 of the pairs of two files are certainly out of order. Appends a
// warning for each. Requires: causality and placement are filled.
void report_wrong_places(Store& store, std::vector<Problem>& problems);

// Adds the stats and log rows of readers.
void add_read_report(std::span<const PlacedBatch> batches, PlacementReport& report);

// Adds the losses and repairs of assembling.
void add_assemble_report(const AssembleReport& assembled, PlacementReport& report);

// Appends rows to `_trace_import_logs`, and their args to `args`. Requires: the tables are
// assembled.
void fill_import_log(std::span<const PendingLog> logs, Store& store);

}  // namespace tracebraid
