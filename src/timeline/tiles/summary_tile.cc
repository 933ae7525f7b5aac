// Frames of collapsed nodes: the busy time of all lines below, by name.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "timeline/tiles/line_items.h"
#include "timeline/tiles/tiles.h"

namespace tracebraid::timeline {
namespace {

constexpr size_t kMostNames = 7;  // and the rest
// The time after which no further index is made for one answer.
constexpr std::chrono::milliseconds kMostIndexing{100};

// Busy time by name and bucket, in buckets.
class Busy {
 public:
  Busy(size_t names, size_t buckets)
      : buckets_(buckets), parts_(names * buckets), full_(names * (buckets + 1)) {}

  // Adds the time [start, end) of one event, as far as it lies in the tiles.
  void add_event(size_t name, const TileRange& range, const LineItem& item) {
    const int64_t start = std::max(item.start, range.begin());
    if (start >= item.end) return;
    const bool goes_on = item.end - 1 > range.last();
    const uint32_t first = range.bucket_of(start);
    const uint32_t last = goes_on ? range.buckets() - 1 : range.bucket_of(item.end - 1);
    const auto share = [&](int64_t from, int64_t to) {  // both within one bucket, `to` included
      return static_cast<double>(static_cast<uint64_t>(to) - static_cast<uint64_t>(from) + 1) /
             std::ldexp(1.0, static_cast<int>(range.level));
    };
    const int64_t to = goes_on ? range.last() : item.end - 1;
    if (first == last) {
      parts_[name * buckets_ + first] += share(start, to);
      return;
    }
    parts_[name * buckets_ + first] += share(start, range.last_of(first));
    parts_[name * buckets_ + last] += share(range.begin_of(last), to);
    full_[name * (buckets_ + 1) + first + 1] += 1;
    full_[name * (buckets_ + 1) + last] -= 1;
  }
  void add_dense(size_t name, const TileRange& range, const LineItem& item) {
    parts_[name * buckets_ + range.bucket_of(item.start)] +=
        static_cast<double>(item.busy) / std::ldexp(1.0, static_cast<int>(range.level));
  }
  // Appends buckets with busy time, and the shares of all names as 1/255 of `lines` buckets.
  void append(size_t names, size_t lines, std::vector<uint32_t>& buckets,
              std::vector<uint8_t>& shares) const {
    std::vector<int64_t> covering(names);
    for (uint32_t bucket = 0; bucket < buckets_; ++bucket) {
      bool is_busy = false;
      const size_t begin = shares.size();
      for (size_t name = 0; name < names; ++name) {
        covering[name] += full_[name * (buckets_ + 1) + bucket];
        const double busy = parts_[name * buckets_ + bucket] + static_cast<double>(covering[name]);
        // The shortest time is visible.
        const double share = std::ceil(busy * 255 / static_cast<double>(lines));
        shares.push_back(static_cast<uint8_t>(std::clamp(share, 0.0, 255.0)));
        is_busy = is_busy || busy > 0;
      }
      if (is_busy)
        buckets.push_back(bucket);
      else
        shares.resize(begin);
    }
  }

 private:
  size_t buckets_;
  std::vector<double> parts_;
  std::vector<int64_t> full_;  // changes of the number of events that cover whole buckets
};

class Summary {
 public:
  Summary(const Timeline& timeline, const Timeline::Found& node, const TileRange& range)
      : timeline_(timeline), range_(range) {
    for (uint32_t at = node.index; at < node.node().end; ++at) {
      const TreeNode& each = node.tree->nodes[at];
      if (each.type != NodeType::Track || each.events == 0) continue;
      if (each.first > range.last() || each.last < range.begin()) continue;
      (timeline.table(timeline.tracks()[each.number].table).has_lengths ? lasting_ : moments_)
          .push_back(each.number);
    }
  }

  Result<std::string> make(FrameHead head, const Stop& stop) {
    TB_TRY(find_indexes(stop));
    choose_names();
    const size_t columns = names_.size() + 1;
    Busy busy(columns, range_.buckets());
    size_t lines = 0;
    for (const Indexed& each : indexed_) {
      if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
      lines += add_track(each, busy);
    }
    std::vector<uint32_t> buckets;
    std::vector<uint8_t> shares;
    if (lines > 0)
      busy.append(columns, lines, buckets, shares);
    else
      TB_TRY(append_moments(stop, buckets, shares, columns));
    head.kind = FrameKind::Summary;
    head.lines = static_cast<uint16_t>(std::min<size_t>(lines, UINT16_MAX));
    head.items = static_cast<uint32_t>(buckets.size());
    if (is_incomplete_) head.flags |= frame_flags::kIncomplete;
    if (was_cold_) head.flags |= frame_flags::kCold;
    FrameWriter frame(head);
    std::vector<uint32_t> names = names_;
    names.push_back(0);
    const auto count = static_cast<uint32_t>(columns);
    frame.column(std::span(&count, 1));
    frame.column(names);
    frame.column(buckets);
    frame.column(shares);
    return std::move(frame).finish();
  }

 private:
  struct Indexed {
    uint32_t track;
    std::shared_ptr<const TrackIndex> index;
  };

