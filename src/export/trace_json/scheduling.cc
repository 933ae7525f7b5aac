#include "export/trace_json/scheduling.h"

#include "assemble/identity/cpus.h"  // kCpusOfMachine
#include "export/row_nouns.h"
#include "export/trace_json/text.h"

namespace tracebraid {
namespace {

bool takes_thread(const Store& store, const Selection& selection, uint32_t utid) {
  return selection.takes_machine(store.threads.machine_id[utid]) &&
         selection.takes_process(store.threads.upid[utid]);
}

void add_state_args(const Store& store, uint32_t row, EventWriter& to) {
  const ThreadStateTable& states = store.thread_states;
  to.open_object("args");
  // The format has one machine: CPU 0 of two machines would be one CPU, on which two threads run.
  if (const OptRow ucpu = states.ucpu[row];
      ucpu.row != OptRow::kNull && ucpu.row / kCpusOfMachine == store.timeline_machine)
    to.add_integer("cpu", ucpu.row % kCpusOfMachine);
  if (const OptRow io_wait = states.io_wait[row]; io_wait.row != OptRow::kNull)
    to.add_integer("io_wait", io_wait.row);
  if (const StringId function = states.blocked_function[row])
    to.add_text("blocked_function", text_or_empty(store, function));
  to.close_object();
}

}  // namespace

Result<> write_sched(const Store& store, const Selection& selection, const Places& places,
                     EventWriter& to) {
  const SchedTable& sched = store.sched;
  for (uint32_t row = 0; row < sched.rows(); ++row) {
    const uint32_t utid = sched.utid[row];
    int64_t ts = sched.ts[row];
    const int64_t dur = sched.dur[row];
    if (!selection.takes_time(ts, dur) || !takes_thread(store, selection, utid) || !to.move(ts))
      continue;
    to.begin(dur < 0 ? "B" : "X", places.cpu_pid[store.threads.machine_id[utid]],
             sched.ucpu[row] % kCpusOfMachine);
    to.add_micros("ts", ts);
    if (dur >= 0) to.add_micros("dur", dur);
    to.add_text("cat", "sched");
    to.add_text("name", text_or_empty(store, store.threads.name[utid]));
    to.open_object("args");
    to.add_integer("tid", store.threads.tid[utid]);
    to.add_integer("priority", sched.priority[row]);
    if (const StringId state = sched.end_state[row])
      to.add_text("end_state", text_or_empty(store, state));
    to.close_object();
    to.end();
    to.advance();
    TB_TRY(to.drain());
  }
  return {};
}

Result<> write_thread_states(const Store& store, const Selection& selection, const Places& places,
                             EventWriter& to, std::vector<std::string>& notes) {
  const ThreadStateTable& states = store.thread_states;
  uint64_t without_end = 0;
  for (uint32_t row = 0; row < states.rows(); ++row) {
    const uint32_t utid = states.utid[row];
    int64_t ts = states.ts[row];
    const int64_t dur = states.dur[row];
    if (!selection.takes_time(ts, dur) || !takes_thread(store, selection, utid)) continue;
    if (dur < 0) ++without_end;
    if (dur < 0 || !to.move(ts)) continue;
    to.begin("T", places.thread_pid[utid], store.threads.tid[utid]);
    to.add_micros("ts", ts);
    to.add_micros("dur", dur);
    to.add_text("cat", "thread_state");
    to.add_text("name", text_or_empty(store, states.state[row]));
    add_state_args(store, row, to);
    to.end();
    to.advance();
    TB_TRY(to.drain());
  }
  if (without_end != 0)
    notes.push_back(not_exported(without_end, "__intrinsic_thread_state") +
                    ", because the format has no states without an end");
  return {};
}

}  // namespace tracebraid
