#include "build/thread_states.h"

#include <utility>

#include "build/saturate.h"

namespace tracebraid {

ThreadStates::ThreadStates(ArgsBuilder& args, Cpus& cpus, Store& store)
    : args_(args),
      cpus_(cpus),
      store_(store),
      table_(store.thread_states),
      running_(store.strings.intern("Running")),
      runnable_(store.strings.intern("R")) {}

ThreadStates::Thread* ThreadStates::thread(uint32_t utid) {
  if (utid == kNone || store_.threads.is_idle[utid] != 0) return nullptr;
  if (utid >= threads_.size()) threads_.resize(utid + 1);
  return &threads_[utid];
}

void ThreadStates::leave(uint32_t utid, int64_t ts, StringId state) {
  Thread* left = thread(utid);
  if (left == nullptr) return;
  // If it was not seen running, events are missing: how long it was in its last
  // state is not known.
  if (left->state == running_) close(*left, ts);
  const uint32_t row = open(*left, utid, ts, {.state = state});
  left->blocked = state == runnable_ ? kNone : row;
}

void ThreadStates::run(uint32_t utid, int64_t ts, uint32_t ucpu) {
  Thread* ran = thread(utid);
  if (ran == nullptr) return;
  close(*ran, ts);
  open(*ran, utid, ts, {.state = running_, .ucpu = {ucpu}});
  ran->blocked = kNone;
}

void ThreadStates::wake(uint32_t utid, int64_t ts, const Waking& waking) {
  Thread* woken = thread(utid);
  if (woken == nullptr) return;
  if (woken->state == running_ || woken->state == runnable_) {
    if (!waking.may_repeat) add_spurious(utid, woken->last, ts, waking);
    return;
  }
  close(*woken, ts);
  open_woken(utid, ts, waking);
}

void ThreadStates::start(uint32_t utid, int64_t ts, const Waking& waking) {
  open_woken(utid, ts, waking);
}

void ThreadStates::change(uint32_t utid, int64_t ts, StringId state, uint32_t ucpu) {
  Thread* changed = thread(utid);
  if (changed == nullptr) return;
  close(*changed, ts);
  open(*changed, utid, ts, {.state = state, .ucpu = {ucpu}});
}

StringId ThreadStates::last_state(uint32_t utid) {
  const Thread* changed = thread(utid);
  return changed == nullptr ? StringId{} : changed->state;
}

int64_t ThreadStates::last_start(uint32_t utid) {
  const Thread* changed = thread(utid);
  return changed == nullptr ? kUnset : changed->since;
}

void ThreadStates::explain_last(uint32_t utid, StringId state) {
  Thread* const changed = thread(utid);
  if (changed == nullptr || changed->last == kNone) return;
  changed->state = state;
  table_.state.at(changed->last) = state;
}

void ThreadStates::explain(uint32_t utid, const BlockedExtra& blocked) {
  const Thread* was = thread(utid);
  if (was == nullptr || was->blocked == kNone) return;
  if (blocked.io_wait >= 0)
    table_.io_wait.at(was->blocked) = OptRow{static_cast<uint32_t>(blocked.io_wait)};
  if (blocked.function) table_.blocked_function.at(was->blocked) = blocked.function;
}

uint32_t ThreadStates::open(Thread& thread, uint32_t utid, int64_t ts, const State& entered) {
  thread.last = static_cast<uint32_t>(table_.ts.size());
  thread.since = ts;
  thread.state = entered.state;
  thread.is_open = true;
  table_.ts.append(ts);
  table_.dur.append(-1);
  table_.utid.append(utid);
  table_.state.append(entered.state);
  table_.io_wait.append({});
  table_.blocked_function.append({});
  table_.waker_utid.append(entered.waker_utid);
  table_.waker_id.append(entered.waker_id);
  table_.irq_context.append(entered.irq_context);
  table_.ucpu.append(entered.ucpu);
  return thread.last;
}

void ThreadStates::close(Thread& thread, int64_t ts) {
  if (!std::exchange(thread.is_open, false)) return;
  table_.dur.at(thread.last) = duration_between(thread.since, ts);
}

void ThreadStates::open_woken(uint32_t utid, int64_t ts, const Waking& waking) {
  State entered{.state = runnable_, .waker_utid = {waking.waker_utid}};
  if (waking.irq_context < 2) entered.irq_context = {waking.irq_context};
  const Thread* waker = thread(waking.waker_utid);
  if (waker != nullptr && waker->state == running_) entered.waker_id = {waker->last};
  if (Thread* woken = thread(utid)) open(*woken, utid, ts, entered);
}

void ThreadStates::add_spurious(uint32_t utid, uint32_t row, int64_t ts, const Waking& waking) {
  SpuriousWakeupTable& wakeups = store_.spurious_wakeups;
  wakeups.ts.append(ts);
  wakeups.thread_state_id.append({row});
  wakeups.irq_context.append({waking.irq_context < 2 ? waking.irq_context : OptRow::kNull});
  wakeups.utid.append(utid);
  wakeups.waker_utid.append({waking.waker_utid});
}

void ThreadStates::add_row(uint32_t utid, const Event& event, ArgSource args, uint32_t machine) {
  Thread alone;  // not one that scheduler events should go on from
  const uint32_t row = open(alone, utid, event.ts, {.state = event.name});
  table_.dur.at(row) = event.value;
  for (const ArgRow& arg : args_.rows(args)) {
    std::string_view key = store_.strings.get(args_.key_of(args, arg).key);
    if (key.starts_with("args.")) key.remove_prefix(5);
    const bool is_integer = arg.type == ArgType::Int || arg.type == ArgType::Bool;
    if (key == "io_wait" && is_integer)
      table_.io_wait.at(row) = OptRow{static_cast<uint32_t>(arg.value)};
    if (key == "blocked_function" && arg.type == ArgType::String)
      table_.blocked_function.at(row) = {static_cast<uint32_t>(arg.value)};
    if (key != "cpu" || !is_integer || !cpus_.note(machine, arg.value)) continue;
    const uint32_t ucpu = ucpu_of(machine, static_cast<uint32_t>(arg.value));
    table_.ucpu.at(row) = OptRow{ucpu};
    if (event.name != running_) continue;
    store_.sched.ts.append(event.ts);
    store_.sched.dur.append(event.value);
    store_.sched.utid.append(utid);
    store_.sched.end_state.append({});
    store_.sched.priority.append(0);
    store_.sched.ucpu.append(ucpu);
  }
}

}  // namespace tracebraid
