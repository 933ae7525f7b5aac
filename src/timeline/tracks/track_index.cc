#include "timeline/tracks/track_index.h"

#include <algorithm>
#include <limits>

namespace tracebraid::timeline {
namespace {

// Columns of a line, used again for the next line.
struct LineColumns {
  std::vector<uint32_t> rows;
  std::vector<int64_t> starts, durations;
  std::vector<uint64_t> lengths;
};

void add_line(const EventTable& table, const RowLists& lists, uint32_t list_line, LineColumns& line,
              TrackIndex& index) {
  const size_t size = lists.size_of(list_line);
  line.rows.resize(size);
  line.starts.resize(size);
  line.durations.resize(size);
  line.lengths.resize(size);
  lists.rows().read(lists.begin(list_line), line.rows);
  table.read_times(line.rows, line.starts, line.durations);
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
  index.list_lines.push_back(list_line);
}

}  // namespace

int64_t whole_end(const EventTable& table, uint32_t row, int64_t start, int64_t duration) {
  if (!table.has_lengths) return start;
  int64_t end = 0;
  if (duration < 0) return std::max(start, table.display_end(row));
  return __builtin_add_overflow(start, duration, &end) ? std::numeric_limits<int64_t>::max() : end;
}

TrackIndex index_track(const EventTable& table, const RowLists& lists,
                       std::span<const uint32_t> owners) {
  TrackIndex index;
  LineColumns columns;
  for (const uint32_t owner : owners)
    for (size_t line = 0; line < lists.lines_of(owner); ++line)
      add_line(table, lists, static_cast<uint32_t>(lists.first_line(owner) + line), columns, index);
  index.lines.finish();
  return index;
}

}  // namespace tracebraid::timeline
