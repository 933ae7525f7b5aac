#include "merge/locate/tables.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <tuple>

#include "clock/contradictions.h"
#include "merge/locate/sync.h"

namespace tracebraid {
namespace {

std::string machine_label(MachineId machine, const Store& store) {
  if (!machine || machine.row >= store.machines.rows()) return "host";
  const StringId name = store.machines.name[machine.row];
  if (name) return std::string(store.strings.get(name));
  const int64_t raw_id = store.machines.raw_id[machine.row];
  return raw_id == 0 ? "host" : fmt::format("machine {}", raw_id);
}

std::string domain_label(uint32_t domain) {
  const std::string_view name = clock_name(domain);
  return name.empty() ? fmt::format("clock {}", domain) : std::string(name);
}

using FileNames = absl::flat_hash_map<FileId, std::string>;

std::string label(const ClockKey& key, const FileNames& files, const Store& store) {
  std::string text = key.domain == domain::kPrivate ? "own timeline" : domain_label(key.domain);
  if (key.domain == domain::kPrivate && !key.file) return "times as they stand";
  if (key.sequence != 0) text += fmt::format(" of sequence {}", key.sequence);
  if (key.domain != domain::kPrivate) text += " of " + machine_label(key.machine, store);
  if (key.file) {
    const auto at = files.find(key.file);
    text += key.domain == domain::kPrivate ? " of " : " in ";
    text += at == files.end() ? fmt::format("file {}", key.file.row) : at->second;
  }
  return text;
}

// Returns the hops of the paths of all clocks with events.
using Hop = std::tuple<ClockId, ClockId, EvidenceKind>;
absl::flat_hash_set<Hop> hops_in_use(const Located& located) {
  absl::flat_hash_set<Hop> hops;
  for (const std::vector<ClockPlace>& batch : located.clocks) {
    for (const ClockPlace& place : batch) {
      if (place.kind != ClockPlace::Kind::Node) continue;
      for (ClockId at = place.node; located.placement.node(at).placed();) {
        const Placement::Node& node = located.placement.node(at);
        if (!node.next) break;
        const Hop hop{std::min(at, node.next), std::max(at, node.next), node.hop};
        if (!hops.insert(hop).second) break;  // the rest of the path is known, too
        at = node.next;
      }
    }
  }
  return hops;
}

OptInt bounded(int64_t uncertainty_ns) {
  return {uncertainty_ns == kUnbounded ? OptInt::kNull : uncertainty_ns};
}

}  // namespace

std::vector<std::string> label_clocks(const ClockGraph& graph, std::span<const FileToLocate> files,
                                      const Store& store) {
  FileNames names;
  for (const FileToLocate& file : files) {
    const bool is_named = file.name && !file.name->empty();
    const std::string& name = is_named ? *file.name : file.manifest_path;
    names[file.file] = name.empty() ? fmt::format("file {}", file.file.row) : name;
  }
  std::vector<std::string> labels;
  for (uint32_t row = 0; row < graph.size(); ++row)
    labels.push_back(label(graph.key(ClockId{row}), names, store));
  return labels;
}

void fill_clock_snapshots(const Located& located, const EvidenceReport& report, Store& store) {
  const ClockGraph& graph = located.graph;
  std::vector<PlaceCursor> cursors;
  for (uint32_t row = 0; row < graph.size(); ++row) {
    cursors.push_back(located.placement.cursor(ClockId{row}));
  }
  ClockSnapshotTable& table = store.clock_snapshots;
  const auto snapshots = graph.snapshots();
  for (uint32_t i = 0; i < snapshots.size(); ++i) {
    if (report.unrecorded.contains(i)) continue;
    const auto clocks = graph.clocks_of(snapshots[i]);
    const auto readings = graph.readings_of(snapshots[i]);
    std::optional<int64_t> common;
    for (size_t k = 0; k < clocks.size(); ++k)
      if (clocks[k] == graph.trace_time()) common = readings[k];
    for (size_t k = 0; k < clocks.size(); ++k) {
      int64_t ts = common.value_or(0);
      if (!common && !cursors[clocks[k].row].place_ns(readings[k], ts)) continue;
      const ClockKey& key = graph.key(clocks[k]);
      const std::string_view name = clock_name(key.domain);
      table.ts.append(ts);
      table.clock_id.append(key.domain);
      table.clock_name.append(name.empty() ? StringId{} : store.strings.intern(name));
      table.clock_value.append(readings[k]);
      table.snapshot_id.append(snapshots[i].id);
      table.machine_id.append({key.machine.row});
    }
  }
}

void fill_clocks(const Located& located, Store& store) {
  ClockTable& table = store.clocks;
  for (uint32_t row = 0; row < located.graph.size(); ++row) {
    const ClockKey& key = located.graph.key(ClockId{row});
    const std::string_view name = clock_name(key.domain);
    const std::string text = key.domain == domain::kPrivate ? "PRIVATE"
                             : name.empty()                 ? fmt::format("{}", key.domain)
                                                            : std::string(name);
    table.domain.append(key.domain);
    table.name.append(store.strings.intern(text));
    table.machine_id.append({key.machine.row});
    table.trace_id.append({key.file.row});
    table.sequence.append({key.sequence == 0 ? OptInt::kNull : int64_t{key.sequence}});
    table.readings.append(located.graph.readings(ClockId{row}));
    const Placement::Node& node = located.placement.node(ClockId{row});
    table.segments.append(node.segments);
    table.label.append(store.strings.intern(located.labels[row]));
    const bool has_next = node.placed() && node.next;
    table.next_clock.append({has_next ? node.next.row : OptRow::kNull});
    table.next_kind.append(has_next ? store.strings.intern(name_of(node.hop)) : StringId{});
  }
}

void fill_clock_edges(const Located& located, Store& store) {
  const absl::flat_hash_set<Hop> used = hops_in_use(located);
  ClockEdgeTable& table = store.clock_edges;
  for (const ClockGraph::Edge& edge : located.graph.edges()) {
    table.from_clock.append(edge.from.row);
    table.to_clock.append(edge.to.row);
    table.kind.append(store.strings.intern(name_of(edge.kind)));
    table.source.append(store.strings.intern(name_of(edge.kind, edge.source)));
    table.observations.append(edge.observations);
    table.uncertainty_ns.append(bounded(edge.uncertainty_ns));
    table.trace_id.append({edge.file.row});
    table.byte_offset.append(
        {edge.byte_offset == kNoOffset ? OptInt::kNull : static_cast<int64_t>(edge.byte_offset)});
    table.is_used.append(used.contains(Hop{edge.from, edge.to, edge.kind}) ? 1 : 0);
  }
}

void fill_contradiction(const Contradiction& found, const Located& located, Store& store) {
  ClockContradictionTable& table = store.clock_contradictions;
  const std::string a = located.path_text(found.a), b = located.path_text(found.b);
  table.clock_a.append(found.a.row);
  table.clock_b.append(found.b.row);
  table.kind.append(store.strings.intern(name_of(found.kind)));
  table.observations.append(found.count);
  table.apart_ns.append(found.apart_ns);
  table.bound_ns.append(found.bound_ns);
  table.reading_a.append(found.reading_a);
  table.reading_b.append(found.reading_b);
  table.path_a.append(store.strings.intern(a));
  table.path_b.append(store.strings.intern(b));
  table.trace_id.append({found.file.row});
  table.byte_offset.append(
      {found.byte_offset == kNoOffset ? OptInt::kNull : static_cast<int64_t>(found.byte_offset)});
}

void report_contradictions(Located& located, Store& store) {
  ErrorBounds bounds(located.graph, located.placement);
  for (const Contradiction& found : find_contradictions(located.graph, located.placement, bounds)) {
    fill_contradiction(found, located, store);
    const std::string a = located.path_text(found.a), b = located.path_text(found.b);
    const bool has_file =
        found.file && found.file.row < store.files.rows() && store.files.name[found.file.row];
    located.warnings.push_back(
        {has_file ? std::string(store.strings.get(store.files.name[found.file.row])) : "clocks",
         {ErrorCode::BadInput,
          fmt::format("its evidence ({}) that {} showed {} ns when {} showed {} ns contradicts the "
                      "placement by {} ns, and at most {} ns is possible; the paths are {} and {}",
                      name_of(found.kind), located.labels[found.a.row], found.reading_a,
                      located.labels[found.b.row], found.reading_b, found.apart_ns, found.bound_ns,
                      a, b)}});
  }
}

void fill_json_clocks(const SyncReport& report, const Located& located, Store& store) {
  const auto text = [&](std::string_view s) { return store.strings.intern(s); };
  JsonClockSyncMarkerTable& markers = store.json_clock_sync_markers;
  for (const SyncReport::Marker& marker : report.markers) {
    const SyncReport::NamedClock& clock = report.clocks[marker.clock];
    markers.trace_file_id.append(clock.scope.file.row);
    markers.domain.append(text(clock.domain));
    markers.sync_id.append(text(marker.sync_id));
    markers.start_ts.append(marker.begin);
    markers.end_ts.append(marker.end);
    markers.role.append(text(marker.is_issuer ? "issuer" : "receiver"));
  }
  const auto is_hop = [&](ClockId from, ClockId to) {
    return located.placement.node(from).placed() && located.placement.node(from).next == to;
  };
  JsonClockEdgeTable& edges = store.json_clock_edges;
  for (const SyncReport::Sync& sync : report.syncs) {
    const ClockId from = report.clocks[sync.from].node, to = report.clocks[sync.to].node;
    edges.from_domain.append(text(report.clocks[sync.from].domain));
    edges.to_domain.append(text(report.clocks[sync.to].domain));
    edges.offset_ns.append(sync.at_to - sync.at_from);
    edges.error_ns.append(sync.error_ns);
    edges.sync_id.append(text(sync.sync_id));
    edges.is_used.append(sync.is_best && (is_hop(from, to) || is_hop(to, from)) ? 1 : 0);
  }
  JsonTraceClockTable& clocks = store.json_trace_clocks;
  for (const SyncReport::NamedClock& clock : report.clocks) {
    const Placement::Node& node = located.placement.node(clock.own);
    // Offset and drift from time 0 of the file.
    constexpr int64_t kSlopeOver = 1'000'000'000;
    PlaceCursor cursor = located.placement.cursor(clock.own);
    int64_t offset = 0, later = 0;
    const bool has_offset = cursor.place_ns(0, offset);
    const bool has_slope = has_offset && cursor.place_ns(kSlopeOver, later);
    clocks.trace_file_id.append(clock.scope.file.row);
    clocks.domain.append(text(clock.domain));
    clocks.offset_ns.append(has_offset ? OptInt{offset} : OptInt{});
    clocks.slope.append(has_slope ? static_cast<double>(later - offset) / kSlopeOver : 1.0);
    clocks.error_ns.append(node.placed() ? bounded(node.uncertainty_ns) : OptInt{});
    clocks.path.append(node.placed() ? text(located.path_text(clock.own)) : StringId{});
  }
}

}  // namespace tracebraid
