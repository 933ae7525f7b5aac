#include "report/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "clock/clock_key.h"
#include "event/stats.h"
#include "merge/locate/stats.h"
#include "merge/stat_kinds.h"
#include "merge/stats.h"
#include "report/labels.h"
#include "report/units.h"
#include "tables/store.h"

namespace tracebraid {
namespace {

constexpr size_t kMaxExample = 80;  // bytes of a text of the import log

// An index of clock_edge and clock_match_set by their clocks.
class Edges {
 public:
  explicit Edges(const Store& store) : store_(store), observations_(store.clocks.rows()) {
    const ClockEdgeTable& edges = store.clock_edges;
    for (uint32_t row = 0; row < edges.rows(); ++row) {
      const uint32_t a = edges.from_clock[row], b = edges.to_clock[row];
      rows_.try_emplace({std::min(a, b), std::max(a, b), edges.kind[row]}, row);
      if (edges.is_used[row] == 0) continue;
      for (const uint32_t clock : {a, b})
        if (clock < observations_.size())
          observations_[clock] = std::max(observations_[clock], edges.observations[row]);
    }
    const ClockMatchSetTable& sets = store.clock_match_sets;
    for (uint32_t row = 0; row < sets.rows(); ++row) {
      const uint32_t a = sets.clock_a[row].row, b = sets.clock_b[row].row;
      sets_.try_emplace({std::min(a, b), std::max(a, b), sets.kind[row]}, row);
    }
  }

  // Returns the number of observations of the clock and the next one on its path.
  int64_t observations(OptRow clock) const {
    return clock.row < observations_.size() ? observations_[clock.row] : 0;
  }

  // Returns the weakest evidence on the path, which has this kind; nothing if there is none.
  std::optional<uint32_t> weakest(OptRow clock, StringId kind) const {
    const ClockTable& clocks = store_.clocks;
    for (size_t steps = 0; clock.row < clocks.rows() && steps < clocks.rows(); ++steps) {
      const OptRow next = clocks.next_clock[clock.row];
      if (clocks.next_kind[clock.row] == kind) {
        const auto at =
            rows_.find({std::min(clock.row, next.row), std::max(clock.row, next.row), kind});
        return at == rows_.end() ? std::nullopt : std::optional(at->second);
      }
      clock = next;
    }
    return std::nullopt;
  }
  std::string_view source(std::optional<uint32_t> edge) const {
    return edge ? text_of(store_, store_.clock_edges.source[*edge]) : std::string_view();
  }

  // Returns the candidates of the match set that the evidence comes from; 0 without.
  int64_t candidates(std::optional<uint32_t> edge) const {
    if (!edge) return 0;
    const uint32_t a = store_.clock_edges.from_clock[*edge];
    const uint32_t b = store_.clock_edges.to_clock[*edge];
    const auto at = sets_.find({std::min(a, b), std::max(a, b), store_.clock_edges.source[*edge]});
    return at == sets_.end() ? 0 : store_.clock_match_sets.candidates[at->second];
  }

