// ItemFacts: names, colours and flags of events, as tiles show them.
//
// In: a Store. Out: numbers for the frames of timeline/tiles. Any thread may use it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "tables/store.h"
#include "timeline/tracks/event_table.h"

namespace tracebraid::timeline {

// The number of no name, and of no colour.
inline constexpr uint32_t kNoName = ~uint32_t{0};
inline constexpr uint8_t kNoColour = 255;

class ItemFacts {
 public:
  explicit ItemFacts(const Store& store);

  // Returns the ids of the names of rows: strings, or rows of thread for sched. kNoName for NULL.
  void read_names(TableKind kind, std::span<const uint32_t> rows, std::span<uint32_t> names) const;
  // Returns the number of a colour (spec viewer C.1) of an event with this name.
  uint8_t colour(TableKind kind, uint32_t row, uint32_t name) const;
  uint8_t colour_of_text(StringId name) const;
  bool has_flows(uint32_t slice) const;
  // Returns the CPU time of a slice, ns; nothing if it is not known.
  std::optional<uint64_t> cpu_time(uint32_t slice) const;
  // Whether some slice has flows, or CPU time.
  bool any_flows() const { return store_.flows.rows() > 0 || store_.flow_violations.rows() > 0; }
  bool any_cpu_time() const { return !store_.slices.thread_dur.rows().empty(); }

 private:
  uint8_t colour_of_thread(uint32_t utid) const;
  uint8_t colour_of_state(uint32_t row, uint32_t name) const;
  void find_flows() const;

  const Store& store_;
  // Colours of strings; kUnknown until they are computed.
  std::unique_ptr<std::atomic<uint8_t>[]> colours_;
  std::vector<std::pair<uint32_t, uint8_t>> chosen_;  // slices with colours of their own, sorted
  mutable std::once_flag flows_once_;
  mutable std::vector<uint64_t> with_flows_;  // a bit for each slice
};

}  // namespace tracebraid::timeline
