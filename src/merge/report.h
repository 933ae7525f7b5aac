// The placement report: rows of `placement`, and the stats of what was lost.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assemble/assemble.h"
#include "merge/facts.h"
#include "merge/locate/located.h"
#include "merge/place/place.h"

namespace tracebraid {

// A row of the import log to be. Args are numbers, or a text.
struct PendingLog {
  StatId stat;
  FileId file;
  OptInt byte_offset = {};
  OptInt ts = {};
  std::vector<std::pair<std::string_view, int64_t>> numbers;
  std::string text;          // the bytes it is about, or what is wrong; empty: none
  uint32_t arg_set = kNone;  // of Store::args, in place of both
};

struct PlacementReport {
  std::vector<StatBump> bumps;
  std::vector<PendingLog> logs;
};

// One row of `placement` for each (file, machine, clock) that had events.
// `counts[i]` are those of batch i, by its clocks.
PlacementReport report_placement(std::span<const PlacedBatch> batches,
                                 std::span<const std::vector<PlaceCount>> counts,
                                 const Located& located, const PlacingRules& rules, Store& store);

// Adds what the readers counted and logged.
void add_read_report(std::span<const PlacedBatch> batches, PlacementReport& report);

// Adds what assembling lost or repaired.
void add_assemble_report(const AssembleReport& assembled, PlacementReport& report);

// Appends to `_trace_import_logs`, and the args of its rows to `args`. Only once
// the tables are built.
void fill_import_log(std::span<const PendingLog> logs, Store& store);

}  // namespace tracebraid
