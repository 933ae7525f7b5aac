// perfetto: one protobuf trace of all machines and files on one timeline, for its viewers and to
// import again. Streamed: memory grows with names and tracks, not with events.
//
// Slices, counters and states are TrackEvents on described tracks; scheduling is sched_switch and
// sched_waking; data without a field in the format is in a field of our own
// (format/proto/recording/own.h).
#include <fmt/format.h>

#include <iterator>

#include "export/perfetto/events.h"
#include "export/perfetto/heaps.h"
#include "export/perfetto/kernel.h"
#include "export/perfetto/samples.h"
#include "export/row_nouns.h"

namespace tracebraid {
namespace {

using namespace perfetto;

// Returns whether other tables represent the rows of this table, or the table has the provenance of
// the trace. Such tables need no note about their rows.
bool has_own_representation(std::string_view table) {
  static constexpr std::string_view kTables[] = {"__intrinsic_trace_file",
                                                 "__intrinsic_machine",
                                                 "__intrinsic_metadata",
                                                 "__intrinsic_stats",
                                                 "__intrinsic_trace_import_logs",
                                                 "__intrinsic_clock_snapshot",
                                                 "__intrinsic_process",
                                                 "__intrinsic_thread",
                                                 "__intrinsic_cpu",
                                                 "__intrinsic_cpu_freq",
                                                 "__intrinsic_gpu",
                                                 "__intrinsic_args",
                                                 "__intrinsic_args_full",
                                                 "__intrinsic_track",
                                                 "__intrinsic_slice",
                                                 "__intrinsic_counter",
                                                 "__intrinsic_state",
                                                 "__intrinsic_flow",
                                                 "__intrinsic_sched_slice",
                                                 "__intrinsic_thread_state",
                                                 "__intrinsic_spurious_sched_wakeup",
                                                 "__intrinsic_ftrace_event",
                                                 "__intrinsic_logs",
                                                 "__intrinsic_stack_profile_mapping",
                                                 "__intrinsic_stack_profile_frame",
                                                 "__intrinsic_stack_profile_callsite",
                                                 "__intrinsic_stack_profile_symbol",
                                                 "__intrinsic_profiler_sample",
                                                 "__intrinsic_profiler_task_context",
                                                 "__intrinsic_profiler_execution_context",
                                                 "__intrinsic_profiler_session",
                                                 "__intrinsic_profiler_async_context",
                                                 "__intrinsic_chrome_stack_sample_extras",
                                                 "__intrinsic_json_sample",
                                                 "__intrinsic_track_event_callstacks",
                                                 "__intrinsic_heap_profile",
                                                 "__intrinsic_heap_profile_allocation",
                                                 "__intrinsic_heap_graph",
                                                 "__intrinsic_heap_graph_class",
                                                 "__intrinsic_heap_graph_object",
                                                 "__intrinsic_heap_graph_reference",
                                                 "__intrinsic_heap_graph_object_data",
                                                 "__intrinsic_heap_graph_primitive",
                                                 "__intrinsic_heap_graph_java_oome_details",
                                                 "__intrinsic_heap_graph_thread_callsite",
                                                 "__intrinsic_clock",
                                                 "__intrinsic_clock_edge",
                                                 "__intrinsic_clock_contradiction",
                                                 "__intrinsic_placement",
                                                 "__intrinsic_source_clock",
                                                 "__intrinsic_flow_violation",
                                                 "__intrinsic_flow_bound",
                                                 "__intrinsic_json_trace_clock",
                                                 "__intrinsic_json_clock_edge",
                                                 "__intrinsic_json_clock_sync_marker"};
  return std::ranges::count(kTables, table) != 0;
}

void note_losses(const Store& store, ExportReport& report) {
  for (const TableView& view : store.views())
    if (view.rows != 0 && !has_own_representation(view.name))
      report.notes.push_back(not_exported(view.rows, view.name));
}

std::string differences(const Differences& rows, std::string_view table) {
  std::string text;
  const auto add = [&](uint64_t count, std::string_view what) {
    if (count == 0) return;
    if (text.empty())
      fmt::format_to(std::back_inserter(text), "{} {} of {} {} {}", count,
                     count == 1 ? "row" : "rows", table, count == 1 ? "is" : "are", what);
    else
      fmt::format_to(std::back_inserter(text), ", {} {}", count, what);
  };
  add(rows.added, "added");
  add(rows.changed, "changed");
  add(rows.lost, "lost");
  return text;
}

// Notes what the format cannot represent, so that other programs show something else.
void note_elsewhere(const Elsewhere& elsewhere, ExportReport& report) {
  std::string sched = differences(elsewhere.sched, "sched");
  const std::string states = differences(elsewhere.states, "thread_state");
  if (!sched.empty() && !states.empty()) sched += "; ";
  sched += states;
  if (!sched.empty())
    report.notes.push_back(fmt::format(
        "in other programs {}: the format has no end of a state without the next state, and no "
        "names for some states",
        sched));
  if (const uint64_t count = elsewhere.loose_states; count != 0)
    report.notes.push_back(
        fmt::format("{} {} from no switch of a CPU; lengths may differ in other programs", count,
                    count == 1 ? "thread state follows" : "thread states follow"));
  if (const uint64_t count = elsewhere.before_zero; count != 0)
    report.notes.push_back(fmt::format(
        "other programs drop {} {} before 0, which cannot be moved, because the trace lasts too "
        "long",
        count, count == 1 ? "event" : "events"));
  if (const uint64_t count = elsewhere.without_thread; count != 0)
    report.notes.push_back(
        fmt::format("{} no thread; other programs show thread 0 of the process",
                    count == 1 ? "1 sample has" : fmt::format("{} samples have", count)));
}

// Returns what to add to times so that none is negative, because other programs drop negative ones:
// whole seconds, or 0.
int64_t shift_of(const Store& store, const Selection& selection) {
  constexpr int64_t kSecond = 1'000'000'000;
  const std::optional<int64_t> start =
      selection.timeline == nullptr ? store.trace_start : selection.timeline->at(store.trace_start);
  if (!start || *start >= 0) return 0;
  const int64_t seconds = -(*start / kSecond) + (*start % kSecond == 0 ? 0 : 1);
  int64_t shift = 0, end = 0;
  if (__builtin_mul_overflow(seconds, kSecond, &shift) ||
      __builtin_add_overflow(store.trace_end, shift, &end))
    return 0;
  return shift;
}

Result<ExportReport> write_perfetto(const ExportSource& source, const ExportRequest& request,
                                    Progress& progress) {
  if (!request.query.empty() || !request.tables.empty())
    return fail(ErrorCode::Usage,
                "perfetto writes whole traces; use csv, jsonl or sqlite for tables or a query");
  const Store& store = source.store();
  TB_TRY_ASSIGN(const Selection selection, resolve(request.selection, source));
  TB_TRY_ASSIGN(NewFile file, NewFile::create(request.path, source.files));
  progress.begin("exporting events",
                 store.slices.rows() + store.counters.rows() + store.states.rows() +
                     store.thread_states.rows() + store.ftrace_events.rows() + store.logs.rows() +
                     store.profiler_samples.rows(),
                 "events");
  const int64_t shift = shift_of(store, selection);
  PacketFile packets(file, selection, shift, progress);
  const Machines machines(store);
  const Descriptors descriptors(store, selection, machines);
  const Clocks clocks(source, selection, machines, descriptors, packets);
  clocks.write();
  machines.write(selection, packets);
  clocks.write_later();
  TB_TRY(descriptors.write(packets));
  const FlowMarks flows = mark_flows(store, selection, descriptors);
  Events events(store, selection, machines, descriptors, packets);
  TB_TRY(events.write_slices(flows));
  TB_TRY(events.write_counters());
  TB_TRY(events.write_states());
  const SchedPlan plan = plan_sched(store, selection, machines, descriptors, packets);
  TB_TRY(write_sched(store, selection, machines, descriptors, plan, packets));
  TB_TRY(write_task_states(store, selection, machines, descriptors, plan, packets));
  TB_TRY(write_kernel_rows(store, selection, machines, descriptors, packets));
  TB_TRY(write_logs(store, machines, descriptors, clocks, packets));
  std::vector<Stacks> stacks(store.machines.rows(), Stacks(store));
  TB_TRY(write_samples(store, selection, machines, descriptors, stacks, packets));
  TB_TRY(write_heap_profiles(store, selection, machines, clocks, descriptors, stacks, packets));
  TB_TRY(write_heap_graphs(store, selection, machines, descriptors, packets));
  // Other programs reject an empty file.
  if (packets.is_empty()) Packet(packets, Writer{.sequence = 1});
  TB_TRY(packets.flush());
  TB_TRY(file.finish());
  ExportReport report{.rows = events.rows(), .bytes = packets.bytes()};
  if (packets.unplaced() != 0)
    report.notes.push_back(
        fmt::format("not exported: {} {} that cannot be converted to {}", packets.unplaced(),
                    packets.unplaced() == 1 ? "time" : "times", selection.timeline->label()));
  if (shift != 0)
    report.notes.push_back(fmt::format(
        "all times in the file are {} s later, because other programs drop times before 0; "
        "tracebraid restores them",
        shift / 1'000'000'000));
  note_losses(store, report);
  note_elsewhere(packets.elsewhere(), report);
  if (const size_t count = descriptors.shown_pids().size(); count != 0) {
    const auto [upid, pid] = *descriptors.shown_pids().begin();
    report.notes.push_back(fmt::format(
        "{} {} a pid of more than 32 bits, which other programs replace: {} is {} there", count,
        count == 1 ? "process has" : "processes have", store.processes.pid[upid], pid));
  }
  return report;
}

}  // namespace

extern const Exporter perfetto_exporter;
const Exporter perfetto_exporter = {
    "perfetto", "one protobuf trace of all machines on one timeline, for trace viewers",
    write_perfetto};

}  // namespace tracebraid
