#include "clock/clock_graph.h"

#include <gtest/gtest.h>

#include <limits>

namespace tracebraid {
namespace {

constexpr uint32_t R = 1, RC = 2, M = 3, MC = 4, MR = 5, B = 6;

// A graph of one machine with domain numbers as names of clocks (spec clocks 14.1).
class Machine {
 public:
  explicit Machine(uint32_t trace_time = B) {
    if (trace_time != 0) graph.set_trace_time(clock(trace_time));
  }
  ClockId clock(uint32_t domain, uint32_t sequence = 0) {
    return graph.add({.domain = domain, .sequence = sequence, .machine = MachineId{0}});
  }
  bool snap(std::initializer_list<std::pair<uint32_t, int64_t>> readings) {
    std::vector<ClockReading> all;
    for (const auto& [domain, ticks] : readings) all.push_back({clock(domain), ticks});
    return add(all);
  }
  bool add(const std::vector<ClockReading>& readings, EvidenceKind kind = EvidenceKind::Measured) {
    Result<> added = graph.add_snapshot(readings, {.kind = kind});
    error = added ? "" : added.error().message;
    return added.has_value();
  }
  std::optional<int64_t> at(uint32_t domain, int64_t ticks) { return at(clock(domain), ticks); }
  std::optional<int64_t> at(ClockId id, int64_t ticks) {
    const auto time = graph.solve(ClockModel::Step).place({id, ticks});
    return time ? std::optional(time->ns) : std::nullopt;
  }
  // Conversion to another clock than trace time.
  std::optional<int64_t> to(uint32_t target, uint32_t domain, int64_t ticks) {
    ClockGraph other = graph;
    other.set_trace_time(clock(target));
    const auto time = other.solve(ClockModel::Step).place({clock(domain), ticks});
    return time ? std::optional(time->ns) : std::nullopt;
  }

