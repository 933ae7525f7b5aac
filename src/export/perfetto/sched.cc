// Scheduling: reconstructs the events behind the rows of sched, thread_state and
// spurious_sched_wakeup.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "export/perfetto/args.h"
#include "export/perfetto/kernel.h"
#include "export/perfetto/tables.h"
#include "format/proto/recording/own.h"
#include "kernel/task_state.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

constexpr uint32_t kNoRow = OptRow::kNull;

// The bits of a state in the kernel of a machine.
class StateBits {
 public:
  explicit StateBits(const Store& store) : store_(store), bits_(store.machines.rows()) {}

  static constexpr int64_t kInvalid = 0x10000;

  int64_t of(uint32_t machine, std::string_view state) {
    constexpr int64_t kAllBits = 0x2000;
    std::map<std::string, int64_t, std::less<>>& known = bits_[machine];
    if (known.empty()) {
      const KernelVersion kernel = kernel_version(text(store_, store_.machines.sysname[machine]),
                                                  text(store_, store_.machines.release[machine]));
      for (int64_t bits = 0; bits < kAllBits; ++bits)
        if (const auto letters = task_state(bits, kernel)) known.try_emplace(*letters, bits);
    }
    const auto found = known.find(state);
    return found == known.end() ? kInvalid : found->second;
  }

 private:
  const Store& store_;
  std::vector<std::map<std::string, int64_t, std::less<>>> bits_;  // by machine
};

class Scheduling {
 public:
  Scheduling(const Store& store, const Selection& selection, const Machines& machines,
             const Descriptors& descriptors, const SchedPlan* plan, PacketFile& file)
      : store_(store),
        selection_(selection),
        machines_(machines),
        descriptors_(descriptors),
        plan_(plan),
        file_(file),
        bundles_(machines, own::kNoRows, file),
        state_bits_(store),
        known_functions_(store.machines.rows()) {}

  // Rows of thread_state are in the order of events; other events at the same time are inserted
  // between them.
  Result<> run() {
    const ThreadStateTable& states = store_.thread_states;
    while (true) {
      const int64_t ts = std::min({time_of_row(states, state_), time_of_row(store_.sched, switch_),
                                   time_of_row(store_.spurious_wakeups, wakeup_)});
      if (ts == kNever) break;
      begin_moment(ts);
      TB_TRY(write_wakeups(ts, [&](uint32_t row) { return row >= states.rows() || row < state_; }));
      for (; time_of_row(states, state_) == ts; ++state_) {
        const auto row = static_cast<uint32_t>(state_);
        TB_TRY(write_state(ts, row));
        TB_TRY(write_wakeups(ts, [row](uint32_t other) { return other <= row; }));
      }
      for (const uint32_t row : now_)
        if (!is_written(row)) TB_TRY(write_switches_to(row));
      TB_TRY(write_wakeups(ts, [](uint32_t) { return true; }));
      for (const auto& [utid, row] : left_) note_loose(row);
    }
    for (const auto& [ucpu, row] : last_switch_) TB_TRY(write_idle(ucpu, row));
    return bundles_.finish();
  }

  // Rows of thread_state without an event, after run().
  std::vector<uint32_t> take_loose() { return std::move(loose_); }

 private:
  std::string_view text(StringId id) const { return perfetto::text(store_, id); }
  bool is_taken(int64_t ts, uint32_t utid) const {
    if (plan_ != nullptr && plan_->has_tasks[store_.threads.machine_id[utid]]) return false;
    return selection_.takes_time(ts, 0) && descriptors_.takes_thread(utid);
  }
  bool is_trial() const { return plan_ == nullptr; }
  void note_loose(uint32_t row) {
    const ThreadStateTable& rows = store_.thread_states;
    if (is_trial() && is_taken(rows.ts[row], rows.utid[row])) loose_.push_back(row);
  }

  void begin_moment(int64_t ts) {
    left_.clear();
    now_.clear();
    for (; time_of_row(store_.sched, switch_) == ts; ++switch_)
      now_.push_back(static_cast<uint32_t>(switch_));
  }
  bool is_written(uint32_t row) const {
    const uint32_t last = last_of(store_.sched.ucpu[row]);
    return last != kNoRow && last >= row;
  }

