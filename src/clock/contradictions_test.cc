#include "clock/contradictions.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

struct Clocks {
  ClockGraph graph;
  ClockId b = graph.add({.domain = domain::kBoottime, .machine = MachineId{0}});
  ClockId m = graph.add({.domain = domain::kMonotonic, .machine = MachineId{0}});
  ClockId x = graph.add({.domain = 200, .machine = MachineId{0}});
  Clocks() { graph.set_trace_time(b); }
  void snap(std::initializer_list<std::pair<ClockId, int64_t>> readings,
            EvidenceKind kind = EvidenceKind::Measured) {
    std::vector<ClockReading> all;
    for (const auto& [clock, ticks] : readings) all.push_back({clock, ticks});
    ASSERT_TRUE(graph.add_snapshot(all, {.kind = kind}));
  }
  std::vector<Contradiction> find() const {
    const Placement placement = graph.solve(ClockModel::Step);
    ErrorBounds bounds(graph, placement);
    return find_contradictions(graph, placement, bounds);
  }
};

TEST(Contradictions, OfTwoWays) {
  Clocks clocks;
  clocks.snap({{clocks.m, 5 * kSecond}, {clocks.b, 6 * kSecond}});
  clocks.snap({{clocks.x, 5 * kSecond}, {clocks.b, 7 * kSecond}});
  clocks.snap({{clocks.m, 5 * kSecond}, {clocks.x, 5 * kSecond}});
  clocks.snap({{clocks.m, 5 * kSecond}, {clocks.x, 9 * kSecond}});
  const std::vector<Contradiction> found = clocks.find();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].a, clocks.m);
  EXPECT_EQ(found[0].b, clocks.x);
  EXPECT_EQ(found[0].count, 2);
  EXPECT_EQ(found[0].apart_ns, 5 * kSecond) << "the worst one";
  EXPECT_EQ(found[0].reading_b, 9 * kSecond);
}

TEST(Contradictions, NotWithinWhatIsPossible) {
  Clocks clocks;
  clocks.snap({{clocks.m, 5 * kSecond}, {clocks.b, 6 * kSecond}});
  clocks.snap({{clocks.x, 5 * kSecond}, {clocks.b, 7 * kSecond}});
  clocks.snap({{clocks.m, 6 * kSecond + 2000}, {clocks.x, 5 * kSecond}});
  EXPECT_TRUE(clocks.find().empty()) << "each is off by 1 us";
  // After a minute the places may differ by the drift of a device.
  clocks.snap({{clocks.m, 66 * kSecond + 2'000'000}, {clocks.x, 65 * kSecond}});
  EXPECT_TRUE(clocks.find().empty());
  clocks.snap({{clocks.m, 66 * kSecond + 20'000'000}, {clocks.x, 65 * kSecond}});
  EXPECT_EQ(clocks.find().size(), 1U);
}

TEST(Contradictions, ACoarseClockLiesBehindByAsMuchAsItsStep) {
  Clocks clocks;
  const ClockId coarse =
      clocks.graph.add({.domain = domain::kMonotonicCoarse, .machine = MachineId{0}});
  clocks.snap({{clocks.m, 5 * kSecond}, {clocks.b, 6 * kSecond}});
  clocks.snap({{coarse, 5 * kSecond}, {clocks.b, 6 * kSecond}});
  clocks.snap({{clocks.m, 7 * kSecond}, {coarse, 7 * kSecond - 9'900'000}});
  EXPECT_TRUE(clocks.find().empty());
  clocks.snap({{clocks.m, 7 * kSecond}, {coarse, 6 * kSecond}});
  EXPECT_EQ(clocks.find().size(), 1U);
}

TEST(Contradictions, AGuessContradictsNothing) {
  Clocks clocks;
  clocks.snap({{clocks.m, 5 * kSecond}, {clocks.b, 6 * kSecond}});
  clocks.snap({{clocks.m, 0}, {clocks.b, 0}}, EvidenceKind::Guessed);
  clocks.snap({{clocks.x, 0}, {clocks.b, 0}}, EvidenceKind::Guessed);
  EXPECT_TRUE(clocks.find().empty());
  clocks.snap({{clocks.m, 0}, {clocks.b, 0}}, EvidenceKind::Manifest);
  EXPECT_EQ(clocks.find().size(), 1U);
}

TEST(ErrorBounds, AnIncrementalClockDoesNotDriftFromItsBase) {
  Clocks clocks;
  const ClockId delta =
      clocks.graph.add({.domain = 64, .sequence = 5, .file = FileId{0}, .machine = MachineId{0}});
  const ClockReading both[] = {{.clock = clocks.b, .ticks = kSecond},
                               {.clock = delta, .ticks = 0, .tick_ns = 1, .incremental = true}};
  ASSERT_TRUE(clocks.graph.add_snapshot(both, {.kind = EvidenceKind::Measured}));
  clocks.snap({{clocks.b, kSecond}, {clocks.x, kSecond}});
  const Placement placement = clocks.graph.solve(ClockModel::Linear);
  ErrorBounds bounds(clocks.graph, placement);
  EXPECT_EQ(bounds.at(delta, 0), bounds.at(delta, 100 * kSecond));
  EXPECT_LT(bounds.at(clocks.x, kSecond), bounds.at(clocks.x, 100 * kSecond));
}

TEST(ErrorBounds, SumOverThePath) {
  Clocks clocks;
  clocks.snap({{clocks.m, 5 * kSecond}, {clocks.b, 6 * kSecond}});
  clocks.snap({{clocks.x, 5 * kSecond}, {clocks.m, 7 * kSecond}});
  const Placement placement = clocks.graph.solve(ClockModel::Step);
  ErrorBounds bounds(clocks.graph, placement);
  EXPECT_EQ(bounds.at(clocks.b, 0), 0);
  EXPECT_EQ(bounds.at(clocks.m, 1000 * kSecond), 1000) << "both count by one rate";
  EXPECT_EQ(bounds.at(clocks.x, 5 * kSecond), 2000);
  EXPECT_EQ(bounds.at(clocks.x, 6 * kSecond), 52'000) << "a device drifts";
  EXPECT_EQ(bounds.worst(clocks.x, 4 * kSecond, 7 * kSecond), 102'000);
  EXPECT_EQ(bounds.at(ClockId{}, 0), kUnbounded);
}

}  // namespace
}  // namespace tracebraid
