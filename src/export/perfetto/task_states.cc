// States of tasks: what the tables have of scheduling without switches, such as thread states of
// JSON, as events of other kernels than Linux (spec proto 6.1), of which each enters one state.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "export/perfetto/args.h"
#include "export/perfetto/kernel.h"
#include "export/perfetto/tables.h"
#include "format/proto/recording/own.h"
#include "kernel/generic_tasks.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;
using namespace generic_task;

constexpr uint32_t kNoRow = OptRow::kNull;

// Returns 0 for a state that the format does not have.
int32_t number_of(std::string_view state) {
  for (size_t number = 1; number < kNames.size(); ++number)
    if (kNames[number] == state) return static_cast<int32_t>(number);
  return 0;
}

// Writes the events, and follows what other programs derive from them, to count the rows that
// differ there.
class Tasks {
 public:
  Tasks(const Store& store, const Selection& selection, const Machines& machines,
        const Descriptors& descriptors, const SchedPlan& plan, PacketFile& file)
      : store_(store),
        selection_(selection),
        machines_(machines),
        descriptors_(descriptors),
        plan_(plan),
        file_(file) {}

  Result<> run() {
    while (true) {
      skip_others();
      const int64_t ts = std::min({time_of_row(store_.thread_states, state_),
                                   time_of_row(store_.sched, sched_), next_end()});
      if (ts == kNever) break;
      write_moment(ts);
      TB_TRY(file_.drain());
    }
    // A state that ended without a following one lasts on.
    for (const auto& [utid, last] : last_)
      if (last.row != kNoRow && store_.thread_states.dur[last.row] >= 0)
        ++file_.elsewhere().states.changed;
    for (const uint32_t row : plan_.loose) {
      write_loose(row);
      TB_TRY(file_.drain());
    }
    return {};
  }

 private:
  struct Last {  // the last state of a thread
    uint32_t row = kNoRow;
    int64_t since = 0;
    int32_t state = 0;
  };
  struct Cpu {
    uint32_t row = kNoRow;   // open row of sched
    uint32_t utid = kNoRow;  // running thread; none: the idle task, or not known
  };
  struct Hanging {
    uint32_t row;
    int64_t end;
  };

  bool is_of_tasks(uint32_t utid) const {
    return plan_.has_tasks[store_.threads.machine_id[utid]] && descriptors_.takes_thread(utid);
  }
  void skip_others() {
    const ThreadStateTable& states = store_.thread_states;
    while (state_ < states.rows() &&
           !(is_of_tasks(states.utid[state_]) && selection_.takes_time(states.ts[state_], 0)))
      ++state_;
    while (sched_ < store_.sched.rows() && !(is_of_tasks(store_.sched.utid[sched_]) &&
                                             selection_.takes_time(store_.sched.ts[sched_], 0)))
      ++sched_;
  }
  // Returns the end of a row of sched; kNever if it has none.
  int64_t end_of(uint32_t row) const {
    return row == kNoRow ? kNever : end_of_row(store_.sched, row).value_or(kNever);
  }
  int64_t next_end() const {
    int64_t next = kNever;
    for (const auto& [ucpu, cpu] : cpus_) next = std::min(next, end_of(cpu.row));
    return next;
  }

  void write_moment(int64_t ts) {
    now_.clear();
    for (; time_of_row(store_.sched, sched_) == ts; skip_others())
      now_.push_back(static_cast<uint32_t>(sched_++));
    for (; time_of_row(store_.thread_states, state_) == ts; skip_others())
      write_state(ts, static_cast<uint32_t>(state_++));
    for (const uint32_t row : now_)
      if (row != kNoRow) run_thread(ts, store_.sched.utid[row], kNoRow, row);
    for (const auto& [ucpu, cpu] : cpus_)
      if (end_of(cpu.row) <= ts && !stop_with_end_state(ts, ucpu)) run_idle(ts, ucpu);
  }

