#include <gtest/gtest.h>

#include "event/event_kind.h"
#include "format/proto/stats.h"
#include "format/proto/test_trace.h"

namespace tracebraid::proto {
namespace {

using Field = field::TracePacket;

Msg names(uint32_t field_number, uint64_t iid, std::string_view text) {
  return Msg().msg(field_number, Msg().num(1, iid).text(2, text));
}

Msg cleared(uint32_t sequence, uint64_t ts) {
  return packet(sequence, ts).num(Field::kSequenceFlags, 1);
}

Msg named(Msg m, uint64_t iid) {
  return m.msg(Field::kTrackEvent,
               Msg().num(field::TrackEvent::kType, 3).num(field::TrackEvent::kNameIid, iid));
}

std::vector<std::string> names_of(const Outcome& outcome) {
  std::vector<std::string> all;
  for (const Event& e : outcome.events(EventKind::Instant)) all.push_back(outcome.text(e.name));
  return all;
}

TEST(Sequence, InternedUntilCleared) {
  constexpr uint32_t kNames = field::InternedData::kEventNames;
  const Outcome outcome = read_packets({
      named(cleared(1, 1).msg(Field::kInternedData, names(kNames, 7, "a")), 7),
      named(packet(1, 2).msg(Field::kInternedData, names(kNames, 7, "other")), 7),
      named(packet(2, 3), 7),
      named(cleared(1, 4), 7),
      named(packet(1, 5).msg(Field::kInternedData, names(kNames, 7, "b")), 7),
  });
  EXPECT_EQ(names_of(outcome), (std::vector<std::string>{"a", "a", "-", "-", "b"}));
  EXPECT_EQ(outcome.stat(stats::interned_data_tokenizer_errors), 2);
}

TEST(Sequence, NeedsStateThatIsValid) {
  const auto needs = [](Msg m) { return named(m.num(Field::kSequenceFlags, 2), 0); };
  const Outcome outcome = read_packets({
      needs(packet(1, 1)),
      cleared(1, 2),
      needs(packet(1, 3)),
      packet(1, 4).num(Field::kPreviousPacketDropped, 1),
      needs(packet(1, 5)),
      named(packet(1, 6), 0),
  });
  EXPECT_EQ(outcome.events(EventKind::Instant).size(), 2U);
  EXPECT_EQ(outcome.stat(stats::packet_skipped_seq_needs_incremental_state_invalid), 2);
  EXPECT_EQ(read_packets({needs(packet(0, 1))}).error.substr(0, 58),
            "TracePacket specified SEQ_NEEDS_INCREMENTAL_STATE but the ");
}

TEST(Sequence, WhatNeedsAnId) {
  const Outcome outcome = read_packets({
      packet(0, 1)
          .num(Field::kSequenceFlags, 1)
          .msg(Field::kTracePacketDefaults, Msg().num(58, 3))
          .msg(Field::kInternedData, Msg()),
      packet(0, 2).num(Field::kPreviousPacketDropped, 1),
      packet(1, 3).msg(Field::kInternedData, Msg()),
  });
  EXPECT_EQ(outcome.stat(stats::incremental_state_cleared_missing_sequence_id), 1);
  EXPECT_EQ(outcome.stat(stats::previous_packet_dropped_missing_sequence_id), 1);
  EXPECT_EQ(outcome.stat(stats::trace_packet_defaults_missing_sequence_id), 1);
  EXPECT_EQ(outcome.stat(stats::interned_data_missing_sequence_id), 1);
  EXPECT_EQ(outcome.stat(stats::interned_data_skipped_incremental_state_invalid), 1);
}

TEST(Sequence, DefaultsAreReplacedAndForgotten) {
  using Defaults = field::TracePacketDefaults;
  const auto with_clock = [](Msg m, uint32_t domain) {
    return m.msg(Field::kTracePacketDefaults, Msg().num(Defaults::kTimestampClockId, domain));
  };
  const Outcome outcome =
      read_packets({named(with_clock(packet(1, 1), 3), 0), named(packet(1, 2), 0),
                    named(with_clock(packet(1, 3), 4), 0), named(cleared(1, 4), 0)});
  std::vector<uint32_t> domains;
  for (const Event& e : outcome.events(EventKind::Instant))
    domains.push_back(outcome.batch.clocks[e.clock].domain);
  EXPECT_EQ(domains, (std::vector<uint32_t>{3, 3, 4, kTraceTime}));
}

TEST(ProtoReader, CountsWhatItLeavesOut) {
  const Outcome outcome = read_packets(
      {packet(1, 1).text(199, "abc"), packet(1, 2).text(199, "d"), packet(1, 3).text(48, "")});
  ASSERT_EQ(outcome.batch.not_imported.size(), 2U);
  EXPECT_EQ(outcome.batch.not_imported[1].what, "packet field 199");
  EXPECT_EQ(outcome.batch.not_imported[1].count, 2U);
  EXPECT_EQ(outcome.batch.not_imported[1].bytes, 4U);
  EXPECT_EQ(outcome.batch.not_imported[0].what, "packet chrome_benchmark_metadata (48)");
}

TEST(ProtoReader, ADamagedPacketDoesNotStopIt) {
  const std::string bytes = Msg()
                                .msg(1, named(packet(1, 1), 0))
                                .text(1, "\x52\x7fzz")
                                .msg(1, named(packet(1, 2), 0))
                                .bytes();
  const Outcome outcome = read_bytes(bytes);
  EXPECT_EQ(outcome.events(EventKind::Instant).size(), 2U);
  EXPECT_TRUE(outcome.error.starts_with("Failed to parse proto packet fully"));
}

TEST(ProtoFormat, Sniff) {
  const auto match = [](std::string_view head) { return kFormat.sniff({head, "x"}); };
  EXPECT_EQ(match(trace({named(packet(1, 1), 0)})), Match::Likely);
  EXPECT_EQ(match("{\"a\":1}"), Match::No);
  EXPECT_EQ(match(""), Match::No);
  EXPECT_EQ(match("\n\n\n\n"), Match::Weak);
}

}  // namespace
}  // namespace tracebraid::proto
