#include <gtest/gtest.h>

#include "event/event_kind.h"
#include "format/proto/test_trace.h"

namespace tracebraid::proto {
namespace {

using Field = field::TracePacket;

Msg clock(uint32_t id, uint64_t ts, bool incremental = false, uint64_t unit = 0) {
  using Clock = field::ClockSnapshot_Clock;
  Msg m;
  m.num(Clock::kClockId, id).num(Clock::kTimestamp, ts);
  if (incremental) m.num(Clock::kIsIncremental, 1);
  if (unit != 0) m.num(Clock::kUnitMultiplierNs, unit);
  return m;
}

Msg snapshot(uint32_t sequence, const std::vector<Msg>& clocks, uint32_t primary = 0) {
  Msg message;
  for (const Msg& c : clocks) message.msg(field::ClockSnapshot::kClocks, c);
  if (primary != 0) message.num(field::ClockSnapshot::kPrimaryTraceClock, primary);
  return Msg().num(Field::kTrustedPacketSequenceId, sequence).msg(Field::kClockSnapshot, message);
}

Msg instant(uint32_t sequence, uint64_t ts, uint32_t clock_id = 0) {
  Msg m = packet(sequence, ts);
  if (clock_id != 0) m.num(Field::kTimestampClockId, clock_id);
  return m.msg(Field::kTrackEvent, Msg().num(field::TrackEvent::kType, 3));
}

const ClockName& clock_of(const Outcome& outcome, const Event& event) {
  return outcome.batch.clocks[event.clock];
}

TEST(Clocks, DefaultIsTheFirstSnapshots) {
  const Outcome outcome =
      read_packets({instant(1, 5), snapshot(1, {clock(3, 1), clock(6, 2)}), instant(1, 6),
                    instant(1, 7, 3), snapshot(1, {clock(3, 1), clock(6, 2)}, 3), instant(1, 8)});
  const auto events = outcome.events(EventKind::Instant);
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(clock_of(outcome, events[0]).domain, kTraceTime);
  EXPECT_EQ(clock_of(outcome, events[1]).domain, 6U);
  EXPECT_TRUE(clock_of(outcome, events[1]).by_default);
  EXPECT_EQ(clock_of(outcome, events[2]).domain, 3U);
  EXPECT_FALSE(clock_of(outcome, events[2]).by_default);
  EXPECT_EQ(clock_of(outcome, events[3]).domain, 3U);
  EXPECT_TRUE(clock_of(outcome, events[3]).by_default);
}

TEST(Clocks, WhoMayClaimTraceTime) {
  const Outcome outcome =
      read_packets({snapshot(1, {clock(3, 1)}), snapshot(1, {clock(6, 1)}),
                    snapshot(1, {clock(6, 1), clock(11, 1)}), snapshot(1, {clock(3, 1)}, 3)});
  std::vector<bool> claims;
  for (const Snapshot& s : outcome.batch.snapshots) claims.push_back(s.may_claim);
  EXPECT_EQ(claims, (std::vector<bool>{false, true, false, true}));
}

// Each time is the difference to the time before; a snapshot sets the clock (spec clocks 3.3).
TEST(Clocks, IncrementsAddUp) {
  const Outcome outcome =
      read_packets({snapshot(1, {clock(64, 10, true, 1000), clock(6, 50000)}), instant(1, 1, 64),
                    instant(1, 2, 64), instant(1, 0, 64),
                    snapshot(1, {clock(64, 100, true, 1000), clock(6, 7)}), instant(1, 5, 64)});
  std::vector<int64_t> ticks;
  for (const Event& e : outcome.events(EventKind::Instant)) {
    ticks.push_back(e.ts);
    EXPECT_EQ(clock_of(outcome, e).tick_ns, 1000);
  }
  EXPECT_EQ(ticks, (std::vector<int64_t>{11, 13, 13, 105}));
}

// Readings before a snapshot that sets the clock back differ from those after it.
TEST(Clocks, IncrementsBeginAnew) {
  const auto at = [](uint64_t reading) {
    return snapshot(1, {clock(64, reading, true), clock(6, 1)});
  };
  const Outcome outcome =
      read_packets({at(10), instant(1, 5, 64), at(20), instant(1, 5, 64), at(25), instant(1, 5, 64),
                    at(0), instant(1, 5, 64), at(0), instant(1, 5, 64)});
  std::vector<uint32_t> sequences;
  for (const Event& e : outcome.events(EventKind::Instant))
    sequences.push_back(clock_of(outcome, e).sequence);
  EXPECT_EQ(sequences, (std::vector<uint32_t>{1, 1, ~2U, ~3U, ~4U}));
  std::vector<uint32_t> read;
  for (const SnapshotReading& reading : outcome.batch.readings)
    if (outcome.batch.clocks[reading.clock].domain == 64)
      read.push_back(outcome.batch.clocks[reading.clock].sequence);
  EXPECT_EQ(read, sequences);
}

TEST(Clocks, TwiceInOneSnapshotIsNoNewBeginning) {
  const Outcome outcome =
      read_packets({snapshot(1, {clock(64, 10, true), clock(64, 10, true), clock(6, 1)})});
  ASSERT_EQ(outcome.batch.readings.size(), 3U);
  EXPECT_EQ(outcome.batch.readings[0].clock, outcome.batch.readings[1].clock);
}

TEST(Clocks, IncrementsDoNotOverflow) {
  const Outcome outcome = read_packets({snapshot(1, {clock(64, INT64_MAX - 1, true), clock(6, 1)}),
                                        instant(1, 1, 64), instant(1, 5, 64)});
  EXPECT_EQ(outcome.events(EventKind::Instant)[1].ts, INT64_MAX);
}

// The unit is known only from a snapshot after the event.
TEST(Clocks, UnitsReachBack) {
  const Outcome outcome =
      read_packets({instant(1, 5, 64), snapshot(1, {clock(64, 1, false, 500), clock(6, 1)})});
  EXPECT_EQ(clock_of(outcome, outcome.events(EventKind::Instant)[0]).tick_ns, 500);
}

TEST(Clocks, ContradictingUnitsStayApart) {
  const Outcome outcome =
      read_packets({snapshot(1, {clock(64, 1, false, 500), clock(6, 1)}),
                    snapshot(1, {clock(64, 2, false, 700), clock(6, 2)}), instant(1, 5, 64)});
  EXPECT_EQ(clock_of(outcome, outcome.events(EventKind::Instant)[0]).tick_ns, 500);
  EXPECT_EQ(outcome.batch.clocks[outcome.batch.readings[2].clock].tick_ns, 700);
}

TEST(Clocks, SequencesHaveTheirOwn) {
  const Outcome outcome = read_packets({instant(1, 5, 64), instant(2, 5, 64), instant(2, 6, 128)});
  const auto events = outcome.events(EventKind::Instant);
  EXPECT_EQ(clock_of(outcome, events[0]).sequence, 1U);
  EXPECT_EQ(clock_of(outcome, events[1]).sequence, 2U);
  EXPECT_EQ(clock_of(outcome, events[2]).sequence, 0U);
}

TEST(Clocks, SequenceClocksNeedASequence) {
  EXPECT_TRUE(read_packets({instant(0, 5, 70), instant(1, 5)})
                  .error.starts_with("TracePacket specified a sequence-local clock id (70) but"));
  EXPECT_TRUE(read_packets({snapshot(0, {clock(70, 5)})})
                  .error.starts_with("ClockSnapshot packet is specifying a sequence-scoped clock "
                                     "id (70) but the TracePacket sequence_id is zero"));
}

TEST(Clocks, ConversionsAreCountedByMachine) {
  const auto of_machine = [](Msg m) { return m.num(Field::kMachineId, 7); };
  const Outcome outcome = read_packets(
      {instant(1, 1), instant(1, 1, 6), of_machine(instant(1, 1, 6)), of_machine(instant(1, 1, 6)),
       snapshot(1, {clock(6, 1)}), of_machine(snapshot(1, {clock(6, 1)}))});
  ASSERT_EQ(outcome.batch.snapshots.size(), 2U);
  EXPECT_EQ(outcome.batch.snapshots[0].events_before, 1U);
  EXPECT_EQ(outcome.batch.snapshots[1].events_before, 2U);
  EXPECT_EQ(outcome.batch.machines, (std::vector<uint64_t>{0, 7}));
  EXPECT_TRUE(outcome.batch.host_used_first);
}

TEST(Clocks, HostIsNotUsedByMarkers) {
  const Msg marker = Msg().text(Field::kSynchronizationMarker, "x");
  EXPECT_FALSE(read_packets({marker}).batch.host_used);
  Msg remote = instant(1, 1);
  remote.num(Field::kMachineId, 7);
  EXPECT_FALSE(read_packets({marker, remote, instant(1, 2)}).batch.host_used_first);
}

TEST(Clocks, PingsAlternateHostFirst) {
  using Synced = field::RemoteClockSync_SyncedClocks;
  const auto clocks = [](uint64_t ts) {
    return Msg().msg(field::ClockSnapshot::kClocks, clock(6, ts));
  };
  Msg sync;
  for (const uint64_t ts : {1u, 2u})
    sync.msg(
        field::RemoteClockSync::kSyncedClocks,
        Msg().msg(Synced::kClientClocks, clocks(ts)).msg(Synced::kHostClocks, clocks(10 * ts)));
  const Outcome outcome =
      read_packets({Msg().num(Field::kMachineId, 7).msg(Field::kRemoteClockSync, sync)});
  const auto& all = outcome.batch.snapshots;
  ASSERT_EQ(all.size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(all[i].kind, i % 2 == 0 ? SnapshotKind::PingHost : SnapshotKind::PingClient);
    EXPECT_EQ(outcome.batch.machines[all[i].machine], i % 2 == 0 ? 0U : 7U);
    EXPECT_FALSE(all[i].may_claim);
  }
  EXPECT_EQ(outcome.batch.readings[all[2].first].ticks, 20);
}

TEST(Clocks, NoTimeIsTheLatest) {
  const Outcome outcome = read_packets(
      {Msg().msg(Field::kProcessDescriptor, Msg().num(field::ProcessDescriptor::kPid, 4))});
  EXPECT_EQ(clock_of(outcome, outcome.events(EventKind::ProcessSeen)[0]).domain, kLatestTime);
}

}  // namespace
}  // namespace tracebraid::proto
