#include "query/operators/mipmap_rows.h"

#include <algorithm>
#include <limits>

namespace tracebraid {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

int64_t sum(int64_t a, int64_t b) {
  int64_t value = 0;
  return __builtin_add_overflow(a, b, &value) ? kNever : value;
}

// Calls body(first, last, check) for the items of each step that has some; it returns false if
// stopped. `first` is the first item of the first step, perhaps one that begins before it.
template <class Item, class Body>
bool for_each_step(std::span<const Item> items, size_t first, const TimeSteps& steps,
                   const StopCheck& stop, Body body) {
  PacedStopCheck check(stop);
  while (first < items.size()) {
    const int64_t ts = std::max(items[first].ts, steps.start);
    // Unsigned, because the distance may exceed the signed range.
    const uint64_t distance = static_cast<uint64_t>(ts) - static_cast<uint64_t>(steps.start);
    const uint64_t begin = distance - distance % static_cast<uint64_t>(steps.step);
    const auto step_start = static_cast<int64_t>(static_cast<uint64_t>(steps.start) + begin);
    if (step_start >= steps.end) return true;
    const int64_t step_end = sum(step_start, steps.step);
    size_t last = first + 1;
    for (; last < items.size() && items[last].ts < step_end; ++last)
      if (check.stopped()) return false;
    if (!body(first, last, check)) return false;
    first = last;
  }
  return true;
}

template <class Item>
size_t first_from(std::span<const Item> items, int64_t ts) {
  return static_cast<size_t>(std::ranges::lower_bound(items, ts, {}, &Item::ts) - items.begin());
}

int64_t length(const MipmapSlice& slice) { return slice.dur < 0 ? kNever : slice.dur; }

}  // namespace

bool reduce_counter(std::span<const CounterSample> samples, const TimeSteps& steps,
                    const StopCheck& stop, std::vector<CounterStep>& rows) {
  size_t first = first_from(samples, steps.start);
  const bool is_at_start = first < samples.size() && samples[first].ts == steps.start;
  if (first > 0 && !is_at_start) --first;
  return for_each_step(samples, first, steps, stop, [&](size_t begin, size_t end, auto& check) {
    double min = samples[begin].value, max = min;
    for (size_t i = begin; i < end; ++i) {
      if (check.stopped()) return false;
      min = std::min(min, samples[i].value);
      max = std::max(max, samples[i].value);
    }
    rows.push_back({min, max, samples[end - 1].ts, samples[end - 1].value});
    return true;
  });
}

bool reduce_slices(std::span<const MipmapSlice> slices, const TimeSteps& steps,
                   const StopCheck& stop, std::vector<SliceStep>& rows) {
  size_t first = first_from(slices, steps.start);
  if (first > 0 && sum(slices[first - 1].ts, length(slices[first - 1])) > steps.start) --first;
  return for_each_step(slices, first, steps, stop, [&](size_t begin, size_t end, auto& check) {
    size_t longest = begin;
    for (size_t i = begin; i < end; ++i) {
      if (check.stopped()) return false;
      if (length(slices[i]) > length(slices[longest])) longest = i;
    }
    rows.push_back({slices[longest], static_cast<int64_t>(end - begin)});
    return true;
  });
}

}  // namespace tracebraid
