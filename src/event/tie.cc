#include "event/tie.h"
#include "event/event_kind.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <ranges>
#include <utility>

namespace tracebraid {
namespace {

// The search for a partner goes back at most this many slices, the depth of a stack.
constexpr size_t kMaxLookBack = 512;
constexpr int64_t kLongest = std::numeric_limits<int64_t>::max();

// Moves events[order[i]] to i, along the cycles of the permutation.
void permute(std::vector<Event>& events, std::vector<uint32_t>& order) {
  for (uint32_t start = 0; start < order.size(); ++start) {
    if (order[start] == start) continue;
    const Event first = events[start];
    uint32_t to = start;
    for (uint32_t from = order[to]; from != start; from = order[to]) {
      events[to] = events[from];
      order[to] = to;
      to = from;
    }
    events[to] = first;
    order[to] = to;
  }
}

// Returns the positions of the events in order of time, by radix sort with 11 bits per pass.
// Returns nothing if there are too many events, or their times are too far apart, for it to pay.
std::vector<uint32_t> order_by_digits(const std::vector<Event>& events) {
  constexpr unsigned kPositionBits = 20, kTimeBits = 44, kDigitBits = 11;
  constexpr size_t kDigits = size_t{1} << kDigitBits;
  if (events.size() < kDigits || events.size() > size_t{1} << kPositionBits) return {};
  const auto [first, last] = std::ranges::minmax(events | std::views::transform(&Event::ts));
  const uint64_t range = static_cast<uint64_t>(last) - static_cast<uint64_t>(first);
  if (range >> kTimeBits != 0) return {};
  std::vector<uint64_t> keys(events.size()), sorted(events.size());
  for (size_t i = 0; i < keys.size(); ++i)
    keys[i] =
        (static_cast<uint64_t>(events[i].ts) - static_cast<uint64_t>(first)) << kPositionBits | i;
  std::vector<uint32_t> places(kDigits);
  for (unsigned shift = kPositionBits; range >> (shift - kPositionBits) != 0; shift += kDigitBits) {
    std::ranges::fill(places, 0);
    for (const uint64_t key : keys) ++places[key >> shift & (kDigits - 1)];
    std::exclusive_scan(places.begin(), places.end(), places.begin(), 0U);
    for (const uint64_t key : keys) sorted[places[key >> shift & (kDigits - 1)]++] = key;
    keys.swap(sorted);
  }
  std::vector<uint32_t> order(keys.size());
  for (size_t i = 0; i < keys.size(); ++i)
    order[i] = static_cast<uint32_t>(keys[i] & ((uint64_t{1} << kPositionBits) - 1));
  return order;
}

void sort_by_time(std::vector<Event>& events) {
  const auto earlier = [](const Event& a, const Event& b) { return a.ts < b.ts; };
  if (std::is_sorted(events.begin(), events.end(), earlier)) return;
  if (std::vector<uint32_t> order = order_by_digits(events); !order.empty())
    return permute(events, order);
  // Sorting pairs of time and position moves less memory than sorting events. No two pairs are
  // equal, so the result is that of a stable sort.
  std::vector<std::pair<int64_t, uint32_t>> keys(events.size());
  for (uint32_t i = 0; i < keys.size(); ++i) keys[i] = {events[i].ts, i};
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> order(keys.size());
  for (uint32_t i = 0; i < keys.size(); ++i) order[i] = keys[i].second;
  keys = {};
  permute(events, order);
}

// Returns the begins before a complete slice of their track and time, and sets their `value` to the
// largest number until note_durations() sets it.
std::vector<uint32_t> contested_begins(std::vector<Event>& events) {
  std::vector<uint32_t> begins;
  size_t first = 0;  // of the events at this time
  for (size_t i = 1; i < events.size(); ++i) {
    if (events[i].ts != events[first].ts) first = i;
    if (events[i].what() != EventKind::Slice || events[i].value <= 0) continue;
    const size_t limit = std::max(first, i - std::min(i, kMaxLookBack));
    for (size_t j = i; j-- > limit;) {
      Event& begin = events[j];
      if (begin.what() != EventKind::SliceBegin || begin.track != events[i].track) continue;
      if (begin.value == kLongest) break;  // the begins before it are, too
      begin.value = kLongest;
      begins.push_back(static_cast<uint32_t>(j));
    }
  }
  return begins;
}

// Finds the open begin that this end closes, from the innermost outwards.
std::vector<uint32_t>::iterator find_begin(const std::vector<Event>& events,
                                           std::vector<uint32_t>& open, const Event& end) {
  const size_t limit = open.size() - std::min(open.size(), kMaxLookBack);
  for (const bool with_category : {true, false}) {
    for (size_t i = open.size(); i-- > limit;) {
      const Event& begin = events[open[i]];
      if (!name_matches(end.name, begin.name)) continue;
      if (with_category && !category_matches(end.category, begin.category)) continue;
      return open.begin() + static_cast<ptrdiff_t>(i);
    }
  }
  return open.end();
}

// Sets the durations of these begins. Pairs all begins and ends of their tracks.
void note_durations(std::vector<Event>& events, std::span<const uint32_t> begins) {
  if (begins.empty()) return;
  absl::flat_hash_map<uint32_t, std::vector<uint32_t>> open;  // for the tracks of the begins
  for (const uint32_t i : begins) open[events[i].track];
  for (uint32_t i = 0; i < events.size(); ++i) {
    const EventKind kind = events[i].what();
    if (kind != EventKind::SliceBegin && kind != EventKind::SliceEnd) continue;
    const auto stack = open.find(events[i].track);
    if (stack == open.end()) continue;
    if (kind == EventKind::SliceBegin) {
      stack->second.push_back(i);
      continue;
    }
    const auto at = find_begin(events, stack->second, events[i]);
    if (at == stack->second.end()) continue;
    Event& begin = events[*at];
    int64_t dur = 0;
    if (__builtin_sub_overflow(events[i].ts, begin.ts, &dur)) dur = kLongest;
    if (begin.value == kLongest) begin.value = dur;
    stack->second.erase(at);
  }
}

// Whether a slice belongs to a thread, not to an id.
bool on_thread(std::span<const TrackName> tracks, const Event& event) {
  return event.track < tracks.size() && tracks[event.track].lanes == Lanes::Single;
}

enum class TieClass : uint8_t { End, Complete, Rest };

struct TieKey {
  TieClass kind = TieClass::Rest;
  int64_t dur = 0;  // of Complete
  bool is_open = false;
};

// Marks the begin at this time that events[at] closes, if any.
bool closes_at_once(std::span<const TiedEvent> events, std::vector<TieKey>& keys, size_t at) {
  const Event& end = *events[at].event;
  const size_t limit = at - std::min(at, kMaxLookBack);
  for (const bool with_category : {true, false}) {
    for (size_t i = at; i-- > limit;) {
      const Event& begin = *events[i].event;
      if (!keys[i].is_open || begin.track != end.track) continue;
      if (!name_matches(end.name, begin.name)) continue;
      if (with_category && !category_matches(end.category, begin.category)) continue;
      keys[i].is_open = false;
      return true;
    }
  }
  return false;
}

std::vector<TieKey> tie_keys(std::span<const TrackName> tracks, std::span<const TiedEvent> events) {
  std::vector<TieKey> keys(events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = *events[i].event;
    switch (event.what()) {
      case EventKind::Slice:
        if (event.value > 0) keys[i] = {TieClass::Complete, event.value};
        break;
      case EventKind::SliceBegin:
        if (const int64_t lasts = events[i].lasts > 0 ? events[i].lasts : event.value; lasts > 0)
          keys[i] = {TieClass::Complete, lasts};
        else
          keys[i].is_open = on_thread(tracks, event);
        break;
      case EventKind::SliceEnd:
        if (on_thread(tracks, event) && !closes_at_once(events, keys, i))
          keys[i].kind = TieClass::End;
        break;
      default:
        break;
    }
  }
  return keys;
}

void move_flow_ends(std::vector<TiedEvent>& events) {
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].event->what() != EventKind::FlowEnd) continue;
    const size_t limit = i - std::min(i, kMaxLookBack);
    size_t to = i;
    for (size_t j = i; j-- > limit;) {
      const Event& event = *events[j].event;
      const bool starts = event.what() == EventKind::Slice || event.what() == EventKind::SliceBegin;
      if (starts && event.track == events[i].event->track &&
          events[j].position > events[i].position)
        to = j;
    }
    const auto at = events.begin() + static_cast<ptrdiff_t>(i);
    std::rotate(events.begin() + static_cast<ptrdiff_t>(to), at, at + 1);
  }
}

}  // namespace

void sort_stream(std::vector<Event>& events, TieRule rule) {
  sort_by_time(events);
  if (rule == TieRule::TraceEventFormat) note_durations(events, contested_begins(events));
}

void order_ties(std::span<const TrackName> tracks, std::vector<TiedEvent>& events) {
  const std::vector<TieKey> keys = tie_keys(tracks, events);
  const auto in_place = [](const TieKey& key) { return key.kind == TieClass::Rest; };
  if (std::ranges::all_of(keys, in_place)) return;
  std::vector<std::pair<TieKey, TiedEvent>> sorted;
  sorted.reserve(events.size());
  for (size_t i = 0; i < events.size(); ++i) sorted.emplace_back(keys[i], events[i]);
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    if (a.first.kind != b.first.kind) return a.first.kind < b.first.kind;
    if (a.first.dur != b.first.dur) return a.first.dur > b.first.dur;
    return a.second.position < b.second.position;
  });
  for (size_t i = 0; i < events.size(); ++i) events[i] = sorted[i].second;
  move_flow_ends(events);
}

}  // namespace tracebraid
