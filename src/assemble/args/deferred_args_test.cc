#include "assemble/args/deferred_args.h"

#include <gtest/gtest.h>

#include <random>

#include "assemble/test_trace.h"
#include "tables/packed_args.h"

namespace tracebraid {
namespace {

constexpr int kEvents = 20'000;  // more than the queue holds

uint32_t random_args(TestTrace& trace, std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      return kNone;
    case 1:
      return trace.args({{"same", 1}});
    case 2:
      return trace.args({{"few", static_cast<int64_t>(random() % 50)}, {"other", 2}});
    default:
      return trace.args({{"many", static_cast<int64_t>(random())}, {"list[0]", 3}});
  }
}

// Builds slices with and without args at their end, counters, and rows of ftrace_event of each
// kind.
void build_random(TestTrace& trace, unsigned threads, bool is_packed) {
  using enum EventKind;
  trace.threads = threads;
  trace.sink.machine(0);
  std::mt19937 random(1);
  const uint32_t track = trace.thread_track(1, 1);
  const uint32_t counter = trace.sink.track({.scope = TrackScope::Process,
                                             .events = TrackEvents::Counter,
                                             .owner = trace.process(1),
                                             .type = trace.sink.string("process_counter"),
                                             .name = trace.sink.string("memory")});
  for (int i = 0; i < kEvents; ++i) {
    const int64_t ts = int64_t{10} * i;
    constexpr EventKind kKinds[] = {SliceBegin, SliceEnd,  Instant,
                                    Counter,    FtraceRow, SchedSwitchCompact};
    const EventKind kind = kKinds[random() % std::size(kKinds)];
    const uint32_t on = kind == Counter ? counter : kind == FtraceRow ? 0 : track;
    const std::string_view name = kind == SliceEnd || kind == Counter ? "" : "name";
    Event event = trace.event(kind, ts, on, name, static_cast<int64_t>(random() % 4));
    event.args = random_args(trace, random);
    if (kind == SliceEnd && random() % 8 != 0) event.args = kNone;
    if (kind == SchedSwitchCompact) {
      event.track = 0;
      event.args = static_cast<uint32_t>(random() % 5);
      event.extra = 120;
    }
    trace.sink.event(event);
  }
  trace.batch.args.names_rows = false;
  if (is_packed) pack(trace.batch.args);
  trace.build();
}

// Returns each row with the number of its set and the content of the set.
std::string all_args(const TestTrace& trace) {
  std::string text;
  const auto add = [&](const PackedColumn<OptRow>& column) {
    for (const OptRow set : column.values()) {
      text += std::to_string(set.row) + ' ';
      if (set.row != OptRow::kNull) text += trace.args_of(set.row);
      text += '\n';
    }
  };
  add(trace.store.slices.arg_set_id);
  add(trace.store.counters.arg_set_id);
  add(trace.store.ftrace_events.arg_set_id);
  return text;
}

TEST(DeferredArgs, AreTheSameOnAnyThread) {
  for (const bool is_packed : {false, true}) {
    TestTrace alone;
    build_random(alone, 1, is_packed);
    EXPECT_GT(alone.store.ftrace_events.rows(), size_t{kEvents} / 4);
    EXPECT_GT(alone.store.slices.rows(), size_t{kEvents} / 4);
    EXPECT_GT(alone.store.counters.rows(), size_t{kEvents} / 8);
    const std::string expected = all_args(alone);
    EXPECT_NE(expected.find("many="), std::string::npos);
    EXPECT_NE(expected.find("next_pid="), std::string::npos);
    for (const unsigned threads : {2U, 4U}) {
      TestTrace helped;
      build_random(helped, threads, is_packed);
      EXPECT_EQ(all_args(helped), expected) << threads;
    }
  }
}

}  // namespace
}  // namespace tracebraid
