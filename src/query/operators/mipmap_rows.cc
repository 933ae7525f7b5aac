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

// Calls body(first, last) for the items of each step that has some. `first` is the first item of
// the first step, perhaps one that begins before it.
template <class Item, class Body>
bool for_each_step(std::span<const Item> items, size_t first, const TimeSteps& steps,
                   const StopCheck& stop, Body body) {
  constexpr size_t kItemsPerCheck = size_t{1} << 16;
  size_t work = 0;
  while (first < items.size()) {
    const int64_t ts = std::max(items[first].ts, steps.start);
    // Unsigned, because the distance may exceed the signed range.
    const uint64_t distance = static_cast<uint64_t>(ts) - static_cast<uint64_t>(steps.start);
    const uint64_t begin = distance - distance % static_cast<uint64_t>(steps.step);
    const auto step_start = static_cast<int64_t>(static_cast<uint64_t>(steps.start) + begin);
    if (step_start >= steps.end) return true;
    const int64_t step_end = sum(step_start, steps.step);
    size_t last = first + 1;
    while (last < items.size() && items[last].ts < step_end) ++last;
    body(first, last);
    work += last - first;
    first = last;
    if (work < kItemsPerCheck) continue;
    if (stop.stopped()) return false;
    work = 0;
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
  return for_each_step(samples, first, steps, stop, [&](size_t begin, size_t end) {
    const auto [min, max] =
        std::ranges::minmax(samples.subspan(begin, end - begin), {}, &CounterSample::value);
    rows.push_back({min.value, max.value, samples[end - 1].ts, samples[end - 1].value});
  });
}

bool reduce_slices(std::span<const MipmapSlice> slices, const TimeSteps& steps,
                   const StopCheck& stop, std::vector<SliceStep>& rows) {
  size_t first = first_from(slices, steps.start);
  if (first > 0 && sum(slices[first - 1].ts, length(slices[first - 1])) > steps.start) --first;
  return for_each_step(slices, first, steps, stop, [&](size_t begin, size_t end) {
    size_t longest = begin;
    for (size_t i = begin + 1; i < end; ++i)
      if (length(slices[i]) > length(slices[longest])) longest = i;
    rows.push_back({slices[longest], static_cast<int64_t>(end - begin)});
  });
}

}  // namespace tracebraid
