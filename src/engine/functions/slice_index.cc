#include "engine/functions/slice_index.h"

#include <chrono>

namespace tracebraid {
namespace {

// Returns false if stopped.
bool lock_unless_stopped(std::unique_lock<std::timed_mutex>& lock, const StopCheck& stop) {
  constexpr std::chrono::milliseconds kBetweenChecks(10);
  while (!lock.try_lock_for(kBetweenChecks))
    if (stop.stopped()) return false;
  return true;
}

StopCheck check_of(const StopCheck* stop) { return stop == nullptr ? StopCheck() : *stop; }

}  // namespace

// Counting sort.
template <class NumberColumn>
std::optional<RowsByNumber> RowsByNumber::of(const NumberColumn& numbers, size_t count,
                                             const StopCheck& stop) {
  RowsByNumber made;
  made.starts_.resize(count + 1);
  const auto for_each = [&](auto body) {
    return for_each_block(numbers.size(), stop, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row)
        if (const uint32_t number = numbers[row]; number < count)
          body(number, static_cast<uint32_t>(row));
    });
  };
  if (!for_each([&](uint32_t number, uint32_t) { ++made.starts_[number + 1]; }))
    return std::nullopt;
  PacedStopCheck check(stop);
  for (size_t i = 1; i < made.starts_.size(); ++i) {
    if (check.stopped()) return std::nullopt;
    made.starts_[i] += made.starts_[i - 1];
  }
  made.rows_.resize(made.starts_.back());
  std::vector<uint32_t> next(made.starts_.begin(), made.starts_.end() - 1);
  if (!for_each([&](uint32_t number, uint32_t row) { made.rows_[next[number]++] = row; }))
    return std::nullopt;
  return made;
}

const SliceIndex* SliceIndexes::tracks(const StopCheck* stop) {
  if (tracks_built_.load(std::memory_order_acquire)) return &*tracks_;
  const StopCheck checked = check_of(stop);
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!lock_unless_stopped(lock, checked)) return nullptr;
  if (tracks_) return &*tracks_;
  auto by_track = RowsByNumber::of(store_.slices.track_id, store_.tracks.rows(), checked);
  if (!by_track) return nullptr;
  tracks_.emplace(SliceIndex{*std::move(by_track)});
  tracks_built_.store(true, std::memory_order_release);
  return &*tracks_;
}

const FlowIndex* SliceIndexes::flows(const StopCheck* stop) {
  if (flows_built_.load(std::memory_order_acquire)) return &*flows_;
  const StopCheck checked = check_of(stop);
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!lock_unless_stopped(lock, checked)) return nullptr;
  if (flows_) return &*flows_;
  const size_t slices = store_.slices.rows();
  auto by_out = RowsByNumber::of(store_.flows.slice_out, slices, checked);
  auto by_in = by_out ? RowsByNumber::of(store_.flows.slice_in, slices, checked) : std::nullopt;
  if (!by_in) return nullptr;
  flows_.emplace(FlowIndex{*std::move(by_out), *std::move(by_in)});
  flows_built_.store(true, std::memory_order_release);
  return &*flows_;
}

}  // namespace tracebraid
