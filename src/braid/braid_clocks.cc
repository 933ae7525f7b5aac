#include "braid/braid_clocks.h"

#include <cstring>
#include <type_traits>
#include <vector>

namespace tracebraid {
namespace {

// Records of fixed size, in the order of the graph.
struct StoredClock {
  uint32_t domain, sequence, file, machine;
  int64_t tick_ns;
};
struct StoredSnapshot {
  int64_t uncertainty_ns;
  uint64_t byte_offset;
  uint32_t file, clocks;  // how many
  uint32_t kind;
  uint16_t source, is_on_line;
};
struct StoredReading {
  int64_t ns;
  uint32_t clock, pad = 0;
};
struct StoredModel {
  uint32_t model, trace_time, clocks, pad = 0;
};

template <class T>
void put(std::string& to, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
bool take(std::string_view& from, T& value) {
  if (from.size() < sizeof value) return false;
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return true;
}

bool is_row(uint32_t row, size_t rows) { return row < rows || row == FileId::kNone; }

bool take_clock(std::string_view& bytes, const Store& store, ClockGraph& graph) {
  StoredClock clock{};
  if (!take(bytes, clock) || !is_row(clock.file, store.files.rows()) ||
      !is_row(clock.machine, store.machines.rows()) || clock.tick_ns <= 0)
    return false;
  const size_t before = graph.size();
  graph.add({clock.domain, clock.sequence, {clock.file}, {clock.machine}}, clock.tick_ns);
  return graph.size() == before + 1;
}

bool take_snapshot(std::string_view& bytes, const Store& store, ClockGraph& graph) {
  StoredSnapshot snapshot{};
  if (!take(bytes, snapshot) || !is_row(snapshot.file, store.files.rows()) ||
      snapshot.kind > static_cast<uint32_t>(EvidenceKind::Guessed) ||
      snapshot.source > static_cast<uint16_t>(kLastSource) ||
      snapshot.clocks > bytes.size() / sizeof(StoredReading))
    return false;
  std::vector<ClockReading> readings(snapshot.clocks);
  for (ClockReading& reading : readings) {
    StoredReading stored{};
    if (!take(bytes, stored) || stored.clock >= graph.size()) return false;
    reading = {.clock = {stored.clock}, .ticks = stored.ns, .tick_ns = kAlreadyNs};
  }
  const SnapshotOrigin origin{.kind = static_cast<EvidenceKind>(snapshot.kind),
                              .uncertainty_ns = snapshot.uncertainty_ns,
                              .file = {snapshot.file},
                              .byte_offset = snapshot.byte_offset,
                              .is_on_line = snapshot.is_on_line != 0,
                              .source = static_cast<EvidenceSource>(snapshot.source)};
  return graph.add_snapshot(readings, origin).has_value();
}

}  // namespace

std::string stored_clocks(const MergedClocks& clocks) {
  const ClockGraph& graph = clocks.graph;
  std::string bytes;
  put(bytes, StoredModel{static_cast<uint32_t>(clocks.placement.model()), graph.trace_time().row,
                         static_cast<uint32_t>(graph.size())});
  for (uint32_t row = 0; row < graph.size(); ++row) {
    const ClockKey& key = graph.key({row});
    put(bytes,
        StoredClock{key.domain, key.sequence, key.file.row, key.machine.row, graph.tick_ns({row})});
  }
  for (const ClockGraph::Snapshot& snapshot : graph.snapshots()) {
    const auto of = graph.clocks_of(snapshot);
    const auto readings = graph.readings_of(snapshot);
    put(bytes, StoredSnapshot{snapshot.origin.uncertainty_ns, snapshot.origin.byte_offset,
                              snapshot.origin.file.row, static_cast<uint32_t>(of.size()),
                              static_cast<uint32_t>(snapshot.origin.kind),
                              static_cast<uint16_t>(snapshot.origin.source),
                              static_cast<uint16_t>(snapshot.origin.is_on_line ? 1 : 0)});
    for (size_t i = 0; i < of.size(); ++i) put(bytes, StoredReading{readings[i], of[i].row});
  }
  return bytes;
}

std::shared_ptr<const MergedClocks> clocks_from(std::string_view bytes, const Store& store) {
  StoredModel model{};
  if (!take(bytes, model) || model.model > static_cast<uint32_t>(ClockModel::Stated))
    return nullptr;
  const auto clocks = std::make_shared<MergedClocks>();
  for (uint32_t i = 0; i < model.clocks; ++i)
    if (!take_clock(bytes, store, clocks->graph)) return nullptr;
  if (model.trace_time != ClockId::kNone) {
    if (model.trace_time >= model.clocks) return nullptr;
    clocks->graph.set_trace_time({model.trace_time});
  }
  while (!bytes.empty())
    if (!take_snapshot(bytes, store, clocks->graph)) return nullptr;
  clocks->placement = clocks->graph.solve(static_cast<ClockModel>(model.model));
  return clocks;
}

}  // namespace tracebraid
