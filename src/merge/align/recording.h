// Recording: the events of one clock of one file, as a side of match sets.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "merge/align/match_set.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

struct Recording {
  Side side;
  FileId file;
  uint32_t tracker = 0;
};

// Returns the moments of pairs of events, `a` and `b` with a reading `at`, and drops the pairs
// whose readings are too far from the bases.
template <class Pair>
std::vector<Moment> take_moments(const Bases& bases, std::vector<Pair>& pairs) {
  std::vector<Moment> moments;
  std::erase_if(pairs, [&](const Pair& pair) {
    const auto x = difference(pair.a->at, bases.a), y = difference(pair.b->at, bases.b);
    if (x && y) moments.push_back({*x, *y - *x});
    return !x || !y;
  });
  return moments;
}

// Keeps every n-th value behind the first `before`, chosen by key_of(value), so that about `most`
// stay. The choice is the same in all files with as many.
template <class Value, class KeyOf>
void keep_some(size_t before, size_t most, KeyOf key_of, std::vector<Value>& values) {
  const size_t stride = (values.size() - before) / most + 1;
  if (stride == 1) return;
  const auto begin = values.begin() + static_cast<ptrdiff_t>(before);
  values.erase(std::remove_if(begin, values.end(),
                              [&](const Value& value) { return key_of(value) % stride != 0; }),
               values.end());
}

// Returns the row of the machine of a clock.
inline uint32_t machine_row(const Side& side, const Trackers& trackers) {
  const BatchTrackers& batch = trackers.batches[side.batch];
  return trackers.at(batch.by_machine[batch.batch->clocks[side.clock].machine]).machine.row;
}

// The recordings of one file, found while its batches are read.
class RecordingIndex {
 public:
  RecordingIndex(FileId file, std::vector<Recording>& all) : file_(file), all_(all) {}

  // Must be called before each batch. `index`: of Trackers::batches.
  void begin(size_t index, const BatchTrackers& batch) {
    index_ = index;
    batch_ = &batch;
    by_clock_.assign(batch.batch->clocks.size(), kNone);
  }
  // Returns the index of the recording of a clock of the batch, which is added if it is new; kNone
  // for times that need no conversion.
  uint32_t of(uint32_t clock) {
    uint32_t& row = by_clock_[clock];
    if (row != kNone) return row;
    const ClockName& name = batch_->batch->clocks[clock];
    if (name.domain == kTraceTime) return kNone;
    const uint32_t tracker = batch_->by_machine[name.machine];
    const auto [at, added] =
        rows_.try_emplace(std::tuple(name.domain, name.sequence, tracker, name.tick_ns),
                          static_cast<uint32_t>(all_.size()));
    if (added) all_.push_back({{index_, clock}, file_, tracker});
    return row = at->second;
  }

 private:
  FileId file_;
  std::vector<Recording>& all_;
  size_t index_ = 0;
  const BatchTrackers* batch_ = nullptr;
  std::vector<uint32_t> by_clock_;
  absl::flat_hash_map<std::tuple<uint32_t, uint32_t, uint32_t, int64_t>, uint32_t> rows_;
};

// Calls `read(file, batches, index of the first batch)` for each file with batches.
template <class Read>
void for_each_file(const Trackers& trackers, Read read) {
  for (size_t first = 0; first < trackers.batches.size();) {
    const size_t file = trackers.batches[first].file;
    const std::span<const BatchTrackers> batches = batches_of(file, trackers);
    read(file, batches, first);
    first += batches.size();
  }
}

}  // namespace tracebraid::align
