#include "assemble/scheduling/sched.h"

#include <gtest/gtest.h>

#include "assemble/stats.h"
#include "assemble/test_trace.h"
#include "event/event_kind.h"

namespace tracebraid {
namespace {

class SchedTest : public testing::Test {
 protected:
  // Adds a full switch on a CPU.
  void full(int64_t ts, uint32_t cpu, int64_t prev, int64_t state, int64_t next) {
    SwitchExtra extra{.prev_tid = prev, .next_tid = next, .prev_state = state};
    extra.next_prio = 120;
    extra.prev_comm = trace_.sink.string("t" + std::to_string(prev));
    extra.next_comm = trace_.sink.string("t" + std::to_string(next));
    add(EventKind::SchedSwitch, ts, cpu, trace_.batch.switches, extra);
  }
  void compact(int64_t ts, uint32_t cpu, int64_t state, int32_t next) {
    Event event =
        trace_.event(EventKind::SchedSwitchCompact, ts, cpu, "t" + std::to_string(next), state);
    event.args = static_cast<uint32_t>(next);
    event.extra = 0;
    trace_.sink.event(event);
  }
  void waking(int64_t ts, uint32_t cpu, int64_t waker, int64_t tid, uint8_t irq = 2) {
    add(EventKind::SchedWaking, ts, cpu, trace_.batch.wakings,
        WakingExtra{.waker_tid = waker, .irq_context = irq}, tid);
  }
  void waking_compact(int64_t ts, uint32_t cpu, int32_t tid, uint32_t flags = 0) {
    Event event =
        trace_.event(EventKind::SchedWakingCompact, ts, cpu, {}, CompactWaking{tid, flags}.pack());
    event.args = event.extra = 0;
    trace_.sink.event(event);
  }
  template <class Extra>
  void add(EventKind kind, int64_t ts, uint32_t cpu, std::vector<Extra>& extras, const Extra& extra,
           int64_t value = 0) {
    Event event = trace_.event(kind, ts, cpu, {}, value);
    event.extra = static_cast<uint32_t>(extras.size());
    extras.push_back(extra);
    trace_.sink.event(event);
  }
  // Returns "ts dur tid end_state;" for each row.
  std::string sched() const {
    const SchedTable& table = trace_.store.sched;
    std::string text;
    for (size_t i = 0; i < table.rows(); ++i)
      text += std::to_string(table.ts[i]) + ' ' + std::to_string(table.dur[i]) + ' ' +
              std::to_string(trace_.store.threads.tid[table.utid[i]]) + ' ' +
              trace_.name_of(table.end_state[i]) + "; ";
    return text;
  }
  std::string states() const {
    const ThreadStateTable& table = trace_.store.thread_states;
    std::string text;
    for (size_t i = 0; i < table.rows(); ++i)
      text += std::to_string(table.ts[i]) + ' ' + std::to_string(table.dur[i]) + ' ' +
              std::to_string(trace_.store.threads.tid[table.utid[i]]) + ' ' +
              trace_.name_of(table.state[i]) + "; ";
    return text;
  }
  TestTrace trace_;
};

TEST_F(SchedTest, SwitchesFollowOneAnother) {
  full(10, 0, 0, 0, 5);
  full(20, 0, 5, 1, 6);
  full(30, 0, 6, 0, 0);
  trace_.build();
  EXPECT_EQ(sched(), "10 10 5 S; 20 10 6 R; 30 -1 0 -; ");
  EXPECT_EQ(states(), "10 10 5 Running; 20 -1 5 S; 20 10 6 Running; 30 -1 6 R; ");
  EXPECT_EQ(trace_.store.cpus.rows(), 1U);
}

TEST_F(SchedTest, MismatchedSwitchesLeaveTheRowOpen) {
  full(10, 0, 0, 0, 5);
  full(20, 0, 7, 1, 6);
  trace_.build();
  EXPECT_EQ(sched(), "10 -1 5 -; 20 -1 6 -; ");
  EXPECT_EQ(trace_.stat(stats::mismatched_sched_switch_tids), 1);
}

TEST_F(SchedTest, CompactSwitchesRememberWhoRan) {
  waking_compact(5, 3, 9);
  compact(10, 3, 0, 5);
  compact(20, 3, 1, 6);
  waking_compact(25, 3, 5, 0x10);
  compact(30, 3, 2, 5);
  trace_.build();
  EXPECT_EQ(sched(), "20 10 6 D; 30 -1 5 -; ");
  EXPECT_EQ(states(), "20 5 5 S; 20 10 6 Running; 25 5 5 R; 30 -1 6 D; 30 -1 5 Running; ");
  const ThreadStateTable& table = trace_.store.thread_states;
  EXPECT_EQ(trace_.store.threads.tid[table.waker_utid[2].row], 6);
  EXPECT_EQ(table.waker_id[2].row, 1U);
  EXPECT_EQ(table.irq_context[2].row, 1U);
  EXPECT_EQ(trace_.stat(stats::compact_sched_switch_skipped), 1);
  EXPECT_EQ(trace_.stat(stats::compact_sched_waking_skipped), 1);
  EXPECT_EQ(trace_.store.ftrace_events.rows(), 3U);
  EXPECT_EQ(trace_.args_of(trace_.store.ftrace_events.arg_set_id[0].row),
            "prev_comm=t5 prev_pid=5 prev_prio=0 prev_state=1 next_comm=t6 next_pid=6 "
            "next_prio=0 ");
  EXPECT_EQ(trace_.store.cpus.rows(), 4U);
}

TEST_F(SchedTest, WakingARunnableThreadIsSpurious) {
  full(10, 0, 0, 0, 5);
  waking(15, 1, 8, 5);
  full(20, 0, 5, 0, 0);
  waking(25, 1, 8, 5);
  waking(26, 1, 8, 6);  // never seen before
  trace_.build();
  EXPECT_EQ(states(), "10 10 5 Running; 20 -1 5 R; 26 -1 6 R; ");
  EXPECT_EQ(trace_.store.spurious_wakeups.rows(), 2U);
  EXPECT_EQ(trace_.store.spurious_wakeups.thread_state_id[1].row, 1U);
}

TEST_F(SchedTest, AThreadThatStartsElsewhereStopsHere) {
  full(10, 0, 0, 0, 5);
  full(20, 1, 0, 0, 5);
  full(30, 0, 5, 1, 0);
  trace_.build();
  EXPECT_EQ(states(), "10 10 5 Running; 20 10 5 Running; 30 -1 5 S; ");
}

TEST_F(SchedTest, ReasonsGoToTheBlockedRow) {
  full(10, 0, 0, 0, 5);
  full(20, 0, 5, 2, 0);
  const BlockedExtra extra{.function = trace_.sink.string("io_schedule"), .io_wait = 1};
  add(EventKind::SchedBlocked, 25, 0, trace_.batch.blocked, extra, 5);
  trace_.build();
  EXPECT_EQ(trace_.store.thread_states.io_wait[1].row, 1U);
  EXPECT_EQ(trace_.name_of(trace_.store.thread_states.blocked_function[1]), "io_schedule");
}

TEST_F(SchedTest, NewTasksCanRun) {
  full(5, 0, 0, 0, 80);
  Event task = trace_.event(EventKind::NewTask, 10, trace_.thread(kNoId, 80), "child", 81);
  task.extra = 0;
  trace_.sink.event(task);
  trace_.build();
  EXPECT_EQ(states(), "5 -1 80 Running; 10 -1 81 R; ");
  EXPECT_EQ(trace_.store.thread_states.waker_id[1].row, 0U);
  EXPECT_EQ(trace_.store.thread_states.irq_context[1].row, 0U);
}

TEST_F(SchedTest, RowsAsTheyStand) {
  Event event = trace_.event(EventKind::ThreadState, 10, trace_.thread(1, 2), "Running", 5);
  event.args = trace_.args({{"cpu", 3}, {"io_wait", 0}});
  trace_.sink.event(event);
  trace_.build();
  EXPECT_EQ(states(), "10 5 2 Running; ");
  EXPECT_EQ(sched(), "10 5 2 -; ");
  EXPECT_EQ(trace_.store.sched.ucpu[0], 3U);
}

TEST_F(SchedTest, CpusBeyondTheLimitAreLeftOut) {
  full(10, 4096, 0, 0, 5);
  full(20, 0xFFFFFFF0, 0, 0, 5);
  trace_.build();
  EXPECT_EQ(sched(), "");
  EXPECT_EQ(trace_.store.cpus.rows(), 0U);
}

TEST(TaskState, LettersDependOnTheKernel) {
  const KernelVersion old = kernel_version("Linux", "4.4.1");
  const KernelVersion middle = kernel_version("Linux", "4.9.2");
  const KernelVersion recent = kernel_version("Linux", "5.10.0-x");
  EXPECT_EQ(task_state(0, old), "R");
  EXPECT_EQ(task_state(0x40, old), "x");
  EXPECT_EQ(task_state(0x40, recent), "P");
  EXPECT_EQ(task_state(0x402, old), "I");
  EXPECT_EQ(task_state(0x82, old), "DK");
  EXPECT_EQ(task_state(0x82, recent), "DI");
  EXPECT_EQ(task_state(0x800, old), "R+");
  EXPECT_EQ(task_state(0x800, middle), "R");
  EXPECT_EQ(task_state(0x1000, middle), "R+");
  EXPECT_EQ(task_state(0x100, recent), "R+");
  EXPECT_EQ(task_state(0x200, recent), std::nullopt);
  EXPECT_EQ(kernel_version("NotLinux", "6.6.1"), KernelVersion{});
  EXPECT_EQ(kernel_version("", "what"), KernelVersion{});
}

}  // namespace
}  // namespace tracebraid
