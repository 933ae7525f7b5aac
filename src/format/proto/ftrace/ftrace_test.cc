#include "format/proto/ftrace/ftrace.h"

#include <gtest/gtest.h>

#include "event/event_kind.h"
#include "format/proto/ftrace/stats.h"
#include "format/proto/test_trace.h"
#include "kernel/stats.h"

namespace tracebraid::proto {
namespace {

using Field = field::TracePacket;
using Bundle = field::FtraceEventBundle;
using Compact = field::FtraceEventBundle_CompactSched;

Msg bundle(uint32_t cpu, Msg body) {
  return Msg()
      .num(Field::kTrustedPacketSequenceId, 1)
      .msg(Field::kFtraceEvents, body.num(Bundle::kCpu, cpu));
}

Msg ftrace_event(uint64_t ts, uint64_t tid, uint32_t number, const Msg& body) {
  using E = field::FtraceEvent;
  return Msg().msg(Bundle::kEvent,
                   Msg().num(E::kTimestamp, ts).num(E::kPid, tid).msg(number, body));
}

Outcome print(std::string_view text) {
  return read_packets({bundle(2, ftrace_event(10, 501, field::FtraceEvent::kPrint,
                                              Msg().text(field::PrintFtraceEvent::kBuf, text)))});
}

TEST(Ftrace, EventsGoToTheStreamOfTheirCpu) {
  const Outcome outcome = print("B|500|name\n");
  EXPECT_EQ(outcome.events(EventKind::FtraceEvent, 3).size(), 1U);
  const auto begins = outcome.events(EventKind::SliceBegin, 3);
  ASSERT_EQ(begins.size(), 1U);
  EXPECT_EQ(outcome.text(begins[0].name), "name");
  const ThreadName& thread = outcome.batch.threads[outcome.track(begins[0]).owner];
  EXPECT_EQ(thread.tid, 501);
  EXPECT_EQ(thread.pid, 500);
}

TEST(Ftrace, RawRowsHaveAllFields) {
  using E = field::FtraceEvent;
  const Outcome outcome = read_packets({bundle(
      0, ftrace_event(1, 2, E::kSchedSwitch, Msg().text(1, "a").num(2, 3).num(4, 1).num(77, 5)))});
  const auto rows = outcome.events(EventKind::FtraceEvent, 1);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(outcome.text(rows[0].name), "sched_switch");
  EXPECT_EQ(outcome.args(rows[0].args), "prev_comm=a prev_pid=3 prev_state=1");
}

TEST(Ftrace, Schema) {
  EXPECT_EQ(ftrace_event_schema(3).name, "print");
  EXPECT_EQ(ftrace_event_schema(3).fields[1].name, "buf");
  EXPECT_TRUE(ftrace_event_schema(2).name.empty());
  EXPECT_TRUE(ftrace_event_schema(1u << 30).name.empty());
}

TEST(Ftrace, Clocks) {
  const auto domain = [](uint64_t clock) {
    Msg body = ftrace_event(10, 1, field::FtraceEvent::kPrint, Msg());
    const Outcome outcome = read_packets({bundle(0, body.num(Bundle::kFtraceClock, clock))});
    return outcome.error.empty()
               ? std::to_string(
                     outcome.batch.clocks[outcome.events(EventKind::FtraceEvent, 1).at(0).clock]
                         .domain)
               : outcome.error.substr(0, outcome.error.find(" at offset"));
  };
  EXPECT_EQ(domain(0), "6");
  EXPECT_EQ(domain(2), "64");
  EXPECT_EQ(domain(4), "5");
  EXPECT_EQ(domain(1), "Unable to parse ftrace packets with unknown clock");
}

TEST(Ftrace, FlawsOfBundles) {
  const Outcome outcome = read_packets({
      Msg().msg(Field::kFtraceEvents, Msg()),
      bundle(0, Msg().msg(Bundle::kEvent, Msg().num(2, 3).text(3, ""))),
      bundle(0, Msg().msg(Bundle::kEvent, Msg().num(1, 3).num(2, 3))),
      bundle(0, Msg().msg(Bundle::kEvent, Msg().num(1, 3).text(3, ""))),
      bundle(0, Msg().num(Bundle::kLostEvents, 1)),
      bundle(0, Msg().num(Bundle::kLostEvents, 1)),
  });
  EXPECT_EQ(outcome.stat(stats::ftrace_bundle_tokenizer_errors), 2);
  EXPECT_EQ(outcome.stat(stats::ftrace_missing_event_id), 1);
  EXPECT_EQ(outcome.stat(stats::ftrace_event_without_pid), 1);
  EXPECT_EQ(outcome.stat(stats::ftrace_cpu_has_data_loss), 1);
  EXPECT_TRUE(read_packets({bundle(5000, Msg())}).error.starts_with("CPU 5000 is greater than"));
}

TEST(CompactSched, TimesAreDeltas) {
  const Msg compact = Msg()
                          .text(Compact::kInternTable, "a")
                          .text(Compact::kInternTable, "b")
                          .packed(Compact::kSwitchTimestamp, {100, 5, 7})
                          .packed(Compact::kSwitchPrevState, {0, 1, 2})
                          .packed(Compact::kSwitchNextPid, {10, 11, 12})
                          .packed(Compact::kSwitchNextPrio, {120, 121, 122})
                          .packed(Compact::kSwitchNextCommIndex, {0, 1, 0})
                          .packed(Compact::kWakingTimestamp, {90, 1})
                          .packed(Compact::kWakingPid, {10, 11})
                          .packed(Compact::kWakingTargetCpu, {0, 1})
                          .packed(Compact::kWakingPrio, {1, 2})
                          .packed(Compact::kWakingCommIndex, {0, 1})
                          .packed(Compact::kWakingCommonFlags, {0, 0x10});
  const Outcome outcome = read_packets({bundle(1, Msg().msg(Bundle::kCompactSched, compact))});
  const auto switches = outcome.events(EventKind::SchedSwitchCompact, 2);
  ASSERT_EQ(switches.size(), 3U);
  EXPECT_EQ(switches[2].ts, 112);
  EXPECT_EQ(switches[2].track, 1U);
  EXPECT_EQ(switches[2].args, 12U);
  EXPECT_EQ(switches[2].value, 2);
  EXPECT_EQ(outcome.text(switches[2].name), "a");
  const auto wakings = outcome.events(EventKind::SchedWakingCompact, 2);
  ASSERT_EQ(wakings.size(), 2U);
  EXPECT_EQ(wakings[1].ts, 91);
  EXPECT_EQ(CompactWaking::unpack(wakings[1].value).common_flags, 0x10U);
}

TEST(CompactSched, KeepsWholeRows) {
  const Msg compact = Msg()
                          .text(Compact::kInternTable, "a")
                          .packed(Compact::kSwitchTimestamp, {100, 5})
                          .packed(Compact::kSwitchPrevState, {0})
                          .packed(Compact::kSwitchNextPid, {10, 11})
                          .packed(Compact::kSwitchNextPrio, {120, 121})
                          .packed(Compact::kSwitchNextCommIndex, {0, 9});
  const Outcome outcome = read_packets({bundle(1, Msg().msg(Bundle::kCompactSched, compact))});
  EXPECT_EQ(outcome.events(EventKind::SchedSwitchCompact, 2).size(), 1U);
  EXPECT_EQ(outcome.stat(stats::compact_sched_has_parse_errors), 1);
}

TEST(Print, NamesKeepTheirBars) {
  EXPECT_EQ(print("B|1|a|b").text(print("B|1|a|b").events(EventKind::SliceBegin, 3)[0].name),
            "a|b");
  const Outcome empty = print("B|1|");
  EXPECT_EQ(empty.text(empty.events(EventKind::SliceBegin, 3)[0].name), "[empty slice name]");
}

TEST(Print, AsyncSlicesHaveACookie) {
  const Outcome outcome = print("S|500|as|-5");
  const auto begins = outcome.events(EventKind::SliceBeginOnce, 3);
  ASSERT_EQ(begins.size(), 1U);
  EXPECT_EQ(outcome.track(begins[0]).cookie, static_cast<uint64_t>(-5));
  EXPECT_EQ(outcome.args(begins[0].args), "cookie=-5");
  EXPECT_EQ(outcome.args(outcome.track(begins[0]).dimensions), "name=as");
}

TEST(Print, WhatIsNoMark) {
  for (const std::string_view text :
       {"", "B|x|n", "C|500|n", "C|500|n|abc", "S|500|n", "S|500|n|z", "random text", "I|500|",
        "N|500|t", "G|500|t|n", "H|500|t|q", "|", "Z|500|n"})
    EXPECT_EQ(print(text).stat(stats::systrace_parse_failure), 1) << text;
  EXPECT_EQ(print("trace_event_clock_sync: parent_ts=5").stat(stats::systrace_parse_failure), 0);
}

}  // namespace
}  // namespace tracebraid::proto