  ClockGraph graph;
  std::string error;
};

TEST(ClockGraph, ClockDomainConversions) {
  Machine m;
  EXPECT_FALSE(m.at(R, 0));
  m.snap({{R, 10}, {B, 10010}});
  m.snap({{R, 20}, {B, 20220}});
  m.snap({{R, 30}, {B, 30030}});
  m.snap({{M, 1000}, {B, 100000}});
  const std::pair<int64_t, int64_t> realtime[] = {
      {0, 10000},  {1, 10001},  {9, 10009},  {10, 10010}, {11, 10011}, {19, 10019},
      {20, 20220}, {21, 20221}, {29, 20229}, {30, 30030}, {40, 30040}};
  for (const auto& [from, to] : realtime) EXPECT_EQ(m.at(R, from), to);
  EXPECT_EQ(m.at(M, 0), 99000);
  EXPECT_EQ(m.at(M, 999), 99999);
  EXPECT_EQ(m.at(M, 1000), 100000);
  EXPECT_EQ(m.at(M, 1000000), 1099000);
}

TEST(ClockGraph, ExcludedPairsConnectNothing) {
  Machine m;
  const auto key = [&](uint32_t domain) { return m.graph.key(m.clock(domain)); };
  m.graph.exclude({key(R), key(B), EvidenceKind::Measured});
  m.snap({{R, 10}, {B, 1010}});
  EXPECT_FALSE(m.at(R, 10));
  EXPECT_FALSE(m.graph.are_connected(m.clock(R), m.clock(B)));
  EXPECT_TRUE(m.graph.edges().empty());

  // Other evidence of the same snapshots, and other kinds, stay.
  m.snap({{R, 10}, {B, 1010}, {M, 510}});
  EXPECT_EQ(m.at(R, 20), 1020);
  EXPECT_TRUE(m.graph.are_connected(m.clock(R), m.clock(B)));
  ASSERT_EQ(m.graph.edges().size(), 2U);
  const Placement placement = m.graph.solve(ClockModel::Step);
  EXPECT_EQ(placement.node(m.clock(R)).next, m.clock(M));
  EXPECT_TRUE(m.graph.tie(m.clock(R), m.clock(B), EvidenceKind::Guessed));
  EXPECT_EQ(m.graph.edges().size(), 3U);
}

TEST(ClockGraph, RealTimeClockMovingBackwards) {
  Machine m;
  m.snap({{B, 10010}, {R, 10}});
  EXPECT_EQ(m.at(R, 11), 10011);
  m.snap({{B, 10020}, {R, 20}});
  m.snap({{B, 30040}, {R, 40}});
  m.snap({{B, 40030}, {R, 30}});
  EXPECT_FALSE(m.at(R, 35)) << "shown twice";
  const Placement placement = m.graph.solve(ClockModel::Step);
  EXPECT_TRUE(placement.cursor(m.clock(R)).is_ambiguous(35));
  EXPECT_FALSE(m.at(R, 11)) << "in reach of the segment that begins at 30";
  EXPECT_TRUE(placement.cursor(m.clock(R)).is_ambiguous(11));
  EXPECT_FALSE(placement.cursor(m.clock(R)).is_ambiguous(std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(m.to(R, B, 10011), 11);
  EXPECT_EQ(m.to(R, B, 10029), 29);
  EXPECT_EQ(m.to(R, B, 40030), 30);
  EXPECT_EQ(m.to(R, B, 40040), 40);
  m.snap({{B, 50000}, {R, 50}});
  EXPECT_EQ(m.to(R, B, 50005), 55);
  m.snap({{B, 60020}, {R, 20}});
  EXPECT_EQ(m.to(R, B, 60020), 20);
}

TEST(ClockGraph, ChainedResolutionSimple) {
  Machine m;
  m.snap({{MC, 1}, {M, 11}});
  m.snap({{M, 100}, {B, 1100}});
  m.snap({{M, 200}, {B, 2200}});
  EXPECT_EQ(m.at(M, 110), 1110);
  EXPECT_EQ(m.at(MC, 100), 1110);
  EXPECT_EQ(m.at(MC, 202), 2212);
}

TEST(ClockGraph, ChainedResolutionHard) {
  Machine m;
  m.snap({{MR, 10}, {MC, 9}});
  m.snap({{MC, 100}, {M, 50}});
  m.snap({{M, 1}, {B, 1001}, {R, 10001}});
  m.snap({{M, 101}, {B, 2101}, {R, 9101}});
  EXPECT_EQ(m.to(MC, MR, 2), 1);
  EXPECT_EQ(m.to(MR, MC, 1), 2);
  EXPECT_EQ(m.to(MC, MR, 100001), 100000);
  EXPECT_EQ(m.to(MR, MC, 100000), 100001);
  EXPECT_EQ(m.to(M, MR, 53), 2);
  EXPECT_EQ(m.to(MR, M, 2), 53);
  EXPECT_EQ(m.to(B, MR, 53), 1002);
  EXPECT_EQ(m.to(MR, B, 1002), 53);
  EXPECT_EQ(m.to(B, MR, 753), 2702);
  EXPECT_EQ(m.to(MR, B, 2702), 753);
  EXPECT_EQ(m.to(R, MR, 53), 10002);
  EXPECT_EQ(m.to(R, MR, 753), 9702);
}

TEST(ClockGraph, NonStrictlyMonotonic) {
  Machine m;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(m.snap({{B, 101}, {M, 51}, {MC, 50}}), i == 0);
    EXPECT_TRUE(m.snap({{B, 105}, {M, 55}, {MC, 50}}));
    EXPECT_EQ(m.to(M, MC, 49), 50);
    EXPECT_EQ(m.to(M, MC, 50), 55);
    EXPECT_EQ(m.to(M, MC, 51), 56);
    EXPECT_EQ(m.at(MC, 40), 91);
    EXPECT_EQ(m.at(MC, 50), 105);
    EXPECT_EQ(m.at(MC, 55), 110);
    EXPECT_EQ(m.to(MC, B, 91), 40);
    EXPECT_EQ(m.to(MC, B, 105), 50);
    EXPECT_EQ(m.to(MC, B, 110), 55);
  }
}

TEST(ClockGraph, SequenceScopedClocks) {
  Machine m;
  m.snap({{M, 1000}, {B, 100000}});
  const ClockId a = m.clock(64, 1), b = m.clock(65, 1), d = m.clock(64, 2);
  m.add({{m.clock(M), 10000}, {a, 100000}, {b, 100, 1000}});
  m.add({{m.clock(M), 20000}, {d, 20, 1000, true}});
  EXPECT_EQ(m.at(a, 150000), 159000);
  EXPECT_EQ(m.at(b, 150), 159000);
  EXPECT_EQ(m.at(d, 22), 121000) << "readers hand over what an incremental clock then showed";
}

TEST(ClockGraph, DocumentationExamples) {
  Machine m;
  const std::pair<int64_t, int64_t> pairs[] = {{1000, 2000}, {1100, 2100}, {1200, 2200},
                                               {1900, 2900}, {2000, 3500}, {2100, 3600}};
  for (const auto& [from, to] : pairs) m.snap({{M, from}, {B, to}});
  EXPECT_EQ(m.at(M, 1104), 2104);
  Machine n;
  n.snap({{200, 1000}, {M, 1100}});
  n.snap({{M, 1200}, {B, 5200}});
  n.snap({{200, 3000}, {M, 3200}});
  n.snap({{M, 4000}, {B, 9000}});
  EXPECT_EQ(n.at(200, 3503), 7703);
}

TEST(ClockGraph, RemoteClockOffset) {
  Machine m;
  const auto remote = [&](uint32_t domain, uint32_t sequence = 0) {
    return m.graph.add({.domain = domain, .sequence = sequence, .machine = MachineId{1}});
  };
  const ClockId a = remote(64, 1), d = remote(65, 1);
  m.add({{m.clock(B), 10000}, {remote(B), 0}}, EvidenceKind::Relayed);
  m.add({{remote(R), 10}, {remote(B), 10010}});
  m.add({{remote(R), 20}, {remote(B), 20220}});
  m.add({{remote(R), 30}, {remote(B), 30030}});
  m.add({{remote(M), 1000}, {remote(B), 100000}});
  m.add({{remote(M), 2000}, {a, 1200}});
  m.add({{a, 1300}, {d, 2000, 10}});
  EXPECT_EQ(m.at(remote(R), 0), 20000);
  EXPECT_EQ(m.at(remote(R), 20), 30220);
  EXPECT_EQ(m.at(remote(R), 40), 40040);
  EXPECT_EQ(m.at(remote(M), 0), 109000);
  EXPECT_EQ(m.at(a, 1100), 110900);
  EXPECT_EQ(m.at(d, 2100), 112100);
}

TEST(ClockGraph, AnyNumberOfHops) {
  Machine m;
  m.snap({{1000, 0}, {B, 1}});
  for (uint32_t i = 1000; i < 3000; ++i) m.snap({{i + 1, 0}, {i, 1}});
  EXPECT_EQ(m.at(3000, 7), 2008);
}

TEST(ClockGraph, ADirectEdgeBeatsALongerPath) {
  Machine m;
  m.snap({{M, 100}, {MC, 200}});
  m.snap({{MC, 200}, {B, 9999}});
  m.snap({{M, 100}, {B, 1100}});
  EXPECT_EQ(m.at(M, 150), 1150);
}

TEST(ClockGraph, BetterEvidenceBeatsFewerHops) {
  Machine m;
  m.add({{m.clock(M), 0}, {m.clock(B), 0}}, EvidenceKind::Guessed);
  m.add({{m.clock(MC), 0}, {m.clock(B), 5}}, EvidenceKind::Rendezvous);
  m.snap({{M, 0}, {MR, 7}});
  m.snap({{MR, 0}, {MC, 20}});
  EXPECT_EQ(m.at(M, 0), 32);
  m.add({{m.clock(MR), 0}, {m.clock(B), 100}}, EvidenceKind::Manifest);
  EXPECT_EQ(m.at(M, 0), 107);
}

TEST(ClockGraph, AllObservationsOfAPairCount) {
  Machine m;
  m.snap({{M, 1000}, {B, 11000}});
  m.snap({{M, 2000}, {B, 13000}, {R, 99}});
  m.snap({{B, 15500}, {M, 3000}});
  EXPECT_EQ(m.at(M, 1500), 11500);
  EXPECT_EQ(m.at(M, 2500), 13500);
  EXPECT_EQ(m.at(M, 3100), 15600);
}

TEST(ClockGraph, RefusedSnapshotsLeaveTheirNumberOnly) {
  Machine m;
  EXPECT_TRUE(m.snap({{M, 500}, {B, 1000}}));
  EXPECT_FALSE(m.snap({{M, 600}, {B, 900}}));
  EXPECT_EQ(m.error,
            "Clock sync error: the trace clock (id=6) is not monotonic at snapshot 1. 900 not >= "
            "1000.");
  EXPECT_FALSE(m.snap({{M, 5}, {M, 6}}));
  EXPECT_EQ(m.error, "Clock sync error: duplicate clock domain with id=3 at snapshot 2.");
  EXPECT_FALSE(m.add({{m.clock(128), 1, 1, true}}));
  EXPECT_EQ(m.error,
            "Clock sync error: the global clock with id=128 cannot use incremental encoding; this "
            "is only supported for sequence-scoped clocks.");
  EXPECT_FALSE(m.add({{m.clock(M), 1, 1000}}));
  EXPECT_EQ(m.error,
            "Clock sync error: the clock domain with id=3 (unit=1000, incremental=0), was "
            "previously registered with different properties (unit=1, incremental=0).");
  Machine n;
  EXPECT_FALSE(n.add({{n.clock(B), 1, 1000}, {n.clock(M), 500}}));
  EXPECT_EQ(n.error,
            "Clock sync error: the trace clock (id=6) must always use nanoseconds as unit "
            "multiplier.");
  EXPECT_FALSE(n.graph.was_read(n.clock(M)));
  EXPECT_EQ(m.at(M, 650), 1150);
  EXPECT_TRUE(m.snap({{M, 700}, {B, 1200}}));
  EXPECT_EQ(m.graph.snapshots().back().id, 5U);
}

TEST(ClockGraph, ReadingsThatDoNotFit) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  Machine m;
  EXPECT_FALSE(m.add({{m.clock(M), kMost / 2, 3}, {m.clock(B), 0}}));
  EXPECT_FALSE(m.add({{m.clock(M), 1, -1}, {m.clock(B), 0}}));
  EXPECT_FALSE(m.snap({{M, std::numeric_limits<int64_t>::min()}, {B, 1}}));
  EXPECT_TRUE(m.snap({{M, kMost}, {B, 0}}));
  EXPECT_EQ(m.at(M, kMost), 0);
  EXPECT_FALSE(m.at(M, -2));
}

TEST(ClockGraph, EmptyAndSingleSnapshots) {
  Machine m;
  EXPECT_TRUE(m.snap({}));
  EXPECT_TRUE(m.snap({{M, 5}}));
  EXPECT_TRUE(m.graph.was_read(m.clock(M)));
  EXPECT_FALSE(m.at(M, 5));
  EXPECT_EQ(m.at(B, 5), 5) << "trace time itself needs no evidence";
}

TEST(Placement, TellsPathAndUncertainty) {
  Machine m;
  m.snap({{M, 0}, {B, 10}});
  m.add({{m.clock(MC), 0}, {m.clock(M), 0}}, EvidenceKind::Guessed);
  const Placement placement = m.graph.solve(ClockModel::Step);
  EXPECT_EQ(placement.node(m.clock(M)).uncertainty_ns, 1000);
  EXPECT_EQ(placement.node(m.clock(M)).weakest, EvidenceKind::Measured);
  EXPECT_EQ(placement.node(m.clock(MC)).uncertainty_ns, kUnbounded);
  EXPECT_EQ(placement.node(m.clock(MC)).weakest, EvidenceKind::Guessed);
  EXPECT_EQ(placement.path(m.clock(MC)),
            (std::vector<ClockId>{m.clock(MC), m.clock(M), m.clock(B)}));
  EXPECT_FALSE(placement.cursor(ClockId{}).has_place());
}

TEST(ClockGraph, EdgesForTheReport) {
  Machine m;
  m.snap({{M, 1}, {B, 1}, {R, 1}});
  m.snap({{M, 2}, {B, 2}});
  m.add({{m.clock(RC), 0}, {m.clock(R), 0}}, EvidenceKind::SameClock);
  const auto edges = m.graph.edges();
  ASSERT_EQ(edges.size(), 4U);
  int64_t observations = 0;
  for (const ClockGraph::Edge& edge : edges) observations += edge.observations;
  EXPECT_EQ(observations, 5);
}

}  // namespace
}  // namespace tracebraid
