// What is in each file, as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/output/cell_text.h"
#include "cli/output/json_text.h"
#include "cli/report/file_report.h"
#include "cli/units.h"

namespace tracebraid {
namespace {

// Inputs can have any name; none may break the layout.
std::string shown(std::string_view text) {
  std::string result;
  append_shown(result, text);
  return result;
}

std::string line(std::string_view what, std::string_view text) {
  return fmt::format("  {:<13}{}\n", what, text);
}

std::string counts_text(std::span<const std::pair<std::string, int64_t>> counts) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts)
    parts.push_back(fmt::format("{} {}", count_text(count), name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string clocks_text(const FileReport& file) {
  std::vector<std::string> parts;
  for (const SeenClock& clock : file.clocks) {
    std::string part = shown(clock.clock);
    if (file.machines.size() > 1) part += " of " + shown(clock.machine);
    part += fmt::format(" ({} events", count_text(clock.events));
    if (clock.readings > 0) part += fmt::format(", {} readings", count_text(clock.readings));
    parts.push_back(part + ")");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string span_line(const FileReport& file, const Store& store) {
  if (!file.first_ts || !file.last_ts) return {};
  int64_t since = 0, length = 0;
  const bool fits = !__builtin_sub_overflow(*file.first_ts, store.trace_start, &since) &&
                    !__builtin_sub_overflow(*file.last_ts, *file.first_ts, &length);
  if (!fits) return line("span", fmt::format("{} to {} ns", *file.first_ts, *file.last_ts));
  return line("span", fmt::format("{}, from {} after the start of the trace", span_text(length),
                                  span_text(since)));
}

std::string file_text(const FileReport& file, const Store& store) {
  std::string text = shown(file.path) + "\n";
  text +=
      line("format", fmt::format("{}, {}{}", file.format,
                                 bytes_text(static_cast<uint64_t>(std::max<int64_t>(0, file.size))),
                                 file.read || file.is_container ? "" : ", not read"));
  if (!file.machines.empty()) {
    std::vector<std::string> machines;
    for (const std::string& machine : file.machines) machines.push_back(shown(machine));
    text += line("machine", fmt::format("{}", fmt::join(machines, ", ")));
  }
  if (!file.clocks.empty()) text += line("clocks", clocks_text(file));
  text += span_line(file, store);
  if (!file.events.empty()) text += line("events", counts_text(file.events));
  for (const std::string& problem : file.problems) text += line("problem", shown(problem));
  for (const NotImportedOfFile& row : file.not_imported)
    text +=
        line("not imported", fmt::format("{} {} ({})", count_text(static_cast<int64_t>(row.count)),
                                         shown(row.what), bytes_text(row.bytes)));
  return text;
}

void add_counts(JsonText& json, std::string_view name,
                std::span<const std::pair<std::string, int64_t>> counts) {
  json.open_object(name);
  for (const auto& [table, count] : counts) json.add(table, count);
  json.close_object();
}

void add_file(JsonText& json, const FileReport& file) {
  json.open_object();
  json.add("path", file.path);
  json.add("parent", file.parent);
  json.add("format", file.format);
  json.add("size", file.size);
  json.add("is_container", file.is_container);
  json.add("read", file.read);
  json.open_array("machines");
  for (const std::string& machine : file.machines) json.add({}, machine);
  json.close_array();
  json.open_array("clocks");
  for (const SeenClock& clock : file.clocks) {
    json.open_object();
    json.add("clock", clock.clock);
    json.add("machine", clock.machine);
    json.add("events", clock.events);
    json.add("readings", clock.readings);
    json.close_object();
  }
  json.close_array();
  json.add("first_ts", file.first_ts);
  json.add("last_ts", file.last_ts);
  add_counts(json, "events", file.events);
  json.open_array("problems");
  for (const std::string& problem : file.problems) json.add({}, problem);
  json.close_array();
  json.open_array("not_imported");
  for (const NotImportedOfFile& row : file.not_imported) {
    json.open_object();
    json.add("what", row.what);
    json.add("count", row.count);
    json.add("bytes", row.bytes);
    json.close_object();
  }
  json.close_array();
  json.close_object();
}

}  // namespace

std::string files_text(std::span<const FileReport> files, const Store& store) {
  std::string text;
  for (const FileReport& file : files) text += file_text(file, store) + "\n";
  return text + "all together\n" + line("rows", counts_text(table_rows(store)));
}

std::string files_json(std::span<const FileReport> files, const Store& store) {
  JsonText json;
  json.open_object();
  json.open_array("files");
  for (const FileReport& file : files) add_file(json, file);
  json.close_array();
  add_counts(json, "rows", table_rows(store));
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid
