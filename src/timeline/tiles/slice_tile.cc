// Frames of slices, states and scheduling.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "timeline/events/event.h"
#include "timeline/tiles/line_items.h"
#include "timeline/tiles/tiles.h"

namespace tracebraid::timeline {
namespace {

constexpr size_t kMostItems = size_t{1} << 20;  // of a frame; more are answered with coarser tiles
constexpr uint32_t kGoesOn = ~uint32_t{0};

// The items of all lines, and the line of each.
struct Items {
  std::vector<LineItem> items;
  std::vector<uint16_t> lines;
};

// Returns false if there are too many.
bool collect(const LineIndex& index, const TileRange& range, Items& to) {
  to.items.clear();
  to.lines.clear();
  const size_t lines = std::min<size_t>(index.lines(), UINT16_MAX);
  const size_t most = std::min({index.events(), lines * (range.buckets() + 1), kMostItems});
  to.items.reserve(most);
  to.lines.reserve(most);
  for (size_t line = 0; line < lines; ++line) {
    LineReader reader(index, line);
    append_items(reader, range, to.items);
    if (to.items.size() > kMostItems) return false;
    to.lines.resize(to.items.size(), static_cast<uint16_t>(line));
  }
  return true;
}

TileRange coarser(const TileRange& range) {
  const int64_t last = range.first + range.count - 1;
  const int64_t first = range.first >> 1;
  return {range.level + 1, first, static_cast<uint32_t>((last >> 1) - first + 1)};
}

// The columns of the frame, in its order.
struct SliceColumns {
  std::span<uint32_t> start, end, row, name, count, busy;
  std::span<uint16_t> line;
  std::span<uint8_t> flags, colour;

