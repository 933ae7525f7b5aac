// Lanes: how several things that overlap in time share the rows of one logical
// track. A lane is a small number; which row it is, the caller knows.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace tracebraid {

// Smallest of the free lanes first.
using FreeLanes = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>>;

// Lanes for slices with a cookie: each of the cookies that are active at a time
// has its own (spec proto 3.2). O(log lanes) a call.
class CookieLanes {
 public:
  // The lane of the cookie: its last one, else the first that nobody uses.
  uint32_t begin(uint64_t cookie);
  uint32_t end(uint64_t cookie);
  // The first lane without a cookie that is free at `ts`; it is taken until `end`.
  uint32_t timed(int64_t ts, int64_t end);
  // Whether something that began with the cookie has not ended.
  bool is_active(uint64_t cookie) const;

 private:
  struct Lane {
    uint64_t cookie;
    uint32_t active = 0;     // begins without their end
    bool is_listed = false;  // in free_
  };
  uint32_t find(uint64_t cookie);
  void list_as_free(uint32_t lane);

  uint32_t lanes_ = 0;  // of both sorts
  std::vector<Lane> by_number_;
  absl::flat_hash_map<uint64_t, uint32_t> by_cookie_;
  FreeLanes free_;                            // may hold lanes in use; those are passed over
  using Busy = std::pair<int64_t, uint32_t>;  // until, lane
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> timed_busy_;
  FreeLanes timed_free_;
};

// Lanes for complete slices that half overlap others (spec json 4.4): a slice
// goes on the first lane on which it lies inside, or after, all others.
// Slices must come in time order. O(log lanes) a slice.
class NestingLanes {
 public:
  uint32_t place(int64_t ts, int64_t end);

 private:
  void pop_ended(int64_t ts);
  void set_room(size_t lane, int64_t until);
  uint32_t first_with_room(int64_t end) const;
  void grow();

  std::vector<std::vector<int64_t>> ends_;  // of the slices that are open on each lane
  // A tree of maxima over the lanes: until when a slice may last to fit.
  std::vector<int64_t> room_;
  size_t leaves_ = 0;
  using Ending = std::pair<int64_t, uint32_t>;  // when, lane
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
};

}  // namespace tracebraid
