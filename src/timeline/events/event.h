// Single events: what hovering, selecting and stepping show (spec viewer 6.6, 6.7).
//
// In: a Timeline, and a kind and a row, or a point. Out: values. Called by the API.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "timeline/timeline.h"

namespace tracebraid::timeline {

// An event in one line of text. Texts are views into the strings of the store.
struct EventBrief {
  TableKind kind{};
  uint32_t row = 0;
  uint32_t track = kNoNode, line = 0;
  std::string_view name, category;
  int64_t ts = 0, dur = 0;  // as recorded: -1 if it never ended
  int64_t end = 0;          // that it is drawn to
  bool is_instant = false, is_unfinished = false, is_cut = false;
  std::optional<int64_t> self;  // of a slice: its duration without its children
  uint8_t colour = 255;
  std::optional<double> value;  // of a counter
};
// Returns nothing if there is no such row.
std::optional<EventBrief> brief_of(const Timeline& timeline, TableKind kind, uint32_t row);

// Returns the outer slices, the outermost first, at most 1000.
std::vector<uint32_t> parents_of(const Timeline& timeline, uint32_t slice);
// Returns the direct children in order, up to `most`, and their number.
std::pair<std::vector<uint32_t>, size_t> children_of(const Timeline& timeline, uint32_t slice,
                                                     size_t most);
// Returns the CPU time of a slice without its children; nothing if it is not known.
std::optional<int64_t> cpu_self_of(const Timeline& timeline, uint32_t slice);

// Returns the event of a line at a time, or else the nearest within `radius` ns. Nothing if there
// is none, or no such track or line.
std::optional<uint32_t> event_at(const Timeline& timeline, uint32_t track, uint32_t line,
                                 int64_t ts, int64_t radius);
// Returns the row of the event `by` events further on its line. Nothing beyond its ends.
std::optional<uint32_t> step(const Timeline& timeline, uint32_t track, uint32_t row, int64_t by);

// Durations of the finished events with the same name.
struct Siblings {
  uint64_t count = 0;
  double mean = 0, percentile = 0;  // share of the events that last no longer than this one, in %
  int64_t min = 0, p50 = 0, p95 = 0, max = 0;
  std::vector<uint32_t> longest;  // rows
};
// Reads the whole table. Errors: Cancelled; Usage for events without a duration.
Result<Siblings> siblings_of(const Timeline& timeline, TableKind kind, uint32_t row,
                             const Stop& stop);

// One flow of an event, or of a slice that flows connect to it.
struct FlowStep {
  uint32_t flow = 0;
  uint32_t step = 1;  // flows from the event
};
// Returns the flows of a slice, and with `depth` > 1 those of their other ends, up to `most`, and
// whether there are more.
std::pair<std::vector<FlowStep>, bool> flows_of(const Timeline& timeline, uint32_t slice,
                                                unsigned depth, size_t most);

// What a kind has beyond a brief: "state", "priority" ...
struct EventField {
  std::string_view name;
  std::string value;
};
std::vector<EventField> fields_of(const Timeline& timeline, TableKind kind, uint32_t row);
// Owners of an event, as far as they are known.
struct EventOwners {
  OptRow machine, file, upid, utid, ucpu;
};
EventOwners owners_of(const Timeline& timeline, TableKind kind, uint32_t row);
// Both are null for kinds without.
StringId category_of(const Store& store, TableKind kind, uint32_t row);
OptRow args_of(const Store& store, TableKind kind, uint32_t row);

}  // namespace tracebraid::timeline