  // Writes the event behind a row of thread_state.
  Result<> write_state(int64_t ts, uint32_t row) {
    const ThreadStateTable& rows = store_.thread_states;
    const uint32_t utid = rows.utid[row];
    if (rows.waker_utid[row].row != kNoRow)
      return write_waking(ts, utid, rows.waker_utid[row], rows.waker_id[row],
                          rows.irq_context[row]);
    if (text(rows.state[row]) == "Running") {
      for (const uint32_t to : now_)
        if (store_.sched.utid[to] == utid && store_.sched.ucpu[to] == rows.ucpu[row].row &&
            !is_written(to))
          return write_switches_to(to);
      note_loose(row);
      return {};
    }
    left_[utid] = row;
    // The thread was replaced by the idle task, which has no rows, or by the thread of the next
    // row.
    for (const uint32_t to : now_) {
      const uint32_t before = last_of(store_.sched.ucpu[to]);
      if (is_written(to) || before == kNoRow || store_.sched.utid[before] != utid) continue;
      return store_.threads.is_idle[store_.sched.utid[to]] != 0 ? write_switches_to(to)
                                                                : Result<>();
    }
    return {};
  }

  // Writes all switches of the CPU at this time, up to this one.
  Result<> write_switches_to(uint32_t row) {
    const SchedTable& rows = store_.sched;
    for (const uint32_t to : now_) {
      if (to > row) break;
      if (rows.ucpu[to] != rows.ucpu[row] || is_written(to)) continue;
      TB_TRY(ends_at(last_of(rows.ucpu[to]), rows.ts[to]) ? write_known_switch(to)
                                                          : write_first_switch(to));
    }
    return {};
  }

  // Writes spurious wake-ups of threads, in states whose rows satisfy `is_before`.
  Result<> write_wakeups(int64_t ts, auto is_before) {
    const SpuriousWakeupTable& rows = store_.spurious_wakeups;
    for (; time_of_row(rows, wakeup_) == ts && is_before(rows.thread_state_id[wakeup_].row);
         ++wakeup_)
      TB_TRY(write_waking(ts, rows.utid[wakeup_], rows.waker_utid[wakeup_], {},
                          rows.irq_context[wakeup_]));
    return {};
  }

  uint32_t last_of(uint32_t ucpu) const {
    const auto at = last_switch_.find(ucpu);
    return at == last_switch_.end() ? kNoRow : at->second;
  }
  bool ends_at(uint32_t row, int64_t ts) const {
    return row != kNoRow && end_of_row(store_.sched, row) == ts;
  }

  Result<> write_known_switch(uint32_t row) {
    const uint32_t before = last_of(store_.sched.ucpu[row]);
    return write_switch(row, {store_.sched.utid[before], store_.sched.priority[before],
                              store_.sched.end_state[before]});
  }

  // The previous thread is not known: any thread that left a CPU at this time and was on no other,
  // or the idle task.
  Result<> write_first_switch(uint32_t row) {
    const uint32_t before = last_of(store_.sched.ucpu[row]);
    if (before != kNoRow && store_.sched.dur[before] >= 0)
      TB_TRY(write_idle(store_.sched.ucpu[row], before));
    const auto machine_of = store_.threads.machine_id.values();
    for (const auto& [utid, state] : left_)
      if (machine_of[utid] == machine_of[store_.sched.utid[row]])
        return write_switch(row, {utid, 0, store_.thread_states.state[state], false});
    return write_switch(row, {kNoRow, 0, {}, false});
  }

  // Finds the thread, or one that has its number since it ended.
  std::map<uint32_t, uint32_t>::iterator find_left(uint32_t utid) {
    const ThreadTable& threads = store_.threads;
    const auto found = left_.find(utid);
    if (found != left_.end() || utid == kNoRow) return found;
    return std::ranges::find_if(left_, [&](const auto& left) {
      return threads.tid[left.first] == threads.tid[utid] &&
             threads.machine_id[left.first] == threads.machine_id[utid];
    });
  }

