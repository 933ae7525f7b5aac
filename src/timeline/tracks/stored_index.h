// StoredIndex: the index of a timeline as parts of a file, from which it is used in place.
//
// In: a timeline, or parts and tables. Out: parts, or row lists and indexes of tracks. What is
// damaged or missing can be made from the tables. Called by timeline/timeline.h and by the engine.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/part_sink.h"
#include "timeline/tracks/track_index.h"
#include "timeline/tree/tree_track.h"

namespace tracebraid::timeline {

// Changes with the layout of the parts, and with the order and lines of tracks.
inline constexpr uint32_t kIndexVersion = 2;

// The parts that write_index() wrote. They outlive all that views them.
struct IndexParts {
  std::vector<std::string_view> parts;
  std::function<bool(size_t part)> is_whole;  // verifies a checksum
};

// Writes the row lists of all tables, and the indexes of the longest tracks: as many as are within
// 6 bytes a row in total. The bytes do not depend on the number of threads.
Result<> write_index(const std::array<EventTable, kTableKinds>& tables, const TableLists& lists,
                     std::span<const TreeTrack> tracks, unsigned threads, PartSink& sink);

// Immutable; any thread may use it.
class StoredIndex {
 public:
  // Returns nothing if the directory is damaged.
  static std::optional<StoredIndex> open(IndexParts parts);

  // Returns nothing if the lists are damaged, or not those of a table with these rows and owners.
  std::optional<RowLists> lists(TableKind kind, const LineKeys& keys, Workers& workers) const;

  // Whether the index of a track was written.
  bool has_track(uint32_t track) const { return entry_of(track) != nullptr; }
  // Returns nothing if the index is damaged, or not that of this track. Requires: has_track().
  std::optional<TrackIndex> track(uint32_t number, const TreeTrack& track, const EventTable& table,
                                  const RowLists& lists) const;

  struct Entry;  // of a track
  struct KindEntry;

 private:
  const Entry* entry_of(uint32_t track) const;

  IndexParts parts_;
  std::span<const KindEntry> kinds_;
  std::span<const Entry> entries_;  // in order of tracks
  std::string_view columns_;        // of all entries
};

}  // namespace tracebraid::timeline
