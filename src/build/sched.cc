#include "build/sched.h"

#include "build/saturate.h"

namespace tracebraid {
namespace {

std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

// The args of a row, one after the other.
class ArgList {
 public:
  void add(uint32_t key, ArgType type, int64_t value) {
    ArgRow row{};
    row.value = value;
    row.key = key;
    row.type = type;
    rows_[count_++] = row;
  }
  std::span<const ArgRow> rows() const { return std::span(rows_).first(count_); }

 private:
  std::array<ArgRow, 7> rows_;
  size_t count_ = 0;
};

}  // namespace

Sched::Sched(Identity& identity, ThreadStates& states, ArgsBuilder& args, Later& later, Cpus& cpus,
             Problems& problems, Store& store)
    : identity_(identity),
      states_(states),
      args_(args),
      later_(later),
      cpus_(cpus),
      problems_(problems),
      store_(store),
      running_(store.machines.rows()),
      usual_state_names_(store.machines.rows()) {
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
  const StringId state =
      extra.prev_state_text ? extra.prev_state_text : state_name(at, extra.prev_state);
  apply(at, extra.next_tid, extra.next_prio, {prev, next, state, matches});
}

void Sched::switch_compact(const SchedEvent& at) {
  if (!cpus_.note(at.machine, at.cpu())) return;
  const auto next_tid = static_cast<int32_t>(at.event->args);
  const auto next_prio = static_cast<int32_t>(at.event->extra);
  const uint32_t next = identity_.thread_of(at.machine, next_tid);
  identity_.name_thread(next, at.event->name, kThreadNameFromSched);
  Cpu& before = cpu(at);
  if (before.utid == kNone) {
    before = {kNone, next, next_tid, next_prio};
    problems_.count(Stat::compact_sched_switch_skipped, at.machine, at.from->file);
    return;
  }
  add_raw_switch(at, before);
  apply(at, next_tid, next_prio, {before.utid, next, state_name(at, at.event->value), true});
}

void Sched::apply(const SchedEvent& at, int64_t next_tid, int32_t next_prio, const Switch& change) {
  Cpu& now = cpu(at);
  SchedTable& table = store_.sched;
  const uint32_t ucpu = ucpu_of(at.machine, at.cpu());
  if (now.open_row != kNone && change.closes) {
    table.dur.at(now.open_row) = duration_between(table.ts[now.open_row], at.ts());
    table.end_state.at(now.open_row) = change.prev_state;
  }
  now = {static_cast<uint32_t>(table.ts.size()), change.next_utid, next_tid, next_prio};
  table.ts.append(at.ts());
  table.dur.append(-1);
  table.utid.append(change.next_utid);
  table.end_state.append({});
  table.priority.append(next_prio);
  table.ucpu.append(ucpu);
  states_.leave(change.prev_utid, at.ts(), change.prev_state);
  states_.run(change.next_utid, at.ts(), ucpu);
}

StringId Sched::state_name(const SchedEvent& at, int64_t prev_state) {
  auto& usual = usual_state_names_[at.machine];
  const bool is_usual = static_cast<uint64_t>(prev_state) < usual.size();
  if (is_usual && usual[static_cast<size_t>(prev_state)])
    return usual[static_cast<size_t>(prev_state)];
  const auto [known, is_new] = state_names_.try_emplace({at.machine, prev_state});
  if (is_new) {
    if (const auto letters = task_state(prev_state, kernels_[at.machine]))
      known->second = store_.strings.intern(*letters);
  }
  if (!known->second) problems_.count(Stat::task_state_invalid, at.machine, at.from->file);
  if (is_usual) usual[static_cast<size_t>(prev_state)] = known->second;
  return known->second;
}

void Sched::waking(const SchedEvent& at) {
  if (!cpus_.note(at.machine, at.cpu())) return;
  const WakingExtra& extra = at.from->batch.wakings[at.event->extra];
  const uint32_t waker_utid =
      extra.waker_tid == kNoId ? kNone : identity_.thread_of(at.machine, extra.waker_tid);
  if (extra.row_name) add_stated_waking(at, extra, waker_utid);
  if (extra.success == 0) return;
  const uint32_t wakee = identity_.thread_of(at.machine, at.event->value);
  identity_.name_thread(wakee, at.event->name, kThreadNameFromSched);
  states_.wake(wakee, at.ts(), {waker_utid, extra.irq_context, extra.may_repeat});
}

void Sched::waking_compact(const SchedEvent& at) {
  constexpr uint32_t kInterruptFlags = 0x18;  // hard and soft interrupt, of common_flags
  if (!cpus_.note(at.machine, at.cpu())) return;
  const uint32_t waker_utid = cpu(at).utid;
  if (waker_utid == kNone) {
    problems_.count(Stat::compact_sched_waking_skipped, at.machine, at.from->file);
    return;
  }
  const CompactWaking waking = CompactWaking::unpack(at.event->value);
  add_raw_waking(at, waking, waker_utid);
  const uint8_t irq_context = (waking.common_flags & kInterruptFlags) != 0 ? 1 : 0;
  states_.wake(identity_.thread_of(at.machine, waking.tid), at.ts(), {waker_utid, irq_context});
}

void Sched::blocked(const SchedEvent& at) {
  states_.explain(identity_.thread_of(at.machine, at.event->value),
                  at.from->batch.blocked[at.event->extra]);
}

void Sched::add_stated_switch(const SchedEvent& at, const SwitchExtra& extra) {
  const RawLayouts& keys = raw_layouts();
  ArgList args;
  if (extra.prev_comm) args.add(keys.prev_comm, ArgType::String, extra.prev_comm.row);
  args.add(keys.prev_pid, ArgType::Int, extra.prev_tid);
  args.add(keys.prev_prio, ArgType::Int, extra.prev_prio);
  if (extra.prev_state_text)
    args.add(keys.prev_state, ArgType::String, extra.prev_state_text.row);
  else
    args.add(keys.prev_state, ArgType::Int, extra.prev_state);
  if (extra.next_comm) args.add(keys.next_comm, ArgType::String, extra.next_comm.row);
  args.add(keys.next_pid, ArgType::Int, extra.next_tid);
  args.add(keys.next_prio, ArgType::Int, extra.next_prio);
  const uint32_t utid = identity_.thread_of(at.machine, at.event->value);
  later_.add_row(raw_row(at, keys.sched_switch, utid, 0), args.rows());
}

void Sched::add_stated_waking(const SchedEvent& at, const WakingExtra& extra, uint32_t waker_utid) {
  const RawLayouts& keys = raw_layouts();
  ArgList args;
  if (at.event->name) args.add(keys.comm, ArgType::String, at.event->name.row);
  args.add(keys.pid, ArgType::Int, at.event->value);
  args.add(keys.prio, ArgType::Int, extra.prio);
  if (extra.success >= 0) args.add(keys.success, ArgType::Int, extra.success);
  args.add(keys.target_cpu, ArgType::Int, extra.target_cpu);
  later_.add_row(raw_row(at, extra.row_name, waker_utid, extra.common_flags), args.rows());
}

void Sched::add_raw_switch(const SchedEvent& at, const Cpu& before) {
  const RawLayouts& layouts = raw_layouts();
  const Event& event = *at.event;
  const StringId prev_comm = store_.threads.name[before.utid];
  const int64_t values[] = {
      prev_comm.row,
      before.tid,
      before.prio,
      event.value,
      event.name.row,
      static_cast<int32_t>(event.args),
      static_cast<int32_t>(event.extra),
  };
  const std::span all(values);
  const FtraceRow row = raw_row(at, layouts.sched_switch, before.utid, 0);
  if (prev_comm)
    later_.add_row(row, layouts.switch_from_named, all);
  else
    later_.add_row(row, layouts.switch_from_unnamed, all.subspan(1));
}

void Sched::add_raw_waking(const SchedEvent& at, const CompactWaking& waking, uint32_t waker_utid) {
  const RawLayouts& layouts = raw_layouts();
  const Event& event = *at.event;
  const int64_t values[] = {event.name.row, waking.tid, static_cast<int32_t>(event.args),
                            static_cast<int32_t>(event.extra)};
  later_.add_row(raw_row(at, layouts.sched_waking, waker_utid, waking.common_flags), layouts.waking,
                 values);
}

FtraceRow Sched::raw_row(const SchedEvent& at, StringId name, uint32_t utid, uint32_t flags) {
  return {at.ts(), name, utid, flags, ucpu_of(at.machine, at.cpu())};
}

Sched::RawLayouts& Sched::raw_layouts() {
  if (raw_layouts_) return *raw_layouts_;
  RawLayouts& made = raw_layouts_.emplace();
  const auto key = [&](std::string_view name) { return args_.key(name); };
  made.prev_comm = key("prev_comm");
  made.prev_pid = key("prev_pid");
  made.prev_prio = key("prev_prio");
  made.prev_state = key("prev_state");
  made.next_comm = key("next_comm");
  made.next_pid = key("next_pid");
  made.next_prio = key("next_prio");
  made.comm = key("comm");
  made.pid = key("pid");
  made.prio = key("prio");
  made.success = key("success");
  made.target_cpu = key("target_cpu");
  const auto text = [](uint32_t of) { return std::pair(of, ArgType::String); };
  const auto number = [](uint32_t of) { return std::pair(of, ArgType::Int); };
  const auto switch_args = {text(made.prev_comm),    number(made.prev_pid), number(made.prev_prio),
                            number(made.prev_state), text(made.next_comm),  number(made.next_pid),
                            number(made.next_prio)};
  made.switch_from_named = later_.add_layout(ArgLayout(switch_args));
  made.switch_from_unnamed =
      later_.add_layout(ArgLayout({switch_args.begin() + 1, switch_args.end()}));
  made.waking = later_.add_layout(
      ArgLayout({text(made.comm), number(made.pid), number(made.prio), number(made.target_cpu)}));
  made.sched_switch = store_.strings.intern("sched_switch");
  made.sched_waking = store_.strings.intern("sched_waking");
  return made;
}

}  // namespace tracebraid
