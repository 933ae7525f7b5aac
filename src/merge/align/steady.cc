#include "merge/align/steady.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "clock/clock_map.h"

namespace tracebraid::align {
namespace {

constexpr int64_t kReadTogetherNs = 1'000;   // error of a snapshot
constexpr double kLeastAdjustment = 10'000;  // from the line through the first and last one, ns
// Best first.
constexpr std::array kSteady{domain::kBoottime, domain::kMonotonic, domain::kMonotonicRaw};

// A steady clock of a file, and how a wall clock of its machine relates to it.
struct SteadyClock {
  Side side;
  SteadyMap map;
};

// Of the snapshots of one machine of one file.
struct Seen {
  Side side;  // of the steady clock
  std::vector<Observation> observations;
};

// Returns the clock that the snapshot read in a domain; null if it did not.
const SnapshotReading* reading_in(const EventBatch& batch, const Snapshot& snapshot,
                                  uint32_t domain) {
  const auto readings = std::span(batch.readings).subspan(snapshot.first, snapshot.count);
  const auto at = std::ranges::find_if(readings, [&](const SnapshotReading& reading) {
    const ClockName& clock = batch.clocks[reading.clock];
    return clock.domain == domain && clock.sequence == 0 && !reading.incremental;
  });
  return at == readings.end() ? nullptr : &*at;
}

// Returns nothing if the file has no snapshots of both clocks, or the wall clock ran evenly.
std::optional<SteadyClock> steady_clock_of(const Side& side, const Trackers& trackers) {
  const BatchTrackers& own = trackers.batches[side.batch];
  const ClockName& wall_clock = own.batch->clocks[side.clock];
  if (wall_clock.domain != domain::kRealtime || wall_clock.sequence != 0) return std::nullopt;
  const uint32_t tracker = own.by_machine[wall_clock.machine];
  std::array<Seen, kSteady.size()> seen;
  const std::span<const BatchTrackers> batches = batches_of(own.file, trackers);
  const auto first = static_cast<size_t>(batches.data() - trackers.batches.data());
  for (size_t i = 0; i < batches.size(); ++i) {
    const EventBatch& batch = *batches[i].batch;
    for (const Snapshot& snapshot : batch.snapshots) {
      if (snapshot.kind != SnapshotKind::Together ||
          batches[i].by_machine[snapshot.machine] != tracker)
        continue;
      const SnapshotReading* wall = reading_in(batch, snapshot, domain::kRealtime);
      for (size_t k = 0; wall != nullptr && k < kSteady.size(); ++k) {
        const SnapshotReading* steady = reading_in(batch, snapshot, kSteady[k]);
        Observation at{.uncertainty_ns = kReadTogetherNs};
        if (steady == nullptr ||
            __builtin_mul_overflow(wall->ticks, batch.clocks[wall->clock].tick_ns, &at.from) ||
            __builtin_mul_overflow(steady->ticks, batch.clocks[steady->clock].tick_ns, &at.to))
          continue;
        seen[k].side = {first + i, steady->clock};
        seen[k].observations.push_back(at);
      }
    }
  }
  for (Seen& of : seen) {
    std::ranges::stable_sort(of.observations, {}, &Observation::to);
    SteadyMap map(of.observations);
    if (map.was_adjusted()) return SteadyClock{of.side, std::move(map)};
  }
  return std::nullopt;
}

bool convert_to(int64_t& reading, const SteadyMap& map) {
  const std::optional<int64_t> steady = map.convert(reading);
  reading = steady.value_or(reading);
  return steady.has_value();
}

bool convert_to(FlowMoment& moment, const SteadyMap& map) {
  return convert_to(moment.cause, map) && convert_to(moment.effect, map);
}
bool convert_to(ServiceSpan& span, const SteadyMap& map) {
  return convert_to(span.begin, map) && convert_to(span.end, map);
}
bool convert_to(UserMarker& marker, const SteadyMap& map) { return convert_to(marker.at, map); }
bool convert_to(LogText& text, const SteadyMap& map) { return convert_to(text.at, map); }
bool convert_to(NamedEvent& event, const SteadyMap& map) { return convert_to(event.at, map); }
bool convert_to(Operation& operation, const SteadyMap& map) {
  return convert_to(operation.start, map) && convert_to(operation.end, map);
}

// Converts the values of one clock. Returns false if more than half would be dropped.
template <class Value>
bool convert_all(const SteadyMap& map, std::vector<Value>& values) {
  std::vector<Value> converted;
  for (Value value : values)
    if (convert_to(value, map)) converted.push_back(std::move(value));
  if (converted.size() * 2 < values.size()) return false;
  values = std::move(converted);
  return true;
}

// Recordings of one clock become one: the first.
std::vector<uint32_t> first_of_clock(std::span<const Recording> recordings,
                                     const Trackers& trackers) {
  std::map<std::tuple<FileId, uint32_t, uint32_t, uint32_t>, uint32_t> rows;
  std::vector<uint32_t> first;
  for (const Recording& of : recordings) {
    const ClockName& name = trackers.batches[of.side.batch].batch->clocks[of.side.clock];
    const auto row = static_cast<uint32_t>(first.size());
    first.push_back(
        rows.try_emplace({of.file, of.tracker, name.domain, name.sequence}, row).first->second);
  }
  return first;
}

// `values` have the index of their recording.
template <class Value>
void take_out(const Trackers& trackers, std::vector<Recording>& recordings,
              std::vector<Value>& values) {
  bool has_any = false;
  for (uint32_t i = 0; i < recordings.size(); ++i) {
    const std::optional<SteadyClock> steady = steady_clock_of(recordings[i].side, trackers);
    if (!steady) continue;
    std::vector<Value> own;
    for (const Value& value : values)
      if (value.recording == i) own.push_back(value);
    if (!convert_all(steady->map, own)) continue;
    std::erase_if(values, [&](const Value& value) { return value.recording == i; });
    std::ranges::move(own, std::back_inserter(values));
    recordings[i].side = steady->side;
    has_any = true;
  }
  if (!has_any) return;
  const std::vector<uint32_t> first = first_of_clock(recordings, trackers);
  for (Value& value : values) value.recording = first[value.recording];
}

}  // namespace

SteadyMap::SteadyMap(std::span<const Observation> observations)
    : observations_(observations.begin(), observations.end()) {
  if (observations_.size() < 3) return;  // two are on a line
  // By reading: how many intervals begin less those that end, and the sum of their numbers.
  struct Turn {
    int64_t lines = 0, gaps = 0;
    size_t sum = 0;  // of the numbers of lines, modulo 2^64
  };
  std::map<int64_t, Turn> turns;
  const Observation &first = observations_.front(), &last = observations_.back();
  const double length = static_cast<double>(last.from) - static_cast<double>(first.from);
  const double rate =
      length > 0 ? (static_cast<double>(last.to) - static_cast<double>(first.to)) / length : 0;
  for (size_t i = 0; i + 1 < observations_.size(); ++i) {
    const Observation &a = observations_[i], &b = observations_[i + 1];
    const double line = static_cast<double>(first.to) +
                        rate * (static_cast<double>(a.from) - static_cast<double>(first.from));
    was_adjusted_ |= std::abs(static_cast<double>(a.to) - line) > kLeastAdjustment;
    const auto add = [&](int64_t begin, int64_t end, bool is_line) {
      if (begin > end) return;
      Turn &at = turns[begin], &behind = turns[end];
      (is_line ? at.lines : at.gaps) += 1;
      (is_line ? behind.lines : behind.gaps) -= 1;
      if (!is_line) return;
      at.sum += i;
      behind.sum -= i;
    };
    int64_t passed = 0, left = 0, until = 0;
    if (change_between(a, b) != Change::Jump) {
      add(a.from, b.from, true);
    } else if (__builtin_sub_overflow(b.to, a.to, &passed) ||
               __builtin_add_overflow(a.from, passed, &until) ||
               __builtin_sub_overflow(b.from, passed, &left)) {
      add(INT64_MIN, INT64_MAX, false);  // nothing is known
    } else {
      // Nobody noted when the clock was set.
      add(a.from, until, false);
      add(left, b.from, false);
    }
  }
  Turn open;
  for (const auto& [reading, turn] : turns) {
    open.lines += turn.lines;
    open.gaps += turn.gaps;
    open.sum += turn.sum;
    pieces_.push_back({reading, open.lines == 1 && open.gaps == 0 ? open.sum : kNoLine});
  }
}

std::optional<int64_t> SteadyMap::convert(int64_t reading) const {
  const auto after = std::ranges::upper_bound(pieces_, reading, {}, &Piece::begin);
  if (after == pieces_.begin()) return std::nullopt;
  const size_t from = std::prev(after)->from;
  if (from == kNoLine) return std::nullopt;
  const Observation &a = observations_[from], &b = observations_[from + 1];
  const __int128 into = __int128{reading} - a.from;
  const __int128 off = (__int128{b.to} - a.to) - (__int128{b.from} - a.from);
  const __int128 steady = a.to + into + into * off / (__int128{b.from} - a.from);
  if (steady < INT64_MIN || steady > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(steady);
}

void take_out_steps(const Trackers& trackers, FlowMoments& all) {
  take_out(trackers, all.recordings, all.moments);
}
void take_out_steps(const Trackers& trackers, ServiceSpans& all) {
  take_out(trackers, all.recordings, all.spans);
}
void take_out_steps(const Trackers& trackers, UserMarkers& all) {
  take_out(trackers, all.recordings, all.markers);
}
void take_out_steps(const Trackers& trackers, LogTexts& all) {
  take_out(trackers, all.recordings, all.texts);
}

void take_out_steps(const Trackers& trackers, std::vector<ProgramRecording>& all) {
  for (ProgramRecording& program : all) {
    const std::optional<SteadyClock> steady = steady_clock_of(program.of.side, trackers);
    if (!steady || !convert_all(steady->map, program.events)) continue;
    program.of.side = steady->side;
    std::ranges::stable_sort(program.events, {}, &NamedEvent::at);
  }
}

void take_out_steps(const Trackers& trackers, std::vector<RankRecording>& all) {
  for (RankRecording& rank : all) {
    const std::optional<SteadyClock> steady = steady_clock_of(rank.side, trackers);
    if (!steady) continue;
    std::vector<Operation> numbered = rank.operations, unnumbered = rank.unnumbered;
    if (!convert_all(steady->map, numbered) || !convert_all(steady->map, unnumbered)) continue;
    rank.side = steady->side;
    rank.operations = std::move(numbered);
    rank.unnumbered = std::move(unnumbered);
    std::ranges::stable_sort(rank.unnumbered, {}, &Operation::end);
  }
}

}  // namespace tracebraid::align
