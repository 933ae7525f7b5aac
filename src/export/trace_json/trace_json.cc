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
#include "export/trace_json/flows.h"
#include "export/trace_json/losses.h"
#include "export/trace_json/places.h"
#include "export/trace_json/text.h"

namespace tracebraid {
namespace {

constexpr size_t kWriteBytes = size_t{1} << 20;

class TraceJson {
 public:
  TraceJson(const Store& store, const Selection& selection, NewFile& file, Progress& progress)
      : store_(store),
        selection_(selection),
        file_(file),
        progress_(progress),
        places_(assign_places(store, selection)),
        flows_(choose_flows(store, places_, selection)) {}

  Result<ExportReport> write() {
    progress_.begin("exporting events",
                    store_.slices.rows() + store_.counters.rows() + store_.sched.rows(), "events");
    buffer_.reserve(kWriteBytes + kWriteBytes / 8);
    buffer_ += "{\"traceEvents\":[";
    write_names();
    TB_TRY(write_slices());
    TB_TRY(write_counters());
    TB_TRY(write_sched());
    TB_TRY(write_logs());
    buffer_ += "\n],\"displayTimeUnit\":\"ns\",\"otherData\":";
    write_other_data();
    buffer_ += "}\n";
    TB_TRY(flush());
    if (flows_.skipped != 0)
      report_.notes.push_back(not_exported(flows_.skipped, "__intrinsic_flow") +
                              ", because an end is not a slice of a thread");
    if (not_finite_ != 0)
      report_.notes.push_back(not_exported(not_finite_, "__intrinsic_counter") +
                              ", because the format has only finite numbers");
    if (unplaced_ != 0)
      report_.notes.push_back(
          fmt::format("not exported: {} {}, because the time cannot be converted to {}", unplaced_,
                      unplaced_ == 1 ? "event" : "events", selection_.timeline->label()));
    for (std::string& line : losses_in_json(store_)) report_.notes.push_back(std::move(line));
    return std::move(report_);
  }

 private:
  std::string_view text(StringId id) const {
    return id ? store_.strings.get(id) : std::string_view();
  }

  Result<> flush() {
    TB_TRY(file_.write(buffer_));
    report_.bytes += buffer_.size();
    buffer_.clear();
    return {};
  }
  // Call between events.
  Result<> drain() {
    if (buffer_.size() < kWriteBytes) return {};
    if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    return flush();
  }

  void begin(std::string_view phase, int64_t pid, int64_t tid) {
    buffer_ += first_ ? "\n{\"ph\":\"" : ",\n{\"ph\":\"";
    first_ = false;
    buffer_ += phase;
    buffer_ += "\",\"pid\":";
    append_integer(buffer_, pid);
    buffer_ += ",\"tid\":";
    append_integer(buffer_, tid);
    ++report_.rows;
  }
  void add_text(std::string_view field, std::string_view value) {
    buffer_ += ",\"";
    buffer_ += field;
    buffer_ += "\":";
    append_json_string(buffer_, value);
  }
  // Converts a time to the clock of the export. Returns false and counts the event if it has no
  // time there.
  bool move(int64_t& ts) {
    if (selection_.timeline == nullptr) return true;
    const std::optional<int64_t> at = selection_.timeline->at(ts);
    if (!at) ++unplaced_;
    ts = at.value_or(ts);
    return at.has_value();
  }
  void add_micros(std::string_view field, int64_t ns) {
    buffer_ += ",\"";
    buffer_ += field;
    buffer_ += "\":";
    append_micros(buffer_, ns);
  }
  void add_args(OptRow set) {
    if (set.row == OptRow::kNull) return;
    buffer_ += ",\"args\":";
    append_args(buffer_, store_, set.row);
  }
  void end() { buffer_ += '}'; }

  void write_name(std::string_view what, int64_t pid, int64_t tid, std::string_view name,
                  std::string_view key = "name") {
    begin("M", pid, tid);
    add_text("name", what);
    buffer_ += ",\"args\":{\"";
    buffer_ += key;
    buffer_ += "\":";
    append_json_string(buffer_, name);
    buffer_ += '}';
    end();
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
      if (place.form == TrackForm::Skipped || !selection_.takes_time(ts, dur) || !move(ts))
        continue;
      if (place.form == TrackForm::Async)
        write_async(row, place, ts, dur);
      else
        write_complete(row, place, ts, dur);
      write_flow_ends(row, place, ts);
      progress_.advance(1);
      TB_TRY(drain());
    }
    return {};
  }

  void add_slice_fields(uint32_t row) {
    const SliceTable& slices = store_.slices;
    add_text("name", text(slices.name[row]));
    if (const StringId category = slices.category[row]) add_text("cat", text(category));
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
    begin(is_complete ? "X" : is_instant ? "i" : "B", place.pid, place.tid);
    add_micros("ts", ts);
    if (is_complete) add_micros("dur", dur);
    if (is_instant) buffer_ += ",\"s\":\"t\"";
    add_slice_fields(row);
    if (tts != OptInt::kNull) add_micros("tts", tts);
    if (tdur != OptInt::kNull && is_complete) add_micros("tdur", tdur);
    add_args(slices.arg_set_id[row]);
    end();
    if (!has_end) return;
    begin("E", place.pid, place.tid);
    add_micros("ts", ts);
    end();
  }

