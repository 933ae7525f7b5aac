#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "export/rows/cell_text.h"
#include "report/plain_table.h"
#include "report/reference_report.h"
#include "report/text.h"
#include "report/units.h"

namespace tracebraid {
namespace {

using reference::EventCounts;
using reference::Report;

constexpr size_t kIndent = 6;

std::string shown(std::string_view text) {
  std::string result;
  append_shown(result, text);
  return result;
}

std::string number(uint64_t count) { return count_text(static_cast<int64_t>(count)); }
std::string events(uint64_t count) { return counted(static_cast<int64_t>(count), "event"); }

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + '.';
}

// Returns "262 of 425 slices, 4 of 17 counter values".
std::string kinds_text(const EventCounts& lost, const EventCounts& all) {
  std::string text;
  for (size_t kind = 0; kind < lost.size(); ++kind)
    if (lost[kind] != 0)
      text += fmt::format("{}{} of {} {}", text.empty() ? "" : ", ", number(lost[kind]),
                          number(all[kind]), reference::kEventNames[kind]);
  return text;
}

std::string table(const Report& report, size_t width) {
  if (report.rows.empty() && report.others.empty()) return {};
  const std::vector<std::string> names = {"FILE", "MACHINE", "CLOCK", "EVENTS", "LOST", ""};
  std::vector<GridColumn> columns = grid_columns(names);
  columns[3].align = columns[4].align = Align::Right;
  std::vector<std::vector<std::string>> rows;
  for (const reference::Row& row : report.rows)
    rows.push_back({shown(row.file), shown(row.machine), row.clock,
                    number(reference::total(row.all)), number(lost_of(row)),
                    kinds_text(lost_kinds(row), row.all)});
  for (const reference::OtherFile& file : report.others)
    rows.push_back({shown(file.path), "", "", file.format, file.is_lost ? "all" : "-", ""});
  return plain_table(std::move(columns), rows, width) + '\n';
}

std::string losses(const Report& report, size_t width) {
  std::string text;
  for (const reference::Row& row : report.rows)
    for (const reference::Loss& loss : row.losses)
      text += fmt::format("  {} of {} that read {}, from byte {} of {} on ({})\n      {}\n",
                          kinds_text(loss.counts, row.all), shown(row.machine), row.clock,
                          loss.first_at, shown(row.file), stat_of(loss.cause),
                          wrap_prose(sentence(shown(loss.why)), width, kIndent));
  for (const reference::OtherFile& file : report.others)
    if (file.is_lost)
      text += fmt::format("  {} ({}), all of it\n      {}\n", shown(file.path), file.format,
                          wrap_prose(sentence(shown(file.why)), width, kIndent));
  return text.empty() ? text : "lost\n" + text + '\n';
}

std::string refused(const Report& report) {
  constexpr size_t kMostLines = 20;
  std::string text, before;
  size_t lines = 0;
  for (const reference::RefusedClock& clock : report.refused) {
    if (++lines > kMostLines) break;
    const std::string sequence =
        clock.sequence != 0 ? fmt::format(" of sequence {}", clock.sequence) : "";
    const std::string line = fmt::format(
        "  clock {}{} of {} {} (byte {} of {}){}\n", clock.clock, sequence, shown(clock.machine),
        clock.why, clock.at, shown(clock.file), clock.is_void ? ": the snapshot is ignored" : "");
    if (line != before) text += line;
    before = line;
  }
  const uint64_t count = report.void_snapshots + report.clocks_that_go_back;
  if (count > kMostLines)
    text += fmt::format("  and {} more; --json lists {}\n", number(count - kMostLines),
                        report.refused.size() == count
                            ? "all"
                            : fmt::format("the first {}", number(report.refused.size())));
  return text.empty() ? text : "clocks and snapshots that are refused\n" + text + '\n';
}

std::string error(const Report& report, size_t width) {
  if (!report.error) return {};
  const std::string place = report.error->file.empty() ? report.path : report.error->file;
  std::string text =
      fmt::format("the import ends with an error\n  {}, byte {}\n      {}\n", shown(place),
                  report.error->at, wrap_prose(shown(report.error->message), width, kIndent));
  for (const std::string& path : report.unread)
    text += fmt::format("  {} is not read\n", shown(path));
  return text + '\n';
}

std::string notes(const Report& report, size_t width) {
  std::string text;
  for (const std::string& note : report.notes)
    text += fmt::format("  {}\n", wrap_prose(shown(note), width, 2));
  return text.empty() ? text : "notes\n" + text + '\n';
}

std::string verdict(const Report& report, size_t width) {
  const uint64_t lost = reference::lost_of(report), all = events_of(report);
  if (is_complete(report))
    return all == 0 ? "A strict reader loses nothing.\n"
                    : fmt::format("A strict reader places all {}.\n", events(all));
  std::string text =
      report.error ? "A strict reader refuses this file.\n"
                   : fmt::format("A strict reader loses {} of {}: {}.\n", number(lost), events(all),
                                 kinds_text(lost_kinds(report), kinds_of(report)));
  if (!report.error && lost == 0) text = "A strict reader loses files of this archive.\n";
  text += "To hand it on whole, write it anew, with clocks that all readers accept:\n";
  return fit_lines(text, width) +  // the command stays in one line, to be copied
         fmt::format("  tracebraid export {} --to perfetto -o OUT.pftrace\n", shown(report.path));
}

}  // namespace

std::string reference_text(const Report& report, size_t width) {
  const std::string timeline = fmt::format(
      "timeline   {}\n\n",
      report.timeline.empty() ? "none: times of the file are unchanged" : shown(report.timeline));
  const std::string sections =
      losses(report, width) + refused(report) + error(report, width) + notes(report, width);
  return fit_lines(timeline, width) + table(report, width) + fit_lines(sections, width) +
         verdict(report, width);
}

}  // namespace tracebraid
