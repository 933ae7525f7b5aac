#include "assemble/tracks/lanes.h"

#include <algorithm>
#include <limits>

namespace tracebraid {
namespace {

constexpr int64_t kAlways = std::numeric_limits<int64_t>::max();
constexpr int64_t kNoLane = std::numeric_limits<int64_t>::min();

}  // namespace

uint32_t CookieLanes::begin(uint64_t cookie) {
  const uint32_t lane = find(cookie);
  ++by_number_[lane].active;
  return lane;
}

uint32_t CookieLanes::end(uint64_t cookie) {
  const uint32_t lane = find(cookie);
  if (by_number_[lane].active > 0) --by_number_[lane].active;
  list_as_free(lane);
  return lane;
}

bool CookieLanes::is_active(uint64_t cookie) const {
  const auto at = by_cookie_.find(cookie);
  return at != by_cookie_.end() && by_number_[at->second].active > 0;
}

uint32_t CookieLanes::find(uint64_t cookie) {
  const auto [at, is_new] = by_cookie_.try_emplace(cookie, 0);
  if (!is_new) return at->second;
  while (!free_.empty()) {
    const uint32_t lane = free_.top();
    free_.pop();
    by_number_[lane].is_listed = false;
    if (by_number_[lane].active > 0) continue;
    by_cookie_.erase(by_number_[lane].cookie);
    by_number_[lane].cookie = cookie;
    by_cookie_[cookie] = lane;
    return lane;
  }
  const uint32_t lane = lanes_++;
  by_number_.resize(lanes_);
  by_number_[lane].cookie = cookie;
  by_cookie_[cookie] = lane;
  return lane;
}

void CookieLanes::list_as_free(uint32_t lane) {
  Lane& entry = by_number_[lane];
  if (entry.active > 0 || entry.is_listed) return;
  entry.is_listed = true;
  free_.push(lane);
}

uint32_t CookieLanes::timed(int64_t ts, int64_t end) {
  while (!timed_busy_.empty() && timed_busy_.top().first <= ts) {
    timed_free_.push(timed_busy_.top().second);
    timed_busy_.pop();
  }
  uint32_t lane = lanes_;
  if (timed_free_.empty()) {
    ++lanes_;
  } else {
    lane = timed_free_.top();
    timed_free_.pop();
  }
  timed_busy_.emplace(end, lane);
  return lane;
}

uint32_t NestingLanes::place(int64_t ts, int64_t end) {
  pop_ended(ts);
  const uint32_t lane = first_with_room(end);
  if (lane == ends_.size()) {
    ends_.emplace_back();
    if (ends_.size() > leaves_) grow();
  }
  ends_[lane].push_back(end);
  set_room(lane, end);
  endings_.emplace(end, lane);
  return lane;
}

void NestingLanes::pop_ended(int64_t ts) {
  while (!endings_.empty() && endings_.top().first <= ts) {
    const uint32_t lane = endings_.top().second;
    endings_.pop();
    ends_[lane].pop_back();
    set_room(lane, ends_[lane].empty() ? kAlways : ends_[lane].back());
  }
}

void NestingLanes::set_room(size_t lane, int64_t until) {
  size_t node = leaves_ + lane;
  room_[node] = until;
  for (node /= 2; node > 0; node /= 2) room_[node] = std::max(room_[2 * node], room_[2 * node + 1]);
}

uint32_t NestingLanes::first_with_room(int64_t end) const {
  if (leaves_ == 0 || room_[1] < end) return static_cast<uint32_t>(ends_.size());
  size_t node = 1;
  while (node < leaves_) node = room_[2 * node] >= end ? 2 * node : 2 * node + 1;
  return static_cast<uint32_t>(node - leaves_);
}

void NestingLanes::grow() {
  leaves_ = std::max<size_t>(1, leaves_ * 2);
  room_.assign(2 * leaves_, kNoLane);
  for (size_t lane = 0; lane < ends_.size(); ++lane)
    set_room(lane, ends_[lane].empty() ? kAlways : ends_[lane].back());
}

}  // namespace tracebraid