  void write_async(uint32_t row, const TrackPlace& place, int64_t ts, int64_t dur) {
    const auto add_id = [&] {
      fmt::format_to(std::back_inserter(buffer_), ",\"id2\":{{\"local\":\"0x{:x}\"}}",
                     store_.slices.track_id[row]);
      add_slice_fields(row);
      // The format requires a category of asynchronous events.
      if (!store_.slices.category[row]) add_text("cat", "");
    };
    begin(dur == 0 ? "n" : "b", place.pid, place.tid);
    add_micros("ts", ts);
    add_id();
    add_args(store_.slices.arg_set_id[row]);
    end();
    int64_t finish = 0;
    if (dur <= 0 || __builtin_add_overflow(ts, dur, &finish)) return;
    begin("e", place.pid, place.tid);
    add_micros("ts", finish);
    add_id();
    end();
  }

  // Written after their slice and before slices inside it, because readers would bind them to
  // those.
  void write_flow_ends(uint32_t slice, const TrackPlace& place, int64_t ts) {
    const auto add = [&](std::string_view phase, uint32_t flow) {
      begin(phase, place.pid, place.tid);
      add_micros("ts", ts);
      fmt::format_to(std::back_inserter(buffer_), ",\"id\":{},\"cat\":\"flow\",\"name\":\"flow\"",
                     flow);
      if (phase == "f") buffer_ += ",\"bp\":\"e\"";
      end();
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
      if (!std::isfinite(value) || !move(ts)) continue;
      begin("C", place.pid, place.tid);
      add_micros("ts", ts);
      add_text("name", text(store_.tracks.name[track]));
      // The id distinguishes tracks with the same name and process.
      fmt::format_to(std::back_inserter(buffer_),
                     ",\"id\":\"0x{:x}\",\"args\":{{\"value\":", track);
      append_real(buffer_, value);
      buffer_ += '}';
      end();
      progress_.advance(1);
      TB_TRY(drain());
    }
    return {};
  }

  Result<> write_sched() {
    const SchedTable& sched = store_.sched;
    for (uint32_t row = 0; row < sched.rows(); ++row) {
      const uint32_t utid = sched.utid[row], ucpu = sched.ucpu[row];
      const uint32_t machine = store_.threads.machine_id[utid];
      int64_t ts = sched.ts[row];
      const int64_t dur = sched.dur[row];
      if (!selection_.takes_time(ts, dur) || !selection_.takes_machine(machine) ||
          !selection_.takes_process(store_.threads.upid[utid]) || !move(ts))
        continue;
      begin(dur < 0 ? "B" : "X", places_.cpu_pid[machine], ucpu % 4096);
      add_micros("ts", ts);
      if (dur >= 0) add_micros("dur", dur);
      buffer_ += ",\"cat\":\"sched\"";
      add_text("name", text(store_.threads.name[utid]));
      fmt::format_to(std::back_inserter(buffer_), ",\"args\":{{\"tid\":{},\"priority\":{}",
                     store_.threads.tid[utid], sched.priority[row]);
      if (const StringId state = sched.end_state[row]) add_text("end_state", text(state));
      buffer_ += '}';
      end();
      progress_.advance(1);
      TB_TRY(drain());
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
      if (!move(ts)) continue;
      begin("i", has_thread ? places_.thread_pid[utid.row] : 0,
            has_thread ? store_.threads.tid[utid.row] : 0);
      add_micros("ts", ts);
      buffer_ += has_thread ? ",\"s\":\"t\",\"cat\":\"log\"" : ",\"s\":\"g\",\"cat\":\"log\"";
      add_text("name", text(logs.msg[row]));
      fmt::format_to(std::back_inserter(buffer_), ",\"args\":{{\"priority\":{}", logs.prio[row]);
      if (const StringId tag = logs.tag[row]) add_text("tag", text(tag));
      buffer_ += '}';
      end();
      TB_TRY(drain());
    }
    return {};
  }

  void write_other_data() {
    buffer_ += "{\"machines\":[";
    for (uint32_t row = 0; row < store_.machines.rows(); ++row) {
      if (row != 0) buffer_ += ',';
      append_json_string(buffer_, text(store_.machines.name[row]));
    }
    buffer_ += "],\"files\":[";
    for (uint32_t row = 0; row < store_.files.rows(); ++row) {
      if (row != 0) buffer_ += ',';
      append_json_string(buffer_, text(store_.files.path[row]));
    }
    buffer_ += "],\"renamedPids\":[";
    bool first = true;
    for (uint32_t upid = 0; upid < store_.processes.rows(); ++upid) {
      if (!places_.renamed[upid]) continue;
      if (!first) buffer_ += ',';
      first = false;
      fmt::format_to(std::back_inserter(buffer_),
                     "{{\"pid\":{},\"originalPid\":{},\"machine\":{}}}", places_.pids[upid],
                     store_.processes.pid[upid], store_.processes.machine_id[upid]);
    }
    buffer_ += ']';
    write_clock();
    buffer_ += '}';
  }

  // Writes the clock of times and its bounds at the start and at the end.
  void write_clock() {
    if (selection_.timeline == nullptr) return;
    add_text("clock", selection_.timeline->label());
    const auto add_uncertainty = [&](std::string_view name, int64_t ts) {
      const std::optional<int64_t> ns = selection_.timeline->uncertainty(ts);
      fmt::format_to(std::back_inserter(buffer_), ",\"{}\":{}", name,
                     ns ? std::to_string(*ns) : "null");
    };
    add_uncertainty("uncertaintyNsAtStart", store_.trace_start);
    add_uncertainty("uncertaintyNsAtEnd", store_.trace_end);
  }

  const Store& store_;
  const Selection& selection_;
  NewFile& file_;
  Progress& progress_;
  Places places_;
  ExportReport report_;
  std::string buffer_;
  bool first_ = true;
  ChosenFlows flows_;
  uint64_t unplaced_ = 0, not_finite_ = 0;
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
