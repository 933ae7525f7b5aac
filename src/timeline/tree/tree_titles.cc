// Titles and bounds of nodes.
#include <fmt/format.h>

#include <algorithm>

#include "timeline/tree/tree.h"

namespace tracebraid::timeline {
namespace {

std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

// Returns the texts of the args of a set whose keys begin with `key`, joined by ", ".
std::string labels_of(const Store& store, OptRow set, std::string_view key) {
  std::string labels;
  if (set.row == OptRow::kNull) return labels;
  for (const ArgRow arg : store.args.set(set.row)) {
    if (!is_text_arg(arg.type)) continue;
    if (text(store, store.args.keys[arg.key].flat_key) != key) continue;
    if (!labels.empty()) labels += ", ";
    labels += text(store, StringId{static_cast<uint32_t>(arg.value)});
  }
  return labels;
}

std::optional<int64_t> integer_arg(const Store& store, OptRow set, std::string_view key) {
  const StringId id = store.strings.find(key);
  if (set.row == OptRow::kNull || !id) return std::nullopt;
  const std::optional<ArgRow> arg = store.args.find(set.row, id);
  return arg && is_integer_arg(arg->type) ? std::optional(arg->value) : std::nullopt;
}

// Returns true if no clock places the events of a row of `placement`: their times are those of the
// file or of the event before.
bool is_without_clock(std::string_view rule) {
  return rule == "raw" || rule == "without_time" || rule == "other";
}

// Calls each(row) for the placements with events of a file and machine; NULL: of any.
template <class Each>
void for_each_placement(const Store& store, OptRow file, OptRow machine, Each each) {
  const PlacementTable& placements = store.placements;
  for (size_t row = 0; row < placements.rows(); ++row) {
    const uint32_t its_machine = placements.machine_id[row].row;
    const bool fits_file = file.row == OptRow::kNull || placements.trace_id[row].row == file.row;
    const bool fits_machine =
        machine.row == OptRow::kNull || its_machine == OptRow::kNull || its_machine == machine.row;
    if (fits_file && fits_machine && placements.placed[row] > 0) each(row);
  }
}

}  // namespace

std::string process_title(const Store& store, uint32_t upid) {
  const ProcessTable& processes = store.processes;
  const std::string_view name = text(store, processes.name[upid]);
  std::string title = name.empty() ? fmt::format("Process {}", processes.pid[upid])
                                   : fmt::format("{} (pid {})", name, processes.pid[upid]);
  const OptRow args = processes.arg_set_id[upid];
  if (const std::string labels = labels_of(store, args, "chrome.process_label"); !labels.empty())
    title += ": " + labels;
  if (const auto uptime = integer_arg(store, args, "process_uptime_seconds"))
    title += fmt::format(", uptime:{}s", *uptime);
  return title;
}

std::string thread_title(const Store& store, uint32_t utid) {
  const std::string_view name = text(store, store.threads.name[utid]);
  return name.empty() ? fmt::format("Thread {}", store.threads.tid[utid]) : std::string(name);
}

std::string machine_title(const Store& store, uint32_t machine) {
  const std::string_view name = text(store, store.machines.name[machine]);
  if (!name.empty()) return std::string(name);
  return store.machines.rows() == 1 ? "This machine" : fmt::format("Machine {}", machine);
}

std::vector<uint32_t> placements_of(const Store& store, OptRow file, OptRow machine) {
  std::vector<uint32_t> rows;
  for_each_placement(store, file, machine, [&](size_t row) {
    if (!is_without_clock(text(store, store.placements.rule[row])))
      rows.push_back(static_cast<uint32_t>(row));
  });
  return rows;
}

TimeBound bound_of(const Store& store, OptRow file, OptRow machine) {
  TimeBound bound;
  for (const uint32_t row : placements_of(store, file, machine)) {
    const int64_t ns = store.placements.uncertainty_ns[row].value;
    if (ns == OptInt::kNull) return {TimeBound::Kind::None};
    bound.ns = std::max(bound.ns, ns);
    bound.kind = bound.ns > 0 ? TimeBound::Kind::AtMost : TimeBound::Kind::Exact;
  }
  return bound;
}

std::optional<Placed> placed_of(const Store& store, OptRow file, OptRow machine) {
  const PlacementTable& placements = store.placements;
  std::optional<size_t> best;
  for_each_placement(store, file, machine, [&](size_t row) {
    if (!best || placements.placed[row] > placements.placed[*best]) best = row;
  });
  if (!best) return std::nullopt;
  return Placed{text(store, placements.rule[*best]), text(store, placements.path[*best])};
}

}  // namespace tracebraid::timeline
