#include "report/labels.h"

#include <fmt/format.h>

namespace tracebraid {

std::string_view text_of(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

std::optional<int64_t> value_of(OptInt value) {
  if (value.value == OptInt::kNull) return std::nullopt;
  return value.value;
}

std::string file_label(const Store& store, OptRow file) {
  if (file.row >= store.files.rows()) return "-";
  const StringId path = store.files.path[file.row];
  return std::string(text_of(store, path ? path : store.files.name[file.row]));
}

std::string machine_label(const Store& store, OptRow machine) {
  if (machine.row >= store.machines.rows()) return "-";
  const std::string_view name = text_of(store, store.machines.name[machine.row]);
  if (!name.empty()) return std::string(name);
  const int64_t raw_id = store.machines.raw_id[machine.row];
  return raw_id == 0 ? "host" : fmt::format("machine {}", raw_id);
}

std::string clock_label(const Store& store, OptRow clock) {
  if (clock.row >= store.clocks.rows()) return "-";
  const std::string_view name = text_of(store, store.clocks.name[clock.row]);
  if (name == "PRIVATE") return "private";
  return name.empty() ? fmt::format("{}", store.clocks.domain[clock.row]) : std::string(name);
}

std::optional<int64_t> clock_sequence(const Store& store, OptRow clock) {
  if (clock.row >= store.clocks.rows()) return std::nullopt;
  return value_of(store.clocks.sequence[clock.row]);
}

std::optional<size_t> find_edge(const Store& store, uint32_t a, uint32_t b, StringId kind) {
  const ClockEdgeTable& edges = store.clock_edges;
  for (size_t row = 0; row < edges.rows(); ++row) {
    const bool joins = (edges.from_clock[row] == a && edges.to_clock[row] == b) ||
                       (edges.from_clock[row] == b && edges.to_clock[row] == a);
    if (joins && edges.kind[row] == kind) return row;
  }
  return std::nullopt;
}

}  // namespace tracebraid
