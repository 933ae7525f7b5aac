// Tiles against a scan of all events that is written independently (spec viewer 5.3).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "timeline/tiles/line_items.h"

namespace tracebraid::timeline {
namespace {

struct Event {
  int64_t start;
  uint64_t length;
};
struct Table {
  std::vector<Event> events;
  LineIndex index;
};
struct Expected {
  int64_t start, end;
  uint64_t busy;
  uint32_t event, count;
  bool has_instants;
};

constexpr int64_t kNearly = int64_t{1} << 62;

// Random lines: dense clusters, geometric gaps, equal times, instants, long events, far times.
std::vector<Event> random_events(std::mt19937_64& random) {
  const auto below = [&](uint64_t most) { return random() % most; };
  const size_t sizes[] = {0, 1, 2, 63, 64, 65, 200, 1024, 1500, 5000};
  // Large tables cost most of the time of the scan, so they are rare.
  const size_t size = sizes[below(20) == 0 ? below(10) : below(7)];
  int64_t time = std::vector<int64_t>{0, -5000, -kNearly, kNearly - (int64_t{1} << 45),
                                      static_cast<int64_t>(below(1'000'000))}[below(5)];
  std::vector<Event> events;
  const unsigned style = static_cast<unsigned>(below(5));
  for (size_t i = 0; i < size; ++i) {
    uint64_t gap = 0, length = 0;
    switch (style) {
      case 0:
        gap = below(20), length = below(5);
        break;
      case 1:
        gap = uint64_t{1} << below(30), length = uint64_t{1} << below(25);
        break;
      case 2:
        gap = below(30) == 0 ? below(1'000'000) : below(3), length = below(3);
        break;
      case 3:
        gap = below(3) == 0 ? 0 : below(100), length = 0;
        break;
      default:
        length = below(4) == 0 ? below(100'000) : below(10);
        break;
    }
    time += static_cast<int64_t>(gap);
    events.push_back({time, length});
    time += static_cast<int64_t>(length);
  }
  return events;
}

LineIndex index_of(const std::vector<Event>& events) {
  std::vector<int64_t> starts;
  std::vector<uint64_t> lengths;
  for (const Event& event : events) {
    starts.push_back(event.start);
    lengths.push_back(event.length);
  }
  LineIndex index;
  index.add_line({}, {});  // other lines of the track
  index.add_line(starts, lengths);
  const int64_t before[] = {-7}, after[] = {1};
  const uint64_t length[] = {uint64_t{1} << 63};
  index.add_line(before, length);
  index.add_line(after, length);
  index.finish();
  return index;
}

using Wide = __int128;

// The definition, event by event.
std::vector<Expected> scan(const std::vector<Event>& events, unsigned level, Wide first_tile,
                           unsigned tiles) {
  const Wide width = Wide{1} << level;
  const Wide begin = first_tile * 512 * width, end = begin + tiles * 512 * width;
  std::vector<Expected> items;
  const auto exact = [&](uint32_t i, uint32_t count) {
    const auto& [start, length] = events[i];
    items.push_back({start, start + static_cast<int64_t>(length), count == 0 ? 0 : length, i, count,
                     length == 0});
  };
  bool bucket_is_open = false;
  Wide open_bucket = 0;
  for (uint32_t i = 0; i < events.size(); ++i) {
    const Wide start = events[i].start, stop = start + events[i].length;
    if (start < begin && stop > begin && events[i].length >= width) exact(i, 0);
    if (start < begin || start >= end) continue;
    Wide bucket = (start - begin) / width;
    if (events[i].length >= width) {
      exact(i, 1);
      bucket_is_open = false;
      continue;
    }
    if (!bucket_is_open || bucket != open_bucket) {
      exact(i, 1);
      bucket_is_open = true;
      open_bucket = bucket;
      continue;
    }
    Expected& dense = items.back();
    if (events[i].length > events[dense.event].length) dense.event = i;
    dense.end = std::max(dense.end, events[i].start + static_cast<int64_t>(events[i].length));
    dense.busy += events[i].length;
    dense.has_instants = dense.has_instants || events[i].length == 0;
    ++dense.count;
  }
  return items;
}

std::vector<LineItem> answer(LineReader& line, const TileRange& tiles) {
  std::vector<LineItem> items;
  append_items(line, tiles, items);
  return items;
}

void expect_equal(const std::vector<LineItem>& items, const std::vector<Expected>& expected) {
  ASSERT_EQ(items.size(), expected.size());
  for (size_t i = 0; i < items.size(); ++i) {
    ASSERT_EQ(items[i].start, expected[i].start);
    ASSERT_EQ(items[i].end, expected[i].end);
    ASSERT_EQ(items[i].event, expected[i].event);
    ASSERT_EQ(items[i].count, expected[i].count);
    ASSERT_EQ(items[i].busy, expected[i].busy);
    ASSERT_EQ(items[i].has_instants, expected[i].has_instants);
    if (i > 0) ASSERT_LE(items[i - 1].end, items[i].start) << "items of a line overlap";
  }
}

TileRange range_at(const std::vector<Event>& events, unsigned level, uint32_t count,
                   std::mt19937_64& random) {
  const int64_t time = events.empty() ? 0 : events[random() % events.size()].start;
  TileRange range{level, (time >> (level + 9)) - static_cast<int64_t>(random() % count), count};
  while (!range.is_valid() && range.first < 0) ++range.first;
  while (!range.is_valid() && range.count > 1) --range.count;
  return range;
}

// (b) Sums of all tiles of a level equal those of all events that start in the tiles.
void expect_sums(const std::vector<LineItem>& items, const std::vector<Event>& events,
                 const TileRange& tiles) {
  uint64_t count = 0, busy = 0, true_count = 0, true_busy = 0;
  for (const LineItem& item : items) count += item.count, busy += item.busy;
  for (const Event& event : events)
    if (event.start >= tiles.begin() && event.start <= tiles.last())
      ++true_count, true_busy += event.length;
  EXPECT_EQ(count, true_count);
  EXPECT_EQ(busy, true_busy);
}

// (c) Two tiles one by one equal both at once, except for events that began before.
void expect_division(LineReader& line, const TileRange& two) {
  std::vector<LineItem> parts = answer(line, {two.level, two.first, 1});
  for (const LineItem& item : answer(line, {two.level, two.first + 1, 1}))
    if (item.count > 0) parts.push_back(item);
  const std::vector<LineItem> whole = answer(line, two);
  ASSERT_EQ(parts.size(), whole.size());
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(parts[i].start, whole[i].start);
    EXPECT_EQ(parts[i].event, whole[i].event);
    EXPECT_EQ(parts[i].count, whole[i].count);
  }
}

std::vector<uint32_t> counts_of(LineReader& line, const TileRange& tiles) {
  std::vector<uint32_t> counts(tiles.buckets());
  for (const LineItem& item : answer(line, tiles))
    if (item.count > 0) counts[tiles.bucket_of(item.start)] += item.count;
  return counts;
}

// (d) A bucket has the events of its two halves.
void expect_halves(LineReader& line, const TileRange& tiles) {
  if (tiles.level == 0 || tiles.count * 2 > kMostTiles) return;
  const std::vector<uint32_t> whole = counts_of(line, tiles);
  const std::vector<uint32_t> halves =
      counts_of(line, {tiles.level - 1, tiles.first * 2, tiles.count * 2});
  for (size_t i = 0; i < whole.size(); ++i) ASSERT_EQ(whole[i], halves[2 * i] + halves[2 * i + 1]);
}

TEST(LodProperties, TilesEqualAScan) {
  std::mt19937_64 random(24);
  for (int table = 0; table < 10'000; ++table) {
    SCOPED_TRACE(testing::Message() << "table " << table);
    const std::vector<Event> events = random_events(random);
    const LineIndex index = index_of(events);
    ASSERT_EQ(index.size_of(1), events.size());
    // All levels over the first tables, then a few of each table.
    for (unsigned step = 0; step < (table < 100 ? kMostLevel + 1 : 3); ++step) {
      const unsigned level =
          table < 100 ? step : static_cast<unsigned>(random() % (kMostLevel + 1));
      const TileRange tiles =
          range_at(events, level, 1 + static_cast<uint32_t>(random() % 4), random);
      ASSERT_TRUE(tiles.is_valid());
      SCOPED_TRACE(testing::Message() << "level " << level << " first " << tiles.first);
      LineReader line(index, 1);
      const std::vector<LineItem> items = answer(line, tiles);
      expect_equal(items, scan(events, level, tiles.first, tiles.count));
      expect_sums(items, events, tiles);
      if (tiles.count >= 2) expect_division(line, {level, tiles.first, 2});
      expect_halves(line, tiles);
      if (HasFailure()) return;
    }
  }
}

// (e) The cost depends on the buckets that have events, hardly on the number of events.
TEST(LodProperties, FewNodesAreVisited) {
  std::mt19937_64 random(5);
  for (const size_t size : {1UL, 100UL, 10'000UL, 1'000'000UL}) {
    std::vector<int64_t> starts;
    std::vector<uint64_t> lengths;
    int64_t time = 0;
    for (size_t i = 0; i < size; ++i) {
      starts.push_back(time += static_cast<int64_t>(random() % (i % 1000 == 0 ? 1'000'000 : 100)));
      lengths.push_back(random() % 50);
      time += 50;
    }
    LineIndex index;
    index.add_line(starts, lengths);
    index.finish();
    for (unsigned level = 0; level <= kMostLevel; ++level) {
      const int64_t middle = starts[random() % size];
      const TileRange tiles{level, middle >> (level + kTileBits), 1};
      LineReader line(index, 0);
      std::vector<LineBucket> buckets;
      append_buckets(line, tiles, buckets);
      LineReader measured(index, 0);
      answer(measured, tiles);
      const double most = 36 * (static_cast<double>(buckets.size()) + 2) *
                          (1 + std::log2(static_cast<double>(size)) / 4);
      EXPECT_LE(static_cast<double>(measured.visited()), most)
          << size << " events, level " << level << ", " << buckets.size() << " buckets";
    }
  }
}

TEST(LodProperties, RangesOfTilesThatHaveNoTimesAreInvalid) {
  EXPECT_TRUE((TileRange{0, 0, 1}).is_valid());
  EXPECT_FALSE((TileRange{55, 0, 1}).is_valid());
  EXPECT_FALSE((TileRange{0, 0, 0}).is_valid());
  EXPECT_FALSE((TileRange{0, 0, 65}).is_valid());
  EXPECT_TRUE((TileRange{54, -1, 1}).is_valid());
  EXPECT_TRUE((TileRange{54, -1, 2}).is_valid());
  EXPECT_FALSE((TileRange{54, 0, 2}).is_valid());
  EXPECT_FALSE((TileRange{54, -2, 1}).is_valid());
  EXPECT_FALSE((TileRange{20, INT64_MAX, 1}).is_valid());
  EXPECT_FALSE((TileRange{20, INT64_MIN, 64}).is_valid());
  const TileRange last{0, INT64_MAX >> 9, 1};
  EXPECT_TRUE(last.is_valid());
  EXPECT_EQ(last.last(), INT64_MAX);
}

}  // namespace
}  // namespace tracebraid::timeline
