#include "timeline/events/event.h"

#include <algorithm>
#include <limits>

#include "timeline/facts/drawn_value.h"

namespace tracebraid::timeline {
namespace {

constexpr size_t kMostParents = 1000;

std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

std::string_view name_text(const Timeline& timeline, TableKind kind, uint32_t row) {
  const Store& store = timeline.store();
  if (kind == TableKind::Counter)
    return text(store, store.tracks.name[store.counters.track_id[row]]);
  uint32_t name = kNoName;
  timeline.facts().read_names(kind, {&row, 1}, {&name, 1});
  if (kind == TableKind::Sched) return text(store, store.threads.name[name]);
  return text(store, {name});
}

uint8_t colour_of(const Timeline& timeline, TableKind kind, uint32_t row) {
  uint32_t name = kNoName;
  timeline.facts().read_names(kind, {&row, 1}, {&name, 1});
  return timeline.facts().colour(kind, row, name);
}

struct Times {
  int64_t ts = 0, dur = 0;
};
Times times_of(const EventTable& table, uint32_t row) {
  Times times;
  table.read_times({&row, 1}, {&times.ts, 1}, {&times.dur, 1});
  if (!table.has_lengths) times.dur = 0;
  return times;
}

// Calls each(row) for the direct children of a slice, in order.
template <class Each>
void for_each_child(const Timeline& timeline, uint32_t slice, Each each) {
  const Timeline::LinePlace place = timeline.line_of(TableKind::Slice, slice);
  bool was_cold = false;
  const std::shared_ptr<const TrackIndex> index = timeline.index(place.track, was_cold);
  const size_t below = place.line + 1;
  if (below >= index->lines.lines()) return;
  const Store& store = timeline.store();
  LineReader line(index->lines, below);
  const int64_t begin = store.slices.ts[slice];
  const int64_t end =
      whole_end(timeline.table(TableKind::Slice), slice, begin, store.slices.dur[slice]);
  for (size_t event = line.lower_bound(begin); event < line.size(); ++event) {
    if (line.start(event) > end) return;
    const uint32_t row = row_of(*index, timeline.lists(TableKind::Slice), below, event);
    if (store.slices.parent_id[row].row == slice) each(row);
  }
}

// Returns the series of a stacked counter with the last event at or before a time; `preferred` if
// it has one at the same time.
uint32_t latest_series(const LineIndex& lines, uint32_t preferred, int64_t ts) {
  uint32_t latest = preferred;
  std::optional<int64_t> last;
  const auto take = [&](uint32_t line) {
    if (line >= lines.lines()) return;
    LineReader reader(lines, line);
    const size_t after =
        ts == std::numeric_limits<int64_t>::max() ? reader.size() : reader.lower_bound(ts + 1);
    if (after == 0 || (last && reader.start(after - 1) <= *last)) return;
    last = reader.start(after - 1);
    latest = line;
  };
  take(preferred);
  for (uint32_t line = 0; line < lines.lines(); ++line) take(line);
  return latest;
}

}  // namespace

StringId category_of(const Store& store, TableKind kind, uint32_t row) {
  switch (kind) {
    case TableKind::Slice:
      return store.slices.category[row];
    case TableKind::State:
      return store.states.category[row];
    case TableKind::Snapshot:
      return store.json.snapshots.category[row];
    default:
      return {};
  }
}

std::optional<EventBrief> brief_of(const Timeline& timeline, TableKind kind, uint32_t row) {
  const EventTable& table = timeline.table(kind);
  const Timeline::Place place = timeline.place_of(kind, row);
  if (place.track == kNoNode) return std::nullopt;
  const Store& store = timeline.store();
  const Times times = times_of(table, row);
  EventBrief brief{.kind = kind,
                   .row = row,
                   .track = place.track,
                   .line = place.line,
                   .name = name_text(timeline, kind, row),
                   .category = text(store, category_of(store, kind, row)),
                   .ts = times.ts,
                   .dur = times.dur,
                   .end = whole_end(table, row, times.ts, times.dur),
                   .is_instant = times.dur == 0,
                   .is_unfinished = times.dur < 0,
                   .colour = colour_of(timeline, kind, row)};
  if (kind == TableKind::Counter) {
    const StringId type = store.tracks.type[store.counters.track_id[row]];
    brief.value = drawn_value(is_idle_state(store, type), store.counters.value[row]);
  }
  if (table.has_lengths) {
    if (const std::optional<uint32_t> next = step(timeline, place.track, row, 1)) {
      const int64_t start = times_of(table, *next).ts;
      brief.is_cut = brief.end > start;
      brief.end = std::min(brief.end, start);
    }
  }
  if (kind == TableKind::Slice && times.dur >= 0) {
    int64_t self = times.dur;
    for_each_child(timeline, row,
                   [&](uint32_t child) { self -= std::max<int64_t>(store.slices.dur[child], 0); });
    brief.self = self;
  }
  return brief;
}

std::vector<uint32_t> parents_of(const Timeline& timeline, uint32_t slice) {
  std::vector<uint32_t> parents;
  const auto& parent_id = timeline.store().slices.parent_id;
  for (uint32_t at = parent_id[slice].row; at != OptRow::kNull && parents.size() < kMostParents;
       at = parent_id[at].row)
    parents.push_back(at);
  std::ranges::reverse(parents);
  return parents;
}

std::pair<std::vector<uint32_t>, size_t> children_of(const Timeline& timeline, uint32_t slice,
                                                     size_t most) {
  std::vector<uint32_t> children;
  size_t count = 0;
  for_each_child(timeline, slice, [&](uint32_t row) {
    if (count++ < most) children.push_back(row);
  });
  return {std::move(children), count};
}

std::optional<int64_t> cpu_self_of(const Timeline& timeline, uint32_t slice) {
  const SparseColumn& times = timeline.store().slices.thread_dur;
  int64_t self = times.get(slice);
  if (self == OptInt::kNull) return std::nullopt;
  for_each_child(timeline, slice, [&](uint32_t child) {
    if (const int64_t time = times.get(child); time != OptInt::kNull) self -= time;
  });
  return self;
}

std::optional<uint32_t> event_at(const Timeline& timeline, uint32_t track, uint32_t line,
                                 int64_t ts, int64_t radius) {
  if (track >= timeline.tracks().size()) return std::nullopt;
  bool was_cold = false;
  const std::shared_ptr<const TrackIndex> index = timeline.index(track, was_cold);
  if (timeline.tracks()[track].is_stacked()) line = latest_series(index->lines, line, ts);
  if (line >= index->lines.lines() || index->lines.size_of(line) == 0) return std::nullopt;
  const TreeTrack& of = timeline.tracks()[track];
  LineReader reader(index->lines, line);
  // The event that begins last at or before the time, and the next one.
  const size_t after =
      ts == std::numeric_limits<int64_t>::max() ? reader.size() : reader.lower_bound(ts + 1);
  const auto row = [&](size_t event) {
    return row_of(*index, timeline.lists(of.table), line, event);
  };
  const auto distance = [](int64_t from, int64_t to) {
    return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
  };
  uint64_t best = static_cast<uint64_t>(std::max<int64_t>(radius, 0));
  std::optional<uint32_t> nearest;
  if (after > 0) {
    const int64_t start = reader.start(after - 1);
    const uint64_t length = timeline.table(of.table).has_lengths ? reader.length(after - 1) : 0;
    const uint64_t behind = distance(start, ts);
    // A counter keeps its value until the next event.
    if (of.table == TableKind::Counter || behind < length || behind == 0) return row(after - 1);
    if (behind - length <= best) {
      best = behind - length;
      nearest = row(after - 1);
    }
  }
  if (after < reader.size()) {
    const uint64_t ahead = distance(ts, reader.start(after));
    if (ahead < best || (ahead == best && !nearest)) nearest = row(after);
  }
  return nearest;
}

std::optional<uint32_t> step(const Timeline& timeline, uint32_t track, uint32_t row, int64_t by) {
  if (track >= timeline.tracks().size()) return std::nullopt;
  const TableKind kind = timeline.tracks()[track].table;
  const Timeline::Place place = timeline.place_of(kind, row);
  if (place.track != track) return std::nullopt;
  const RowLists& lists = timeline.lists(kind);
  size_t line = place.line;
  for (const uint32_t owner : timeline.tracks()[track].owners) {
    const size_t lines = lists.lines_of(owner);
    if (line >= lines) {
      line -= lines;
      continue;
    }
    const size_t in_lists = lists.first_line(owner) + line;
    const auto size = static_cast<int64_t>(lists.size_of(in_lists));
    if (by > size || by < -size) return std::nullopt;
    const int64_t event = int64_t{place.event} + by;
    if (event < 0 || event >= size) return std::nullopt;
    return lists.rows()[lists.begin(in_lists) + static_cast<size_t>(event)];
  }
  return std::nullopt;
}

}  // namespace tracebraid::timeline
