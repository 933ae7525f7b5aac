// Two recordings with flows between them: worlds A5 to A8, A14 and A21 of spec alignment 13. For
// tests.
#pragma once

#include <set>

#include "event/flow_join.h"
#include "merge/align/world.h"

namespace tracebraid::located_files {

inline void add_flow(File& file, EventKind kind, uint64_t id, int64_t ticks,
                     uint32_t domain = kNone) {
  file.event("flow", ticks, domain);
  Event& event = file.batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(kind);
  event.value = static_cast<int64_t>(id);
}

// Returns an id that looks global.
inline uint64_t draw_flow_id(WorldRandom& random) {
  for (;;)
    if (const uint64_t id = (random() | 1) & 0x7ffffffffffffffd; is_evidently_global(id)) return id;
}

struct FlowWorld : AlignWorld {
  double least_ab = 0, least_ba = 0, tail = 20e3;  // delays, ns
  double span = 30e9;                              // ns
  double wrong = 0;                                // share of flows whose end is another one's
  int flows = 300;
  bool both_ways = true, are_global = true;
  uint32_t domain = kNone;         // of the events
  uint32_t second_domain = kNone;  // of those of the second file, if it is another one
  std::set<uint64_t> early_flows;  // that end before they start

  uint32_t domain_of(size_t file) const {
    return file == 1 && second_domain != kNone ? second_domain : domain;
  }
};

inline FlowWorld draw_flows(WorldRandom& random) {
  FlowWorld world;
  world.least_ab = draw(random, 50e3, 1e6);
  world.least_ba = draw(random, 50e3, 1e6);
  // Clocks of JSON files count from their start.
  for (int i = 0; i < 2; ++i) world.clocks.push_back(draw_clock(random, 1e12));
  return world;
}

// Adds the flows and the probes to the two files.
inline void add_flows(FlowWorld& world, WorldRandom& random) {
  struct TrueFlow {
    uint64_t id;
    size_t from;
    double sent, received;
  };
  std::exponential_distribution<double> tail(1 / world.tail);
  std::vector<TrueFlow> flows;
  std::vector<size_t> wrong[2];  // by direction
  for (int i = 0; i < world.flows; ++i) {
    const size_t from = world.both_ways ? static_cast<size_t>(i) % 2 : 0;
    const double sent = draw(random, 0, world.span);
    const double takes = (from == 0 ? world.least_ab : world.least_ba) + tail(random);
    // Small numbers do not look global.
    const uint64_t id = world.are_global ? draw_flow_id(random) : static_cast<uint64_t>(i);
    if (draw(random, 0, 1) < world.wrong) wrong[from].push_back(flows.size());
    flows.push_back({id, from, sent, sent + takes});
  }
  for (const std::vector<size_t>& of_way : wrong)
    for (size_t i = 1; i < of_way.size(); ++i)
      std::swap(flows[of_way[i - 1]].received, flows[of_way[i]].received);
  for (const TrueFlow& flow : flows) {
    if (flow.received < flow.sent) world.early_flows.insert(flow.id);
    add_flow(world.files[flow.from], EventKind::FlowStart, flow.id,
             world.clocks[flow.from].at(flow.sent), world.domain_of(flow.from));
    add_flow(world.files[1 - flow.from], EventKind::FlowEnd, flow.id,
             world.clocks[1 - flow.from].at(flow.received), world.domain_of(1 - flow.from));
  }
  for (size_t file = 0; file < 2; ++file)
    for (int k = 0; k < 2; ++k)
      world.files[file].event(fmt::format("end{}.{}", file, k),
                              world.clocks[file].at(k * world.span), world.domain_of(file));
  // Bounds grow towards the first and the last flow.
  world.first = world.span * 0.05;
  world.last = world.span * 0.95;
  world.add_probes([&](size_t file) { return world.domain_of(file); });
}

inline void simulate_flows(FlowWorld& world, WorldRandom& random) {
  world.files.emplace_back("a.json", kJson);
  world.files.emplace_back("b.json", kJson);
  add_flows(world, random);
}

// Two machines whose wall clocks are `off` ns apart.
inline void simulate_machines(FlowWorld& world, double off, WorldRandom& random) {
  world.files.emplace_back("a.pb", kProto);
  world.files.emplace_back("b.pb", kProto);
  world.domain = B;
  for (size_t i = 0; i < 2; ++i)
    for (const double at : {0.0, world.span})
      world.files[i].snap(
          {{B, world.clocks[i].at(at)}, {R, W + std::llround(at + (i == 0 ? 0 : off))}});
  add_flows(world, random);
}

inline std::string rule_of_second(const Outcome& outcome) {
  return std::string(outcome.located.rule(outcome.located.clocks[1][0].node));
}

}  // namespace tracebraid::located_files
