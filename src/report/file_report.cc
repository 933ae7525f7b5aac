#include "report/file_report.h"

#include <algorithm>

#include "report/labels.h"
#include "tables/store.h"

namespace tracebraid {
namespace {

// Counts rows by the file of their track. Rows of scheduling, logs and samples have no track; they
// are counted by machine.
class RowsByFile {
 public:
  RowsByFile(const Store& store, size_t files) : store_(store), files_(files) {}

  template <class Tracks>
  std::vector<int64_t> count(const Tracks& track_ids) const {
    std::vector<int64_t> counts(files_);
    for (const uint32_t track : track_ids.values()) add(track, counts);
    return counts;
  }

  std::vector<int64_t> count_flows() const {
    std::vector<int64_t> counts(files_);
    for (const uint32_t slice : store_.flows.slice_out.values())
      if (slice < store_.slices.rows()) add(store_.slices.track_id[slice], counts);
    return counts;
  }

 private:
  void add(uint32_t track, std::vector<int64_t>& counts) const {
    if (track >= store_.tracks.rows()) return;
    const uint32_t file = store_.tracks.trace_id[track].row;
    if (file < counts.size()) ++counts[file];
  }

  const Store& store_;
  size_t files_;
};

void add_distinct(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

template <class Better>
void keep(std::optional<int64_t>& kept, OptInt value, Better better) {
  const auto given = value_of(value);
  if (given && (!kept || better(*given, *kept))) kept = given;
}

void add_placement(const Store& store, size_t row, FileReport& file) {
  const PlacementTable& table = store.placements;
  add_distinct(file.machines, machine_label(store, table.machine_id[row]));
  keep(file.first_ts, table.first_ts[row], std::less());
  keep(file.last_ts, table.last_ts[row], std::greater());
  SeenClock clock{.machine = machine_label(store, table.machine_id[row]),
                  .clock = clock_label(store, table.clock_id[row]),
                  .sequence = clock_sequence(store, table.clock_id[row]),
                  .events = table.placed[row] + table.dropped_no_path[row] +
                            table.dropped_ambiguous[row] + table.dropped_range[row]};
  if (const uint32_t node = table.clock_id[row].row; node < store.clocks.rows())
    clock.readings = store.clocks.readings[node];
  file.clocks.push_back(std::move(clock));
}

void add_events(const Store& store, std::vector<FileReport>& files) {
  const RowsByFile rows(store, files.size());
  const auto add = [&](const char* table, const std::vector<int64_t>& counts) {
    for (size_t i = 0; i < files.size(); ++i)
      if (counts[i] > 0) files[i].events.emplace_back(table, counts[i]);
  };
  add("slice", rows.count(store.slices.track_id));
  add("counter", rows.count(store.counters.track_id));
  add("state", rows.count(store.states.track_id));
  add("flow", rows.count_flows());
}

// Counts the rows of one table by the machine of their thread or CPU.
class RowsByMachine {
 public:
  explicit RowsByMachine(const Store& store) : store_(store) {}

  template <class Threads>
  std::vector<int64_t> by_thread(const Threads& utids) const {
    return count(utids, store_.threads);
  }
  template <class Cpus>
  std::vector<int64_t> by_cpu(const Cpus& ucpus) const {
    return count(ucpus, store_.cpus);
  }
  // Samples of an unknown thread belong to the machine of their process or session.
  std::vector<int64_t> samples() const {
    std::vector<int64_t> counts(store_.machines.rows());
    for (size_t row = 0; row < store_.profiler_samples.rows(); ++row)
      add(machine_of_sample(row), counts);
    return counts;
  }

 private:
  static uint32_t row_of_value(uint32_t row) { return row; }
  static uint32_t row_of_value(OptRow row) { return row.row; }

  static void add(uint32_t machine, std::vector<int64_t>& counts) {
    if (machine < counts.size()) ++counts[machine];
  }

  template <class Rows, class Owners>
  std::vector<int64_t> count(const Rows& rows, const Owners& owners) const {
    std::vector<int64_t> counts(store_.machines.rows());
    for (const auto value : rows.values())
      if (const uint32_t row = row_of_value(value); row < owners.rows())
        add(owners.machine_id[row], counts);
    return counts;
  }

  uint32_t machine_of_sample(size_t row) const {
    const uint32_t task = store_.profiler_samples.task_context_id[row].row;
    if (task < store_.profiler_task_contexts.rows()) {
      const uint32_t thread = store_.profiler_task_contexts.utid[task].row;
      if (thread < store_.threads.rows()) return store_.threads.machine_id[thread];
      const uint32_t process = store_.profiler_task_contexts.upid[task].row;
      if (process < store_.processes.rows()) return store_.processes.machine_id[process];
    }
    const uint32_t session = store_.profiler_samples.session_id[row].row;
    return session < store_.profiler_sessions.rows()
               ? store_.profiler_sessions.machine_id[session].row
               : OptRow::kNull;
  }

  const Store& store_;
};

std::vector<MachineRows> machine_rows(const Store& store, size_t files) {
  const RowsByMachine rows(store);
  const std::pair<const char*, std::vector<int64_t>> tables[] = {
      {"sched", rows.by_thread(store.sched.utid)},
      {"thread_state", rows.by_thread(store.thread_states.utid)},
      {"ftrace_event", rows.by_cpu(store.ftrace_events.ucpu)},
      {"logs", rows.by_thread(store.logs.utid)},
      {"profiler_sample", rows.samples()},
      {"json_sample", rows.by_thread(store.json_samples.utid)},
  };
  std::vector<MachineRows> machines;
  for (uint32_t row = 0; row < store.machines.rows(); ++row) {
    MachineRows machine{.machine = machine_label(store, {row}), .files = {}, .rows = {}};
    for (const auto& [table, counts] : tables)
      if (counts[row] > 0) machine.rows.emplace_back(table, counts[row]);
    if (machine.rows.empty()) continue;
    const PlacementTable& placements = store.placements;
    for (size_t at = 0; at < placements.rows(); ++at) {
      const uint32_t file = placements.trace_id[at].row;
      if (placements.machine_id[at].row == row && file < files &&
          std::ranges::find(machine.files, file) == machine.files.end())
        machine.files.push_back(file);
    }
    machines.push_back(std::move(machine));
  }
  return machines;
}

// Adds rows of machines to the only file that has events of the machine.
void add_rows_of_machines(FilesReport& report) {
  for (const MachineRows& machine : report.machines) {
    if (machine.files.size() != 1) continue;
    auto& events = report.files[machine.files.front()].events;
    for (const auto& [table, count] : machine.rows) {
      const auto same = std::ranges::find(events, table, &std::pair<std::string, int64_t>::first);
      if (same == events.end())
        events.emplace_back(table, count);
      else
        same->second += count;
    }
  }
}

// Adds the assumptions for logs whose dates have no year or whose times have no zone.
void add_assumed(const Store& store, std::vector<FileReport>& files) {
  const MetadataTable& table = store.metadata;
  for (size_t row = 0; row < table.rows(); ++row) {
    const uint32_t file = table.trace_id[row].row;
    if (file >= files.size()) continue;
    const std::string_view name = text_of(store, table.name[row]);
    if (name == "logcat_inferred_year")
      add_distinct(files[file].assumed,
                   "year " + std::to_string(value_of(table.int_value[row]).value_or(0)));
    if (name == "logcat_assumed_zone")
      add_distinct(files[file].assumed,
                   "time zone " + std::string(text_of(store, table.str_value[row])));
  }
}

}  // namespace

FilesReport files_report(const Store& store, std::span<const Problem> problems,
                         std::span<const NotImportedOfFile> not_imported) {
  FilesReport report;
  std::vector<FileReport>& files = report.files;
  for (uint32_t row = 0; row < store.files.rows(); ++row) {
    FileReport file;
    file.path = file_label(store, {row});
    file.format = text_of(store, store.files.trace_type[row]);
    file.size = store.files.size[row];
    file.is_container = store.files.is_container[row] != 0;
    file.read = value_of(store.files.processing_order[row]).has_value();
    if (const OptRow parent = store.files.parent_id[row]; parent.row < row)
      file.parent = parent.row;
    files.push_back(std::move(file));
  }
  for (size_t row = 0; row < store.placements.rows(); ++row)
    if (const uint32_t file = store.placements.trace_id[row].row; file < files.size())
      add_placement(store, row, files[file]);
  add_events(store, files);
  report.machines = machine_rows(store, files.size());
  add_rows_of_machines(report);
  add_assumed(store, files);
  for (const NotImportedOfFile& row : not_imported)
    if (row.file < files.size()) files[row.file].not_imported.push_back(row);
  for (const Problem& problem : problems) {
    const auto file = std::ranges::find(files, problem.path, &FileReport::path);
    if (file != files.end()) file->problems.push_back(problem.error.message);
  }
  return report;
}

std::vector<std::pair<std::string, int64_t>> table_rows(const Store& store) {
  const std::pair<const char*, size_t> all[] = {
      {"slice", store.slices.rows()},
      {"counter", store.counters.rows()},
      {"state", store.states.rows()},
      {"flow", store.flows.rows()},
      {"sched", store.sched.rows()},
      {"thread_state", store.thread_states.rows()},
      {"ftrace_event", store.ftrace_events.rows()},
      {"logs", store.logs.rows()},
      {"profiler_sample", store.profiler_samples.rows()},
      {"json_sample", store.json_samples.rows()},
      {"aggregate_sample", store.aggregate_sample.rows()},
      {"heap_profile_allocation", store.heap_profile_allocations.rows()},
      {"heap_graph_object", store.heap_graph_objects.rows()},
      {"process", store.processes.rows()},
      {"thread", store.threads.rows()},
      {"track", store.tracks.rows()},
      {"args", store.args.rows()},
      {"clock_snapshot", store.clock_snapshots.rows()},
  };
  std::vector<std::pair<std::string, int64_t>> rows;
  for (const auto& [name, count] : all)
    if (count > 0) rows.emplace_back(name, static_cast<int64_t>(count));
  return rows;
}

}  // namespace tracebraid