 private:
  const Store& store_;
  std::vector<int64_t> observations_;  // by clock
  using ByClocks = std::map<std::tuple<uint32_t, uint32_t, StringId>, uint32_t>;
  ByClocks rows_;  // of clock_edge, by kind
  ByClocks sets_;  // of clock_match_set, by kind of content
};

PlacedClock placed_clock(const Store& store, const Edges& edges, size_t row) {
  const PlacementTable& table = store.placements;
  const std::optional<uint32_t> edge = edges.weakest(table.clock_id[row], table.rule[row]);
  return {.file = file_label(store, table.trace_id[row]),
          .machine = machine_label(store, table.machine_id[row]),
          .clock = clock_label(store, table.clock_id[row]),
          .sequence = clock_sequence(store, table.clock_id[row]),
          .rule = std::string(text_of(store, table.rule[row])),
          .path = std::string(text_of(store, table.path[row])),
          .source = std::string(edges.source(edge)),
          .observations = edges.observations(table.clock_id[row]),
          .matched = value_of(table.matched[row]),
          .candidates = edges.candidates(edge),
          .assumes = std::string(text_of(store, table.assumes[row])),
          .offset_start_ns = value_of(table.offset_start_ns[row]),
          .offset_end_ns = value_of(table.offset_end_ns[row]),
          .uncertainty_ns = value_of(table.uncertainty_ns[row]),
          .placed = table.placed[row],
          .by_order = table.by_order[row],
          .no_path = table.dropped_no_path[row],
          .ambiguous = table.dropped_ambiguous[row],
          .out_of_range = table.dropped_range[row],
          .negative = table.negative[row],
          .first_ts = value_of(table.first_ts[row]),
          .last_ts = value_of(table.last_ts[row])};
}

StatLevel level_of(const Store& store, size_t row) {
  const uint32_t key = store.stats.key[row];
  return key < stat_kinds().size() ? stat_kinds()[key].level : StatLevel::Noted;
}

// The first rows of the import log by stat and file.
using FirstLogs = std::map<std::pair<uint32_t, uint32_t>, size_t>;

FirstLogs first_logs(const Store& store) {
  FirstLogs first;
  const ImportLogTable& log = store.import_logs;
  for (size_t row = 0; row < log.rows(); ++row)
    first.try_emplace({log.stat_key[row], log.trace_id[row].row}, row);
  return first;
}

// Returns the place of an occurrence, and what the log tells about it.
std::string example_text(const Store& store, size_t row) {
  const ImportLogTable& log = store.import_logs;
  std::string text;
  if (const auto at = value_of(log.byte_offset[row]))
    text = fmt::format("at byte {}", *at);
  else if (const auto ts = value_of(log.ts[row]))
    text = fmt::format("at {} ns", *ts);
  for (const ArgRow arg : store.args.set(log.arg_set_id[row].row)) {
    if (arg.type != ArgType::String) continue;
    const std::string_view name = store.strings.get(store.args.keys[arg.key].key);
    const std::string_view value = store.strings.get({static_cast<uint32_t>(arg.value)});
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value.substr(0, kMaxExample));
  }
  return text;
}

std::vector<Loss> losses_of(const Store& store, int64_t& figures) {
  std::vector<Loss> losses;
  const FirstLogs logs = first_logs(store);
  for (size_t row = 0; row < store.stats.rows(); ++row) {
    if (store.stats.value[row] == 0) continue;
    const StatLevel level = level_of(store, row);
    figures += level == StatLevel::Figure ? 1 : 0;
    if (level == StatLevel::Figure) continue;
    const auto log = logs.find({store.stats.key[row], store.stats.trace_id[row].row});
    losses.push_back(
        {.stat = std::string(text_of(store, store.stats.name[row])),
         .severity = std::string(text_of(store, store.stats.severity[row])),
         .file = file_label(store, store.stats.trace_id[row]),
         .machine = machine_label(store, store.stats.machine_id[row]),
         .description = std::string(text_of(store, store.stats.description[row])),
         .level = level,
         .count = store.stats.value[row],
         .example = log == logs.end() ? std::string() : example_text(store, log->second)});
  }
  return losses;
}

using FileOnMachine = std::pair<uint32_t, uint32_t>;  // rows of trace_file and machine

// Returns what the stats of lost events count besides the losses of clocks, which `placement` has.
std::vector<OtherLosses> other_losses(const Store& store, bool negative_dropped) {
  struct OfClocks {
    int64_t out_of_range = 0, negative = 0;
  };
  std::map<FileOnMachine, OfClocks> of_clocks;
  const PlacementTable& placements = store.placements;
  for (size_t row = 0; row < placements.rows(); ++row) {
    OfClocks& sum = of_clocks[{placements.trace_id[row].row, placements.machine_id[row].row}];
    sum.out_of_range += placements.dropped_range[row];
    if (negative_dropped) sum.negative += placements.negative[row];
  }
  // Returns the part of the count that clocks do not explain.
  const auto unexplained = [&](StatId stat, int64_t count, const FileOnMachine& scope) {
    switch (stat) {
      case stats::clock_sync_failure_unknown_source_clock:
      case stats::clock_sync_failure_unknown_target_clock:
      case stats::clock_sync_failure_no_path:
      case stats::trace_sorter_negative_timestamp_dropped:
        return int64_t{0};
      case stats::timestamp_out_of_range:
        return count - std::min(count, of_clocks[scope].out_of_range);
      case stats::track_event_invalid_timestamp:
        return count - std::min(count, of_clocks[scope].negative);
      default:
        return count;
    }
  };
  std::map<FileOnMachine, OtherLosses> found;
  const StatsTable& table = store.stats;
  for (size_t row = 0; row < table.rows(); ++row) {
    const auto stat = static_cast<StatId>(table.key[row]);
    const bool is_sum = stat == stats::placed_events_dropped;
    const StatLevel level = level_of(store, row);
    if (table.value[row] == 0 || (!is_sum && !counts_lost_events(level))) continue;
    const FileOnMachine scope{table.trace_id[row].row, table.machine_id[row].row};
    const int64_t count = unexplained(stat, table.value[row], scope);
    if (count == 0) continue;
    OtherLosses& losses = found[scope];
    if (is_sum) {
      losses.built += count;
      continue;
    }
    losses.read += count;  // the built ones are subtracted below
    if (level == StatLevel::Unpaired) losses.unpaired += count;
    losses.causes.emplace_back(text_of(store, table.name[row]), count);
  }
  std::vector<OtherLosses> all;
  for (auto& [scope, losses] : found) {
    losses.file = file_label(store, {scope.first});
    losses.machine = machine_label(store, {scope.second});
    losses.read -= losses.built;
    all.push_back(std::move(losses));
  }
  return all;
}

std::string side_label(const Store& store, uint32_t file, uint32_t machine) {
  return fmt::format("{} of {}", file_label(store, {file}), machine_label(store, {machine}));
}

std::vector<BrokenFlows> broken_flows(const Store& store) {
  const FlowBoundTable& table = store.flow_bounds;
  using Side = std::pair<uint32_t, uint32_t>;  // file, machine
  const auto from = [&](size_t row) {
    return Side{table.from_trace_id[row], table.from_machine_id[row]};
  };
  const auto to = [&](size_t row) {
    return Side{table.to_trace_id[row], table.to_machine_id[row]};
  };
  std::map<std::pair<Side, Side>, int64_t> least;
  for (size_t row = 0; row < table.rows(); ++row) least[{from(row), to(row)}] = table.least_ns[row];
  std::vector<BrokenFlows> found;
  for (size_t row = 0; row < table.rows(); ++row) {
    if (table.violations[row] == 0) continue;
    BrokenFlows broken{.from = side_label(store, from(row).first, from(row).second),
                       .to = side_label(store, to(row).first, to(row).second),
                       .flows = table.flows[row],
                       .violations = table.violations[row],
                       .off_by_at_least_ns = -table.least_ns[row]};
    if (const auto back = least.find({to(row), from(row)}); back != least.end())
      broken.off_by_at_most_ns = back->second;
    found.push_back(std::move(broken));
  }
  return found;
}

std::vector<MatchedPair> matched_pairs(const Store& store) {
  std::vector<MatchedPair> found;
  const ClockMatchSetTable& table = store.clock_match_sets;
  for (size_t row = 0; row < table.rows(); ++row)
    found.push_back({.kind = std::string(text_of(store, table.kind[row])),
                     .a = file_label(store, {table.trace_a[row]}),
                     .b = file_label(store, {table.trace_b[row]}),
                     .verdict = std::string(text_of(store, table.verdict[row])),
                     .reason = std::string(text_of(store, table.reason[row])),
                     .detail = std::string(text_of(store, table.detail[row])),
                     .candidates = table.candidates[row],
                     .used = table.used[row],
                     .outliers = table.outliers[row],
                     .bound_ns = value_of(table.bound_ns[row]),
                     .rate_ppb = value_of(table.rate_ppb[row]),
                     .least_ab_ns = value_of(table.least_ab_ns[row]),
                     .least_ba_ns = value_of(table.least_ba_ns[row])});
  return found;
}

std::vector<CausalPairs> causal_pairs(const Store& store) {
  std::vector<CausalPairs> found;
  const CausalityTable& table = store.causality;
  for (size_t row = 0; row < table.rows(); ++row)
    found.push_back(
        {.kind = std::string(text_of(store, table.kind[row])),
         .from = side_label(store, table.from_trace_id[row], table.from_machine_id[row]),
         .to = side_label(store, table.to_trace_id[row], table.to_machine_id[row]),
         .pairs = table.pairs[row],
         .ok = table.ok[row],
         .within = table.within[row],
         .certain = table.certain[row],
         .unknown = table.unknown[row],
         .least_gap_ns = table.least_gap_ns[row],
         .before_certain = value_of(table.before_certain[row])});
  return found;
}

// Returns the causes after their effects that are more than the bounds of the clocks explain.
int64_t violations_of(const CausalPairs& pairs) { return pairs.certain + pairs.unknown; }

bool are_allowed(const CheckReport& report) {
  int64_t violations = 0, pairs = 0;
  for (const CausalPairs& row : report.causality) {
    violations += violations_of(row);
    pairs += row.pairs;
  }
  const AllowedViolations& allowed = report.allowed_violations;
  return violations <= allowed.count ||
         static_cast<double>(violations) <= allowed.share * static_cast<double>(pairs);
}

void add_content(const Store& store, CheckReport& report) {
  report.matched = matched_pairs(store);
  report.causality = causal_pairs(store);
  report.broken_flows = broken_flows(store);
  for (BrokenFlows& flows : report.broken_flows)
    flows.is_unchecked = std::ranges::none_of(report.causality, [&](const CausalPairs& pairs) {
      return pairs.kind == "flows" && pairs.from == flows.from && pairs.to == flows.to;
    });
}

void add_misplacements_of_causes(const CheckReport& report, std::vector<std::string>& found) {
  for (const BrokenFlows& flows : report.broken_flows)
    if (flows.is_unchecked)
      found.push_back(fmt::format("{} from {} to {} end before they start",
                                  counted(flows.violations, "flow"), flows.from, flows.to));
  if (are_allowed(report)) return;
  for (const CausalPairs& pairs : report.causality) {
    if (violations_of(pairs) == 0) continue;
    if (pairs.kind == "flows")
      found.push_back(fmt::format("{} from {} to {} end before they start",
                                  counted(violations_of(pairs), "flow"), pairs.from, pairs.to));
    else
      found.push_back(fmt::format("{} end in {} before they start in {}",
                                  counted(violations_of(pairs), "collective"), pairs.to,
                                  pairs.from));
  }
}

std::optional<int64_t> trace_time_domain(const Store& store) {
  for (size_t row = 0; row < store.metadata.rows(); ++row)
    if (text_of(store, store.metadata.name[row]) == "trace_time_clock_id")
      return value_of(store.metadata.int_value[row]);
  return std::nullopt;
}

// Returns the clock of `domain` on the machine; none if no file has it.
OptRow find_clock(const Store& store, int64_t domain, uint32_t machine) {
  for (uint32_t row = 0; row < store.clocks.rows(); ++row)
    if (store.clocks.domain[row] == domain && store.clocks.machine_id[row].row == machine)
      return {row};
  return {};
}

// Returns REALTIME at trace time `at`: by the last snapshot before, else by the first; prefers
// snapshots of `machine`.
std::optional<int64_t> utc_at(const Store& store, OptRow machine, int64_t at) {
  const ClockSnapshotTable& table = store.clock_snapshots;
  const auto rank = [&](size_t row) {
    const bool before = table.ts[row] <= at;
    return std::tuple(table.machine_id[row].row == machine.row, before,
                      before ? table.ts[row] : ~table.ts[row]);
  };
  std::optional<size_t> best;
  for (size_t row = 0; row < table.rows(); ++row)
    if (table.clock_id[row] == domain::kRealtime && (!best || rank(row) > rank(*best))) best = row;
  if (!best) return std::nullopt;
  int64_t utc = 0;
  if (__builtin_sub_overflow(at, table.ts[*best], &utc) ||
      __builtin_add_overflow(utc, table.clock_value[*best], &utc))
    return std::nullopt;
  return utc;
}

int64_t lost_by_clocks(const CheckReport& report) {
  int64_t sum = 0;
  for (const PlacedClock& clock : report.clocks) sum += lost(report, clock);
  return sum;
}

}  // namespace

