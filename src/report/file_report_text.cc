// The file report as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "export/rows/cell_text.h"
#include "export/rows/json_text.h"
#include "format/format.h"
#include "report/file_report.h"
#include "report/plain_table.h"
#include "report/text.h"
#include "report/units.h"
#include "tables/store.h"

namespace tracebraid {
namespace {

// Escapes names of inputs, which may contain any bytes.
std::string shown(std::string_view text) {
  std::string result;
  append_shown(result, text);
  return result;
}

constexpr size_t kLabel = 15;  // columns of a terminal before the text of a line

// Writes lines "  label        text". Wraps texts at the width of the terminal, if there is one.
struct Lines {
  size_t width;

  std::string operator()(std::string_view what, std::string_view text) const {
    return fmt::format("  {:<13}{}\n", what,
                       width == 0 ? std::string(text) : wrap_prose(text, width, kLabel));
  }
};

std::string counts_text(std::span<const std::pair<std::string, int64_t>> counts) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts)
    parts.push_back(fmt::format("{} {}", count_text(count), name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Sums clocks of sequences with the same number.
struct ClockSum {
  std::string clock, machine;
  bool of_sequences;
  int64_t clocks = 0, events = 0, readings = 0;
};

std::vector<ClockSum> clock_sums(const FileReport& file) {
  std::vector<ClockSum> sums;  // in order of their first clock
  for (const SeenClock& clock : file.clocks) {
    if (clock.events == 0) continue;  // no event reads it
    const auto same = [&](const ClockSum& sum) {
      return sum.of_sequences && clock.sequence && sum.clock == clock.clock &&
             sum.machine == clock.machine;
    };
    auto found = std::ranges::find_if(sums, same);
    if (found == sums.end())
      found = sums.insert(found, {clock.clock, clock.machine, clock.sequence.has_value()});
    ++found->clocks;
    found->events += clock.events;
    found->readings += clock.readings;
  }
  return sums;
}

std::string clocks_text(const FileReport& file) {
  std::vector<std::string> parts;
  for (const ClockSum& sum : clock_sums(file)) {
    std::string part = shown(sum.clock);
    if (sum.of_sequences) part += " of " + counted(sum.clocks, "sequence");
    if (file.machines.size() > 1) part += " on " + shown(sum.machine);
    part += fmt::format(" ({}", counted(sum.events, "event"));
    if (sum.readings > 0) part += ", " + counted(sum.readings, "reading");
    parts.push_back(part + ")");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string span_line(const FileReport& file, const Store& store, const Lines& line) {
  if (!file.first_ts || !file.last_ts) return {};
  int64_t since = 0, length = 0;
  const bool fits = !__builtin_sub_overflow(*file.first_ts, store.trace_start, &since) &&
                    !__builtin_sub_overflow(*file.last_ts, *file.first_ts, &length);
  if (!fits) return line("span", fmt::format("{} to {} ns", *file.first_ts, *file.last_ts));
  const std::string from =
      since < 0 ? fmt::format("{} before the start of the trace", span_text(since).substr(1))
                : fmt::format("{} after the start of the trace", span_text(since));
  return line("span", length == 0 ? "at " + from : span_text(length) + ", from " + from);
}

// "Perfetto trace (proto)"
std::string format_text(const FileReport& file) {
  const auto named = [&](const Format* format) { return format->name == file.format; };
  const auto found = std::ranges::find_if(all_formats(), named);
  return found == all_formats().end() ? file.format
                                      : fmt::format("{} ({})", (*found)->title, file.format);
}

// A compressed file and its content are two rows of trace_file, but one entry of the report.
bool is_wrapped(std::span<const FileReport> files, const FileReport& file) {
  return file.parent && files[*file.parent].path == file.path;
}

bool wraps_another(std::span<const FileReport> files, const FileReport& file) {
  return std::ranges::any_of(files, [&](const FileReport& other) {
    return other.parent && &files[*other.parent] == &file && other.path == file.path;
  });
}

std::string format_line(std::span<const FileReport> files, const FileReport& file,
                        const Lines& line) {
  const auto size = static_cast<uint64_t>(std::max<int64_t>(0, file.size));
  std::string text = fmt::format("{}, {}", format_text(file), bytes_text(size));
  if (is_wrapped(files, file)) text += ", inside " + files[*file.parent].format;
  if (!file.read && !file.is_container) text += ", not read";
  return line("format", text);
}

std::string file_text(std::span<const FileReport> files, const FileReport& file, const Store& store,
                      const Lines& line) {
  std::string text = shown(file.path) + "\n" + format_line(files, file, line);
  if (!file.machines.empty()) {
    std::vector<std::string> machines;
    for (const std::string& machine : file.machines) machines.push_back(shown(machine));
    text += line("machine", fmt::format("{}", fmt::join(machines, ", ")));
  }
  if (const std::string clocks = clocks_text(file); !clocks.empty()) text += line("clocks", clocks);
  if (!file.assumed.empty())
    text +=
        line("assumed", fmt::format("{}; not stated in the file", fmt::join(file.assumed, ", ")));
  text += span_line(file, store, line);
  if (!file.events.empty()) text += line("events", counts_text(file.events));
  if (is_wrapped(files, file))
    for (const std::string& problem : files[*file.parent].problems)
      text += line("problem", shown(problem));
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
  json.add("parent", file.parent ? std::optional<int64_t>(*file.parent) : std::nullopt);
  json.add("format", file.format);
  json.add("size", file.size);
  json.add("is_container", file.is_container);
  json.add("read", file.read);
  json.add("machines", file.machines);
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
  json.add("assumed", file.assumed);
  json.add("problems", file.problems);
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

std::string files_text(const FilesReport& report, const Store& store, size_t width) {
  const Lines line{width};
  const auto rows_line = [&](std::span<const std::pair<std::string, int64_t>> counts) {
    constexpr size_t kRowsWidth = 65;  // without a terminal
    const std::string text = counts_text(counts);
    return line("rows", width == 0 ? wrap(text, kRowsWidth, kLabel) : text);
  };
  const std::vector<FileReport>& files = report.files;
  std::string text;
  for (const FileReport& file : files)
    if (!wraps_another(files, file)) text += file_text(files, file, store, line) + "\n";
  for (const MachineRows& machine : report.machines) {
    if (machine.files.size() < 2) continue;
    text += fmt::format("machine {}, which {} share\n", shown(machine.machine),
                        counted(static_cast<int64_t>(machine.files.size()), "file"));
    text += rows_line(machine.rows) + "\n";
  }
  return text + "all files\n" + rows_line(table_rows(store));
}

std::string files_json(const FilesReport& report, const Store& store) {
  const std::vector<FileReport>& files = report.files;
  JsonText json;
  json.open_object();
  json.open_array("files");
  for (const FileReport& file : files) add_file(json, file);
  json.close_array();
  json.open_array("machines");
  for (const MachineRows& machine : report.machines) {
    json.open_object();
    json.add("machine", machine.machine);
    json.open_array("files");
    for (const size_t file : machine.files) json.add({}, files[file].path);
    json.close_array();
    add_counts(json, "rows", machine.rows);
    json.close_object();
  }
  json.close_array();
  add_counts(json, "rows", table_rows(store));
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid
