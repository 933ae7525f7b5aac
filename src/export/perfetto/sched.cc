// Scheduling: the events of which the rows of sched, thread_state and spurious_sched_wakeup came.
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "build/task_state.h"
#include "export/perfetto/args.h"
#include "export/perfetto/kernel.h"
#include "format/proto/own.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

constexpr uint32_t kCpusOfMachine = 4096;
constexpr uint32_t kNoRow = OptRow::kNull;

std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

// The bits by which a machine's kernel means a state.
class StateBits {
 public:
  explicit StateBits(const Store& store) : store_(store), bits_(store.machines.rows()) {}

  int64_t of(uint32_t machine, std::string_view state) {
    constexpr int64_t kInvalid = 0x10000;
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
             const Descriptors& descriptors, PacketFile& file)
      : store_(store),
        selection_(selection),
        machines_(machines),
        descriptors_(descriptors),
        file_(file),
        bundles_(machines, own::kNoRows, file),
        state_bits_(store),
        known_functions_(store.machines.rows()) {}

  // All rows of one moment at a time: what a thread left its CPU for is a row of thread_state.
  Result<> run() {
    const auto& states = store_.thread_states;
    const auto& switches = store_.sched;
    const auto& wakeups = store_.spurious_wakeups;
    constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
    const auto next = [](const auto& table, size_t row) {
      return row < table.rows() ? table.ts[row] : kNever;
    };
    while (state_ < states.rows() || switch_ < switches.rows() || wakeup_ < wakeups.rows()) {
      const int64_t ts =
          std::min({next(states, state_), next(switches, switch_), next(wakeups, wakeup_)});
      find_left(ts);
      TB_TRY(write_switches(ts));
      TB_TRY(write_wakings(ts));
      for (; wakeup_ < wakeups.rows() && wakeups.ts[wakeup_] == ts; ++wakeup_)
        TB_TRY(write_waking(ts, wakeups.utid[wakeup_], wakeups.waker_utid[wakeup_], {},
                            wakeups.irq_context[wakeup_]));
    }
    for (const auto& [ucpu, row] : last_switch_) TB_TRY(write_idle(ucpu, row));
    return bundles_.finish();
  }

 private:
  std::string_view text(StringId id) const { return perfetto::text(store_, id); }
  bool is_taken(int64_t ts, uint32_t utid) const {
    return selection_.takes_time(ts, 0) && descriptors_.takes_thread(utid);
  }

  // The threads that left a CPU at this moment, by the rows of thread_state that say so.
  void find_left(int64_t ts) {
    const ThreadStateTable& states = store_.thread_states;
    left_.clear();
    for (size_t row = state_; row < states.rows() && states.ts[row] == ts; ++row)
      if (states.waker_utid[row].row == kNoRow && text(states.state[row]) != "Running")
        left_[states.utid[row]] = static_cast<uint32_t>(row);
  }

  Result<> write_switches(int64_t ts) {
    const SchedTable& rows = store_.sched;
    const size_t first = switch_;
    // First those of which it is known who ran before, so that the others can be matched.
    for (; switch_ < rows.rows() && rows.ts[switch_] == ts; ++switch_)
      if (ends_at(last_of(rows.ucpu[switch_]), ts))
        TB_TRY(write_known_switch(static_cast<uint32_t>(switch_)));
    for (size_t row = first; row < switch_; ++row)
      if (last_of(rows.ucpu[row]) != row) TB_TRY(write_first_switch(static_cast<uint32_t>(row)));
    return {};
  }

  uint32_t last_of(uint32_t ucpu) const {
    const auto at = last_switch_.find(ucpu);
    return at == last_switch_.end() ? kNoRow : at->second;
  }
  bool ends_at(uint32_t row, int64_t ts) const {
    const SchedTable& rows = store_.sched;
    return row != kNoRow && rows.dur[row] >= 0 && rows.ts[row] + rows.dur[row] == ts;
  }

  Result<> write_known_switch(uint32_t row) {
    const uint32_t before = last_of(store_.sched.ucpu[row]);
    return write_switch(row, store_.sched.utid[before], store_.sched.priority[before],
                        store_.sched.end_state[before]);
  }

