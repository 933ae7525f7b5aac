#include "build/sched.h"

#include "build/saturate.h"

namespace tracebraid {
namespace {

std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

}  // namespace

Sched::Sched(Identity& identity, ThreadStates& states, ArgsBuilder& args, Cpus& cpus,
             Problems& problems, Store& store)
    : identity_(identity),
      states_(states),
      args_(args),
      cpus_(cpus),
      problems_(problems),
      store_(store),
      running_(store.machines.rows()) {
  for (size_t i = 0; i < store.machines.rows(); ++i)
    kernels_.push_back(kernel_version(text(store, store.machines.sysname[i]),
                                      text(store, store.machines.release[i])));
}

Sched::Cpu& Sched::cpu(const SchedEvent& at) {
  std::vector<Cpu>& cpus = running_[at.machine];
  if (at.cpu() >= cpus.size()) cpus.resize(at.cpu() + 1);
  return cpus[at.cpu()];
}

void Sched::switch_full(const SchedEvent& at) {
  if (!cpus_.note(at.machine, at.cpu())) return;
  const SwitchExtra& extra = at.from->batch.switches[at.event->extra];
  const uint32_t next = identity_.thread_of(at.machine, extra.next_tid);
  identity_.name_thread(next, extra.next_comm, kThreadNameFromSched);
  const uint32_t prev = identity_.thread_of(at.machine, extra.prev_tid);
  identity_.name_thread(prev, extra.prev_comm, kThreadNameFromSched);
  const Cpu& before = cpu(at);
  const bool matches = before.tid == extra.prev_tid;
  if (before.open_row != kNone && !matches)
    problems_.count(Stat::mismatched_sched_switch_tids, at.machine, at.from->file);
  if (extra.adds_row) add_stated_switch(at, extra);
  apply(at, extra, {prev, next, state_name(at, extra), matches});
}

void Sched::switch_compact(const SchedEvent& at) {
  if (!cpus_.note(at.machine, at.cpu())) return;
  const SwitchExtra& extra = at.from->batch.switches[at.event->extra];
  const uint32_t next = identity_.thread_of(at.machine, extra.next_tid);
  identity_.name_thread(next, extra.next_comm, kThreadNameFromSched);
  Cpu& before = cpu(at);
  if (before.utid == kNone) {
    before = {kNone, next, extra.next_tid, extra.next_prio};
    problems_.count(Stat::compact_sched_switch_skipped, at.machine, at.from->file);
    return;
  }
  add_raw_switch(at, extra, before);
  apply(at, extra, {before.utid, next, state_name(at, extra), true});
}

void Sched::apply(const SchedEvent& at, const SwitchExtra& extra, const Switch& change) {
  Cpu& now = cpu(at);
  SchedTable& table = store_.sched;
  const uint32_t ucpu = ucpu_of(at.machine, at.cpu());
  if (now.open_row != kNone && change.closes) {
    table.dur.at(now.open_row) = duration_between(table.ts[now.open_row], at.ts());
    table.end_state.at(now.open_row) = change.prev_state;
  }
  now = {static_cast<uint32_t>(table.ts.size()), change.next_utid, extra.next_tid, extra.next_prio};
  table.ts.append(at.ts());
  table.dur.append(-1);
  table.utid.append(change.next_utid);
  table.end_state.append({});
  table.priority.append(extra.next_prio);
  table.ucpu.append(ucpu);
  states_.leave(change.prev_utid, at.ts(), change.prev_state);
  states_.run(change.next_utid, at.ts(), ucpu);
}

StringId Sched::state_name(const SchedEvent& at, const SwitchExtra& extra) {
  if (extra.prev_state_text) return extra.prev_state_text;
  const auto [known, is_new] = state_names_.try_emplace({at.machine, extra.prev_state});
  if (is_new) {
    if (const auto letters = task_state(extra.prev_state, kernels_[at.machine]))
      known->second = store_.strings.intern(*letters);
  }
  if (!known->second) problems_.count(Stat::task_state_invalid, at.machine, at.from->file);
  return known->second;
}

void Sched::waking(const SchedEvent& at) {
  if (!cpus_.note(at.machine, at.cpu())) return;
  const WakingExtra& extra = at.from->batch.wakings[at.event->extra];
  const bool compact = extra.waker_tid == kNoId;
  if (compact && cpu(at).utid == kNone) {
    problems_.count(Stat::compact_sched_waking_skipped, at.machine, at.from->file);
    return;
  }
  const uint32_t waker_utid =
      compact ? cpu(at).utid : identity_.thread_of(at.machine, extra.waker_tid);
  if (compact)
    add_raw_waking(at, extra, waker_utid, raw_keys().sched_waking);
  else if (extra.row_name)
    add_raw_waking(at, extra, waker_utid, extra.row_name);
  if (extra.success == 0) return;
  const uint32_t wakee = identity_.thread_of(at.machine, at.event->value);
  if (!compact) identity_.name_thread(wakee, at.event->name, kThreadNameFromSched);
  states_.wake(wakee, at.ts(), {waker_utid, extra.irq_context, extra.may_repeat});
}

void Sched::blocked(const SchedEvent& at) {
  states_.explain(identity_.thread_of(at.machine, at.event->value),
                  at.from->batch.blocked[at.event->extra]);
}

void Sched::add_stated_switch(const SchedEvent& at, const SwitchExtra& extra) {
  const RawKeys& keys = raw_keys();
  args_.open();
  if (extra.prev_comm) args_.add(keys.prev_comm, ArgType::String, extra.prev_comm.row);
  args_.add(keys.prev_pid, ArgType::Int, extra.prev_tid);
  args_.add(keys.prev_prio, ArgType::Int, extra.prev_prio);
  if (extra.prev_state_text)
    args_.add(keys.prev_state, ArgType::String, extra.prev_state_text.row);
  else
    args_.add(keys.prev_state, ArgType::Int, extra.prev_state);
  if (extra.next_comm) args_.add(keys.next_comm, ArgType::String, extra.next_comm.row);
  args_.add(keys.next_pid, ArgType::Int, extra.next_tid);
  args_.add(keys.next_prio, ArgType::Int, extra.next_prio);
  add_raw(at, keys.sched_switch, identity_.thread_of(at.machine, at.event->value), 0);
}

void Sched::add_raw_switch(const SchedEvent& at, const SwitchExtra& extra, const Cpu& before) {
  const RawKeys& keys = raw_keys();
  args_.open();
  if (const StringId name = store_.threads.name[before.utid])
    args_.add(keys.prev_comm, ArgType::String, name.row);
  args_.add(keys.prev_pid, ArgType::Int, before.tid);
  args_.add(keys.prev_prio, ArgType::Int, before.prio);
  args_.add(keys.prev_state, ArgType::Int, extra.prev_state);
  if (extra.next_comm) args_.add(keys.next_comm, ArgType::String, extra.next_comm.row);
  args_.add(keys.next_pid, ArgType::Int, extra.next_tid);
  args_.add(keys.next_prio, ArgType::Int, extra.next_prio);
  add_raw(at, keys.sched_switch, before.utid, 0);
}

void Sched::add_raw_waking(const SchedEvent& at, const WakingExtra& extra, uint32_t waker_utid,
                           StringId name) {
  const RawKeys& keys = raw_keys();
  args_.open();
  if (at.event->name) args_.add(keys.comm, ArgType::String, at.event->name.row);
  args_.add(keys.pid, ArgType::Int, at.event->value);
  args_.add(keys.prio, ArgType::Int, extra.prio);
  if (extra.success >= 0) args_.add(keys.success, ArgType::Int, extra.success);
  args_.add(keys.target_cpu, ArgType::Int, extra.target_cpu);
  add_raw(at, name, waker_utid, extra.common_flags);
}

void Sched::add_raw(const SchedEvent& at, StringId name, uint32_t utid, uint32_t flags) {
  FtraceEventTable& table = store_.ftrace_events;
  table.ts.append(at.ts());
  table.name.append(name);
  table.utid.append({utid});
  table.arg_set_id.append({args_.close()});
  table.common_flags.append(flags);
  table.ucpu.append(ucpu_of(at.machine, at.cpu()));
}

const Sched::RawKeys& Sched::raw_keys() {
  if (!raw_keys_) {
    const auto key = [&](std::string_view name) { return args_.key(name); };
    raw_keys_ = {.prev_comm = key("prev_comm"),
                 .prev_pid = key("prev_pid"),
                 .prev_prio = key("prev_prio"),
                 .prev_state = key("prev_state"),
                 .next_comm = key("next_comm"),
                 .next_pid = key("next_pid"),
                 .next_prio = key("next_prio"),
                 .comm = key("comm"),
                 .pid = key("pid"),
                 .prio = key("prio"),
                 .success = key("success"),
                 .target_cpu = key("target_cpu"),
                 .sched_switch = store_.strings.intern("sched_switch"),
                 .sched_waking = store_.strings.intern("sched_waking")};
  }
  return *raw_keys_;
}

}  // namespace tracebraid
