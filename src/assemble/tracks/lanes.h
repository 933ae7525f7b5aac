// Lanes: assigns overlapping slices of one logical track to lanes. A lane is a small number; the
// caller maps it to a row of track.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace tracebraid {

// The smallest free lane comes first.
using FreeLanes = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>>;

// Lanes for slices with a cookie: cookies that are active at the same time have distinct lanes
// (spec proto 3.2). O(log lanes) per call.
class CookieLanes {
 public:
  // Returns the lane of the cookie: its last one, else the first unused one.
  uint32_t begin(uint64_t cookie);
  uint32_t end(uint64_t cookie);
  // Returns the first lane without a cookie that is free at `ts`, and occupies it until `end`.
  uint32_t timed(int64_t ts, int64_t end);
  // Whether a slice of the cookie is open.
  bool is_active(uint64_t cookie) const;

 private:
  struct Lane {
    uint64_t cookie;
    uint32_t active = 0;     // begins without their end
    bool is_listed = false;  // in free_
  };
  uint32_t find(uint64_t cookie);
  void list_as_free(uint32_t lane);

  uint32_t lanes_ = 0;  // with and without cookies
  std::vector<Lane> by_number_;
  absl::flat_hash_map<uint64_t, uint32_t> by_cookie_;
  FreeLanes free_;                            // may contain lanes in use, which are skipped
  using Busy = std::pair<int64_t, uint32_t>;  // end, lane
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> timed_busy_;
  FreeLanes timed_free_;
};

// Lanes for complete slices that partly overlap others (spec json 4.4): a slice gets the first lane
// on which it is inside, or after, all other slices. Requires: slices in order of time. O(log
// lanes) per slice.
class NestingLanes {
 public:
  uint32_t place(int64_t ts, int64_t end);

 private:
  void pop_ended(int64_t ts);
  void set_room(size_t lane, int64_t until);
  uint32_t first_with_room(int64_t end) const;
  void grow();

  std::vector<std::vector<int64_t>> ends_;  // of the open slices of each lane
  // A tree of maxima over the lanes: the latest end of a slice that fits.
  std::vector<int64_t> room_;
  size_t leaves_ = 0;
  using Ending = std::pair<int64_t, uint32_t>;  // end, lane
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
};

}  // namespace tracebraid
