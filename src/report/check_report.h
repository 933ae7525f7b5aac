// The placement report: how each file and machine was placed on the timeline, and which events were
// dropped and why. `check` and `merge` print it.
//
// Input: a Store. Output: reports as structs, text and JSON. Called by cli.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "event/stat.h"
#include "merge/problem.h"

namespace tracebraid {

struct Store;

// One clock of one machine in one file.
struct PlacedClock {
  std::string file, machine, clock;
  std::optional<int64_t> sequence;  // the sequence that owns the clock
  std::string rule;                 // as in the placement table
  std::string path;                 // clocks from this one to trace time
  std::string source;               // source of the evidence of the rule, as in clock_edge
  int64_t observations = 0;        // observations that relate the clock to the next one of its path
  std::optional<int64_t> matched;  // matches of content on the path
  int64_t candidates = 0;          // of the match set that the source names
  std::string assumes;             // assumptions of the content on the path
  std::optional<int64_t> offset_start_ns, offset_end_ns;
  std::optional<int64_t> uncertainty_ns;  // none: unbounded, or no event is placed
  int64_t placed = 0;
  int64_t by_order = 0;      // placed events whose segment the order of the file chose
  int64_t no_path = 0;       // dropped: no path to trace time
  int64_t ambiguous = 0;     // dropped: ambiguous reading
  int64_t out_of_range = 0;  // dropped: does not fit into 64 bits
  int64_t negative = 0;      // before the start of trace time
  std::optional<int64_t> first_ts, last_ts;
};

// Whether the manifest states the place of the clock, which nothing measured.
inline bool is_stated(const PlacedClock& clock) { return clock.rule == "manifest"; }

// A stat that is not zero, except figures of the recorder (StatLevel::Figure).
struct Loss {
  std::string stat, severity, file, machine, description;
  StatLevel level{};
  int64_t count = 0;
  std::string example;  // place and details of the first occurrence, if logged
};

// Events of a file on a machine that are on no row, for other reasons than their clock.
struct OtherLosses {
  std::string file, machine;
  int64_t read = 0;      // dropped by the reader of the file
  int64_t built = 0;     // placed, and dropped when the tables were built
  int64_t unpaired = 0;  // of both, those whose other half is not in the file
  std::vector<std::pair<std::string, int64_t>> causes;  // stats and their counts
};

// Flows from one file or machine to another, of which some end before they start.
struct BrokenFlows {
  std::string from, to;
  int64_t flows = 0, violations = 0;
  int64_t off_by_at_least_ns = 0;            // how far `to` is early against `from`
  std::optional<int64_t> off_by_at_most_ns;  // limit from flows in the other direction, if any
  bool is_unchecked = false;                 // no pair among them is unique enough for `causality`
};

// What two recordings have in common: a row of clock_match_set.
struct MatchedPair {
  std::string kind, a, b;               // a, b: files
  std::string verdict, reason, detail;  // as in the table
  int64_t candidates = 0, used = 0, outliers = 0;
  std::optional<int64_t> bound_ns, rate_ppb, least_ab_ns, least_ba_ns;
};

// Causes in one file or machine with effects in another: a row of causality.
struct CausalPairs {
  std::string kind, from, to;
  int64_t pairs = 0, ok = 0, within = 0, certain = 0, unknown = 0;
  int64_t least_gap_ns = 0;
  std::optional<int64_t> before_certain;  // none if content moves nothing
};

// Causes after their effects that --strict allows: at most `count`, or this share of the pairs.
struct AllowedViolations {
  int64_t count = 0;
  double share = 0;
};

struct CheckReport {
  std::string timeline_clock, timeline_machine;  // empty if not known
  std::optional<int64_t> start_utc_ns;  // start of the trace; none if REALTIME is not known
  int64_t start_ts = 0, end_ts = 0;
  bool negative_dropped = false;
  std::vector<PlacedClock> clocks;
  std::vector<OtherLosses> other_losses;
  std::vector<Loss> losses;  // of all levels
  int64_t figures = 0;       // rows of stats that are figures of the recorder
  std::vector<BrokenFlows> broken_flows;
  std::vector<MatchedPair> matched;
  std::vector<CausalPairs> causality;
  AllowedViolations allowed_violations;
  std::vector<NotImportedOfFile> not_imported;
  std::vector<std::string> file_names;  // by row of trace_file
  std::vector<Problem> problems;
};

CheckReport check_report(const Store& store, bool negative_dropped,
                         std::span<const Problem> problems,
                         std::span<const NotImportedOfFile> not_imported);

// Returns the events of the clock that have no place on the timeline.
int64_t lost(const CheckReport& report, const PlacedClock& clock);
// Returns the events of all files that are on no row, whichever stage dropped them.
int64_t lost(const CheckReport& report);
// Returns the lost events whose other half is not in the file, such as a flow without its end.
int64_t unpaired(const CheckReport& report);
// Returns the events that are on a row, or were used by one, as the end of a slice is.
int64_t kept(const CheckReport& report);

// Returns the merge health count of spec clocks 12.5, or the number of dropped events if that is
// larger. 0 means that all files are placed.
int64_t would_be_dropped(const CheckReport& report);

// Returns the reasons why not all traces line up, one phrase each: dropped events, guesses,
// ambiguous readings, causes after their effects by more than the bounds of the clocks.
std::vector<std::string> misplacements(const CheckReport& report);
// Returns the reasons for --strict to fail, one phrase each: misplacements(), files that were not
// read completely, losses counted by stats. With `all`, as --strict=all, also unpaired events and
// repairs.
std::vector<std::string> troubles(const CheckReport& report, bool all = false);

// Fits a terminal of `width` columns: tables are cut, and prose is wrapped. 0 keeps lines whole.
std::string report_text(const CheckReport& report, size_t width = 0);
std::string report_json(const CheckReport& report);

}  // namespace tracebraid
