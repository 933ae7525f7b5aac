#include "merge/report.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "clock/error_bounds.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "merge/stat_kinds.h"
#include "merge/stats.h"

namespace tracebraid {
namespace {

// A row of `placement`: the events of one clock in all batches of a file.
struct Line {
  Scope scope;
  ClockPlace place;
  PlaceCount sum;
  int64_t by_order = 0;  // placed events whose segment the order of the file chose
  // The events of each segment of a clock that was set back, and those of no segment.
  std::map<std::pair<bool, uint32_t>, std::pair<ClockPlace, PlaceCount>> parts;
};

void add(const PlaceCount& count, PlaceCount& sum) {
  if (count.timed > 0) {
    if (sum.timed == 0 || count.first_ts < sum.first_ts) {
      sum.first_ts = count.first_ts;
      sum.first_reading = count.first_reading;
    }
    if (sum.timed == 0 || count.last_ts > sum.last_ts) {
      sum.last_ts = count.last_ts;
      sum.last_reading = count.last_reading;
    }
  }
  sum.placed += count.placed;
  sum.timed += count.timed;
  sum.no_path += count.no_path;
  sum.ambiguous += count.ambiguous;
  sum.out_of_range += count.out_of_range;
  sum.negative += count.negative;
  sum.negative_track_events += count.negative_track_events;
}

bool had_events(const PlaceCount& count) {
  return count.placed + count.no_path + count.ambiguous + count.out_of_range + count.negative > 0;
}

std::vector<Line> lines_of(std::span<const PlacedBatch> batches,
                           std::span<const std::vector<PlaceCount>> counts,
                           const Located& located) {
  std::vector<Line> lines;
  absl::flat_hash_map<std::tuple<FileId, MachineId, ClockPlace::Kind, ClockId>, size_t> index;
  for (size_t b = 0; b < batches.size(); ++b) {
    for (size_t c = 0; c < counts[b].size(); ++c) {
      if (!had_events(counts[b][c])) continue;
      const ClockPlace& place = located.clocks[b][c];
      const MachineId machine = batches[b].machines[batches[b].clock_machines[c]];
      const auto [at, added] = index.try_emplace(
          std::tuple(batches[b].file, machine, place.kind, place.node), lines.size());
      if (added)
        lines.push_back(
            {.scope = {batches[b].file, machine}, .place = place, .sum = {}, .parts = {}});
      Line& line = lines[at->second];
      add(counts[b][c], line.sum);
      if (place.by_order) line.by_order += counts[b][c].placed;
      auto& [part_place, part] =
          line.parts[{place.segments != nullptr, place.segments != nullptr ? place.segment : 0}];
      part_place = place;
      add(counts[b][c], part);
    }
  }
  return lines;
}

// Returns trace time minus the reading of the clock.
OptInt offset(int64_t ts, int64_t ticks, int64_t tick_ns) {
  int64_t reading = 0, difference = 0;
  if (__builtin_mul_overflow(ticks, tick_ns, &reading) ||
      __builtin_sub_overflow(ts, reading, &difference))
    return {};
  return {difference};
}

// Returns the largest bound of the placed events of one part of a line.
int64_t error_of(const ClockPlace& place, const PlaceCount& count, ErrorBounds& bounds) {
  int64_t first = 0, last = 0;
  const bool fits = !__builtin_mul_overflow(count.first_reading, place.tick_ns, &first) &&
                    !__builtin_mul_overflow(count.last_reading, place.tick_ns, &last);
  if (!fits) return kUnbounded;
  if (last < first) std::swap(first, last);
  return place.segments != nullptr ? place.segments->worst(place.segment, first, last, bounds)
                                   : bounds.worst(place.node, first, last);
}

// Returns the largest bound of the placed events.
int64_t error_of(const Line& line, ErrorBounds& bounds) {
  int64_t worst = 0;
  for (const auto& [segment, part] : line.parts)
    if (part.second.timed > 0) worst = std::max(worst, error_of(part.first, part.second, bounds));
  return worst;
}

// The content on the path of a clock.
struct PathContent {
  OptInt matched;
  std::string assumes;  // without repetition
};

PathContent content_of(ClockId clock, const Located& located) {
  PathContent found;
  for (ClockId next; clock; clock = next) {
    const Placement::Node& node = located.placement.node(clock);
    next = node.next;
    for (const align::ContentHop& hop : located.content) {
      const bool is_hop = node.hop == hop.kind &&
                          ((hop.a == clock && hop.b == next) || (hop.b == clock && hop.a == next));
      if (!is_hop) continue;
      found.matched.value = std::max<int64_t>(0, found.matched.value) + hop.matched;
      if (found.assumes.find(hop.assumes) != std::string::npos) continue;
      found.assumes.append(found.assumes.empty() ? "" : ",").append(hop.assumes);
    }
  }
  return found;
}

void append_row(const Line& line, const Located& located, ErrorBounds& bounds, Store& store) {
  PlacementTable& table = store.placements;
  const PlaceCount& sum = line.sum;
  const bool in_graph = line.place.kind == ClockPlace::Kind::Node;
  const bool placed = in_graph && located.placement.node(line.place.node).placed();
  table.trace_id.append({line.scope.file.row});
  table.machine_id.append({line.scope.machine.row});
  table.clock_id.append({in_graph ? line.place.node.row : OptRow::kNull});
  // Events without a time of their own do not show when the file was recorded.
  const bool has_time = line.place.kind != ClockPlace::Kind::Latest;
  table.rule.append(store.strings.intern(in_graph   ? located.rule(line.place.node)
                                         : has_time ? "raw"
                                                    : "without_time"));
  table.path.append(placed ? store.strings.intern(located.path_text(line.place.node)) : StringId{});
  const bool has_offset = sum.timed > 0 && placed;
  table.offset_start_ns.append(
      has_offset ? offset(sum.first_ts, sum.first_reading, line.place.tick_ns) : OptInt{});
  table.offset_end_ns.append(has_offset ? offset(sum.last_ts, sum.last_reading, line.place.tick_ns)
                                        : OptInt{});
  const int64_t within = sum.timed > 0 && placed ? error_of(line, bounds) : kUnbounded;
  table.uncertainty_ns.append(within == kUnbounded ? OptInt{} : OptInt{within});
  const PathContent content = placed ? content_of(line.place.node, located) : PathContent{};
  table.matched.append(content.matched);
  table.assumes.append(content.assumes.empty() ? StringId{}
                                               : store.strings.intern(content.assumes));
  table.by_order.append(line.by_order);
  table.placed.append(sum.placed);
  table.dropped_no_path.append(sum.no_path);
  table.dropped_ambiguous.append(sum.ambiguous);
  table.dropped_range.append(sum.out_of_range);
  table.negative.append(sum.negative);
  const bool has_span = sum.timed > 0 && has_time;
  table.first_ts.append(has_span ? OptInt{sum.first_ts} : OptInt{});
  table.last_ts.append(has_span ? OptInt{sum.last_ts} : OptInt{});
}

PendingLog log_of_loss(const LostCause& cause, FileId file, int64_t reading) {
  PendingLog log{.stat = cause.stat, .file = file};
  if (cause.source.sequence != 0)
    log.numbers.emplace_back("source_sequence_id", cause.source.sequence);
  log.numbers.emplace_back("source_clock_id", cause.source.domain);
  log.numbers.emplace_back("source_timestamp", reading);
  if (cause.target.sequence != 0)
    log.numbers.emplace_back("target_sequence_id", cause.target.sequence);
  log.numbers.emplace_back("target_clock_id", cause.target.domain);
  return log;
}

// Adds stats and log rows of the dropped events of one clock of one batch.
void report_losses(const PlaceCount& count, const LostCause& cause, const Scope& scope,
                   PlacementReport& report) {
  // An ambiguous reading counts as one without a path (spec clocks 14.1).
  const int64_t lost = count.no_path + count.ambiguous;
  report.bumps.push_back({cause.stat, scope.machine, scope.file, -1, lost});
  if (count.ambiguous > 0)
    report.bumps.push_back(
        {stats::ambiguous_clock_reading, scope.machine, scope.file, -1, count.ambiguous});
  for (const int64_t reading : count.lost_readings)
    report.logs.push_back(log_of_loss(cause, scope.file, reading));
  if (!cause.loses_packet) return;
  constexpr StatId kPacketLoss = stats::clock_sync_failure_undeferrable_packet_loss;
  report.bumps.push_back({kPacketLoss, scope.machine, scope.file, -1, lost});
}

void report_negative(const PlaceCount& count, bool is_proto, const Scope& scope,
                     std::vector<StatBump>& bumps) {
  const int64_t track_events = is_proto ? count.negative_track_events : 0;
  if (track_events > 0)
    bumps.push_back(
        {stats::track_event_invalid_timestamp, scope.machine, scope.file, -1, track_events});
  if (count.negative > track_events)
    bumps.push_back({stats::trace_sorter_negative_timestamp_dropped, scope.machine, scope.file, -1,
                     count.negative - track_events});
}

std::string_view key_of_text(StatId stat) {
  switch (stat) {
    case stats::ftrace_setup_errors:
      return "message";
    case stats::invalid_clock_snapshots:
      return "error";
    default:
      return kind_of(stat).name == "android_aflags_errors" ? "error" : "text";
  }
}

}  // namespace

void report_wrong_places(Store& store, std::vector<Problem>& problems) {
  constexpr int64_t kFewest = 3, kHundred = 100;
  const CausalityTable& causes = store.causality;
  PlacementTable& places = store.placements;
  const StringId timeline = store.strings.find("is_timeline");
  for (size_t row = 0; row < causes.rows(); ++row) {
    const int64_t certain = causes.certain[row];
    if (certain <= kFewest || certain * kHundred <= causes.pairs[row]) continue;
    const int64_t off = -causes.least_gap_ns[row];
    const auto raise = [&](uint32_t file, uint32_t machine) {
      bool has_raised = false;
      for (size_t at = 0; at < places.rows(); ++at) {
        const bool is_it = places.trace_id[at].row == file &&
                           places.machine_id[at].row == machine && places.rule[at] != timeline;
        const OptInt bound = places.uncertainty_ns[at];
        if (!is_it || bound.value == OptInt::kNull || bound.value >= off) continue;
        places.uncertainty_ns.at(at) = OptInt{off};
        has_raised = true;
      }
      return has_raised;
    };
    const bool has_raised = raise(causes.to_trace_id[row], causes.to_machine_id[row]) ||
                            raise(causes.from_trace_id[row], causes.from_machine_id[row]);
    if (!has_raised) continue;
    const StringId name = store.files.name[causes.to_trace_id[row]];
    problems.push_back(
        {name ? std::string(store.strings.get(name)) : "clocks",
         {ErrorCode::BadInput,
          fmt::format("{} of {} {} end before they start by more than the bound of their clocks: "
                      "the placement is wrong by up to {} ns",
                      certain, causes.pairs[row], store.strings.get(causes.kind[row]), off)}});
  }
}

PlacementReport report_placement(std::span<const PlacedBatch> batches,
                                 std::span<const std::vector<PlaceCount>> counts,
                                 const Located& located, const PlacingRules& rules, Store& store) {
  PlacementReport report{located.bumps, {}};
  for (const LocateLog& log : located.logs) {
    report.bumps.push_back({log.stat, log.scope.machine, log.scope.file});
    report.logs.push_back(
        {.stat = log.stat, .file = log.scope.file, .numbers = {{log.arg, log.value}}});
  }
  for (const RefusedSnapshot& refused : located.refused)
    report.logs.push_back({.stat = stats::invalid_clock_snapshots,
                           .file = refused.file,
                           .byte_offset = {refused.byte_offset == kNoOffset
                                               ? OptInt::kNull
                                               : static_cast<int64_t>(refused.byte_offset)},
                           .text = refused.why});
  std::set<Scope> lossy;
  for (size_t b = 0; b < batches.size(); ++b) {
    for (uint32_t c = 0; c < counts[b].size(); ++c) {
      const PlaceCount& count = counts[b][c];
      const Scope scope{batches[b].file, batches[b].machines[batches[b].clock_machines[c]]};
      if (count.no_path + count.ambiguous > 0) {
        report_losses(count, located.why(b, c), scope, report);
        lossy.insert(scope);
      }
      if (count.out_of_range > 0)
        report.bumps.push_back(
            {stats::timestamp_out_of_range, scope.machine, scope.file, -1, count.out_of_range});
      if (rules.drop_negative && count.negative > 0)
        report_negative(count, located.is_proto[b], scope, report.bumps);
    }
  }
  for (const Unrelatable& pair : located.unrelatable) {
    if (!lossy.contains(pair.scope)) continue;
    constexpr StatId kUnrelatable = stats::clock_sync_unrelatable_clock_domains;
    report.bumps.push_back({kUnrelatable, pair.scope.machine, pair.scope.file});
    report.logs.push_back({.stat = kUnrelatable,
                           .file = pair.scope.file,
                           .numbers = {{"source_clock_id", pair.source_domain},
                                       {"target_clock_id", pair.target_domain}}});
  }
  ErrorBounds bounds(located.graph, located.placement);
  for (const Line& line : lines_of(batches, counts, located))
    append_row(line, located, bounds, store);
  return report;
}

void add_read_report(std::span<const PlacedBatch> batches, PlacementReport& report) {
  // A file may have many batches, each with as many log rows as the limit for the file.
  absl::flat_hash_map<std::pair<uint32_t, StatId>, size_t> logged;
  for (const PlacedBatch& from : batches) {
    for (const StatCount& count : from.batch.stats)
      report.bumps.push_back(
          {count.stat, from.machines[count.machine], from.file, count.index, count.value});
    for (const LogRow& row : from.batch.log) {
      if (++logged[{from.file.row, row.stat}] > kMaxLogRows) continue;
      report.logs.push_back({.stat = row.stat,
                             .file = from.file,
                             .byte_offset = row.byte_offset == kNoOffset
                                                ? OptInt{}
                                                : OptInt{static_cast<int64_t>(row.byte_offset)},
                             .ts = {row.ts},  // kUnset is NULL
                             .text = row.text});
    }
    for (const Event& event : from.batch.timed_metadata)
      if (event.value == static_cast<int64_t>(TimeRule::Stat))
        report.bumps.push_back(
            {static_cast<StatId>(event.extra), from.machines[from.clock_machines[event.clock]],
             from.file, event.track == kNone ? -1 : static_cast<int32_t>(event.track), event.ts});
  }
}

void add_assemble_report(const AssembleReport& assembled, PlacementReport& report) {
  for (const AssembleStat& stat : assembled.stats) {
    report.bumps.push_back({stat.stat, {stat.machine}, stat.file, stat.index, stat.value});
    if (counts_lost_events(kind_of(stat.stat).level))
      report.bumps.push_back(
          {stats::placed_events_dropped, {stat.machine}, stat.file, -1, stat.value});
  }
  for (const AssembleLog& log : assembled.log)
    report.logs.push_back(
        {.stat = log.stat, .file = log.file, .ts = {log.ts}, .arg_set = log.arg_set_id});
}

void fill_import_log(std::span<const PendingLog> logs, Store& store) {
  ArgsTable& args = store.args;
  absl::flat_hash_map<StringId, uint32_t> keys;
  const auto key_of = [&](std::string_view name) {
    const StringId id = store.strings.intern(name);
    const auto [at, added] = keys.try_emplace(id, static_cast<uint32_t>(args.keys.size()));
    if (added) args.keys.push_back({id, id});
    return at->second;
  };
  for (const PendingLog& log : logs) {
    std::vector<ArgRow> rows;
    uint32_t set = log.arg_set;
    for (const auto& [name, value] : log.numbers)
      rows.push_back({value, key_of(name), ArgType::Int, false});
    if (!log.text.empty())
      rows.push_back({store.strings.intern(log.text).row, key_of(key_of_text(log.stat)),
                      ArgType::String, false});
    if (!rows.empty()) set = args.add(rows);
    ImportLogTable& table = store.import_logs;
    table.trace_id.append({log.file.row});
    table.ts.append(log.ts);
    table.byte_offset.append(log.byte_offset);
    table.stat_key.append(static_cast<uint32_t>(log.stat));
    table.arg_set_id.append({set});
  }
}

}  // namespace tracebraid
