// json: Trace Event Format, for viewers such as chrome://tracing. Streamed: memory does not grow
// with the trace.
//
// Slices of threads become complete events, slices of processes asynchronous events; other slices
// are on synthetic threads. Duplicate pids are replaced; `otherData` has the originals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/new_file.h"
#include "export/export.h"
#include "export/row_nouns.h"
#include "export/rows/cell_text.h"
#include "export/samples.h"
#include "export/trace_json/event_writer.h"
#include "export/trace_json/flows.h"
#include "export/trace_json/losses.h"
#include "export/trace_json/places.h"
#include "export/trace_json/samples.h"
#include "export/trace_json/scheduling.h"
#include "export/trace_json/text.h"

namespace tracebraid {
namespace {

class TraceJson {
 public:
  TraceJson(const Store& store, const Selection& selection, NewFile& file, Progress& progress)
      : store_(store),
        selection_(selection),
        progress_(progress),
        places_(assign_places(store, selection)),
        to_(file, progress, selection),
        flows_(choose_flows(store, places_, selection)),
        callstacks_(store),
        stacks_(store) {}

  Result<ExportReport> write() {
    progress_.begin("exporting events",
                    store_.slices.rows() + store_.counters.rows() + store_.sched.rows() +
                        store_.thread_states.rows() +
                        std::max(store_.profiler_samples.rows(), store_.json_samples.rows()),
                    "events");
    to_.text() += "{\"traceEvents\":[";
    write_names();
    TB_TRY(write_slices());
    TB_TRY(write_counters());
    TB_TRY(write_sched(store_, selection_, places_, to_));
    TB_TRY(write_thread_states(store_, selection_, places_, to_, report_.notes));
    TB_TRY(write_logs());
    to_.text() += "\n]";
    TB_TRY(write_samples(store_, selection_, places_, stacks_, to_, report_.notes));
    TB_TRY(stacks_.write_frames(to_));
    to_.text() += ",\"displayTimeUnit\":\"ns\",\"otherData\":";
    write_other_data();
    to_.text() += "}\n";
    TB_TRY(to_.flush());
    add_notes();
    report_.rows = to_.rows();
    report_.bytes = to_.bytes();
    return std::move(report_);
  }

 private:
  std::string_view text(StringId id) const { return text_or_empty(store_, id); }

  void add_notes() {
    std::vector<std::string>& notes = report_.notes;
    if (flows_.skipped != 0)
      notes.push_back(not_exported(flows_.skipped, "__intrinsic_flow") +
                      ", because an end is not a slice of a thread");
    if (not_finite_ != 0)
      notes.push_back(not_exported(not_finite_, "__intrinsic_counter") +
                      ", because the format has only finite numbers");
    if (callstacks_skipped_ != 0)
      notes.push_back(not_exported(callstacks_skipped_, "__intrinsic_track_event_callstacks") +
                      ", because the format has none for such slices");
    if (to_.unplaced() != 0)
      notes.push_back(fmt::format("not exported: {} {}, because the time cannot be converted to {}",
                                  to_.unplaced(), to_.unplaced() == 1 ? "event" : "events",
                                  selection_.timeline->label()));
    for (std::string& line : losses_in_json(store_)) notes.push_back(std::move(line));
  }

  void add_args(OptRow set) {
    if (set.row == OptRow::kNull) return;
    to_.add_name("args");
    append_args(to_.text(), store_, set.row);
  }

  void write_name(std::string_view what, int64_t pid, int64_t tid, std::string_view name,
                  std::string_view key = "name") {
    to_.begin("M", pid, tid);
    to_.add_text("name", what);
    to_.open_object("args");
    to_.add_text(key, name);
    to_.close_object();
    to_.end();
  }