  // Ends the open row of a CPU with the state that it has for its end, if thread_state has no row
  // for it, as those of the idle task. Returns false without a state.
  bool stop_with_end_state(int64_t ts, uint32_t ucpu) {
    const Cpu cpu = cpus_[ucpu];
    if (end_of(cpu.row) > ts) return false;
    const StringId name = store_.sched.end_state[cpu.row];
    const int32_t state = name ? number_of(text(store_, name)) : 0;
    if (state == 0 || state == kCreated || state == kRunning || state == kDestroyed) return false;
    write(ts, cpu.utid, kNoRow, kNoRow, ucpu, state);
    leave_cpu(ts, ucpu, name);
    enter(ts, cpu.utid, kNoRow, state);
    return true;
  }

  void write_state(int64_t ts, uint32_t row) {
    const ThreadStateTable& rows = store_.thread_states;
    const uint32_t utid = rows.utid[row];
    const int32_t state = number_of(text(store_, rows.state[row]));
    if (state == 0) return write_unnamed(ts, row);
    if (state != kRunning) return stop(ts, utid, row, state);
    for (uint32_t& sched : now_) {
      if (sched == kNoRow || store_.sched.utid[sched] != utid ||
          store_.sched.ucpu[sched] != rows.ucpu[row].row)
        continue;
      const uint32_t found = std::exchange(sched, kNoRow);
      return run_thread(ts, utid, row, found);
    }
    run_thread(ts, utid, row, kNoRow);
  }

  // A state without a name follows from the next thread on the CPU.
  void write_unnamed(int64_t ts, uint32_t row) {
    const uint32_t utid = store_.thread_states.utid[row];
    write(ts, utid, row, kNoRow, 0, 0);
    if (cpu_of_.contains(utid))
      unnamed_[utid] = row;
    else
      ++file_.elsewhere().states.lost;
  }

  void run_thread(int64_t ts, uint32_t utid, uint32_t row, uint32_t sched) {
    const uint32_t ucpu = sched != kNoRow ? store_.sched.ucpu[sched]
                          : store_.thread_states.ucpu[row].row != kNoRow
                              ? store_.thread_states.ucpu[row].row
                              : store_.threads.machine_id[utid] * kCpusOfMachine;
    // Other programs ignore a thread that begins to run where it runs already.
    if (const auto last = last_.find(utid); last != last_.end() && last->second.state == kRunning) {
      write(ts, utid, kNoRow, kNoRow, cpu_of_[utid], kRunnable);
      stop_derived(ts, utid, kNoRow, kRunnable);
    }
    if (const uint32_t before = cpus_[ucpu].utid;
        before != kNoRow && store_.threads.is_idle[before] != 0)
      stop_with_end_state(ts, ucpu);
    write(ts, utid, row, sched, ucpu, kRunning);
    if (is_dead(utid)) {
      file_.elsewhere().states.lost += row != kNoRow ? 1 : 0;
      file_.elsewhere().sched.lost += sched != kNoRow ? 1 : 0;
      return;
    }
    run_derived(ts, utid, row, sched, ucpu);
  }

  // The idle task follows where no other thread is known to run.
  void run_idle(int64_t ts, uint32_t ucpu) {
    Packet packet(file_, machines_.kernel(ucpu / kCpusOfMachine), ts);
    protozero::pbf_writer event(packet.get(), field::TracePacket::kGenericKernelTaskStateEvent);
    add_task(event, ucpu, 0, {}, kRunning, 0);
    event.add_message(own::kField, std::string());
    replace_running(ts, ucpu);
    ++file_.elsewhere().sched.added;
  }

  void run_derived(int64_t ts, uint32_t utid, uint32_t row, uint32_t sched, uint32_t ucpu) {
    replace_running(ts, ucpu);
    cpus_[ucpu] = {sched, utid};
    cpu_of_[utid] = ucpu;
    if (sched == kNoRow) ++file_.elsewhere().sched.added;
    enter(ts, utid, row, kRunning);
  }