CheckReport check_report(const Store& store, bool negative_dropped,
                         std::span<const Problem> problems,
                         std::span<const NotImportedOfFile> not_imported) {
  CheckReport report;
  report.start_ts = store.trace_start;
  report.end_ts = store.trace_end;
  report.negative_dropped = negative_dropped;
  report.problems.assign(problems.begin(), problems.end());
  report.not_imported.assign(not_imported.begin(), not_imported.end());
  report.losses = losses_of(store, report.figures);
  report.other_losses = other_losses(store, negative_dropped);
  add_content(store, report);
  for (uint32_t row = 0; row < store.files.rows(); ++row)
    report.file_names.push_back(file_label(store, {row}));
  const Edges edges(store);
  for (size_t row = 0; row < store.placements.rows(); ++row)
    report.clocks.push_back(placed_clock(store, edges, row));

  const std::optional<int64_t> domain = trace_time_domain(store);
  const OptRow machine{store.timeline_machine};
  if (domain) {
    const OptRow clock = find_clock(store, *domain, machine.row);
    const bool known = clock.row != OptRow::kNull;
    report.timeline_clock = known ? clock_label(store, clock) : fmt::format("clock {}", *domain);
    report.timeline_machine = machine_label(store, machine);
  }
  report.start_utc_ns = domain == int64_t{domain::kRealtime}
                            ? store.trace_start
                            : utc_at(store, machine, store.trace_start);
  return report;
}