  void write_names() {
    for (uint32_t upid = 0; upid < store_.processes.rows(); ++upid) {
      const uint32_t machine = store_.processes.machine_id[upid];
      if (!selection_.takes_machine(machine) || !selection_.takes_process({upid}) ||
          places_.is_hidden[upid])
        continue;
      if (const StringId name = store_.processes.name[upid])
        write_name("process_name", places_.pids[upid], 0, text(name));
      if (const StringId name = store_.machines.name[machine])
        write_name("process_labels", places_.pids[upid], 0, text(name), "labels");
    }
    for (uint32_t utid = 0; utid < store_.threads.rows(); ++utid) {
      const StringId name = store_.threads.name[utid];
      if (name && places_.thread_is_shown[utid] &&
          selection_.takes_machine(store_.threads.machine_id[utid]) &&
          selection_.takes_process(store_.threads.upid[utid]))
        write_name("thread_name", places_.thread_pid[utid], store_.threads.tid[utid], text(name));
    }
    for (const SyntheticProcess& process : places_.processes)
      if (selection_.takes_machine(process.machine))
        write_name("process_name", process.pid, 0, process.name);
    for (const SyntheticThread& thread : places_.threads)
      write_name("thread_name", thread.pid, thread.tid, thread.name);
  }

  Result<> write_slices() {
    const SliceTable& slices = store_.slices;
    for (uint32_t row = 0; row < slices.rows(); ++row) {
      const TrackPlace& place = places_.tracks[slices.track_id[row]];
      int64_t ts = slices.ts[row];
      const int64_t dur = slices.dur[row];
      if (place.form == TrackForm::Skipped || !selection_.takes_time(ts, dur) || !to_.move(ts))
        continue;
      if (place.form == TrackForm::Async)
        write_async(row, place, ts, dur);
      else
        write_complete(row, place, ts, dur);
      write_flow_ends(row, place, ts);
      to_.advance();
      TB_TRY(to_.drain());
    }
    return {};
  }

  void add_slice_fields(uint32_t row) {
    const SliceTable& slices = store_.slices;
    to_.add_text("name", text(slices.name[row]));
    if (const StringId category = slices.category[row]) to_.add_text("cat", text(category));
  }

  // Appends the callstack of a slice at its begin or end, if it has one.
  void add_callstack(uint32_t row, bool is_end, std::string_view member) {
    const TrackEventCallstacksTable& stacks = store_.track_event_callstacks;
    for (const auto& [slice, at] : callstacks_.of(row)) {
      const OptRow callsite = is_end ? stacks.end_callsite_id[at] : stacks.callsite_id[at];
      if (callsite.row == OptRow::kNull) continue;
      stacks_.add_reference(member, callsite.row, to_);
      return;
    }
  }

  // The second of two instants at one time would be inside the first, unless the first has an end.
  bool is_beside_another(uint32_t row) const {
    constexpr uint32_t kNear = 64;  // rows searched, to either side
    const SliceTable& slices = store_.slices;
    const auto is_beside = [&](uint32_t other) {
      return slices.track_id[other] == slices.track_id[row] && slices.dur[other] == 0 &&
             slices.depth[other] == slices.depth[row];
    };
    const auto rows = static_cast<uint32_t>(slices.rows());
    for (uint32_t i = 1; i < kNear && i <= row && slices.ts[row - i] == slices.ts[row]; ++i)
      if (is_beside(row - i)) return true;
    for (uint32_t i = 1; i < kNear && i < rows - row && slices.ts[row + i] == slices.ts[row]; ++i)
      if (is_beside(row + i)) return true;
    return false;
  }