  struct Side {
    uint32_t utid;
    int64_t prio;
    StringId state;
    bool has_row = true;  // of sched
  };
  Result<> write_switch(uint32_t row, const Side& prev) {
    const SchedTable& rows = store_.sched;
    const uint32_t next = rows.utid[row], ucpu = rows.ucpu[row];
    last_switch_[ucpu] = row;
    const auto left = find_left(prev.utid);
    const uint32_t left_row = left == left_.end() ? kNoRow : left->second;
    if (left_row != kNoRow) left_.erase(left);
    if (!is_taken(rows.ts[row], next) &&
        !(prev.utid != kNoRow && is_taken(rows.ts[row], prev.utid)))
      return {};
    TB_TRY(add_switch(ucpu, rows.ts[row], prev, {next, rows.priority[row], {}}));
    return left_row == kNoRow ? Result<>() : write_blocked(ucpu, left_row);
  }

  Result<> add_switch(uint32_t ucpu, int64_t ts, const Side& prev, const Side& next) {
    using Field = field::SchedSwitchFtraceEvent;
    if (is_trial()) return {};
    const ThreadTable& threads = store_.threads;
    message_.clear();
    protozero::pbf_writer event(message_);
    int64_t prev_tid = 0;
    if (prev.utid != kNoRow) {
      prev_tid = threads.tid[prev.utid];
      if (const StringId name = threads.name[prev.utid])
        add_text(event, Field::kPrevComm, text(name));
      // A state without a name is written as bits that no kernel uses.
      const int64_t bits = state_bits_.of(threads.machine_id[prev.utid], text(prev.state));
      event.add_int64(Field::kPrevState, bits);
      if (prev.state && bits == StateBits::kInvalid) {
        if (prev.has_row) ++file_.elsewhere().sched.changed;
        if (threads.is_idle[prev.utid] == 0) ++file_.elsewhere().states.changed;
      }
      if (prev.state) add_text(event, own::kField, text(prev.state));
    }
    event.add_int32(Field::kPrevPid, static_cast<int32_t>(prev_tid));
    event.add_int32(Field::kPrevPrio, static_cast<int32_t>(prev.prio));
    if (next.utid != kNoRow) {
      if (const StringId name = threads.name[next.utid])
        add_text(event, Field::kNextComm, text(name));
      event.add_int32(Field::kNextPid, static_cast<int32_t>(threads.tid[next.utid]));
    }
    event.add_int32(Field::kNextPrio, static_cast<int32_t>(next.prio));
    return bundles_.add(ucpu, ts, prev_tid, 0, field::FtraceEvent::kSchedSwitch, message_);
  }

  // After a row without a successor on its CPU, the running thread is not known.
  Result<> write_idle(uint32_t ucpu, uint32_t row) {
    const SchedTable& rows = store_.sched;
    const std::optional<int64_t> end = end_of_row(rows, row);
    if (!end || !is_taken(rows.ts[row], rows.utid[row])) return {};
    if (!is_trial()) {
      ++file_.elsewhere().sched.added;
      if (!rows.end_state[row]) ++file_.elsewhere().states.added;
    }
    return add_switch(ucpu, *end, {rows.utid[row], rows.priority[row], rows.end_state[row]},
                      {kNoRow, 0, {}});
  }

  Result<> write_blocked(uint32_t ucpu, uint32_t row) {
    using Field = field::SchedBlockedReasonFtraceEvent;
    const ThreadStateTable& rows = store_.thread_states;
    const StringId function = rows.blocked_function[row];
    if (is_trial()) return {};
    if (!function && rows.io_wait[row].row == kNoRow) return {};
    const uint32_t utid = rows.utid[row];
    message_.clear();
    protozero::pbf_writer event(message_);
    event.add_int32(Field::kPid, static_cast<int32_t>(store_.threads.tid[utid]));
    if (function)
      event.add_uint64(Field::kCaller, intern_function(ucpu / kCpusOfMachine, function));
    if (rows.io_wait[row].row != kNoRow) event.add_bool(Field::kIoWait, rows.io_wait[row].row != 0);
    return bundles_.add(ucpu, rows.ts[row], store_.threads.tid[utid], 0,
                        field::FtraceEvent::kSchedBlockedReason, message_);
  }

