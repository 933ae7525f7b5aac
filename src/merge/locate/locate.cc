#include "merge/locate/locate.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "merge/align/causality.h"
#include "merge/align/content.h"
#include "merge/align/kept_content.h"
#include "merge/locate/base_times.h"
#include "merge/locate/clocks.h"
#include "merge/locate/dates.h"
#include "merge/locate/evidence.h"
#include "merge/locate/fallbacks.h"
#include "merge/locate/machines.h"
#include "merge/locate/manifest.h"
#include "merge/locate/set_back.h"
#include "merge/locate/split.h"
#include "merge/locate/stats.h"
#include "merge/locate/switches.h"
#include "merge/locate/sync.h"
#include "merge/locate/tables.h"
#include "merge/locate/wall_clocks.h"
#include "merge/stats.h"

namespace tracebraid {
namespace {

// Returns the timeline that the manifest states, else the first file with a clock.
Timeline timeline_of(const Manifest* manifest, const ManifestIndex& index,
                     std::span<const FileToLocate> files, const Trackers& trackers,
                     MachineRegistry& registry, Store& store) {
  if (manifest == nullptr || !manifest->trace_time)
    return choose_timeline(files, registry, trackers);
  const TraceTimeChoice& time = *manifest->trace_time;
  // The clock belongs to the first machine if no file is given (spec clocks 15.1 A3).
  MachineId machine{0};
  if (time.file)
    machine = machine_of(index, *index.entry(*time.file), time.machine, registry, store);
  return {canonical_key(time.clock, machine), TimelineSource::Manifest, manifest->file};
}

// Returns the node of each clock of each batch; none for times that need no conversion.
std::vector<std::vector<ClockId>> add_nodes(std::span<const FileToLocate> files,
                                            const MachineRegistry& registry,
                                            const Trackers& trackers, ClockGraph& graph) {
  std::vector<std::vector<ClockId>> nodes;
  for (const BatchTrackers& batch : trackers.batches) {
    std::vector<ClockId>& of_batch = nodes.emplace_back();
    for (const ClockName& name : batch.batch->clocks) {
      const std::optional<ClockKey> key = key_of(name, batch, files, registry, trackers);
      of_batch.push_back(key ? graph.add(*key, name.tick_ns) : ClockId{});
    }
  }
  return nodes;
}

std::vector<ClockPlace> places_of(const EventBatch& batch, bool is_proto,
                                  const std::vector<ClockId>& nodes, const ClockGraph& graph) {
  std::vector<ClockPlace> places;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const ClockName& name = batch.clocks[i];
    ClockPlace place{.keep_raw_on_failure = name.on_failure == OnFailure::KeepRaw,
                     .loses_packet = is_proto && name.on_failure != OnFailure::DropPart};
    if (nodes[i]) {
      place.kind = ClockPlace::Kind::Node;
      place.node = nodes[i];
      place.tick_ns = graph.tick_ns(nodes[i]);
    } else if (name.domain == kLatestTime) {
      place.kind = ClockPlace::Kind::Latest;
    }
    places.push_back(place);
  }
  return places;
}

// Time zones that files state, in ns ahead of UTC, by machine.
using ZoneOfMachine = absl::flat_hash_map<MachineId, int64_t>;

ZoneOfMachine zones_of(const Trackers& trackers) {
  constexpr int64_t kMinute = 60'000'000'000, kMostMinutes = 24 * 60;
  ZoneOfMachine zones;
  for (const BatchTrackers& batch : trackers.batches) {
    for (const MachineFacts& facts : batch.batch->machine_facts) {
      const int64_t minutes = facts.timezone_off_mins;
      if (minutes < -kMostMinutes || minutes > kMostMinutes) continue;
      zones.try_emplace(trackers.at(batch.by_machine[facts.machine]).machine, minutes * kMinute);
    }
  }
  return zones;
}

void set_zones(const BatchTrackers& batch, const Trackers& trackers, const ZoneOfMachine& zones,
               std::vector<ClockPlace>& places) {
  for (size_t i = 0; i < places.size(); ++i) {
    const ClockName& name = batch.batch->clocks[i];
    if (name.domain != kLocalTime && name.domain != kLocalTimeOfYear) continue;
    const auto zone = zones.find(trackers.at(batch.by_machine[name.machine]).machine);
    if (zone != zones.end()) places[i].zone_ns = zone->second;
  }
}

void describe_batches(std::span<const FileToLocate> files, const Trackers& trackers,
                      std::span<const std::vector<ClockId>> nodes, Located& located) {
  const ZoneOfMachine zones = zones_of(trackers);
  for (size_t i = 0; i < trackers.batches.size(); ++i) {
    const BatchTrackers& batch = trackers.batches[i];
    std::vector<MachineId>& machines = located.machines.emplace_back();
    for (const uint32_t tracker : batch.by_machine)
      machines.push_back(trackers.at(tracker).machine);
    const bool is_proto = files[batch.file].format->rank == ArchiveRank::Proto;
    located.clocks.push_back(places_of(*batch.batch, is_proto, nodes[i], located.graph));
    set_zones(batch, trackers, zones, located.clocks.back());
    located.is_proto.push_back(is_proto);
  }
  for (const Tracker& tracker : trackers.all)
    located.scopes.push_back({files[tracker.file].file, tracker.machine});
}

void fill_metadata_rows(const Manifest* manifest, const Timeline& timeline, Store& store) {
  MetadataWriter writer(store);
  if (timeline.source != TimelineSource::None)
    writer.put({.key = "trace_time_clock_id", .number = {timeline.key.domain}});
  if (manifest == nullptr) return;
  for (const Attribute& attribute : manifest->attributes) {
    const std::string key = "manifest_attribute." + attribute.key;
    if (const auto* number = std::get_if<int64_t>(&attribute.value))
      writer.put({.key = key, .number = {*number}});
    else
      writer.put(
          {.key = key, .text = store.strings.intern(std::get<std::string>(attribute.value))});
  }
}

// Adds the relations of content to the graph.
Result<std::vector<Contradiction>> relate_by_content(
    std::span<const FileToLocate> files, const MachineRegistry& registry, const Trackers& trackers,
    std::span<const std::vector<ClockId>> nodes, const LocateOptions& options,
    const SyncReport& syncs, const WallClockErrors& wall_clocks, std::span<align::MatchSet> sets,
    Located& located) {
  if (sets.empty()) return {};
  // The relations without content. Machines meet on wall-clock time only in this copy, because
  // those that content relates need no meeting of their own.
  ClockGraph prior = located.graph;
  SyncReport unused = syncs;
  meet_on_wall_clock(files, registry, trackers, wall_clocks, prior);
  TB_TRY(add_sync_markers(options.sync, unused, prior));
  auto [contradictions, hops] = align::add_content(files, nodes, options.align, options.model,
                                                   prior, sets, located.graph, located.warnings);
  located.content = std::move(hops);
  align::count_sets(sets, located.bumps);
  if (!contradictions.empty())
    located.bumps.push_back({.stat = stats::clock_evidence_contradicted,
                             .value = static_cast<int64_t>(contradictions.size())});
  return contradictions;
}

// Returns the nodes of the clocks of each batch.
std::vector<std::vector<ClockId>> nodes_of(const Located& located) {
  std::vector<std::vector<ClockId>> nodes;
  for (const std::vector<ClockPlace>& places : located.clocks) {
    std::vector<ClockId>& of_batch = nodes.emplace_back();
    for (const ClockPlace& place : places) of_batch.push_back(place.node);
  }
  return nodes;
}

// Compares causes and effects in different recordings.
Result<> check_causes(std::span<const FileToLocate> files, const Manifest* manifest,
                      const LocateOptions& options, const Trackers& trackers,
                      align::KeptContent* kept, const align::Content& content,
                      std::span<const std::vector<ClockId>> nodes, Located& located, Store& store) {
  const std::array<align::Causes, 6> causes = content.causes();
  const std::array<align::Meetings, 2> meetings = content.meetings();
  const align::CausalityInput input{meetings, causes};
  const align::PlacedClocks now{located.graph, located.placement, nodes};
  const bool has_pairs =
      std::ranges::any_of(causes, [](const align::Causes& of) { return !of.links->empty(); }) ||
      std::ranges::any_of(meetings, [](const align::Meetings& of) { return of.ranks.size() > 1; });
  if (!has_pairs) return {};
  if (located.content.empty()) {
    located.violations = align::check_causality(input, trackers, now, nullptr, store);
    return {};
  }
  LocateOptions without = options;
  without.align.kinds = 0;
  without.checks_causality = false;
  Store scratch;
  TB_TRY_ASSIGN(const Located other, locate(files, manifest, without, scratch, kept));
  const std::vector<std::vector<ClockId>> other_nodes = nodes_of(other);
  const align::PlacedClocks before{other.graph, other.placement, other_nodes};
  located.violations = align::check_causality(input, trackers, now, &before, store);
  return {};
}

}  // namespace

