#include "assemble/scheduling/thread_states.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "assemble/saturate.h"
#include "event/thread_state_args.h"

namespace tracebraid {

ThreadStateRows::ThreadStateRows(Store& store)
    : table_(store.thread_states),
      wakeups_(store.spurious_wakeups),
      running_(store.strings.intern("Running")),
      runnable_(store.strings.intern("R")) {
  // Interned together, so that their ids are close and a column of states takes few bits per row.
  for (const std::string_view state : {"S", "R+", "D", "I", "T", "X", "Z"})
    store.strings.intern(state);
}

ThreadStates::ThreadStates(TaskQueues& queues, DeferredArgs& args, Cpus& cpus, Store& store)
    : args_(args),
      cpus_(cpus),
      store_(store),
      running_(store.strings.intern("Running")),
      rows_(queues, run, store) {}

void ThreadStates::queue(Head head, int64_t ts, uint32_t utid, uint32_t other, uint32_t extra) {
  static_assert(sizeof(Head) == sizeof(uint64_t));
  uint64_t* const at = rows_.begin_task(kTaskWords);
  at[0] = std::bit_cast<uint64_t>(head);
  at[1] = static_cast<uint64_t>(ts);
  at[2] = uint64_t{other} << 32 | utid;
  at[3] = extra;
}

void ThreadStates::switch_to(uint32_t prev_utid, uint32_t next_utid, int64_t ts, StringId state,
                             uint32_t ucpu) {
  const uint32_t prev = is_task(prev_utid) ? prev_utid : kNone;
  const uint32_t next = is_task(next_utid) ? next_utid : kNone;
  queue({.task = static_cast<uint8_t>(Task::Switch), .of = ucpu}, ts, prev, next, state.row);
}

void ThreadStates::queue_wake(Task task, uint32_t utid, int64_t ts, const Waking& waking) {
  if (!is_task(utid)) return;
  queue({.task = static_cast<uint8_t>(task),
         .irq_context = waking.irq_context,
         .may_repeat = waking.may_repeat,
         .waker_is_task = is_task(waking.waker_utid),
         .of = waking.waker_utid},
        ts, utid, 0, 0);
}

void ThreadStates::wake(uint32_t utid, int64_t ts, const Waking& waking) {
  queue_wake(Task::Wake, utid, ts, waking);
}

void ThreadStates::start(uint32_t utid, int64_t ts, const Waking& waking) {
  queue_wake(Task::Start, utid, ts, waking);
}

void ThreadStates::explain(uint32_t utid, const BlockedExtra& blocked) {
  if (!is_task(utid)) return;
  const uint32_t io_wait =
      blocked.io_wait < 0 ? OptRow::kNull : static_cast<uint32_t>(blocked.io_wait);
  queue({.task = static_cast<uint8_t>(Task::Explain), .of = 0}, 0, utid, io_wait,
        blocked.function.row);
}

void ThreadStates::run(ThreadStateRows& rows, const TaskBlock& block) {
  for (const uint64_t* at = block.begin(); at < block.end(); at += kTaskWords) {
    const auto head = std::bit_cast<Head>(at[0]);
    const auto ts = static_cast<int64_t>(at[1]);
    const auto utid = static_cast<uint32_t>(at[2]), other = static_cast<uint32_t>(at[2] >> 32);
    const Waking waking{head.of, static_cast<uint8_t>(head.irq_context), head.may_repeat != 0};
    switch (static_cast<Task>(head.task)) {
      case Task::Switch:
        if (utid != kNone) rows.leave(utid, ts, {static_cast<uint32_t>(at[3])});
        if (other != kNone) rows.enter(other, ts, head.of);
        break;
      case Task::Wake:
        rows.wake(utid, ts, waking, head.waker_is_task != 0);
        break;
      case Task::Start:
        rows.start(utid, ts, waking, head.waker_is_task != 0);
        break;
      case Task::Explain:
        rows.explain(utid, {static_cast<uint32_t>(at[3])}, other);
        break;
    }
  }
}

ThreadStateRows::Thread& ThreadStateRows::thread(uint32_t utid) {
  if (utid >= threads_.size()) threads_.resize(utid + 1);
  return threads_[utid];
}

void ThreadStateRows::leave(uint32_t utid, int64_t ts, StringId state) {
  Thread& left = thread(utid);
  // If the thread was not seen running, events are missing, and the duration of its last state is
  // not known.
  if (left.state == running_) close(left, ts);
  const uint32_t row = open(left, utid, ts, {.state = state});
  left.blocked = state == runnable_ ? kNone : row;
}

void ThreadStateRows::enter(uint32_t utid, int64_t ts, uint32_t ucpu) {
  Thread& ran = thread(utid);
  close(ran, ts);
  open(ran, utid, ts, {.state = running_, .ucpu = {ucpu}});
  ran.blocked = kNone;
}

void ThreadStateRows::wake(uint32_t utid, int64_t ts, const Waking& waking, bool waker_is_task) {
  Thread& woken = thread(utid);
  if (woken.state == running_ || woken.state == runnable_) {
    if (!waking.may_repeat) add_spurious(utid, woken.last, ts, waking);
    return;
  }
  close(woken, ts);
  start(utid, ts, waking, waker_is_task);
}

void ThreadStateRows::change(uint32_t utid, int64_t ts, StringId state, uint32_t ucpu) {
  Thread& changed = thread(utid);
  close(changed, ts);
  open(changed, utid, ts, {.state = state, .ucpu = {ucpu}});
}

void ThreadStateRows::explain_last(uint32_t utid, StringId state) {
  Thread& explained = thread(utid);
  if (explained.last == kNone) return;
  explained.state = state;
  table_.state.at(explained.last) = state;
}

void ThreadStates::change(uint32_t utid, int64_t ts, StringId state, uint32_t ucpu) {
  if (is_task(utid)) rows_.now().change(utid, ts, state, ucpu);
}

StringId ThreadStates::last_state(uint32_t utid) {
  return is_task(utid) ? rows_.now().last_state(utid) : StringId{};
}

int64_t ThreadStates::last_start(uint32_t utid) {
  return is_task(utid) ? rows_.now().last_start(utid) : kUnset;
}

void ThreadStates::explain_last(uint32_t utid, StringId state) {
  if (is_task(utid)) rows_.now().explain_last(utid, state);
}

void ThreadStateRows::explain(uint32_t utid, StringId function, uint32_t io_wait) {
  const uint32_t row = thread(utid).blocked;
  if (row != kNone) set_reason(row, function, {io_wait});
}

// These columns have rows only up to the last one with a value.
void ThreadStateRows::set_reason(uint32_t row, StringId function, OptRow io_wait) {
  if (io_wait.row != OptRow::kNull) {
    table_.io_wait.fill_up_to(row + 1, {});
    table_.io_wait.at(row) = io_wait;
  }
  if (function) {
    table_.blocked_function.fill_up_to(row + 1, {});
    table_.blocked_function.at(row) = function;
  }
}

void ThreadStateRows::finish() {
  table_.io_wait.fill_up_to(table_.ts.size(), {});
  table_.blocked_function.fill_up_to(table_.ts.size(), {});
}

uint32_t ThreadStateRows::open(Thread& thread, uint32_t utid, int64_t ts, const State& entered) {
  thread.last = static_cast<uint32_t>(table_.ts.size());
  thread.since = ts;
  thread.state = entered.state;
  thread.is_open = true;
  table_.ts.append(ts);
  table_.dur.append(-1);
  table_.utid.append(utid);
  table_.state.append(entered.state);
  table_.waker_utid.append(entered.waker_utid);
  table_.waker_id.append(entered.waker_id);
  table_.irq_context.append(entered.irq_context);
  table_.ucpu.append(entered.ucpu);
  return thread.last;
}

void ThreadStateRows::close(Thread& thread, int64_t ts) {
  if (!std::exchange(thread.is_open, false)) return;
  table_.dur.at(thread.last) = duration_between(thread.since, ts);
}

void ThreadStateRows::start(uint32_t utid, int64_t ts, const Waking& waking, bool waker_is_task) {
  State entered{.state = runnable_, .waker_utid = {waking.waker_utid}};
  if (waking.irq_context < 2) entered.irq_context = {waking.irq_context};
  if (waker_is_task) {
    const Thread& waker = thread(waking.waker_utid);
    if (waker.state == running_) entered.waker_id = {waker.last};
  }
  open(thread(utid), utid, ts, entered);
}

void ThreadStateRows::add_spurious(uint32_t utid, uint32_t row, int64_t ts, const Waking& waking) {
  wakeups_.ts.append(ts);
  wakeups_.thread_state_id.append({row});
  wakeups_.irq_context.append({waking.irq_context < 2 ? waking.irq_context : OptRow::kNull});
  wakeups_.utid.append(utid);
  wakeups_.waker_utid.append({waking.waker_utid});
}

uint32_t ThreadStateRows::add_row(uint32_t utid, int64_t ts, int64_t dur, StringId state) {
  Thread alone;
  const uint32_t row = open(alone, utid, ts, {.state = state});
  table_.dur.at(row) = dur;
  return row;
}

// Our own exports give the row of sched beside that of thread_state; either may be missing.
void ThreadStates::add_row(uint32_t utid, const Event& event, ArgSource args, uint32_t machine) {
  StringId function, end_state;
  OptRow io_wait;
  std::optional<int64_t> cpu, state_cpu, sched_cpu;
  int64_t sched_dur = std::max<int64_t>(event.value, -1), priority = 0;
  for (const ArgRow& arg : args_.rows(args)) {
    if (arg.unlisted) continue;
    std::string_view key = store_.strings.get(args_.key_of(args, arg).key);
    if (key.starts_with("args.")) key.remove_prefix(5);
    if (arg.type == ArgType::String) {
      const StringId text{static_cast<uint32_t>(arg.value)};
      if (key == "blocked_function") function = text;
      if (key == thread_state_arg::kEndState) end_state = text;
    }
    if (arg.type != ArgType::Int && arg.type != ArgType::Bool) continue;
    if (key == "io_wait") io_wait = {static_cast<uint32_t>(arg.value)};
    if (key == "cpu") cpu = arg.value;
    if (key == thread_state_arg::kCpu) state_cpu = arg.value;
    if (key == thread_state_arg::kSchedCpu) sched_cpu = arg.value;
    if (key == thread_state_arg::kSchedDur) sched_dur = arg.value;
    if (key == thread_state_arg::kPriority) priority = arg.value;
  }
  if (cpu && event.name == running_) sched_cpu = cpu;
  if (cpu) state_cpu = cpu;
  if (event.value != kNoThreadState) {
    ThreadStateRows& rows = rows_.now();
    const uint32_t row = rows.add_row(utid, event.ts, event.value, event.name);
    rows.set_reason(row, function, io_wait);
    if (state_cpu && cpus_.note(machine, *state_cpu))
      rows.set_cpu(row, ucpu_of(machine, static_cast<uint32_t>(*state_cpu)));
  }
  if (!sched_cpu || !cpus_.note(machine, *sched_cpu)) return;
  store_.sched.ts.append(event.ts);
  store_.sched.dur.append(sched_dur);
  store_.sched.utid.append(utid);
  store_.sched.end_state.append(end_state);
  store_.sched.priority.append(static_cast<int32_t>(priority));
  store_.sched.ucpu.append(ucpu_of(machine, static_cast<uint32_t>(*sched_cpu)));
}

}  // namespace tracebraid
