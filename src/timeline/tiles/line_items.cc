#include "timeline/tiles/line_items.h"

#include <algorithm>
#include <limits>

namespace tracebraid::timeline {
namespace {

int64_t end_of(int64_t start, uint64_t length) {
  return static_cast<int64_t>(static_cast<uint64_t>(start) + length);
}

// Returns the first event after `last`.
size_t first_after(LineReader& line, int64_t last, size_t from) {
  return last == std::numeric_limits<int64_t>::max() ? line.size()
                                                     : line.lower_bound(last + 1, from);
}

LineItem single(int64_t start, uint64_t length, size_t event) {
  return {.start = start,
          .end = end_of(start, length),
          .busy = length,
          .event = static_cast<uint32_t>(event),
          .has_instants = length == 0};
}

LineItem single(LineReader& line, size_t event) {
  return single(line.start(event), line.length(event), event);
}

LineItem dense(LineReader& line, size_t from, size_t to) {
  const LineReader::Sum sum = line.sum(from, to);
  return {.start = line.start(from),
          .end = end_of(line.start(to - 1), line.length(to - 1)),
          .busy = sum.total,
          .event = static_cast<uint32_t>(sum.longest),
          .count = static_cast<uint32_t>(to - from),
          .has_instants = sum.has_zeros};
}

template <class Each>
void for_each_bucket(LineReader& line, const TileRange& tiles, Each each) {
  const size_t end = first_after(line, tiles.last(), 0);
  for (size_t from = line.lower_bound(tiles.begin()); from < end;) {
    const uint32_t bucket = tiles.bucket_of(line.start(from));
    const size_t to = first_after(line, tiles.last_of(bucket), from);
    each(bucket, from, to);
    from = to;
  }
}

// Appends the items of a bucket, whose events are `from` to `to` - 1.
void append_bucket(LineReader& line, uint64_t width, size_t from, size_t to,
                   std::vector<LineItem>& items) {
  // Events do not overlap, so only the last one of a bucket can be as long as the bucket.
  const bool last_is_long = line.length(to - 1) >= width;
  const size_t rest = to - (last_is_long ? 1 : 0);
  if (rest == from + 1) items.push_back(single(line, from));
  if (rest > from + 1) items.push_back(dense(line, from, rest));
  if (last_is_long) items.push_back(single(line, to - 1));
}

// Appends the items of the events that are packed with `from`, and of the rest of the last bucket.
// Returns the first event after them. Reads each event once, because most buckets of a dense
// request have few events; searches only for the end of a bucket that goes on behind the chunk.
size_t append_chunk(LineReader& line, const TileRange& tiles, size_t from, size_t end,
                    std::vector<LineItem>& items) {
  const uint64_t width = uint64_t{1} << tiles.level;
  const LineReader::Chunk chunk = line.chunk(from);
  const int64_t* const starts = chunk.starts.data();
  const uint64_t* const lengths = chunk.lengths.data();
  const size_t count = std::min(chunk.starts.size(), end - from);
  for (size_t at = 0; at < count;) {
    const int64_t last = tiles.last_of(tiles.bucket_of(starts[at]));
    LineItem item{.start = starts[at], .event = static_cast<uint32_t>(from + at), .count = 0};
    uint64_t most = 0;
    const auto add = [&](size_t i) {
      item.busy += lengths[i];
      item.has_instants |= lengths[i] == 0;
      item.event = lengths[i] > most ? static_cast<uint32_t>(from + i) : item.event;
      most = std::max(most, lengths[i]);
      item.end = end_of(starts[i], lengths[i]);
      ++item.count;
    };
    size_t i = at;
    for (; i + 1 < count && starts[i + 1] <= last; ++i) add(i);
    if (i + 1 == count && from + count < end) {
      const size_t to = first_after(line, last, from + count);
      append_bucket(line, width, from + at, to, items);
      return to;
    }
    const bool is_long = lengths[i] >= width;
    if (!is_long) add(i);
    if (item.count > 0) items.push_back(item);
    if (is_long) items.push_back(single(starts[i], lengths[i], from + i));
    at = i + 1;
  }
  return from + count;
}

}  // namespace

void append_items(LineReader& line, const TileRange& tiles, std::vector<LineItem>& items) {
  const uint64_t width = uint64_t{1} << tiles.level;
  if (const size_t first = line.lower_bound(tiles.begin()); first > 0) {
    LineItem before = single(line, first - 1);
    if (before.busy >= width && before.end > tiles.begin()) {
      before.count = 0;
      before.busy = 0;
      items.push_back(before);
    }
  }
  const size_t end = first_after(line, tiles.last(), 0);
  for (size_t from = line.lower_bound(tiles.begin()); from < end;)
    from = append_chunk(line, tiles, from, end, items);
}

void append_buckets(LineReader& line, const TileRange& tiles, std::vector<LineBucket>& buckets) {
  for_each_bucket(line, tiles, [&](uint32_t bucket, size_t from, size_t to) {
    buckets.push_back({bucket, static_cast<uint32_t>(from), static_cast<uint32_t>(to)});
  });
}

}  // namespace tracebraid::timeline
