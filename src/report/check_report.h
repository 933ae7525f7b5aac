// The placement report: how each file and machine got onto the timeline, what
// was lost on the way and why. `check` prints it, and so does `merge`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "merge/merge.h"
#include "tables/store.h"

namespace tracebraid {

// One clock of one machine in one file.
struct PlacedClock {
  std::string file, machine, clock;
  std::optional<int64_t> sequence;  // the writer that the clock is private to
  std::string rule;                 // as in the placement table
  std::string path;                 // clocks from this one to trace time
  std::string source;               // of the evidence that the rule names; as in clock_edge
  int64_t observations = 0;         // that relate the clock to the next of its path
  std::optional<int64_t> offset_start_ns, offset_end_ns;
  std::optional<int64_t> uncertainty_ns;  // none: unbounded, or nothing is placed
  int64_t placed = 0;
  int64_t no_path = 0;       // lost: nothing relates the clock to trace time
  int64_t ambiguous = 0;     // lost: the clock showed that reading twice
  int64_t out_of_range = 0;  // lost: beyond 64 bits
  int64_t negative = 0;      // before the start of trace time
  std::optional<int64_t> first_ts, last_ts;
};

// A stat of severity data_loss or error that is not zero.
struct Loss {
  std::string stat, severity, file, machine, description;
  int64_t count = 0;
};

// Flows that lead from one file or machine to another, where some end before they start.
struct BrokenFlows {
  std::string from, to;
  int64_t flows = 0, violations = 0;
  int64_t off_by_at_least_ns = 0;            // `to` lies too early against `from`
  std::optional<int64_t> off_by_at_most_ns;  // by the flows back, if there are any
};

struct CheckReport {
  std::string timeline_clock, timeline_machine;  // empty if not known
  std::optional<int64_t> start_utc_ns;           // of the trace, if REALTIME is known
  int64_t start_ts = 0, end_ts = 0;
  bool negative_dropped = false;
  std::vector<PlacedClock> clocks;
  std::vector<Loss> losses;
  std::vector<BrokenFlows> broken_flows;
  std::vector<NotImportedOfFile> not_imported;
  std::vector<std::string> file_names;  // by row of trace_file
  std::vector<Problem> problems;
};

CheckReport check_report(const Store& store, const MergeOptions& options,
                         std::span<const Problem> problems,
                         std::span<const NotImportedOfFile> not_imported);

int64_t lost(const CheckReport& report, const PlacedClock& clock);
int64_t lost(const CheckReport& report);

// What the merge health of spec clocks 12.5 counts, or the lost events, if those
// are more: 0 means that all traces line up.
int64_t would_be_dropped(const CheckReport& report);

// What --strict fails on, a phrase each: lost events, guesses, ambiguous
// readings, files that were not read whole, losses that stats count.
std::vector<std::string> troubles(const CheckReport& report);

std::string report_text(const CheckReport& report);
std::string report_json(const CheckReport& report);

}  // namespace tracebraid
