// Timeline: tracks, their index, and the tree, over the tables of a trace.
//
// In: a Store. Out: tiles (timeline/tiles), nodes of the tree, single events (timeline/events).
// Called by the engine's door engine/timeline.h. Knows neither SQL nor HTTP.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "timeline/facts/flow_categories.h"
#include "timeline/facts/flow_index.h"
#include "timeline/facts/item_facts.h"
#include "timeline/facts/linked_ids.h"
#include "timeline/index/value_tree.h"
#include "timeline/lru_cache.h"
#include "timeline/tracks/stacked_values.h"
#include "timeline/tracks/stored_index.h"
#include "timeline/tracks/track_index.h"
#include "timeline/tree/tree.h"

namespace tracebraid::timeline {

struct TimelineOptions {
  unsigned threads = 1;                   // that make row lists and indexes
  uint64_t memory = uint64_t{1} << 30;    // bytes of the columns of tracks, without row lists
  uint64_t answers = uint64_t{64} << 20;  // bytes of tiles that are kept
  // Called with the names of tables before they are read; null: no table can be damaged.
  std::function<Result<>(std::string_view table)> verify = {};
  // The index that was written beside the tables; nothing if there is none.
  std::optional<IndexParts> stored = {};
  // Called once, from any thread, if `stored` is damaged, so that the index is made from the
  // tables.
  std::function<void()> on_damaged_index = {};
};

// Category: as Value, with the colours of categories instead of names.
enum class TileMode : uint8_t { Value, Delta, Rate, Summary, Flows, Hits, Category };
std::optional<TileMode> find_tile_mode(std::string_view name);
std::string_view name_of(TileMode mode);

// The values of a counter in one mode.
struct CounterValues {
  ValueTree tree{{}};
  uint64_t skipped = 0;  // events without a rate, because no time passed
};

// A key of the answers that are kept.
struct AnswerKey {
  uint32_t node;
  TileMode mode;
  uint8_t level;
  uint8_t count;
  int64_t first;
  friend bool operator==(const AnswerKey&, const AnswerKey&) = default;
  template <class H>
  friend H AbslHashValue(H hash, const AnswerKey& key) {
    return H::combine(std::move(hash), key.node, key.mode, key.level, key.count, key.first);
  }
};

// After prepare(), any thread may use it. The store outlives it.
class Timeline {
 public:
  Timeline(const Store& store, TimelineOptions options);

  // Verifies the tables and makes row lists, tracks and trees. Call once, before all else. Errors:
  // Cancelled, and those of the verification.
  Result<> prepare(const Stop& stop);

  const Store& store() const { return store_; }
  const ItemFacts& facts() const { return facts_; }
  const EventTable& table(TableKind kind) const { return tables_[static_cast<size_t>(kind)]; }
  const RowLists& lists(TableKind kind) const { return lists_[static_cast<size_t>(kind)]; }

  const std::vector<TreeTrack>& tracks() const { return tracks_; }
  const Tree& tree(Grouping grouping) const { return trees_[static_cast<size_t>(grouping)]; }
  // A node of any tree; `tree` is null if there is none of this number.
  struct Found {
    const Tree* tree = nullptr;
    uint32_t index = 0;
    const TreeNode& node() const { return tree->nodes[index]; }
  };
  Found find_node(uint32_t number) const;

  // Where an event is drawn. `track` is kNoNode if there is no such row.
  struct Place {
    uint32_t track = kNoNode;
    uint32_t line = 0;
    uint32_t event = 0;  // place in the line
  };
  Place place_of(TableKind kind, uint32_t row) const;
  // The same without the place in the line, which takes a search.
  struct LinePlace {
    uint32_t track = kNoNode;
    uint32_t line = 0;
  };
  LinePlace line_of(TableKind kind, uint32_t row) const;
  // Returns the track of an owner; kNoNode if it has none.
  uint32_t track_of(TableKind kind, uint32_t owner) const;

  // The index of a track, made on first use, which sets `was_cold`.
  std::shared_ptr<const TrackIndex> index(uint32_t track, bool& was_cold) const;
  // Returns null instead of making it.
  std::shared_ptr<const TrackIndex> index_if_made(uint32_t track) const;
  // Requires: the track is a counter of one series; the mode is Value, Delta or Rate.
  std::shared_ptr<const CounterValues> values(uint32_t track, TileMode mode, bool& was_cold) const;
  // Requires: the track is a stacked counter.
  std::shared_ptr<const StackedValues> stacked(uint32_t track, bool& was_cold) const;
  // Made on first use.
  const FlowIndex& flows() const;
  const FlowCategories& flow_categories() const;
  const LinkedIds& linked_ids() const;
  LruCache<AnswerKey, std::string>& answers() const { return answers_; }

  // Writes row lists and indexes as parts for TimelineOptions::stored. Call after prepare().
  Result<> write_index(PartSink& sink) const;

  size_t row_list_bytes() const;
  size_t index_bytes() const { return indexes_.bytes() + values_.bytes() + stacked_.bytes(); }

 private:
  // Makes the index of a track, or takes it from the file.
  TrackIndex make_index(uint32_t track) const;
  void say_damaged() const;

  using ValuesKey = std::pair<uint32_t, TileMode>;

  const Store& store_;
  const TimelineOptions options_;
  const DisplayEnds ends_;
  const ItemFacts facts_;
  const std::array<EventTable, kTableKinds> tables_;
  std::optional<StoredIndex> stored_;  // set by prepare()
  mutable std::once_flag damage_once_;
  TableLists lists_;
  std::vector<TreeTrack> tracks_;
  struct OwnerPlace {
    uint32_t track = kNoNode;
    uint32_t first_line = 0;  // in the track
  };
  std::array<std::vector<OwnerPlace>, kTableKinds> of_owners_;
  std::array<Tree, kGroupings> trees_;
  mutable std::once_flag flows_once_, flow_categories_once_, linked_ids_once_;
  mutable std::unique_ptr<const FlowIndex> flows_;
  mutable std::unique_ptr<const FlowCategories> flow_categories_;
  mutable std::unique_ptr<const LinkedIds> linked_ids_;
  mutable LruCache<uint32_t, TrackIndex> indexes_;
  mutable LruCache<ValuesKey, CounterValues> values_;
  mutable LruCache<uint32_t, StackedValues> stacked_;
  mutable LruCache<AnswerKey, std::string> answers_;
};

}  // namespace tracebraid::timeline
