// TreeTrack: one track of the tree: the events of one owner, or of the lanes of one group.
//
// In: a Store and the row lists of its tables. Out: tracks in order of their numbers. Called by
// timeline/timeline.h; timeline/tree/tree.h arranges them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tables/store.h"
#include "timeline/tracks/event_table.h"

namespace tracebraid::timeline {

using TableLists = std::array<RowLists, kTableKinds>;  // by TableKind

struct TreeTrack {
  TableKind table{};
  bool is_async = false;              // slices that are not of one thread
  std::vector<uint32_t> owners = {};  // of the table, in order of lanes or series
  std::vector<StringId> series = {};  // names of the series of a stacked counter
  OptRow track = {};                  // the first row of `track`, if it has one
  OptRow parent = {};                 // row of `track` below which it belongs
  OptRow machine = {}, file = {}, upid = {}, utid = {}, ucpu = {};
  std::string title = {}, detail = {};  // the name to show, and a description of the source
  StringId type = {}, unit = {};
  uint32_t lines = 0;
  uint64_t events = 0;
  int64_t first = 0, last = 0;  // the first start and the last end; not valid without events

  // A counter of several series, whose values are drawn on top of each other.
  bool is_stacked() const { return series.size() > 1; }
  // Returns its rows of `track`.
  std::span<const uint32_t> rows_of_track() const {
    const bool has_rows =
        table == TableKind::Slice || table == TableKind::Counter || table == TableKind::State;
    if (has_rows) return owners;
    return {&track.row, track.row == OptRow::kNull ? 0U : 1U};
  }
  // "slice", "async", "counter", "stacked", "sched" ...
  std::string_view kind() const {
    if (is_async) return "async";
    return is_stacked() ? "stacked" : name_of(table);
  }
};

// Returns all tracks: each row of `track` in one of them, and the owners of rows of other tables.
std::vector<TreeTrack> collect_tracks(const Store& store,
                                      const std::array<EventTable, kTableKinds>& tables,
                                      const TableLists& lists);

}  // namespace tracebraid::timeline