  // A slice that never ended is a begin without an end; a slice without duration is mostly an
  // instant.
  void write_complete(uint32_t row, const TrackPlace& place, int64_t ts, int64_t dur) {
    const SliceTable& slices = store_.slices;
    const bool has_end = dur == 0 && is_beside_another(row);
    const int64_t tts = slices.thread_ts.get(row), tdur = slices.thread_dur.get(row);
    // An instant has no thread duration.
    const bool is_instant = dur == 0 && !has_end && tdur == OptInt::kNull;
    const bool is_complete = dur >= 0 && !has_end && !is_instant;
    to_.begin(is_complete ? "X" : is_instant ? "i" : "B", place.pid, place.tid);
    to_.add_micros("ts", ts);
    if (is_complete) to_.add_micros("dur", dur);
    if (is_instant) to_.text() += ",\"s\":\"t\"";
    add_slice_fields(row);
    if (tts != OptInt::kNull) to_.add_micros("tts", tts);
    if (tdur != OptInt::kNull && is_complete) to_.add_micros("tdur", tdur);
    add_callstack(row, false, "sf");
    if (is_complete) add_callstack(row, true, "esf");
    add_args(slices.arg_set_id[row]);
    to_.end();
    if (!has_end) return;
    to_.begin("E", place.pid, place.tid);
    to_.add_micros("ts", ts);
    add_callstack(row, true, "sf");
    to_.end();
  }

  void write_async(uint32_t row, const TrackPlace& place, int64_t ts, int64_t dur) {
    const auto add_id = [&] {
      fmt::format_to(std::back_inserter(to_.text()), ",\"id2\":{{\"local\":\"0x{:x}\"}}",
                     store_.slices.track_id[row]);
      add_slice_fields(row);
      // The format requires a category of asynchronous events.
      if (!store_.slices.category[row]) to_.add_text("cat", "");
    };
    to_.begin(dur == 0 ? "n" : "b", place.pid, place.tid);
    to_.add_micros("ts", ts);
    add_id();
    if (dur != 0)
      add_callstack(row, false, "sf");
    else
      callstacks_skipped_ += callstacks_.of(row).size();
    add_args(store_.slices.arg_set_id[row]);
    to_.end();
    int64_t finish = 0;
    if (dur <= 0 || __builtin_add_overflow(ts, dur, &finish)) return;
    to_.begin("e", place.pid, place.tid);
    to_.add_micros("ts", finish);
    add_id();
    add_callstack(row, true, "sf");
    to_.end();
  }

  // Written after their slice and before slices inside it, because readers would bind them to
  // those.
  void write_flow_ends(uint32_t slice, const TrackPlace& place, int64_t ts) {
    const auto add = [&](std::string_view phase, uint32_t flow) {
      to_.begin(phase, place.pid, place.tid);
      to_.add_micros("ts", ts);
      fmt::format_to(std::back_inserter(to_.text()),
                     ",\"id\":{},\"cat\":\"flow\",\"name\":\"flow\"", flow);
      if (phase == "f") to_.text() += ",\"bp\":\"e\"";
      to_.end();
    };
    while (const auto flow = flows_.finishes.next_of(slice, store_.flows.slice_in)) add("f", *flow);
    while (const auto flow = flows_.starts.next_of(slice, store_.flows.slice_out)) add("s", *flow);
  }

  Result<> write_counters() {
    const CounterTable& counters = store_.counters;
    for (uint32_t row = 0; row < counters.rows(); ++row) {
      const uint32_t track = counters.track_id[row];
      const TrackPlace& place = places_.tracks[track];
      int64_t ts = counters.ts[row];
      const double value = counters.value[row];
      if (place.form != TrackForm::Counter || !selection_.takes_time(ts, 0)) continue;
      if (!std::isfinite(value)) ++not_finite_;
      if (!std::isfinite(value) || !to_.move(ts)) continue;
      to_.begin("C", place.pid, place.tid);
      to_.add_micros("ts", ts);
      to_.add_text("name", text(store_.tracks.name[track]));
      // The id distinguishes tracks with the same name and process.
      fmt::format_to(std::back_inserter(to_.text()),
                     ",\"id\":\"0x{:x}\",\"args\":{{\"value\":", track);
      append_real(to_.text(), value);
      to_.text() += '}';
      to_.end();
      to_.advance();
      TB_TRY(to_.drain());
    }
    return {};
  }

  Result<> write_logs() {
    const LogTable& logs = store_.logs;
    for (uint32_t row = 0; row < logs.rows(); ++row) {
      const OptRow utid = logs.utid[row];
      const bool has_thread = utid.row != OptRow::kNull;
      const OptRow upid = has_thread ? store_.threads.upid[utid.row] : OptRow{};
      if (!selection_.takes_time(logs.ts[row], 0) || !selection_.takes_process(upid)) continue;
      if (has_thread && !selection_.takes_machine(store_.threads.machine_id[utid.row])) continue;
      int64_t ts = logs.ts[row];
      if (!to_.move(ts)) continue;
      to_.begin("i", has_thread ? places_.thread_pid[utid.row] : 0,
                has_thread ? store_.threads.tid[utid.row] : 0);
      to_.add_micros("ts", ts);
      to_.text() += has_thread ? ",\"s\":\"t\",\"cat\":\"log\"" : ",\"s\":\"g\",\"cat\":\"log\"";
      to_.add_text("name", text(logs.msg[row]));
      fmt::format_to(std::back_inserter(to_.text()), ",\"args\":{{\"priority\":{}", logs.prio[row]);
      if (const StringId tag = logs.tag[row]) to_.add_text("tag", text(tag));
      to_.text() += '}';
      to_.end();
      TB_TRY(to_.drain());
    }
    return {};
  }

  void write_other_data() {
    to_.text() += "{\"machines\":[";
    for (uint32_t row = 0; row < store_.machines.rows(); ++row) {
      if (row != 0) to_.text() += ',';
      append_json_string(to_.text(), text(store_.machines.name[row]));
    }
    to_.text() += "],\"files\":[";
    for (uint32_t row = 0; row < store_.files.rows(); ++row) {
      if (row != 0) to_.text() += ',';
      append_json_string(to_.text(), text(store_.files.path[row]));
    }
    to_.text() += "],\"renamedPids\":[";
    bool first = true;
    for (uint32_t upid = 0; upid < store_.processes.rows(); ++upid) {
      if (!places_.renamed[upid]) continue;
      if (!first) to_.text() += ',';
      first = false;
      fmt::format_to(std::back_inserter(to_.text()),
                     "{{\"pid\":{},\"originalPid\":{},\"machine\":{}}}", places_.pids[upid],
                     store_.processes.pid[upid], store_.processes.machine_id[upid]);
    }
    to_.text() += ']';
    write_clock();
    to_.text() += '}';
  }

  // Writes the clock of times and its bounds at the start and at the end.
  void write_clock() {
    if (selection_.timeline == nullptr) return;
    to_.add_text("clock", selection_.timeline->label());
    const auto add_uncertainty = [&](std::string_view name, int64_t ts) {
      const std::optional<int64_t> ns = selection_.timeline->uncertainty(ts);
      fmt::format_to(std::back_inserter(to_.text()), ",\"{}\":{}", name,
                     ns ? std::to_string(*ns) : "null");
    };
    add_uncertainty("uncertaintyNsAtStart", store_.trace_start);
    add_uncertainty("uncertaintyNsAtEnd", store_.trace_end);
  }

  const Store& store_;
  const Selection& selection_;
  Progress& progress_;
  Places places_;
  EventWriter to_;
  ExportReport report_;
  ChosenFlows flows_;
  SliceCallstacks callstacks_;
  JsonStacks stacks_;
  uint64_t not_finite_ = 0, callstacks_skipped_ = 0;
};

Result<ExportReport> write_json(const ExportSource& source, const ExportRequest& request,
                                Progress& progress) {
  if (!request.query.empty() || !request.tables.empty())
    return fail(ErrorCode::Usage,
                "json writes whole traces; use csv, jsonl or sqlite for tables or a query");
  TB_TRY_ASSIGN(const Selection selection, resolve(request.selection, source));
  TB_TRY_ASSIGN(NewFile file, NewFile::create(request.path, source.files));
  TB_TRY_ASSIGN(ExportReport report, TraceJson(source.store(), selection, file, progress).write());
  TB_TRY(file.finish());
  return report;
}

}  // namespace

extern const Exporter json_exporter;
const Exporter json_exporter = {
    "json", "Trace Event JSON of all machines, for chrome://tracing-style viewers", write_json};

}  // namespace tracebraid