  // The thread of the CPU enters a state without a name, because another one runs.
  void replace_running(int64_t ts, uint32_t ucpu) {
    const Cpu cpu = cpus_[ucpu];
    if (cpu.utid == kNoRow) return;
    leave_cpu(ts, ucpu, {});
    hanging_[cpu.utid] = {cpu.row, ts};
    const auto unnamed = unnamed_.extract(cpu.utid);
    enter(ts, cpu.utid, unnamed.empty() ? kNoRow : unnamed.mapped(), 0);
  }

  // Ends the open row of the CPU.
  void leave_cpu(int64_t ts, uint32_t ucpu, StringId end_state) {
    const Cpu cpu = std::exchange(cpus_[ucpu], {});
    compare_end(ts, cpu.row, end_state);
    cpu_of_.erase(cpu.utid);
  }

  void stop(int64_t ts, uint32_t utid, uint32_t row, int32_t state) {
    const auto at = cpu_of_.find(utid);
    const uint32_t ucpu =
        at == cpu_of_.end() ? store_.threads.machine_id[utid] * kCpusOfMachine : at->second;
    write(ts, utid, row, kNoRow, ucpu, state);
    const bool is_known = last_.contains(utid) || !descriptors_.is_of_switches(utid);
    if ((is_dead(utid) && state != kDestroyed) || (state == kCreated && is_known)) {
      ++file_.elsewhere().states.lost;
      return;
    }
    stop_derived(ts, utid, row, state);
  }

  void stop_derived(int64_t ts, uint32_t utid, uint32_t row, int32_t state) {
    const StringId name = row == kNoRow ? StringId() : store_.thread_states.state[row];
    if (const auto at = cpu_of_.find(utid); at != cpu_of_.end()) {
      leave_cpu(ts, at->second, name);
      return enter(ts, utid, row, state);
    }
    const auto hanging = hanging_.find(utid);
    if (hanging == hanging_.end() || hanging->second.end != ts) return enter(ts, utid, row, state);
    const uint32_t sched = hanging->second.row;
    hanging_.erase(hanging);
    // The state without a name gets this one.
    if (sched != kNoRow && !store_.sched.end_state[sched])
      ++file_.elsewhere().sched.changed;
    else if (sched != kNoRow && store_.sched.end_state[sched] == name)
      --file_.elsewhere().sched.changed;
    --file_.elsewhere().states.added;
    last_[utid] = {row, ts, state};
  }

  void enter(int64_t ts, uint32_t utid, uint32_t row, int32_t state) {
    if (store_.threads.is_idle[utid] != 0 && store_.threads.tid[utid] == 0) return;
    const auto last = last_.find(utid);
    if (last != last_.end() && last->second.row != kNoRow &&
        store_.thread_states.dur[last->second.row] != ts - last->second.since)
      ++file_.elsewhere().states.changed;
    if (row == kNoRow) ++file_.elsewhere().states.added;
    last_[utid] = {row, ts, state};
  }

  bool is_dead(uint32_t utid) const {
    const auto last = last_.find(utid);
    return last != last_.end() && last->second.state == kDead;
  }

  void compare_end(int64_t ts, uint32_t row, StringId state) {
    if (row == kNoRow) return;
    const SchedTable& rows = store_.sched;
    if (rows.end_state[row] != state || rows.dur[row] != ts - rows.ts[row])
      ++file_.elsewhere().sched.changed;
  }

  void write_loose(uint32_t row) {
    const ThreadStateTable& rows = store_.thread_states;
    const uint32_t utid = rows.utid[row];
    const int32_t state = number_of(text(store_, rows.state[row]));
    ++file_.elsewhere().loose_states;
    write(rows.ts[row], utid, row, kNoRow, store_.threads.machine_id[utid] * kCpusOfMachine, state);
  }

