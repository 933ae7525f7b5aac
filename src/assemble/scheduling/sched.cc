#include "assemble/scheduling/sched.h"

#include "assemble/saturate.h"
#include "assemble/stats.h"
#include "event/stats.h"

namespace tracebraid {
namespace {

std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

// The args of a row in order.
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

Sched::Sched(Identity& identity, ThreadStates& states, DeferredArgs& args, Cpus& cpus,
             Problems& problems, Store& store)
    : identity_(identity),
      states_(states),
      args_(args),
      cpus_(cpus),
      problems_(problems),
      store_(store),
      running_(store.machines.rows()),
      usual_state_names_(store.machines.rows()) {
  for (size_t i = 0; i < store.machines.rows(); ++i)
    kernels_.push_back(kernel_version(text(store, store.machines.sysname[i]),
                                      text(store, store.machines.release[i])));
}

Sched::Cpu& Sched::cpu(const Moment& at) {
  std::vector<Cpu>& cpus = running_[at.machine];
  if (at.cpu >= cpus.size()) cpus.resize(at.cpu + 1);
  return cpus[at.cpu];
}

void Sched::switch_full(const SchedEvent& at) {
  if (!cpus_.note(at.machine, at.cpu())) return;
  const SwitchExtra& extra = at.from->batch.switches[at.event->extra];
  const uint32_t next = identity_.thread_of(at.machine, extra.next_tid);
  identity_.name_thread(next, extra.next_comm, kThreadNameFromSched);
  const uint32_t prev = identity_.thread_of(at.machine, extra.prev_tid);
  identity_.name_thread(prev, extra.prev_comm, kThreadNameFromSched);
  const Moment now = moment(at);
  Cpu& before = cpu(now);
  const bool matches = before.tid == extra.prev_tid;
  if (before.open_row != kNone && !matches)
    problems_.count(stats::mismatched_sched_switch_tids, at.machine, at.from->file);
  if (extra.adds_row) add_switch_row(at, extra);
  StringId state = extra.prev_state_text;
  if (!state && !extra.has_no_state) state = state_name(now, extra.prev_state);
  apply(now, before, {.tid = extra.next_tid, .prio = extra.next_prio, .comm = {}},
        {prev, next, state, matches});
}

void Sched::switch_compact(const SchedEvent& at) {
  const auto next_tid = static_cast<int32_t>(at.event->args);
  const auto next_prio = static_cast<int32_t>(at.event->extra);
  if (!cpus_.note(at.machine, at.cpu())) return;
  StringId name;
  compact_switch(moment(at), task(at.machine, at.event->name, next_tid, next_prio), at.event->value,
                 false, &name);
}

void Sched::waking_compact(const SchedEvent& at) {
  if (!cpus_.note(at.machine, at.cpu())) return;
  const CompactWaking waking = CompactWaking::unpack(at.event->value);
  const auto prio = static_cast<int32_t>(at.event->args);
  compact_waking(moment(at), task(at.machine, at.event->name, waking.tid, prio),
                 waking.common_flags, at.event->extra);
}

void Sched::add_records(std::span<const SchedRecord> records, uint32_t batch,
                        const PlacedBatch& from) {
  BatchTasks& of = tasks_of(batch, from);
  for (const SchedRecord& record : records) {
    const SchedFact& fact = from.batch.sched_facts[record.fact];
    const Moment at{record.ts, of.machines[record.fact], fact.cpu, from.file};
    if (!cpus_.note(at.machine, at.cpu)) continue;
    const Task& task = task_of(of, from, at.machine, record.task);
    if (!fact.is_waking)
      compact_switch(at, task, fact.value, fact.is_early, &of.state_names[record.fact]);
    else
      compact_waking(at, task, static_cast<uint32_t>(fact.value), fact.target_cpu);
  }
}

void Sched::end_of_batch(uint32_t batch) {
  if (batch < batch_tasks_.size()) batch_tasks_[batch] = nullptr;
}

Sched::BatchTasks& Sched::tasks_of(uint32_t batch, const PlacedBatch& from) {
  if (batch >= batch_tasks_.size()) batch_tasks_.resize(batch + 1);
  std::unique_ptr<BatchTasks>& known = batch_tasks_[batch];
  if (known) return *known;
  known = std::make_unique<BatchTasks>();
  known->tasks.resize(from.batch.sched_tasks.size());
  known->state_names.resize(from.batch.sched_facts.size());
  for (const SchedFact& fact : from.batch.sched_facts)
    known->machines.push_back(from.machines[from.clock_machines[fact.clock]].row);
  return *known;
}

Sched::Task& Sched::task_of(BatchTasks& of, const PlacedBatch& from, uint32_t machine,
                            uint32_t task) {
  Task& known = of.tasks[task];
  if (known.number != kNone && known.machine == machine) return known;
  const SchedTask& said = from.batch.sched_tasks[task];
  known = this->task(machine, said.comm, said.tid, said.prio);
  return known;
}

Sched::Task Sched::task(uint32_t machine, StringId comm, int32_t tid, int32_t prio) {
  return {.number = identity_.number_of(machine, tid),
          .machine = machine,
          .combination = combination(comm, tid, prio),
          .comm = comm,
          .tid = tid,
          .prio = prio};
}

void Sched::compact_switch(const Moment& at, const Task& next, int64_t prev_state, bool is_early,
                           StringId* known_name) {
  const uint32_t next_utid = identity_.thread_with_number(next.number);
  identity_.name_thread(next_utid, next.comm, kThreadNameFromSched);
  Cpu& before = cpu(at);
  const Cpu runs{.utid = next_utid,
                 .tid = next.tid,
                 .prio = next.prio,
                 .comm = next.comm,
                 .combination = next.combination};
  if (before.utid == kNone) {
    before = runs;
    problems_.count(stats::compact_sched_switch_skipped, at.machine, at.file);
    return;
  }
  add_raw_switch(at, before, prev_state, next);
  if (is_early) {
    before = runs;
    return;
  }
  if (!*known_name) *known_name = state_name(at, prev_state);
  apply(at, before, runs, {before.utid, next_utid, *known_name, true});
}

void Sched::compact_waking(const Moment& at, const Task& woken, uint32_t flags,
                           uint32_t target_cpu) {
  constexpr uint32_t kInterruptFlags = 0x18;  // hard and soft interrupt, of common_flags
  const uint32_t waker_utid = cpu(at).utid;
  if (waker_utid == kNone) {
    problems_.count(stats::compact_sched_waking_skipped, at.machine, at.file);
    return;
  }
  const RawLayouts& layouts = raw_layouts();
  const int64_t parts[] = {woken.combination, static_cast<int32_t>(target_cpu)};
  args_.add_row(raw_row(at, layouts.sched_waking, waker_utid, flags), layouts.waking, parts);
  const uint8_t irq_context = (flags & kInterruptFlags) != 0 ? 1 : 0;
  states_.wake(identity_.thread_with_number(woken.number), at.ts, {waker_utid, irq_context});
}

// Requires: `next` has no row yet.
void Sched::apply(const Moment& at, Cpu& now, const Cpu& next, const Switch& change) {
  SchedTable& table = store_.sched;
  const uint32_t ucpu = ucpu_of(at.machine, at.cpu);
  if (now.open_row != kNone && change.closes) {
    table.dur.at(now.open_row) = duration_between(table.ts[now.open_row], at.ts);
    table.end_state.at(now.open_row) = change.prev_state;
  }
  now = next;
  now.open_row = static_cast<uint32_t>(table.ts.size());
  now.utid = change.next_utid;
  table.ts.append(at.ts);
  table.dur.append(-1);
  table.utid.append(change.next_utid);
  table.end_state.append({});
  table.priority.append(next.prio);
  table.ucpu.append(ucpu);
  states_.switch_to(change.prev_utid, change.next_utid, at.ts, change.prev_state, ucpu);
}

StringId Sched::state_name(const Moment& at, int64_t prev_state) {
  auto& usual = usual_state_names_[at.machine];
  const bool is_usual = static_cast<uint64_t>(prev_state) < usual.size();
  if (is_usual && usual[static_cast<size_t>(prev_state)])
    return usual[static_cast<size_t>(prev_state)];
  const auto [known, is_new] = state_names_.try_emplace({at.machine, prev_state});
  if (is_new) {
    if (const auto letters = task_state(prev_state, kernels_[at.machine]))
      known->second = store_.strings.intern(*letters);
  }
  if (!known->second) problems_.count(stats::task_state_invalid, at.machine, at.file);
  if (is_usual) usual[static_cast<size_t>(prev_state)] = known->second;
  return known->second;
}

void Sched::waking(const SchedEvent& at) {
  if (!cpus_.note(at.machine, at.cpu())) return;
  const WakingExtra& extra = at.from->batch.wakings[at.event->extra];
  const uint32_t waker_utid =
      extra.waker_tid == kNoId ? kNone : identity_.thread_of(at.machine, extra.waker_tid);
  if (extra.row_name) add_waking_row(at, extra, waker_utid);
  if (extra.success == 0) return;
  const uint32_t wakee = identity_.thread_of(at.machine, at.event->value);
  identity_.name_thread(wakee, at.event->name, kThreadNameFromSched);
  states_.wake(wakee, at.ts(), {waker_utid, extra.irq_context, extra.may_repeat});
}

void Sched::blocked(const SchedEvent& at) {
  states_.explain(identity_.thread_of(at.machine, at.event->value),
                  at.from->batch.blocked[at.event->extra]);
}

void Sched::add_switch_row(const SchedEvent& at, const SwitchExtra& extra) {
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
  args_.add_row(raw_row(moment(at), keys.sched_switch, utid, 0), args.rows());
}

void Sched::add_waking_row(const SchedEvent& at, const WakingExtra& extra, uint32_t waker_utid) {
  const RawLayouts& keys = raw_layouts();
  ArgList args;
  if (at.event->name) args.add(keys.comm, ArgType::String, at.event->name.row);
  args.add(keys.pid, ArgType::Int, at.event->value);
  args.add(keys.prio, ArgType::Int, extra.prio);
  if (extra.success >= 0) args.add(keys.success, ArgType::Int, extra.success);
  args.add(keys.target_cpu, ArgType::Int, extra.target_cpu);
  args_.add_row(raw_row(moment(at), extra.row_name, waker_utid, extra.common_flags), args.rows());
}

void Sched::add_raw_switch(const Moment& at, const Cpu& before, int64_t prev_state,
                           const Task& next) {
  const RawLayouts& layouts = raw_layouts();
  const StringId prev_comm = store_.threads.name[before.utid];
  const bool is_said = before.combination != kNoCombination && before.comm == prev_comm;
  const uint32_t prev =
      is_said ? before.combination : combination(prev_comm, before.tid, before.prio);
  const int64_t parts[] = {prev, prev_state, next.combination};
  args_.add_row(raw_row(at, layouts.sched_switch, before.utid, 0),
                prev_comm ? layouts.switch_from_named : layouts.switch_from_unnamed, parts);
}

FtraceRow Sched::raw_row(const Moment& at, StringId name, uint32_t utid, uint32_t flags) {
  return {at.ts, name, utid, flags, ucpu_of(at.machine, at.cpu)};
}

uint32_t Sched::combination(StringId comm, int64_t tid, int64_t prio) {
  const uint32_t of = raw_layouts().tasks;
  const auto [known, is_new] = combinations_.try_emplace({comm.row, tid, prio});
  const int64_t values[] = {comm.row, tid, prio};
  if (is_new) known->second = args_.add_combination(of, values);
  return known->second;
}

Sched::RawLayouts& Sched::raw_layouts() {
  if (raw_layouts_) return *raw_layouts_;
  RawLayouts& made = raw_layouts_.emplace();
  ArgsBuilder& builder = args_.now();
  const auto key = [&](std::string_view name) { return builder.key(name); };
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
  made.tasks = args_.add_combinations(3);
  const ArgPart prev{.combinations = made.tasks,
                     .args = {text(made.prev_comm), number(made.prev_pid), number(made.prev_prio)}};
  const ArgPart unnamed_prev{.combinations = made.tasks,
                             .skipped = 1,
                             .args = {number(made.prev_pid), number(made.prev_prio)}};
  const ArgPart prev_state{.args = {number(made.prev_state)}};
  const ArgPart next{.combinations = made.tasks,
                     .args = {text(made.next_comm), number(made.next_pid), number(made.next_prio)}};
  const ArgPart woken{.combinations = made.tasks,
                      .args = {text(made.comm), number(made.pid), number(made.prio)}};
  const ArgPart target_cpu{.args = {number(made.target_cpu)}};
  made.switch_from_named = builder.add_parted_layout(std::array{prev, prev_state, next});
  made.switch_from_unnamed = builder.add_parted_layout(std::array{unnamed_prev, prev_state, next});
  made.waking = builder.add_parted_layout(std::array{woken, target_cpu});
  made.sched_switch = store_.strings.intern("sched_switch");
  made.sched_waking = store_.strings.intern("sched_waking");
  return made;
}

}  // namespace tracebraid
