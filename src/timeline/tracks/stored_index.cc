// The parts: a directory with an entry for each kind of table; the row lists of each table with
// rows; the columns of tracks, one after another; a directory with an entry for each of these
// tracks.
#include "timeline/tracks/stored_index.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <utility>

#include "timeline/index/stored_values.h"

namespace tracebraid::timeline {

struct StoredIndex::KindEntry {
  uint64_t rows, owners, parts;
};
struct StoredIndex::Entry {
  uint32_t track, kind;
  uint64_t events, at, size, checksum;
};

namespace {

constexpr uint64_t kMostBytesOfRow = 6;
constexpr uint64_t kLeastEvents = 1024;  // the index of a shorter track is made in less than 0.1 ms

// What a track has beside the index of its lines.
struct TrackHead {
  uint64_t cut, unfinished;
};

// Counts the bytes, and their checksum since the last reset.
class CountingSink final : public PartSink {
 public:
  explicit CountingSink(PartSink& sink) : sink_(sink) { reset(); }
  Result<> append(std::string_view bytes) override {
    XXH3_64bits_update(&checksum_, bytes.data(), bytes.size());
    bytes_ += bytes.size();
    return sink_.append(bytes);
  }
  void end_part() override { sink_.end_part(); }
  void reset() { XXH3_64bits_reset(&checksum_); }
  uint64_t checksum() const { return XXH3_64bits_digest(&checksum_); }
  uint64_t bytes() const { return bytes_; }

 private:
  PartSink& sink_;
  XXH3_state_t checksum_;
  uint64_t bytes_ = 0;
};

uint64_t checksum_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::vector<uint32_t> longest_first(std::span<const TreeTrack> tracks) {
  std::vector<uint32_t> order(tracks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](uint32_t track) { return tracks[track].events; });
  return order;
}

}  // namespace

Result<> write_index(const std::array<EventTable, kTableKinds>& tables, const TableLists& lists,
                     std::span<const TreeTrack> tracks, unsigned threads, PartSink& sink) {
  CountingSink counted(sink);
  std::array<StoredIndex::KindEntry, kTableKinds> kinds{};
  uint64_t rows = 0;
  for (size_t kind = 0; kind < kTableKinds; ++kind) {
    const LineKeys& keys = tables[kind].keys;
    kinds[kind] = {keys.rows, keys.owners, keys.rows == 0 ? 0 : lists[kind].parts()};
    rows += keys.rows;
  }
  TB_TRY(append_part(counted, std::span<const StoredIndex::KindEntry>(kinds)));
  for (size_t kind = 0; kind < kTableKinds; ++kind)
    if (kinds[kind].parts > 0) TB_TRY(lists[kind].write(counted));

  std::vector<StoredIndex::Entry> entries;
  const uint64_t begin = counted.bytes();
  for (const uint32_t number : longest_first(tracks)) {
    const TreeTrack& track = tracks[number];
    if (track.events < kLeastEvents) break;
    const auto kind = static_cast<size_t>(track.table);
    const TrackIndex index = index_track(tables[kind], lists[kind], track.owners, threads);
    const uint64_t size = sizeof(TrackHead) + index.lines.written_size();
    const uint64_t at = counted.bytes() - begin;
    const uint64_t directory = (entries.size() + 1) * sizeof(StoredIndex::Entry);
    if (counted.bytes() + size + directory > kMostBytesOfRow * rows) break;
    counted.reset();
    const TrackHead head{index.cut, index.unfinished};
    TB_TRY(counted.append(bytes_of(std::span(&head, 1))));
    TB_TRY(index.lines.write(counted));
    entries.push_back(
        {number, static_cast<uint32_t>(kind), track.events, at, size, counted.checksum()});
  }
  counted.end_part();
  std::ranges::sort(entries, {}, &StoredIndex::Entry::track);
  return append_part(counted, std::span<const StoredIndex::Entry>(entries));
}

std::optional<StoredIndex> StoredIndex::open(IndexParts parts) {
  constexpr size_t kOtherParts = 3;  // both directories, and the columns
  const size_t count = parts.parts.size();
  StoredIndex index;
  if (count < kOtherParts || !parts.is_whole(0) || !parts.is_whole(count - 1) ||
      !view_values(parts.parts.front(), index.kinds_) || index.kinds_.size() != kTableKinds ||
      !view_values(parts.parts.back(), index.entries_))
    return std::nullopt;
  uint64_t parts_of_lists = 0;
  for (const KindEntry& kind : index.kinds_) {
    if (kind.parts > count) return std::nullopt;
    parts_of_lists += kind.parts;
  }
  if (parts_of_lists != count - kOtherParts) return std::nullopt;
  index.columns_ = parts.parts[count - 2];
  const bool is_ordered = std::ranges::is_sorted(index.entries_, {}, &Entry::track);
  const bool is_inside = std::ranges::all_of(index.entries_, [&](const Entry& entry) {
    return entry.at <= index.columns_.size() && entry.size <= index.columns_.size() - entry.at;
  });
  if (!is_ordered || !is_inside) return std::nullopt;
  index.parts_ = std::move(parts);
  return index;
}

std::optional<RowLists> StoredIndex::lists(TableKind kind, const LineKeys& keys,
                                           Workers& workers) const {
  const auto number = static_cast<size_t>(kind);
  const KindEntry& entry = kinds_[number];
  if (entry.rows != keys.rows || entry.owners != keys.owners || entry.parts == 0)
    return std::nullopt;
  size_t first = 1;
  for (size_t before = 0; before < number; ++before) first += kinds_[before].parts;
  std::atomic<bool> is_whole = true;
  workers.run(entry.parts, [&](size_t part) {
    if (is_whole && !parts_.is_whole(first + part)) is_whole = false;
  });
  if (!is_whole) return std::nullopt;
  return RowLists::view(std::span(parts_.parts).subspan(first, entry.parts), keys, workers);
}

const StoredIndex::Entry* StoredIndex::entry_of(uint32_t track) const {
  const auto at = std::ranges::lower_bound(entries_, track, {}, &Entry::track);
  return at == entries_.end() || at->track != track ? nullptr : &*at;
}

std::optional<TrackIndex> StoredIndex::track(uint32_t number, const TreeTrack& track,
                                             const EventTable& table, const RowLists& lists) const {
  const Entry& entry = *entry_of(number);
  std::string_view bytes = columns_.substr(entry.at, entry.size);
  if (entry.kind != static_cast<uint32_t>(track.table) || entry.events != track.events ||
      bytes.size() < sizeof(TrackHead) || checksum_of(bytes) != entry.checksum)
    return std::nullopt;
  std::span<const TrackHead> head;
  if (!view_values(bytes.substr(0, sizeof(TrackHead)), head)) return std::nullopt;
  bytes.remove_prefix(sizeof(TrackHead));
  std::optional<LineIndex> lines = LineIndex::view(bytes, table.has_lengths);
  if (!lines) return std::nullopt;
  TrackIndex index{.lines = *std::move(lines),
                   .list_lines = list_lines_of(lists, track.owners),
                   .cut = head.front().cut,
                   .unfinished = head.front().unfinished};
  if (index.lines.lines() != index.list_lines.size()) return std::nullopt;
  for (size_t line = 0; line < index.list_lines.size(); ++line)
    if (index.lines.size_of(line) != lists.size_of(index.list_lines[line])) return std::nullopt;
  return index;
}

}  // namespace tracebraid::timeline
