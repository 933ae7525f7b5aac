// Fuzzes the clock graph with any snapshots of any clocks, in any order. Compares the result with
// hop-by-hop conversion, and with a cursor that was used for another reading before.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/assert.h"
#include "clock/clock_graph.h"
#include "clock/contradictions.h"
#include "clock/error_bounds.h"
#include "clock/ping.h"
#include "fuzz/fuzzed_bytes.h"

namespace tracebraid {
namespace {

constexpr uint32_t kMostClocks = 24;

class Bytes : public FuzzedBytes {
 public:
  using FuzzedBytes::FuzzedBytes;
  // Mostly small, sometimes at the ends of the range.
  int64_t number() {
    const uint8_t kind = byte();
    switch (kind & 7) {
      case 0:
        return signed_of(8);
      case 1:
        return INT64_MAX - (kind >> 3);
      case 2:
        return INT64_MIN + (kind >> 3);
      default:
        return int64_t{byte()} * 16 + (kind >> 4);
    }
  }
};

ClockGraph read_graph(Bytes& bytes, std::vector<int64_t>& readings) {
  ClockGraph graph;
  const uint32_t clocks = 1 + bytes.byte() % kMostClocks;
  for (uint32_t i = 0; i < clocks; ++i)
    graph.add({.domain = 1 + i, .sequence = i % 3, .file = FileId{}, .machine = MachineId{i % 2}});
  graph.set_trace_time(ClockId{0});
  while (!bytes.empty()) {
    const uint8_t shape = bytes.byte();
    std::vector<ClockReading> snapshot;
    for (int i = 0; i < (shape & 7); ++i) {
      const uint8_t flags = bytes.byte();
      ClockReading reading{.clock = ClockId{flags % clocks}, .ticks = bytes.number()};
      if (flags >= 240) reading.tick_ns = bytes.number();
      reading.incremental = flags >= 250;
      readings.push_back(reading.ticks);
      snapshot.push_back(reading);
    }
    const SnapshotOrigin origin{.kind = static_cast<EvidenceKind>((shape >> 3) % 6),
                                .uncertainty_ns = shape >= 224 ? bytes.number() : -1,
                                .is_on_line = shape % 32 == 7};
    std::ignore = graph.add_snapshot(snapshot, origin);
  }
  return graph;
}

// A placed clock has a path to trace time, whose remaining paths get shorter.
void check_paths(const ClockGraph& graph, const Placement& placement) {
  for (uint32_t row = 0; row < graph.size(); ++row) {
    const ClockId clock{row};
    const std::vector<ClockId> path = placement.path(clock);
    TB_ASSERT(path.empty() == !placement.node(clock).placed());
    TB_ASSERT(placement.node(clock).placed() == graph.are_connected(clock, graph.trace_time()));
    if (!path.empty()) TB_ASSERT(path.back() == graph.trace_time());
    TB_ASSERT(path.size() <= graph.size());
  }
}

void check_places(const ClockGraph& graph, const Placement& placement,
                  const std::vector<int64_t>& readings) {
  for (uint32_t row = 0; row < graph.size(); ++row) {
    const ClockId clock{row};
    PlaceCursor cursor = placement.cursor(clock);
    for (const int64_t ticks : readings) {
      int64_t ns = 0;
      const bool has = cursor.place(ticks, ns);
      const std::optional<TraceTime> fresh = placement.place({clock, ticks});
      TB_ASSERT(has == fresh.has_value());
      if (has) TB_ASSERT(fresh->ns == ns);
      if (has && clock == graph.trace_time()) TB_ASSERT(ns == ticks);
      if (!has) std::ignore = cursor.is_ambiguous(ticks);
    }
  }
}

// Bounds are not negative and not smaller for more readings, and contradictions exceed them.
void check_bounds(const ClockGraph& graph, const Placement& placement,
                  const std::vector<int64_t>& readings) {
  ErrorBounds bounds(graph, placement);
  for (uint32_t row = 0; row < graph.size(); ++row) {
    for (size_t i = 1; i < readings.size(); ++i) {
      const auto [first, last] = std::minmax(readings[i - 1], readings[i]);
      const int64_t worst = bounds.worst(ClockId{row}, first, last);
      TB_ASSERT(worst >= 0);
      TB_ASSERT(bounds.at(ClockId{row}, first) >= 0);
    }
  }
  for (const Contradiction& found : find_contradictions(graph, placement, bounds))
    TB_ASSERT(found.apart_ns > found.bound_ns && found.count > 0);
}

}  // namespace
}  // namespace tracebraid

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  if (size > 4096) return 0;
  Bytes bytes(data, size);
  std::vector<int64_t> readings;
  const ClockGraph graph = read_graph(bytes, readings);
  for (const ClockModel model : {ClockModel::Step, ClockModel::Linear, ClockModel::Stated}) {
    const Placement placement = graph.solve(model);
    check_paths(graph, placement);
    check_places(graph, placement, readings);
    TB_ASSERT(placement.pieces() < 1'000'000);
    check_bounds(graph, placement, readings);
  }
  std::ignore = graph.edges();

  std::vector<PingMessage> messages;
  for (size_t i = 0; i + 1 < readings.size(); i += 2) {
    if (i % 4 == 0) messages.emplace_back();
    messages.back()[i % 3 == 0 ? 6 : 1] = {readings[i], readings[i + 1]};
  }
  std::ignore = estimate_offsets(messages);
  return 0;
}