Result<Located> locate(std::span<const FileToLocate> files, const Manifest* manifest,
                       const LocateOptions& options, Store& store, align::KeptContent* kept) {
  Located located;
  ClockGraph& graph = located.graph;
  const Manifest none;
  const ManifestIndex index(manifest != nullptr ? *manifest : none);

  // Assigns machines to files.
  TB_TRY_ASSIGN(MachineRegistry registry, assign_machines(files, manifest, index, store));
  TB_TRY(split_machines(files, options.strict, registry, store, located.warnings));
  Trackers trackers = make_trackers(files, registry);
  if (manifest != nullptr) isolate_related_files(*manifest, index, registry, store, trackers);
  if (options.files_choose_kinds) limit_kinds(registry, trackers);
  std::vector<SameSwitches> same;
  if (options.align.places && options.align.has(AlignKind::TaskSwitches))
    same = find_same_switches(files, registry, trackers, located.warnings);
  fill_machine_facts(files, registry, store);
  if (manifest != nullptr) note_skews(*manifest, store, registry, located.warnings);

  // Chooses the timeline.
  const Timeline timeline = timeline_of(manifest, index, files, trackers, registry, store);
  located.timeline = timeline.source;
  located.timeline_file = timeline.file;
  store.timeline_machine = timeline.key.machine.row;
  fill_metadata_rows(manifest, timeline, store);

  for (const ClockPair& pair : options.excluded) graph.exclude(pair);

  // Adds all evidence, best first: statements and measurements, then files of one machine,
  // wall-clock time, and guesses.
  const std::vector<std::vector<ClockId>> nodes = add_nodes(files, registry, trackers, graph);
  graph.set_trace_time(graph.add(timeline.key));
  if (manifest != nullptr) {
    TB_TRY_ASSIGN(located.relations,
                  add_manifest_edges(*manifest, index, files, trackers, registry, store, graph));
    TB_TRY(tie_clock_groups(*manifest, index, files, trackers, registry, store, graph,
                            located.warnings));
  }
  EvidenceReport report;
  add_file_evidence(files, registry, trackers, nodes, graph, report);
  add_base_times(files, registry, trackers, nodes, graph, report);
  add_same_switches(same, nodes, graph);
  SyncReport syncs = add_named_clocks(files, registry, trackers, nodes, options.sync, graph);
  tie_isolated_clocks(graph);
  align::Content own;
  if (kept == nullptr && trackers.all.size() > 1)
    own = align::match_findings(align::read_findings(files, trackers, align::EventKinds(trackers),
                                                     options.align, options.join_flows),
                                trackers, options.align);
  const align::Content& content =
      kept == nullptr ? own : kept->find(trackers, options.align, options.join_flows);
  const WallClockErrors wall_clocks =
      wall_clock_errors(content.found.wall_clocks, files, trackers, located.warnings);
  std::vector<align::MatchSet> sets = kept == nullptr ? std::exchange(own.sets, {}) : content.sets;
  TB_TRY_ASSIGN(const std::vector<Contradiction> contradictions,
                relate_by_content(files, registry, trackers, nodes, options, syncs, wall_clocks,
                                  sets, located));
  meet_on_wall_clock(files, registry, trackers, wall_clocks, graph);
  TB_TRY(add_sync_markers(options.sync, syncs, graph));
  tie_own_clocks(files, registry, trackers, graph);
  place_by_dates(files, registry, trackers, nodes, wall_clocks, options.model, graph);
  located.unrelatable = guess_the_rest(files, registry, trackers, graph);
  located.logs = std::move(report.logs);
  located.refused = std::move(report.refused);
  std::ranges::move(syncs.logs, std::back_inserter(located.logs));
  if (report.invalid_snapshots > 0)
    located.bumps.push_back(
        {.stat = stats::invalid_clock_snapshots, .value = report.invalid_snapshots});

  // Finds the place of each clock.
  located.placement = graph.solve(options.model);
  if (set_margins(files, trackers, nodes, located.placement, graph))
    located.placement = graph.solve(options.model);
  describe_batches(files, trackers, nodes, located);
  located.labels = label_clocks(graph, files, store);
  fill_clock_snapshots(located, report, store);
  fill_clocks(located, store);
  fill_clock_edges(located, store);
  align::fill_match_sets(sets, nodes, located.placement, store);
  fill_json_clocks(syncs, located, store);
  report_contradictions(located, store);
  for (const Contradiction& found : contradictions) fill_contradiction(found, located, store);
  if (options.checks_causality)
    TB_TRY(check_causes(files, manifest, options, trackers, kept, content, nodes, located, store));
  return located;
}

}  // namespace tracebraid
