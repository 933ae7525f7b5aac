// The vectors of spec clocks 14.1 and 14.2.
#include "clock/reference/graph.h"

#include <gtest/gtest.h>

#include "clock/reference/tracker.h"

namespace tracebraid::reference {
namespace {

constexpr uint32_t R = 1, M = 3, MC = 4, MR = 5, B = 6, TF = 11;
constexpr uint32_t kFile = 7;

FileReading at(uint32_t clock, int64_t ticks) { return {{clock, 0}, ticks}; }
FileReading at(FileClock clock, int64_t ticks, int64_t unit = 1, bool is_incremental = false) {
  return {clock, ticks, unit, is_incremental};
}

// A host whose BOOTTIME is trace time, and its tracker.
struct Host {
  Shared shared;
  Tracker host = tracker(0);

  Host() { shared.graph.trace_time = {B, 0, 0, 0}; }
  Tracker tracker(uint32_t machine, uint32_t file = kFile, uint32_t format_clock = 0) {
    return {shared, file, machine, format_clock};
  }
  std::optional<int64_t> time(uint32_t clock, int64_t ticks) {
    return host.to_trace_time({clock, 0}, ticks).ns;
  }
  std::optional<int64_t> time(Tracker& of, FileClock clock, int64_t ticks) {
    return of.to_trace_time(clock, ticks).ns;
  }
  std::optional<int64_t> convert(uint32_t from, int64_t ticks, uint32_t to) {
    return shared.graph.convert(host.qualify({from, 0}), ticks, host.qualify({to, 0}));
  }
  std::optional<int64_t> convert(FileClock from, int64_t ticks, uint32_t to) {
    return shared.graph.convert(host.qualify(from), ticks, host.qualify({to, 0}));
  }
};

void add_usual(Tracker& tracker) {
  tracker.snapshot({at(R, 10), at(B, 10010)});
  tracker.snapshot({at(R, 20), at(B, 20220)});
  tracker.snapshot({at(R, 30), at(B, 30030)});
  tracker.snapshot({at(M, 1000), at(B, 100000)});
}

TEST(ReferenceGraph, ConvertsByTheLastSnapshotBefore) {
  Host w;
  EXPECT_EQ(w.time(R, 0), std::nullopt);
  add_usual(w.host);
  const std::map<int64_t, int64_t> of_r{{0, 10000},  {1, 10001},  {9, 10009},  {10, 10010},
                                        {11, 10011}, {19, 10019}, {20, 20220}, {21, 20221},
                                        {29, 20229}, {30, 30030}, {40, 30040}};
  for (const auto& [from, to] : of_r) EXPECT_EQ(w.time(R, from), to) << from;
  const std::map<int64_t, int64_t> of_m{
      {0, 99000}, {999, 99999}, {1000, 100000}, {1000000, 1099000}};
  for (const auto& [from, to] : of_m) EXPECT_EQ(w.time(M, from), to) << from;
}

TEST(ReferenceGraph, RefusesAClockThatGoesBackAsSource) {
  Host w;
  w.host.snapshot({at(B, 10010), at(R, 10)});
  EXPECT_EQ(w.time(R, 11), 10011);
  w.host.snapshot({at(B, 10020), at(R, 20)});
  w.host.snapshot({at(B, 30040), at(R, 40)});
  w.shared.at = 123;
  w.host.snapshot({at(B, 40030), at(R, 30)});
  EXPECT_EQ(w.time(R, 11), std::nullopt);
  for (const auto& [from, to] :
       std::map<int64_t, int64_t>{{10011, 11}, {10029, 29}, {40030, 30}, {40040, 40}})
    EXPECT_EQ(w.convert(B, from, R), to) << from;
  w.host.snapshot({at(B, 50000), at(R, 50)});
  EXPECT_EQ(w.convert(B, 50005, R), 55);
  w.host.snapshot({at(B, 60020), at(R, 20)});
  EXPECT_EQ(w.convert(B, 60020, R), 20);

  ASSERT_EQ(w.shared.graph.refusals.size(), 1U);
  const Refusal& refusal = w.shared.graph.refusals[0];
  EXPECT_EQ(refusal.node, (Node{R, 0, 0, 0}));
  EXPECT_EQ(refusal.place.at, 123U);
  EXPECT_EQ(refusal.why, "goes back from 40 to 30");
  const Explanation why = w.shared.graph.explain({R, 0, 0, 0}, {B, 0, 0, 0});
  EXPECT_EQ(why.reason, Reason::Refused);
  EXPECT_EQ(why.refused, (Node{R, 0, 0, 0}));
}

TEST(ReferenceGraph, ChainsSnapshots) {
  Host w;
  w.host.snapshot({at(MC, 1), at(M, 11)});
  w.host.snapshot({at(M, 100), at(B, 1100)});
  w.host.snapshot({at(M, 200), at(B, 2200)});
  EXPECT_EQ(w.time(M, 110), 1110);
  EXPECT_EQ(w.time(MC, 100), 1110);
  EXPECT_EQ(w.time(MC, 202), 2212);
}

TEST(ReferenceGraph, ChainsSnapshotsInBothDirections) {
  Host w;
  w.host.snapshot({at(MR, 10), at(MC, 9)});
  w.host.snapshot({at(MC, 100), at(M, 50)});
  w.host.snapshot({at(M, 1), at(B, 1001), at(R, 10001)});
  w.host.snapshot({at(M, 101), at(B, 2101), at(R, 9101)});
  EXPECT_EQ(w.convert(MR, 2, MC), 1);
  EXPECT_EQ(w.convert(MC, 1, MR), 2);
  EXPECT_EQ(w.convert(MR, 100001, MC), 100000);
  EXPECT_EQ(w.convert(MC, 100000, MR), 100001);
  EXPECT_EQ(w.convert(MR, 53, M), 2);
  EXPECT_EQ(w.convert(M, 2, MR), 53);
  EXPECT_EQ(w.convert(MR, 53, B), 1002);
  EXPECT_EQ(w.convert(B, 1002, MR), 53);
  EXPECT_EQ(w.convert(MR, 753, B), 2702);
  EXPECT_EQ(w.convert(B, 2702, MR), 753);
  EXPECT_EQ(w.convert(MR, 53, R), 10002);
  EXPECT_EQ(w.convert(MR, 753, R), 9702);
}

TEST(ReferenceGraph, EqualReadingsTakeTheLastSnapshot) {
  Host w;
  for (int i = 0; i < 2; ++i) {
    w.host.snapshot({at(B, 101 + 4 * i), at(M, 51 + 4 * i), at(MC, 50)});
    w.host.snapshot({at(B, 101 + 4 * i), at(M, 51 + 4 * i), at(MC, 50)});
  }
  for (const auto& [from, to] : std::map<int64_t, int64_t>{{49, 50}, {50, 55}, {51, 56}})
    EXPECT_EQ(w.convert(MC, from, M), to) << from;
  for (const auto& [from, to] : std::map<int64_t, int64_t>{{40, 91}, {50, 105}, {55, 110}})
    EXPECT_EQ(w.convert(MC, from, B), to) << from;
  for (const auto& [from, to] : std::map<int64_t, int64_t>{{91, 40}, {105, 50}, {110, 55}})
    EXPECT_EQ(w.convert(B, from, MC), to) << from;
}

TEST(ReferenceGraph, ClocksOfSequencesCountFromTheirLastTime) {
  Host w;
  const FileClock a{64, 1}, b{65, 1}, c{66, 1}, d{64, 2};
  w.host.snapshot({at(M, 1000), at(B, 100000)});
  w.host.snapshot({at(M, 10000), at(a, 100000), at(b, 100, 1000), at(c, 10, 1000, true)});
  EXPECT_EQ(w.convert(a, 150000, M), 60000);
  EXPECT_EQ(w.time(w.host, a, 150000), 159000);
  EXPECT_EQ(w.convert(b, 150, M), 60000);
  EXPECT_EQ(w.time(w.host, b, 150), 159000);
  EXPECT_EQ(w.convert(c, 1, M), 11000);
  EXPECT_EQ(w.convert(c, 1, M), 12000);
  EXPECT_EQ(w.time(w.host, c, 1), 112000);
  EXPECT_EQ(w.time(w.host, c, 2), 114000);
  w.host.snapshot({at(M, 20000), at(c, 20, 1000, true)});
  w.host.snapshot({at(M, 20000), at(d, 20, 1000, true)});
  EXPECT_EQ(w.convert(c, 1, M), 21000);
  EXPECT_EQ(w.convert(d, 2, M), 22000);
  EXPECT_EQ(w.convert(c, 1, M), 22000);
  EXPECT_EQ(w.convert(d, 2, M), 24000);
  EXPECT_EQ(w.time(w.host, c, 1), 122000);
  EXPECT_EQ(w.time(w.host, d, 2), 125000);
  EXPECT_EQ(w.time(w.host, c, 2), 124000);
  EXPECT_EQ(w.time(w.host, d, 4), 129000);
}

void add_remote(Tracker& remote) {
  add_usual(remote);
  remote.snapshot({at(M, 2000), at(FileClock{64, 1}, 1200)});
  remote.snapshot({at(FileClock{64, 1}, 1300), at(FileClock{64, 2}, 2000, 10)});
}

TEST(ReferenceTracker, FollowsAnOffsetBetweenMachines) {
  Host w;
  Tracker remote = w.tracker(1);
  w.shared.graph.add({{{B, 0, 0, 0}, 10000}, {{B, 0, 0, 1}, 0}}, {});
  add_remote(remote);
  for (const auto& [from, to] :
       std::map<int64_t, int64_t>{{0, 20000}, {20, 30220}, {30, 40030}, {40, 40040}})
    EXPECT_EQ(w.time(remote, {R, 0}, from), to) << from;
  EXPECT_EQ(w.time(remote, {M, 0}, 0), 109000);
  EXPECT_EQ(w.time(remote, {M, 0}, 1000), 110000);
  EXPECT_EQ(w.time(remote, {64, 1}, 1100), 110900);
  EXPECT_EQ(w.time(remote, {64, 2}, 2100), 112100);  // 4 hops
}

TEST(ReferenceTracker, AssumesThatEqualClocksOfMachinesAgree) {
  Host w;
  Tracker remote = w.tracker(1, kFile, B);
  add_remote(remote);
  EXPECT_EQ(w.time(remote, {R, 0}, 0), 10000);
  EXPECT_EQ(w.time(remote, {R, 0}, 20), 20220);
  EXPECT_EQ(w.time(remote, {M, 0}, 1000), 100000);
  EXPECT_EQ(w.time(remote, {64, 1}, 1100), 100900);
  EXPECT_EQ(w.time(remote, {64, 2}, 2100), 102100);
}

TEST(ReferenceTracker, OtherFilesOfAMachineMeetOnRealtime) {
  Host w;
  w.host.snapshot({at(R, 1000), at(B, 1000)});
  Tracker first = w.tracker(1, 8, B), second = w.tracker(1, 9, B);
  first.snapshot({at(R, 2000), at(B, 200000)});
  EXPECT_EQ(w.time(first, {B, 0}, 200000), 2000);
  second.snapshot({at(R, 3000), at(B, 300000)});
  EXPECT_EQ(w.time(second, {B, 0}, 300000), 3000);
}

TEST(ReferenceTracker, SecondFileUsesItsOwnSnapshotsOnceItHasOne) {
  Host w;
  w.host.snapshot({at(R, 10), at(B, 10010)});
  Tracker second = w.tracker(0, 9);
  EXPECT_EQ(w.time(second, {R, 0}, 10), 10010);
  EXPECT_EQ(w.time(second, {R, 0}, 20), 10020);
}

TEST(ReferenceTracker, PrivateClocksStartAtZero) {
  Host w;
  Tracker file = w.tracker(0, kFile, TF);
  EXPECT_EQ(w.time(file, {TF, 0}, 42), 42);
  file.snapshot({at(TF, 100), at(B, 1100)});
  EXPECT_EQ(w.time(file, {TF, 0}, 100), 1100);
}

TEST(ReferenceTracker, ClaimsTraceTime) {
  Host w;
  w.host.claim({M, 0});
  w.host.snapshot({at(R, 10), at(M, 500)});
  EXPECT_EQ(w.time(R, 10), 500);
  w.host.claim({B, 0});  // too late
  EXPECT_EQ(w.shared.graph.trace_time, (Node{M, 0, 0, 0}));
}

Tracker::Element ping(uint32_t clock, int64_t client, int64_t host) {
  return {{at(clock, client)}, {at(clock, host)}};
}

std::optional<int64_t> time_after(std::vector<Tracker::Element> elements, int64_t ticks) {
  Host w;
  Tracker remote = w.tracker(1, kFile, B);
  remote.remote_sync(elements);
  return remote.to_trace_time({B, 0}, ticks).ns;
}

TEST(ReferenceTracker, AveragesPings) {
  EXPECT_EQ(time_after({ping(B, 10000, 120000), ping(B, 25000, 135000)}, 0), 102500);
  EXPECT_EQ(time_after({ping(B, 50000, 120000), ping(B, 65000, 135000)}, 0), 62500);
  EXPECT_EQ(time_after({ping(B, 10000, 120000), {{at(B, 25000)}, {}}}, 5000), 5000);
  EXPECT_EQ(time_after({ping(B, 10000, 120000), ping(B, 20000, 140000)}, 0), 107500);
  constexpr int64_t kRound = 30'000'000'000;
  EXPECT_EQ(time_after({ping(B, 10000, 120000), ping(B, 10000 + kRound, 120000 + kRound)}, 7), 7);
  EXPECT_EQ(time_after({ping(B, 10000, 120000), ping(B, 20000, 140000),
                        ping(B, 30000 + kRound, 160000 + kRound),
                        ping(B, 45000 + kRound, 170000 + kRound)},
                       0),
            114375);
}

TEST(ReferenceGraph, FollowsFourSnapshotsButNotFive) {
  Host w;
  for (uint32_t clock = 200; clock < 205; ++clock)
    w.host.snapshot({at(clock, 0), at(clock + 1, 10)});
  w.host.snapshot({at(205, 0), at(B, 10)});
  EXPECT_EQ(w.time(202, 5), 45);
  EXPECT_EQ(w.time(201, 5), std::nullopt);
  EXPECT_EQ(w.shared.graph.explain({201, 0, 0, 0}, {B, 0, 0, 0}).reason, Reason::TooFar);
}

TEST(ReferenceGraph, ExplainsUnrelatedClocks) {
  Host w;
  w.host.snapshot({at(R, 1), at(M, 1)});
  w.host.snapshot({at(B, 1)});
  EXPECT_EQ(w.host.to_trace_time({R, 0}, 1).failure, Failure::NoPath);
  EXPECT_EQ(w.host.to_trace_time({MR, 0}, 1).failure, Failure::UnknownSource);
  EXPECT_EQ(w.shared.graph.explain({R, 0, 0, 0}, {B, 0, 0, 0}).reason, Reason::Unrelated);
  EXPECT_EQ(w.shared.graph.explain({MR, 0, 0, 0}, {B, 0, 0, 0}).reason, Reason::NotInSnapshots);
}

TEST(ReferenceGraph, IgnoresInvalidSnapshots) {
  Host w;
  w.host.snapshot({at(M, 1), at(M, 2), at(B, 3)});
  w.host.snapshot({at(FileClock{200, 0}, 1, 1, true), at(B, 4)});
  w.host.snapshot({at(FileClock{B, 0}, 5, 1000), at(R, 1)});
  w.host.snapshot({at(R, 1), at(B, 10)});
  w.host.snapshot({at(R, 2), at(B, 9)});  // trace time goes back
  EXPECT_EQ(w.shared.graph.void_snapshots, 4U);
  EXPECT_EQ(w.shared.graph.clocks_that_go_back, 0U);
  EXPECT_EQ(w.time(M, 1), std::nullopt);
  EXPECT_EQ(w.time(R, 1), 10);
}

// Each snapshot relates two clocks that no other relates, and is followed by a conversion.
TEST(ReferenceGraph, EndsForAnyNumberOfClocks) {
  Host w;
  for (uint32_t clock = 128; clock < 20'000; ++clock) {
    w.host.snapshot({at(clock, 1), at(clock + 100'000, 1)});
    w.time(clock, 1);
    if (w.shared.graph.is_too_complex()) break;
  }
  std::vector<FileReading> wide;
  for (uint32_t clock = 300'000; clock < 400'000; ++clock) wide.push_back(at(clock, 1));
  wide.push_back(at(B, 1));
  w.host.snapshot(wide);
  EXPECT_EQ(w.time(300'001, 5), 5);
}

}  // namespace
}  // namespace tracebraid::reference