  uint64_t intern_function(uint32_t machine, StringId function) {
    const uint64_t iid = uint64_t{function.row} + 1;
    std::vector<bool>& known = known_functions_[machine];
    if (known.size() <= function.row) known.resize(function.row + 1);
    if (known[function.row]) return iid;
    known[function.row] = true;
    Packet packet(file_, machines_.kernel(machine));
    protozero::pbf_writer interned(packet.get(), field::TracePacket::kInternedData);
    protozero::pbf_writer entry(interned, field::InternedData::kKernelSymbols);
    entry.add_uint64(1, iid);
    add_text(entry, 2, text(function));
    return iid;
  }

  Result<> write_waking(int64_t ts, uint32_t utid, OptRow waker, OptRow waker_state, OptRow irq) {
    using Field = field::SchedWakingFtraceEvent;
    const ThreadTable& threads = store_.threads;
    if (is_trial() || !is_taken(ts, utid) || waker.row == kNoRow) return {};
    uint32_t ucpu = threads.machine_id[utid] * kCpusOfMachine;
    if (waker_state.row != kNoRow)
      if (const OptRow ran_on = store_.thread_states.ucpu[waker_state.row]; ran_on.row != kNoRow)
        ucpu = ran_on.row;
    message_.clear();
    protozero::pbf_writer event(message_);
    if (const StringId name = threads.name[utid]) add_text(event, Field::kComm, text(name));
    event.add_int32(Field::kPid, static_cast<int32_t>(threads.tid[utid]));
    event.add_int32(Field::kTargetCpu, static_cast<int32_t>(ucpu % kCpusOfMachine));
    if (irq.row != kNoRow) event.add_bool(own::kField, irq.row != 0);
    return bundles_.add(ucpu, ts, threads.tid[waker.row], 0, field::FtraceEvent::kSchedWaking,
                        message_);
  }

  const Store& store_;
  const Selection& selection_;
  const Machines& machines_;
  const Descriptors& descriptors_;
  const SchedPlan* plan_;  // null: a trial, which writes nothing
  PacketFile& file_;
  Bundles bundles_;
  StateBits state_bits_;
  std::vector<std::vector<bool>> known_functions_;  // by machine and string
  std::map<uint32_t, uint32_t> last_switch_;        // row of sched, by ucpu
  // State of the current time: rows of thread_state, by the utid that left its CPU, and rows of
  // sched.
  std::map<uint32_t, uint32_t> left_;
  std::vector<uint32_t> now_;
  std::vector<uint32_t> loose_;
  std::string message_;
  size_t state_ = 0, switch_ = 0, wakeup_ = 0;  // next rows
};

}  // namespace

SchedPlan plan_sched(const Store& store, const Selection& selection, const Machines& machines,
                     const Descriptors& descriptors, PacketFile& file) {
  SchedPlan plan{.has_tasks = std::vector<bool>(store.machines.rows())};
  Scheduling trial(store, selection, machines, descriptors, nullptr, file);
  (void)trial.run();  // writes nothing, so it cannot fail
  const std::vector<uint32_t> loose = trial.take_loose();
  if (loose.empty()) return plan;
  const std::vector<bool> can_have_tasks = machines_of_tasks(store);
  for (const uint32_t row : loose) {
    const uint32_t machine = store.threads.machine_id[store.thread_states.utid[row]];
    if (can_have_tasks[machine])
      plan.has_tasks[machine] = true;
    else
      plan.loose.push_back(row);
  }
  return plan;
}

Result<> write_sched(const Store& store, const Selection& selection, const Machines& machines,
                     const Descriptors& descriptors, const SchedPlan& plan, PacketFile& file) {
  return Scheduling(store, selection, machines, descriptors, &plan, file).run();
}

}  // namespace tracebraid::perfetto
