#include "assemble/kernel/topics.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>
#include <variant>

#include "assemble/test_trace.h"
#include "event/event_kind.h"
#include "event/stats.h"

namespace tracebraid {
namespace {

using Value = std::variant<int64_t, std::string_view>;
struct Arg {
  std::string_view key;
  Value value;
};

class KernelTest : public testing::Test {
 protected:
  void add(int64_t ts, int64_t tid, std::string_view name, std::initializer_list<Arg> args,
           EventKind kind = EventKind::FtraceEvent) {
    add_all(ts, tid, name, {args.begin(), args.size()}, kind);
  }
  void add_all(int64_t ts, int64_t tid, std::string_view name, std::span<const Arg> args,
               EventKind kind = EventKind::FtraceEvent) {
    EventSink& sink = trace_.sink;
    Event event = trace_.event(kind, ts, 0, name, tid);
    sink.open_args();
    for (const Arg& arg : args) {
      const std::string_view flat = arg.key.substr(0, arg.key.find('['));
      const uint32_t key = sink.arg_key({sink.string(flat), sink.string(arg.key)});
      if (const auto* text = std::get_if<std::string_view>(&arg.value))
        sink.arg(key, ArgType::String, sink.string(*text).row);
      else
        sink.arg(key, ArgType::Int, std::get<int64_t>(arg.value));
    }
    event.args = sink.close_args();
    sink.event(event);
  }
  std::string counters() const {
    const Store& store = trace_.store;
    std::string text;
    for (size_t i = 0; i < store.counters.rows(); ++i) {
      const uint32_t track = store.counters.track_id[i];
      text += std::to_string(store.counters.ts[i]) + ' ' +
              std::to_string(static_cast<int64_t>(store.counters.value[i])) + ' ' +
              trace_.name_of(store.tracks.type[track]) + "; ";
    }
    return text;
  }
  std::string raw_rows() const {
    const FtraceEventTable& rows = trace_.store.ftrace_events;
    std::string text;
    for (size_t i = 0; i < rows.rows(); ++i)
      text += trace_.name_of(rows.name[i]) + ": " + trace_.args_of(rows.arg_set_id[i].row) + "; ";
    return text;
  }
  TestTrace trace_;
};

TEST_F(KernelTest, KindsSayWhetherThereIsARowAndAMeaning) {
  add(10, 5, "cpu_idle", {{"state", 1}, {"cpu_id", 0}});
  add(20, 5, "cpu_idle", {{"state", 2}, {"cpu_id", 0}}, EventKind::FtraceMeaning);
  add(30, 5, "cpu_idle", {{"state", 3}, {"cpu_id", 0}}, EventKind::FtraceRow);
  trace_.build();
  EXPECT_EQ(counters(), "10 1 cpu_idle; 20 2 cpu_idle; ");
  EXPECT_EQ(raw_rows(), "cpu_idle: state=1 cpu_id=0 ; cpu_idle: state=3 cpu_id=0 ; ");
}

TEST_F(KernelTest, NumbersMayBeTexts) {
  add(10, 5, "binder_transaction",
      {{"debug_id", 1}, {"flags", "0x11"}, {"code", "0x2"}, {"reply", "0"}});
  trace_.build();
  EXPECT_EQ(trace_.slices(), "10 0 binder transaction async 0; ");
  EXPECT_EQ(trace_.args_of(trace_.store.slices.arg_set_id[0].row),
            "transaction id=1 destination node=0 destination process=0 reply transaction?=0 "
            "flags=0x11 this is a one-way call: async, no return; allow replies with file "
            "descriptors;  code=0x02 Java Layer Dependent calling tid=5 ");
}

TEST_F(KernelTest, RowsHaveOnlyTheLastOfAnArray) {
  add(10, 5, "sys_enter", {{"id", 600}, {"args[0]", 7}, {"args[1]", 8}});
  trace_.build();
  EXPECT_EQ(raw_rows(), "sys_enter: id=600 args=8 ; ");
}

// A counter belongs to the process that its thread has at the end.
TEST_F(KernelTest, CountersGoToTheProcessThatIsKnownLater) {
  add(10, 5, "rss_stat", {{"member", 0}, {"size", 100}});
  add(20, 6, "rss_stat", {{"member", 0}, {"size", 200}});
  trace_.add(EventKind::ThreadSeen, 30, trace_.thread(4, 5));
  trace_.build();
  EXPECT_EQ(counters(), "10 100 process_memory; 20 200 process_memory_thread_fallback; ");
}

// Two threads of a process count on one track.
TEST_F(KernelTest, ThreadsOfAProcessShareItsCounter) {
  trace_.add(EventKind::ThreadSeen, 1, trace_.thread(4, 5));
  trace_.add(EventKind::ThreadSeen, 1, trace_.thread(4, 6));
  add(10, 5, "rss_stat", {{"member", 1}, {"size", 100}});
  add(20, 6, "rss_stat", {{"member", 1}, {"size", 200}});
  trace_.build();
  EXPECT_EQ(counters(), "10 100 process_memory; 20 200 process_memory; ");
  EXPECT_EQ(trace_.store.counters.track_id[0], trace_.store.counters.track_id[1]);
}

// A track named by a reader and a track made by a handler are one track.
TEST_F(KernelTest, SharesTracksWithReaders) {
  const uint32_t track = trace_.sink.track({.scope = TrackScope::Cpu,
                                            .events = TrackEvents::Counter,
                                            .file = FileId{0},
                                            .owner = 2,
                                            .type = trace_.sink.string("cpu_frequency"),
                                            .name = trace_.sink.string("cpufreq")});
  trace_.add(EventKind::Counter, 5, track);
  add(10, 5, "cpu_frequency", {{"state", 1000}, {"cpu_id", 2}});
  trace_.build();
  EXPECT_EQ(trace_.store.tracks.rows(), 1U);
}

TEST_F(KernelTest, BinderFailureEndsTheCall) {
  constexpr int64_t kCall = 0x40406300, kComplete = 0x7206, kFailed = 0x7211, kReply = 0x80407203;
  add(1, 5, "binder_command", {{"cmd", kCall}});
  add(2, 5, "binder_transaction", {{"debug_id", 1}});
  add(3, 5, "binder_return", {{"cmd", kComplete}});
  add(4, 5, "binder_return", {{"cmd", kReply}});  // the reply to another call
  add(5, 5, "binder_return", {{"cmd", kFailed}});
  add(6, 5, "binder_return", {{"cmd", kFailed}});
  trace_.build();
  EXPECT_EQ(trace_.slices(), "2 3 binder transaction 0; ");
}

TEST_F(KernelTest, ReceiversOfNestedCalls) {
  add(1, 5, "binder_transaction", {{"debug_id", 1}});
  add(2, 6, "binder_transaction_received", {{"debug_id", 1}});
  add(3, 6, "binder_transaction", {{"debug_id", 2}});
  add(4, 7, "binder_transaction_received", {{"debug_id", 2}});
  add(5, 7, "binder_transaction", {{"debug_id", 3}, {"reply", 1}, {"to_thread", 6}});
  add(6, 6, "binder_transaction_received", {{"debug_id", 3}});
  add(7, 6, "binder_transaction", {{"debug_id", 4}, {"reply", 1}, {"to_thread", 5}});
  add(8, 5, "binder_transaction_received", {{"debug_id", 4}});
  trace_.build();
  EXPECT_EQ(trace_.slices(),
            "1 7 binder transaction 0; 2 5 binder reply 0; "
            "3 3 binder transaction 1 in binder reply; 4 1 binder reply 0; ");
  EXPECT_EQ(trace_.store.flows.rows(), 2U);
}

TEST_F(KernelTest, MarksAreNotInsideTheCallThatWritesThem) {
  // Not recognised as write, because no machine name is known.
  add(1, 5, "sys_enter", {{"id", 64}});
  add(2, 5, "print", {{"buf", "E"}});
  add(3, 5, "sys_exit", {{"id", 64}});
  trace_.build();
  EXPECT_EQ(trace_.slices(), "1 2 sys_64 0; ");
}

TEST_F(KernelTest, FencesQueueUp) {
  const auto fence = [&](int64_t ts, std::string_view what, int64_t seqno) {
    add(ts, 5, what, {{"timeline", "t"}, {"context", 1}, {"seqno", seqno}});
  };
  fence(1, "dma_fence_emit", 1);
  fence(2, "dma_fence_emit", 2);
  fence(3, "dma_fence_emit", 3);
  fence(4, "dma_fence_signaled", 2);  // also signals 1
  fence(5, "dma_fence_signaled", 1);
  fence(6, "dma_fence_signaled", 3);
  trace_.build();
  EXPECT_EQ(trace_.slices(), "1 3 fence 0; 4 2 fence 0; ");
}

TEST_F(KernelTest, EventsMayDescribeThemselves) {
  add(1, 5, "mine", {{"track_event_type", 'B'}, {"slice_name", "s"}, {"track_name", "t"}});
  add(2, 5, "mine", {{"track_event_type", 'E'}, {"slice_name", ""}, {"track_name", "t"}});
  add(3, 5, "mine", {{"track_event_type", 'X'}, {"slice_name", "s"}, {"track_name", "t"}});
  add(4, 5, "level", {{"counter_value", 3}, {"scope_tgid", 8}});
  add(5, 5, "other", {{"x", 1}});
  trace_.build();
  EXPECT_EQ(trace_.slices(), "1 1 s 0; ");
  EXPECT_EQ(counters(), "4 3 kernel_trackevent_process_counter; ");
  EXPECT_EQ(trace_.stat(stats::kernel_trackevent_format_error), 1);
}

// Accepts any values of fields.
TEST_F(KernelTest, AnyValuesAreBearable) {
  constexpr std::string_view kFields[] = {"id",
                                          "args[0]",
                                          "cmd",
                                          "debug_id",
                                          "reply",
                                          "flags",
                                          "to_thread",
                                          "cpu_id",
                                          "cpu",
                                          "state",
                                          "size",
                                          "member",
                                          "mm_id",
                                          "curr",
                                          "pid",
                                          "len",
                                          "name",
                                          "action",
                                          "start",
                                          "val",
                                          "vec",
                                          "type",
                                          "context",
                                          "seqno",
                                          "timeline",
                                          "fence",
                                          "stream_id",
                                          "dev",
                                          "sector",
                                          "tag",
                                          "doorbell",
                                          "skaddr",
                                          "newstate",
                                          "family",
                                          "protocol",
                                          "oldstate",
                                          "start_time_ns",
                                          "end_time_ns",
                                          "total_active_duration_ns",
                                          "retire",
                                          "prio",
                                          "reason",
                                          "phase",
                                          "ino",
                                          "offset",
                                          "adapter_nr",
                                          "msg_nr",
                                          "nr_msgs",
                                          "event",
                                          "pm_ops",
                                          "crtc",
                                          "track_event_type",
                                          "counter_value",
                                          "scope_cpu"};
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  std::mt19937 random(7);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const std::array<Value, 12> values{int64_t{0},
                                     int64_t{1},
                                     int64_t{2},
                                     int64_t{-1},
                                     kMin,
                                     kMax,
                                     int64_t{6},
                                     std::string_view(),
                                     std::string_view("a"),
                                     int64_t{66},
                                     std::string_view("0xffffffffffffffffff"),
                                     std::string_view("control")};
  std::vector<std::string_view> names{"mali_mali_PM_MCU_", "anything"};
  const std::vector<std::unique_ptr<KernelTopic>> topics = kernel_topics();
  for (const std::unique_ptr<KernelTopic>& topic : topics)
    for (size_t i = 0; i < topic->size(); ++i) names.push_back(topic->name(i));
  for (int64_t ts = 0; ts < 20'000; ++ts) {
    std::vector<Arg> args;
    for (size_t i = below(6); i > 0; --i)
      args.push_back({kFields[below(std::size(kFields))], values[below(values.size())]});
    const auto tid = static_cast<int64_t>(below(4));
    add_all(ts, tid, names[below(names.size())], args);
  }
  trace_.build();
  EXPECT_EQ(trace_.store.ftrace_events.rows(), 20'000U);
  for (size_t i = 0; i < trace_.store.counters.rows(); ++i)
    ASSERT_LT(trace_.store.counters.track_id[i], trace_.store.tracks.rows());
}

}  // namespace
}  // namespace tracebraid
