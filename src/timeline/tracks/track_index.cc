#include "timeline/tracks/track_index.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/workers.h"

namespace tracebraid::timeline {
namespace {

// Columns of a line, used again for the next line.
struct LineColumns {
  std::vector<uint32_t> rows;
  std::vector<int64_t> starts, durations;
  std::vector<uint64_t> lengths;
};

// Reads the rows of a line and their times, in parallel if there are many.
void read_line(const EventTable& table, const RowLists& lists, uint32_t list_line, Workers* workers,
               LineColumns& line) {
  constexpr size_t kEventsOfTask = size_t{1} << 14;
  const size_t size = lists.size_of(list_line);
  line.rows.resize(size);
  line.starts.resize(size);
  line.durations.resize(size);
  line.lengths.resize(size);
  const auto read = [&](size_t first, size_t count) {
    const std::span rows = std::span(line.rows).subspan(first, count);
    lists.rows().read(lists.begin(list_line) + first, rows);
    table.read_times(rows, std::span(line.starts).subspan(first, count),
                     std::span(line.durations).subspan(first, count));
  };
  if (workers == nullptr || size <= kEventsOfTask) return read(0, size);
  workers->run((size + kEventsOfTask - 1) / kEventsOfTask, [&](size_t task) {
    const size_t first = task * kEventsOfTask;
    read(first, std::min(kEventsOfTask, size - first));
  });
}

void add_line(const EventTable& table, const RowLists& lists, uint32_t list_line, Workers* workers,
              LineColumns& line, TrackIndex& index) {
  read_line(table, lists, list_line, workers, line);
  const size_t size = line.rows.size();
  // Times rise, except in a damaged file.
  for (size_t i = 1; i < size; ++i) line.starts[i] = std::max(line.starts[i], line.starts[i - 1]);
  for (size_t i = 0; i < size; ++i) {
    if (!table.has_lengths) {
      line.lengths[i] = static_cast<uint64_t>(std::max<int64_t>(line.durations[i], 0));
      continue;
    }
    const int64_t start = line.starts[i];
    int64_t end = whole_end(table, line.rows[i], start, line.durations[i]);
    if (line.durations[i] < 0) ++index.unfinished;
    if (i + 1 < size && end > line.starts[i + 1]) {
      end = line.starts[i + 1];
      ++index.cut;
    }
    line.lengths[i] = static_cast<uint64_t>(end) - static_cast<uint64_t>(start);
  }
  index.lines.add_line(line.starts, line.lengths);
}

}  // namespace

int64_t whole_end(const EventTable& table, uint32_t row, int64_t start, int64_t duration) {
  if (!table.has_lengths) return start;
  int64_t end = 0;
  if (duration < 0) return std::max(start, table.display_end(row));
  return __builtin_add_overflow(start, duration, &end) ? std::numeric_limits<int64_t>::max() : end;
}

std::vector<uint32_t> list_lines_of(const RowLists& lists, std::span<const uint32_t> owners) {
  std::vector<uint32_t> lines;
  for (const uint32_t owner : owners)
    for (size_t line = 0; line < lists.lines_of(owner); ++line)
      lines.push_back(static_cast<uint32_t>(lists.first_line(owner) + line));
  return lines;
}

TrackIndex index_track(const EventTable& table, const RowLists& lists,
                       std::span<const uint32_t> owners, unsigned threads) {
  constexpr size_t kEventsOfThreads = size_t{1} << 16;  // fewer are not worth starting a thread
  TrackIndex index;
  size_t events = 0;
  for (const uint32_t owner : owners) events += lists.events_of(owner);
  std::optional<Workers> workers;
  if (threads > 1 && events >= kEventsOfThreads) workers.emplace(threads);
  LineColumns columns;
  index.list_lines = list_lines_of(lists, owners);
  for (const uint32_t line : index.list_lines)
    add_line(table, lists, line, workers ? &*workers : nullptr, columns, index);
  index.lines.finish();
  return index;
}

}  // namespace tracebraid::timeline