  // Nothing is known to have run there until now: any thread that left a CPU at this moment and
  // was on no other, or the idle task.
  Result<> write_first_switch(uint32_t row) {
    const uint32_t before = last_of(store_.sched.ucpu[row]);
    if (before != kNoRow && store_.sched.dur[before] >= 0)
      TB_TRY(write_idle(store_.sched.ucpu[row], before));
    if (left_.empty()) return write_switch(row, kNoRow, 0, {});
    const auto [utid, state] = *left_.begin();
    return write_switch(row, utid, 0, store_.thread_states.state[state]);
  }

  Result<> write_switch(uint32_t row, uint32_t prev, int64_t prev_prio, StringId state) {
    const SchedTable& rows = store_.sched;
    const uint32_t next = rows.utid[row], ucpu = rows.ucpu[row];
    last_switch_[ucpu] = row;
    const auto left = left_.find(prev);
    const uint32_t left_row = left == left_.end() ? kNoRow : left->second;
    if (left_row != kNoRow) left_.erase(left);
    if (!is_taken(rows.ts[row], next) && !(prev != kNoRow && is_taken(rows.ts[row], prev)))
      return {};
    TB_TRY(
        add_switch(ucpu, rows.ts[row], {prev, prev_prio, state}, {next, rows.priority[row], {}}));
    return left_row == kNoRow ? Result<>() : write_blocked(ucpu, left_row);
  }

  struct Side {
    uint32_t utid;
    int64_t prio;
    StringId state;
  };
  Result<> add_switch(uint32_t ucpu, int64_t ts, const Side& prev, const Side& next) {
    using Field = field::SchedSwitchFtraceEvent;
    const ThreadTable& threads = store_.threads;
    message_.clear();
    protozero::pbf_writer event(message_);
    int64_t prev_tid = 0;
    if (prev.utid != kNoRow) {
      prev_tid = threads.tid[prev.utid];
      if (const StringId name = threads.name[prev.utid])
        add_text(event, Field::kPrevComm, text(name));
      // Nothing is said of a state without a name: its bits are none that a kernel has.
      event.add_int64(Field::kPrevState,
                      state_bits_.of(threads.machine_id[prev.utid], text(prev.state)));
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

  // After a row that ends without another one on its CPU nobody is known to run.
  Result<> write_idle(uint32_t ucpu, uint32_t row) {
    const SchedTable& rows = store_.sched;
    int64_t end = 0;
    if (rows.dur[row] < 0 || __builtin_add_overflow(rows.ts[row], rows.dur[row], &end)) return {};
    if (!is_taken(rows.ts[row], rows.utid[row])) return {};
    return add_switch(ucpu, end, {rows.utid[row], rows.priority[row], rows.end_state[row]},
                      {kNoRow, 0, {}});
  }

  Result<> write_blocked(uint32_t ucpu, uint32_t row) {
    using Field = field::SchedBlockedReasonFtraceEvent;
    const ThreadStateTable& rows = store_.thread_states;
    const StringId function = rows.blocked_function[row];
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

  Result<> write_wakings(int64_t ts) {
    const ThreadStateTable& rows = store_.thread_states;
    for (; state_ < rows.rows() && rows.ts[state_] == ts; ++state_)
      if (rows.waker_utid[state_].row != kNoRow)
        TB_TRY(write_waking(ts, rows.utid[state_], rows.waker_utid[state_], rows.waker_id[state_],
                            rows.irq_context[state_]));
    return {};
  }

  Result<> write_waking(int64_t ts, uint32_t utid, OptRow waker, OptRow waker_state, OptRow irq) {
    using Field = field::SchedWakingFtraceEvent;
    const ThreadTable& threads = store_.threads;
    if (!is_taken(ts, utid) || waker.row == kNoRow) return {};
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
  PacketFile& file_;
  Bundles bundles_;
  StateBits state_bits_;
  std::vector<std::vector<bool>> known_functions_;  // by machine and string
  std::map<uint32_t, uint32_t> last_switch_;        // row of sched, by ucpu
  std::map<uint32_t, uint32_t> left_;               // row of thread_state, by utid
  std::string message_;
  size_t state_ = 0, switch_ = 0, wakeup_ = 0;  // rows that come next
};

}  // namespace

Result<> write_sched(const Store& store, const Selection& selection, const Machines& machines,
                     const Descriptors& descriptors, PacketFile& file) {
  return Scheduling(store, selection, machines, descriptors, file).run();
}

}  // namespace tracebraid::perfetto