int64_t lost(const CheckReport& report, const PlacedClock& clock) {
  return clock.no_path + clock.ambiguous + clock.out_of_range +
         (report.negative_dropped ? clock.negative : 0);
}

int64_t lost(const CheckReport& report) {
  int64_t sum = lost_by_clocks(report);
  for (const OtherLosses& losses : report.other_losses) sum += losses.read + losses.built;
  return sum;
}

int64_t unpaired(const CheckReport& report) {
  int64_t sum = 0;
  for (const OtherLosses& losses : report.other_losses) sum += losses.unpaired;
  return sum;
}

int64_t kept(const CheckReport& report) {
  int64_t sum = 0;
  for (const PlacedClock& clock : report.clocks) sum += clock.placed;
  for (const OtherLosses& losses : report.other_losses) sum -= losses.built;
  return sum;
}

int64_t would_be_dropped(const CheckReport& report) {
  int64_t health = 0;
  for (const Loss& loss : report.losses)
    if (loss.stat == "clock_sync_unrelatable_clock_domains" ||
        loss.stat == "clock_sync_failure_no_path" ||
        loss.stat == "trace_sorter_negative_timestamp_dropped")
      health += loss.count;
  return std::max(health, lost_by_clocks(report));
}

std::vector<std::string> misplacements(const CheckReport& report) {
  std::vector<std::string> found;
  if (const int64_t events = would_be_dropped(report); events > 0)
    found.push_back(fmt::format(
        "{} dropped", events == 1 ? "1 event was" : fmt::format("{} events were", events)));
  for (const PlacedClock& clock : report.clocks) {
    if (clock.rule == "guessed")
      found.push_back(fmt::format("the place of {} on {} in {} is a guess", clock.clock,
                                  clock.machine, clock.file));
    if (clock.ambiguous + clock.out_of_range > 0)
      found.push_back(fmt::format("{} times in {} are ambiguous or out of range",
                                  clock.ambiguous + clock.out_of_range, clock.file));
  }
  add_misplacements_of_causes(report, found);
  return found;
}

std::vector<std::string> troubles(const CheckReport& report, bool all) {
  std::vector<std::string> found = misplacements(report);
  for (const Problem& problem : report.problems)
    if (fails_strict(problem.level, all))
      found.push_back(fmt::format("{}: {}", problem.path, problem.error.message));
  // The name of the stat stands first in the message of its problem.
  const auto is_listed = [&](const Loss& loss) {
    return std::ranges::any_of(report.problems, [&](const Problem& problem) {
      const std::string_view message = problem.error.message;
      return problem.path == loss.file &&
             message.substr(0, message.find_first_of(",: ")) == loss.stat;
    });
  };
  for (const Loss& loss : report.losses)
    if (fails_strict(loss.level, all) && !is_listed(loss))
      found.push_back(fmt::format("{}: {} {}", loss.file, loss.count, loss.stat));
  return found;
}

}  // namespace tracebraid