  // Takes the indexes that exist, and makes others while time is left.
  Result<> find_indexes(const Stop& stop) {
    const auto begin = std::chrono::steady_clock::now();
    for (const uint32_t track : lasting_) {
      if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
      std::shared_ptr<const TrackIndex> index = timeline_.index_if_made(track);
      if (index == nullptr && std::chrono::steady_clock::now() - begin < kMostIndexing)
        index = timeline_.index(track, was_cold_);
      if (index == nullptr)
        is_incomplete_ = true;
      else
        indexed_.push_back({track, std::move(index)});
    }
    return {};
  }

  // Chooses the names with most time, by tiles of which each is one bucket.
  void choose_names() {
    TileRange coarse = range_;
    coarse.level = std::min(range_.level + kTileBits, kMostLevel);
    coarse.first = range_.first >> (coarse.level - range_.level);
    const int64_t last = (range_.first + range_.count - 1) >> (coarse.level - range_.level);
    coarse.count = static_cast<uint32_t>(last - coarse.first + 1);
    absl::flat_hash_map<uint32_t, uint64_t> times;
    for (const Indexed& each : indexed_)
      for_each_item(each, coarse, [&](uint32_t name, const LineItem& item) {
        const int64_t start = std::max(item.start, range_.begin());
        const uint64_t time = item.count > 1 ? item.busy
                              : item.end > start
                                  ? static_cast<uint64_t>(item.end) - static_cast<uint64_t>(start)
                                  : 0;
        times[name] += time >> range_.level;
      });
    std::vector<std::pair<uint64_t, uint32_t>> order;
    for (const auto& [name, time] : times)
      if (name != kNoName) order.emplace_back(time, name);
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (size_t i = 0; i < std::min(order.size(), kMostNames); ++i) {
      columns_[order[i].second] = names_.size();
      names_.push_back(order[i].second);
    }
  }

  // Calls each(name, item) for the items of all lines; names are strings. Returns the number of
  // lines with items.
  template <class Each>
  size_t for_each_item(const Indexed& indexed, const TileRange& range, Each each) {
    const TreeTrack& track = timeline_.tracks()[indexed.track];
    size_t lines = 0;
    for (size_t line = 0; line < indexed.index->lines.lines(); ++line) {
      items_.clear();
      LineReader reader(indexed.index->lines, line);
      append_items(reader, range, items_);
      if (items_.empty()) continue;
      ++lines;
      rows_.clear();
      for (const LineItem& item : items_)
        rows_.push_back(row_of(*indexed.index, timeline_.lists(track.table), line, item.event));
      item_names_.resize(rows_.size());
      timeline_.facts().read_names(track.table, rows_, item_names_);
      for (size_t i = 0; i < items_.size(); ++i)
        each(text_of(track.table, item_names_[i]), items_[i]);
    }
    return lines;
  }
  // Returns the string of a name: of sched, the name of the process, or else of the thread.
  uint32_t text_of(TableKind kind, uint32_t name) const {
    if (kind != TableKind::Sched) return name;
    const Store& store = timeline_.store();
    const uint32_t upid = store.threads.upid[name].row;
    if (upid != OptRow::kNull && store.processes.name[upid]) return store.processes.name[upid].row;
    return store.threads.name[name].row;
  }

  size_t add_track(const Indexed& indexed, Busy& busy) {
    return for_each_item(indexed, range_, [&](uint32_t name, const LineItem& item) {
      const auto at = columns_.find(name);
      const size_t column = at == columns_.end() ? names_.size() : at->second;
      if (item.count > 1)
        busy.add_dense(column, range_, item);
      else
        busy.add_event(column, range_, item);
    });
  }

  // A node with moments only shows where they are.
  Result<> append_moments(const Stop& stop, std::vector<uint32_t>& buckets,
                          std::vector<uint8_t>& shares, size_t columns) {
    std::vector<bool> has_events(range_.buckets());
    std::vector<LineBucket> found;
    for (const uint32_t track : moments_) {
      if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
      const std::shared_ptr<const TrackIndex> index = timeline_.index(track, was_cold_);
      found.clear();
      for (size_t line = 0; line < index->lines.lines(); ++line) {
        LineReader reader(index->lines, line);
        append_buckets(reader, range_, found);
      }
      for (const LineBucket& bucket : found) has_events[bucket.bucket] = true;
    }
    for (uint32_t bucket = 0; bucket < has_events.size(); ++bucket) {
      if (!has_events[bucket]) continue;
      buckets.push_back(bucket);
      shares.resize(shares.size() + columns);
      shares.back() = UINT8_MAX;
    }
    return {};
  }

  const Timeline& timeline_;
  const TileRange range_;
  std::vector<uint32_t> lasting_, moments_;  // tracks with lengths, and without
  std::vector<Indexed> indexed_;
  std::vector<uint32_t> names_;
  absl::flat_hash_map<uint32_t, size_t> columns_;  // of names_
  bool is_incomplete_ = false, was_cold_ = false;
  std::vector<LineItem> items_;
  std::vector<uint32_t> rows_, item_names_;
};

}  // namespace

Result<std::string> summary_frame(const Timeline& timeline, const Timeline::Found& node,
                                  FrameHead head, const TileRange& range, const Stop& stop) {
  return Summary(timeline, node, range).make(head, stop);
}

}  // namespace tracebraid::timeline
