#include "report/file_report.h"

#include <algorithm>

#include "report/labels.h"
#include "tables/store.h"

namespace tracebraid {
namespace {

// Counts rows by the file of their track. Scheduling and logs belong to a machine, which several
// files may share, so they are counted for the whole trace only.
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

std::vector<FileReport> file_reports(const Store& store, std::span<const Problem> problems,
                                     std::span<const NotImportedOfFile> not_imported) {
  std::vector<FileReport> files;
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
  add_assumed(store, files);
  for (const NotImportedOfFile& row : not_imported)
    if (row.file < files.size()) files[row.file].not_imported.push_back(row);
  for (const Problem& problem : problems) {
    const auto file = std::ranges::find(files, problem.path, &FileReport::path);
    if (file != files.end()) file->problems.push_back(problem.error.message);
  }
  return files;
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