  void add_task(protozero::pbf_writer& event, uint32_t ucpu, int64_t tid, StringId name,
                int32_t state, int64_t priority) {
    using Field = field::GenericKernelTaskStateEvent;
    event.add_int32(Field::kCpu, static_cast<int32_t>(ucpu % kCpusOfMachine));
    if (name) add_text(event, Field::kComm, text(store_, name));
    event.add_int64(Field::kTid, tid);
    event.add_enum(Field::kState, state);
    event.add_int32(Field::kPrio, static_cast<int32_t>(priority));
  }

  // Writes an event with the rows that it stands for; either may be missing.
  void write(int64_t ts, uint32_t utid, uint32_t row, uint32_t sched, uint32_t ucpu,
             int32_t state) {
    using Own = own::TaskState;
    const SchedTable& scheds = store_.sched;
    const ThreadStateTable& states = store_.thread_states;
    Packet packet(file_, machines_.kernel(store_.threads.machine_id[utid]), ts);
    protozero::pbf_writer event(
        packet.get(),
        state == 0 ? uint32_t{own::kTaskField} : field::TracePacket::kGenericKernelTaskStateEvent);
    add_task(event, ucpu, store_.threads.tid[utid], store_.threads.name[utid], state,
             sched == kNoRow ? 0 : scheds.priority[sched]);
    std::string message;
    protozero::pbf_writer about(message);
    if (row != kNoRow) {
      about.add_int64(Own::kDur, states.dur[row]);
      if (states.state[row]) add_text(about, Own::kState, text(store_, states.state[row]));
      if (states.ucpu[row].row != kNoRow)
        about.add_uint32(Own::kCpu, states.ucpu[row].row % kCpusOfMachine);
      if (states.io_wait[row].row != kNoRow)
        about.add_uint32(Own::kIoWait, states.io_wait[row].row);
      if (states.blocked_function[row])
        add_text(about, Own::kFunction, text(store_, states.blocked_function[row]));
    }
    if (sched != kNoRow) {
      about.add_int64(Own::kSchedDur, scheds.dur[sched]);
      about.add_int64(Own::kPriority, scheds.priority[sched]);
      about.add_uint32(Own::kSchedCpu, scheds.ucpu[sched] % kCpusOfMachine);
      if (scheds.end_state[sched])
        add_text(about, Own::kEndState, text(store_, scheds.end_state[sched]));
    }
    event.add_message(own::kField, message);
    file_.advance(1);
  }

  const Store& store_;
  const Selection& selection_;
  const Machines& machines_;
  const Descriptors& descriptors_;
  const SchedPlan& plan_;
  PacketFile& file_;
  std::map<uint32_t, Cpu> cpus_;          // by ucpu
  std::map<uint32_t, uint32_t> cpu_of_;   // ucpu of running threads, by utid
  std::map<uint32_t, Last> last_;         // by utid
  std::map<uint32_t, Hanging> hanging_;   // by utid
  std::map<uint32_t, uint32_t> unnamed_;  // rows of thread_state, by utid
  std::vector<uint32_t> now_;             // rows of sched at the current time
  size_t state_ = 0, sched_ = 0;          // next rows
};

}  // namespace

std::vector<bool> machines_of_tasks(const Store& store) {
  std::vector<bool> can(store.machines.rows(), true);
  const ThreadStateTable& states = store.thread_states;
  for (uint32_t row = 0; row < states.rows(); ++row) {
    const bool has_name = !states.state[row] || number_of(text(store, states.state[row])) != 0;
    if (states.waker_utid[row].row != kNoRow || !has_name)
      can[store.threads.machine_id[states.utid[row]]] = false;
  }
  for (const uint32_t utid : store.spurious_wakeups.utid.values())
    can[store.threads.machine_id[utid]] = false;
  return can;
}

Result<> write_task_states(const Store& store, const Selection& selection, const Machines& machines,
                           const Descriptors& descriptors, const SchedPlan& plan,
                           PacketFile& file) {
  return Tasks(store, selection, machines, descriptors, plan, file).run();
}

}  // namespace tracebraid::perfetto
