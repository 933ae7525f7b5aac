// Selection: the part of a merged trace to export.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "export/request.h"
#include "export/source.h"
#include "export/times_clock.h"

namespace tracebraid {

// The selection resolved against the tables.
struct Selection {
  int64_t from = std::numeric_limits<int64_t>::min();  // ns of trace time
  int64_t to = std::numeric_limits<int64_t>::max();    // exclusive
  // Indexed by row of machine and of process; empty: all.
  std::vector<bool> machines, processes;
  bool without_machine = false;          // only rows that belong to no machine; excludes `machines`
  std::shared_ptr<TimesClock> timeline;  // the clock of exported times; null: trace time

  bool has_start() const { return from != std::numeric_limits<int64_t>::min(); }
  bool has_end() const { return to != std::numeric_limits<int64_t>::max(); }
  bool chooses_rows() const {
    return has_start() || has_end() || !machines.empty() || !processes.empty() || without_machine;
  }
  bool is_all() const { return !chooses_rows() && timeline == nullptr; }
  // Whether [ts, ts + dur) overlaps the window. dur 0 is an instant; dur < 0 lasts to the end of
  // the trace.
  bool takes_time(int64_t ts, int64_t dur) const {
    return (ts < to || !has_end()) && (ts >= from || dur < 0 || (dur > 0 && dur > from - ts));
  }
  bool takes_machine(uint32_t row) const { return machines.empty() || machines[row]; }
  bool takes_process(OptRow row) const {
    return processes.empty() || (row.row != OptRow::kNull && processes[row.row]);
  }
};

// Parses a time and returns trace time, ns: "1500" or "1500ns", "20us", "3.5ms", "12s", "2m", "1h"
// count from the start of the trace; "@1500" is trace time; ISO-8601 UTC ("2026-11-20T12:03:04.5Z")
// is REALTIME of the machine of the timeline.
Result<int64_t> parse_time(std::string_view text, const ExportSource& source);

Result<Selection> resolve(const SelectionRequest& request, const ExportSource& source);

// The additional column of relations with `ts` if times are on another clock.
inline constexpr std::string_view kUncertaintyColumn = "ts_uncertainty_ns";

// Returns a SELECT of all columns of `relation` for the selected rows, with times on the clock of
// the selection. Filters by the columns ts, dur, machine_id, upid, utid, track_id and ucpu. Selects
// all rows of relations without these columns.
std::string select_sql(std::string_view relation, const std::vector<std::string>& columns,
                       const Selection& selection);

}  // namespace tracebraid
