// The placement report for people.
#include <fmt/format.h>

#include <algorithm>

#include "cli/output/cell_text.h"
#include "cli/output/grid.h"
#include "cli/report/check_report.h"
#include "cli/units.h"

namespace tracebraid {
namespace {

// Inputs can have any name; none may break the layout.
std::string shown(std::string_view text) {
  std::string result;
  append_shown(result, text);
  return result;
}

// The folder that all files of the report are in, with its '/'. People know it.
size_t common_folder(const CheckReport& report) {
  if (report.clocks.empty()) return 0;
  std::string_view common = report.clocks[0].file;
  for (const PlacedClock& clock : report.clocks) {
    const auto [end, other] = std::ranges::mismatch(common, clock.file);
    common = common.substr(0, static_cast<size_t>(end - common.begin()));
  }
  const size_t slash = common.rfind('/');
  return slash == common.npos ? 0 : slash + 1;
}

std::string placed_by(const PlacedClock& clock) {
  const std::string seen = clock.observations > 0
                               ? fmt::format(" ({} {})", count_text(clock.observations),
                                             clock.observations == 1 ? "snapshot" : "snapshots")
                               : "";
  if (clock.rule == "is_timeline") return "is the timeline";
  if (clock.rule == "same_clock") return "same clock as the timeline";
  if (clock.rule == "measured") return "clocks read together" + seen;
  if (clock.rule == "relayed") return "messages between the machines" + seen;
  if (clock.rule == "manifest") return "manifest";
  if (clock.rule == "rendezvous") return "wall clock of both machines" + seen;
  if (clock.rule == "guessed") return "guess: starts with the timeline";
  if (clock.rule == "unplaced") return "nothing: no path to the timeline";
  if (clock.rule == "raw") return "its own times, as they are";
  return clock.rule;
}

std::string offset_of(const PlacedClock& clock) {
  if (!clock.offset_start_ns) return "-";
  std::string text = offset_text(*clock.offset_start_ns);
  int64_t change = 0;
  if (clock.offset_end_ns &&
      !__builtin_sub_overflow(*clock.offset_end_ns, *clock.offset_start_ns, &change) && change != 0)
    text += fmt::format(" to {} later", offset_text(change));
  return text;
}

std::string within_of(const PlacedClock& clock) {
  if (clock.rule == "unplaced") return "-";
  if (clock.rule == "manifest" && clock.uncertainty_ns == 0) return "stated";
  if (!clock.uncertainty_ns) return clock.rule == "raw" ? "-" : "unknown";
  return *clock.uncertainty_ns == 0 ? "exact" : "+-" + span_text(*clock.uncertainty_ns);
}

std::string causes_of(const CheckReport& report, const PlacedClock& clock) {
  std::vector<std::string> causes;
  const auto add = [&](int64_t count, std::string_view cause) {
    if (count == 0) return;
    causes.push_back(count == lost(report, clock) ? std::string(cause)
                                                  : fmt::format("{} {}", count_text(count), cause));
  };
  add(clock.no_path, "no path to the timeline");
  add(clock.out_of_range, "ambiguous or out of range");
  if (report.negative_dropped)
    add(clock.negative, "before the start");
  else if (clock.negative > 0)
    causes.push_back(fmt::format("({} before the start, kept)", count_text(clock.negative)));
  std::string text;
  for (const std::string& cause : causes) text += (text.empty() ? "" : ", ") + cause;
  return text;
}

std::string timeline_line(const CheckReport& report) {
  std::string clock = report.timeline_clock.empty() ? "none: times are as the files have them"
                                                    : report.timeline_clock;
  if (!report.timeline_machine.empty()) clock += " of " + shown(report.timeline_machine);
  const std::string start = report.start_utc_ns ? utc_text(*report.start_utc_ns)
                                                : fmt::format("from {} ns", report.start_ts);
  int64_t length = 0;
  if (__builtin_sub_overflow(report.end_ts, report.start_ts, &length)) length = 0;
  return fmt::format("timeline   {}      {} + {}\n", clock, start, span_text(length));
}

std::string clock_grid(const CheckReport& report) {
  const size_t folder = common_folder(report);
  std::vector<std::string> names = {"FILE",   "MACHINE", "CLOCK", "PLACED BY", "OFFSET",
                                    "WITHIN", "EVENTS",  "LOST",  ""};
  std::vector<GridColumn> columns = grid_columns(names);
  for (const size_t right : {6U, 7U}) columns[right].align = Align::Right;
  std::vector<std::vector<std::string>> rows;
  for (const PlacedClock& clock : report.clocks)
    rows.push_back({shown(std::string_view(clock.file).substr(folder)), shown(clock.machine),
                    shown(clock.clock), placed_by(clock), offset_of(clock), within_of(clock),
                    count_text(clock.placed), count_text(lost(report, clock)),
                    causes_of(report, clock)});
  for (const auto& row : rows) widen(columns, row);
  std::string text;
  append_grid_row(text, columns, names, GridStyle::Plain);
  for (const auto& row : rows) append_grid_row(text, columns, row, GridStyle::Plain);
  return text;
}

std::string totals_line(const CheckReport& report) {
  int64_t placed = 0;
  for (const PlacedClock& clock : report.clocks) placed += clock.placed;
  return fmt::format("\n{} events placed, {} lost\n", count_text(placed), count_text(lost(report)));
}

// Clocks that came by more than one hop: the way they took.
std::string paths_section(const CheckReport& report) {
  const size_t folder = common_folder(report);
  std::string text;
  for (const PlacedClock& clock : report.clocks) {
    if (clock.path.empty() || clock.rule == "is_timeline") continue;
    text += fmt::format("  {} {}: {}\n", shown(std::string_view(clock.file).substr(folder)),
                        shown(clock.clock), shown(clock.path));
  }
  return text.empty() ? text : "\npaths to the timeline\n" + text;
}

std::string losses_section(const CheckReport& report) {
  if (report.losses.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const Loss& loss : report.losses)
    rows.push_back(
        {"  " + count_text(loss.count), loss.stat, shown(loss.file), shown(loss.description)});
  std::vector<GridColumn> columns(4);
  columns[0].align = Align::Right;
  for (const auto& row : rows) widen(columns, row);
  std::string text = "\nlosses and errors\n";
  for (const auto& row : rows) append_grid_row(text, columns, row, GridStyle::Plain);
  return text;
}

std::string not_imported_section(const CheckReport& report) {
  if (report.not_imported.empty()) return {};
  std::string text = "\nnot imported\n";
  for (const NotImportedOfFile& row : report.not_imported)
    text +=
        fmt::format("  {} {} in {} ({})\n", count_text(static_cast<int64_t>(row.count)),
                    shown(row.what), shown(report.file_names.at(row.file)), bytes_text(row.bytes));
  return text;
}

}  // namespace

std::string report_text(const CheckReport& report) {
  return timeline_line(report) + clock_grid(report) + totals_line(report) + paths_section(report) +
         losses_section(report) + not_imported_section(report);
}

}  // namespace tracebraid