  SliceColumns(FrameWriter& frame, size_t n) {
    // All columns are made before one is written: the frame must not move after that.
    frame.reserve(kFrameHeadBytes + 28 * n + 64);
    for (auto* column : {&start, &end, &row, &name, &count, &busy})
      *column = frame.empty_column<uint32_t>(n);
    line = frame.empty_column<uint16_t>(n);
    flags = frame.empty_column<uint8_t>(n);
    colour = frame.empty_column<uint8_t>(n);
  }
};

void set_places(const TileRange& range, const LineItem& item, const SliceColumns& to, size_t i) {
  uint8_t flags = 0;
  if (item.count > 1) flags |= item_flags::kDense;
  if (item.has_instants) flags |= item_flags::kInstant;
  const bool is_before = item.start < range.begin();
  if (is_before) flags |= item_flags::kBefore;
  const auto start = static_cast<uint32_t>(is_before ? 0 : position_of(range, item.start));
  uint32_t end = kGoesOn;
  if (item.end > range.last() && item.end - 1 > range.last())
    flags |= item_flags::kGoesOn;
  else
    end = static_cast<uint32_t>(position_of(range, item.end));
  if (end <= start && item.end > item.start) end = start + 1;
  to.start[i] = start;
  to.end[i] = end;
  to.count[i] = item.count;
  to.busy[i] = width_of(range, item.busy);
  to.flags[i] = flags;
}

// Reads the rows of items in order. Unpacks a block of rows at once if several items are in it.
void read_rows(const TrackIndex& index, const RowLists& lists, const Items& items,
               std::span<uint32_t> to) {
  constexpr size_t kBlock = PackedRows::kBlock;
  const PackedRows& rows = lists.rows();
  std::array<uint32_t, kBlock> unpacked;
  size_t unpacked_block = ~size_t{0};
  const size_t n = items.items.size();
  const auto place_of = [&](size_t i) {
    return lists.begin(index.list_lines[items.lines[i]]) + items.items[i].event;
  };
  size_t place = n == 0 ? 0 : place_of(0);
  for (size_t i = 0; i < n; ++i) {
    const size_t next = i + 1 < n ? place_of(i + 1) : ~size_t{0};
    const size_t block = place / kBlock;
    if (block != unpacked_block && next / kBlock == block) {
      const size_t first = block * kBlock;
      rows.read(first, std::span(unpacked).first(std::min(kBlock, rows.size() - first)));
      unpacked_block = block;
    }
    to[i] = block == unpacked_block ? unpacked[place % kBlock] : rows[place];
    place = next;
  }
}

// Returns the part of a single event that is CPU time, counted from its start, or from that of the
// tiles if it began before.
uint32_t cpu_part(const TileRange& range, const LineItem& item, uint64_t cpu_time) {
  const auto length = [](int64_t from, int64_t to) {
    return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
  };
  const uint64_t before = item.start < range.begin() ? length(item.start, range.begin()) : 0;
  const uint64_t part = std::min(cpu_time, length(item.start, item.end));
  return width_of(range, part - std::min(part, before));
}

// Sets the flags of single events that their tables know, and their CPU time.
void set_table_flags(const Timeline& timeline, const TileRange& range, const TreeTrack& track,
                     const TrackIndex& index, const Items& items, const SliceColumns& to) {
  const EventTable& table = timeline.table(track.table);
  const ItemFacts& facts = timeline.facts();
  const bool is_slice = track.table == TableKind::Slice;
  const bool reads_times = index.unfinished > 0 || index.cut > 0;
  const bool has_flows = is_slice && facts.any_flows();
  const bool has_cpu_time = is_slice && facts.any_cpu_time();
  if (!reads_times && !has_flows && !has_cpu_time) return;
  for (size_t i = 0; i < items.items.size(); ++i) {
    if (items.items[i].count > 1) continue;
    const uint32_t row = to.row[i];
    if (reads_times) {
      int64_t start = 0, duration = 0;
      table.read_times({&row, 1}, {&start, 1}, {&duration, 1});
      if (duration < 0) to.flags[i] |= item_flags::kUnfinished;
      if (whole_end(table, row, start, duration) > items.items[i].end)
        to.flags[i] |= item_flags::kCut;
    }
    if (has_flows && facts.has_flows(row)) to.flags[i] |= item_flags::kFlows;
    if (!has_cpu_time) continue;
    if (const std::optional<uint64_t> time = facts.cpu_time(row)) {
      to.flags[i] |= item_flags::kCpuTime;
      to.busy[i] = cpu_part(range, items.items[i], *time);
    }
  }
}

}  // namespace

uint64_t position_of(const TileRange& range, int64_t time) {
  const uint64_t distance = static_cast<uint64_t>(time) - static_cast<uint64_t>(range.begin());
  return range.level >= 8 ? distance >> (range.level - 8) : distance << (8 - range.level);
}

uint32_t width_of(const TileRange& range, uint64_t ns) {
  if (range.level < 8 && ns >> 32 != 0) return ~uint32_t{0};
  const uint64_t width = range.level >= 8 ? ns >> (range.level - 8) : ns << (8 - range.level);
  return static_cast<uint32_t>(std::min<uint64_t>(width, ~uint32_t{0}));
}

std::string slice_frame(const Timeline& timeline, uint32_t number, FrameHead head, TileRange range,
                        bool by_category) {
  const TreeTrack& track = timeline.tracks()[number];
  bool was_cold = false;
  const std::shared_ptr<const TrackIndex> index = timeline.index(number, was_cold);
  Items items;
  while (!collect(index->lines, range, items) && range.level < kMostLevel) {
    range = coarser(range);
    head.flags |= frame_flags::kCoarser;
  }
  const size_t n = items.items.size();
  head.kind = FrameKind::Slices;
  head.level = static_cast<uint8_t>(range.level);
  head.first = range.first;
  head.tiles = range.count;
  head.items = static_cast<uint32_t>(n);
  head.lines = static_cast<uint16_t>(std::min<size_t>(track.lines, UINT16_MAX));
  if (index->cut > 0) head.flags |= frame_flags::kCut;
  if (was_cold) head.flags |= frame_flags::kCold;
  FrameWriter frame(head);
  const SliceColumns to(frame, n);
  const RowLists& lists = timeline.lists(track.table);
  for (size_t i = 0; i < n; ++i) set_places(range, items.items[i], to, i);
  read_rows(*index, lists, items, to.row);
  timeline.facts().read_names(track.table, to.row, to.name);
  for (size_t i = 0; i < n; ++i) {
    const uint32_t row = to.row[i];
    const uint32_t of =
        by_category ? category_of(timeline.store(), track.table, row).row : to.name[i];
    to.colour[i] = timeline.facts().colour(track.table, row, of);
  }
  std::ranges::copy(items.lines, to.line.begin());
  set_table_flags(timeline, range, track, *index, items, to);
  return std::move(frame).finish();
}

}  // namespace tracebraid::timeline
