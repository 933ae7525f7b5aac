// EventKinds: which kinds of events each batch has, so that readers skip batches without theirs:
// going over all events takes longer than all else that content costs without evidence.
#pragma once

#include <algorithm>
#include <bitset>
#include <initializer_list>
#include <vector>

#include "event/event_kind.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

class EventKinds {
 public:
  // Goes over all events once.
  explicit EventKinds(const Trackers& trackers) {
    for (const BatchTrackers& batch : trackers.batches) {
      std::bitset<kMostKinds>& has = of_batch_.emplace_back();
      for (const Stream& stream : batch.batch->streams)
        for (const Event& event : stream.events) has.set(event.kind);
    }
  }

  // `batch`: index of Trackers::batches.
  bool has_any(size_t batch, std::initializer_list<EventKind> kinds) const {
    return std::ranges::any_of(
        kinds, [&](EventKind kind) { return of_batch_[batch][static_cast<size_t>(kind)]; });
  }

 private:
  static constexpr size_t kMostKinds = 256;  // a kind has 8 bits
  std::vector<std::bitset<kMostKinds>> of_batch_;
};

}  // namespace tracebraid::align
