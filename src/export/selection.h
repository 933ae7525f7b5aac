// Selection: which part of a merged trace leaves it.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/session.h"
#include "export/times_clock.h"

namespace tracebraid {

// As the user states it. Empty means all.
struct SelectionRequest {
  std::string from, to;                // see parse_time()
  std::vector<std::string> machines;   // names, or rows of machine
  std::vector<std::string> processes;  // names, or pids
  std::string clock;                   // of the one machine that is named, else the timeline's
};

// Resolved against the tables: what a row must be to be taken.
struct Selection {
  int64_t from = std::numeric_limits<int64_t>::min();  // ns of trace time
  int64_t to = std::numeric_limits<int64_t>::max();    // exclusive
  // By row of machine and of process; empty: all.
  std::vector<bool> machines, processes;
  std::shared_ptr<TimesClock> timeline;  // that times are written on; null: trace time

  bool has_start() const { return from != std::numeric_limits<int64_t>::min(); }
  bool has_end() const { return to != std::numeric_limits<int64_t>::max(); }
  bool chooses_rows() const {
    return has_start() || has_end() || !machines.empty() || !processes.empty();
  }
  bool is_all() const { return !chooses_rows() && timeline == nullptr; }
  // [ts, ts + dur) meets the window; a moment (dur 0) lies in it; what never ended (dur < 0) goes
  // on.
  bool takes_time(int64_t ts, int64_t dur) const {
    return ts < to && (ts >= from || dur < 0 || (dur > 0 && dur > from - ts));
  }
  bool takes_machine(uint32_t row) const { return machines.empty() || machines[row]; }
  bool takes_process(OptRow row) const {
    return processes.empty() || (row.row != OptRow::kNull && processes[row.row]);
  }
};

// A moment of trace time, ns: "1500" or "1500ns", "20us", "3.5ms", "12s", "2m", "1h" count from
// the start of the trace; "@1500" is trace time itself; ISO-8601 UTC ("2026-11-20T12:03:04.5Z") is
// read on the REALTIME clock of the timeline's machine.
Result<int64_t> parse_time(std::string_view text, Session& session);

Result<Selection> resolve(const SelectionRequest& request, Session& session);

// A column that the rows of a relation with `ts` have besides, when times are on another clock.
inline constexpr std::string_view kUncertaintyColumn = "ts_uncertainty_ns";

// The rows of `relation` that are taken, as a SELECT of all its columns, moments on the clock of
// the selection. Rows are filtered by the columns that say when and where they are: ts, dur,
// machine_id, upid, utid, track_id, ucpu. Relations without any are taken whole.
std::string select_sql(std::string_view relation, const std::vector<std::string>& columns,
                       const Selection& selection);

}  // namespace tracebraid
