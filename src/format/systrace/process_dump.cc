#include "format/systrace/process_dump.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/systrace/line.h"

namespace tracebraid::systrace {
namespace {

constexpr int64_t kWeakestName = 0;  // any other source takes precedence

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  while (true) {
    line = trim(line);
    if (line.empty()) return words;
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    words.push_back(word);
    line.remove_prefix(word.size());
  }
}

// The columns of a table; `name` extends to the end of the row if it is the last.
struct Table {
  size_t pid = 0, name = 0;
  std::optional<size_t> parent, tid;
  bool name_is_last = false;
};

std::optional<size_t> column(const Words& header, std::string_view name) {
  const auto at = std::ranges::find(header, name);
  if (at == header.end()) return std::nullopt;
  return static_cast<size_t>(at - header.begin());
}

std::optional<Table> table_of(const Words& header) {
  const auto pid = column(header, "PID");
  auto name = column(header, "NAME");
  const bool names_state = column(header, "S").has_value();
  const auto tid = column(header, "TID");
  if (!name) name = column(header, "CMD");
  if (!pid || !name) return std::nullopt;
  const bool is_last = *name + 1 == header.size();
  // Old tables have a column for the state without a heading.
  const size_t hidden = tid || names_state ? 0 : 1;
  return Table{*pid, *name + hidden, column(header, "PPID"), tid, is_last};
}

std::optional<int64_t> number(const Words& row, size_t index) {
  if (index >= row.size()) return std::nullopt;
  return parse_decimal(row[index]);
}

void read_row(const Table& table, const Words& row, std::string_view line, EventSink& sink) {
  const std::optional<int64_t> pid = number(row, table.pid);
  if (!pid || table.name >= row.size()) return;
  const std::string_view first = row[table.name];
  const std::string_view name =
      table.name_is_last ? trim(line.substr(static_cast<size_t>(first.data() - line.data())))
                         : first;
  const StringId id = sink.string(name);
  if (table.tid) {
    if (const std::optional<int64_t> tid = number(row, *table.tid))
      sink.untimed(make_thread_name({}, sink.thread({.tid = *tid, .pid = *pid}), id, kWeakestName));
    return;
  }
  const uint32_t process = sink.process({.pid = *pid});
  sink.untimed(make_process_name({}, process, id, kWeakestName));
  const std::optional<int64_t> parent =
      table.parent ? number(row, *table.parent) : std::optional<int64_t>();
  if (!parent || *parent <= 0) return;
  sink.untimed(make_process_parent({}, process, sink.process({.pid = *parent})));
}

}  // namespace

void read_process_dump(std::string_view text, EventSink& sink) {
  std::optional<Table> table;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const Words row = words_of(line);
    if (!row.empty() && row[0] == "USER")
      table = table_of(row);
    else if (table)
      read_row(*table, row, line, sink);
  }
}

}  // namespace tracebraid::systrace
