#include "merge/locate/set_back.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "clock/segment_maps.h"

namespace tracebraid {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000, kDayNs = 86'400 * kSecondNs;

struct TimeSpan {
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = std::numeric_limits<int64_t>::min();
  bool is_empty() const { return first > last; }
  void add(int64_t ns) {
    first = std::min(first, ns);
    last = std::max(last, ns);
  }
};

// A clock of a batch.
struct ClockOfBatch {
  size_t batch, clock;
};

// A clock that was set back, and all clocks of batches whose path leads through it.
struct SetBackClock {
  ClockId clock;
  std::vector<ClockOfBatch> users;
  std::set<size_t> files;  // indexes
};

class Margins {
 public:
  Margins(std::span<const FileToLocate> files, const Trackers& trackers,
          std::span<const std::vector<ClockId>> nodes, const Placement& placement,
          ClockGraph& graph)
      : files_(files), trackers_(trackers), nodes_(nodes), placement_(placement), graph_(graph) {}

  std::vector<SetBackClock> find() const {
    std::map<ClockId, SetBackClock> found;
    for (size_t batch = 0; batch < nodes_.size(); ++batch) {
      for (size_t clock = 0; clock < nodes_[batch].size(); ++clock) {
        const std::optional<ClockId> at = set_back_clock(placement_, nodes_[batch][clock]);
        if (!at) continue;
        SetBackClock& of_clock = found[*at];
        of_clock.clock = *at;
        of_clock.users.push_back({batch, clock});
        of_clock.files.insert(trackers_.batches[batch].file);
      }
    }
    std::vector<SetBackClock> all;
    for (auto& [clock, of_clock] : found) all.push_back(std::move(of_clock));
    return all;
  }

  void set(const SetBackClock& of) {
    const ClockId next = placement_.node(of.clock).next;
    const std::vector<Observation> seen = in_time_order(
        graph_.hop(of.clock, next, placement_.node(of.clock).hop, placement_.model()).observations);
    const std::vector<Segment> segments = segments_of(seen);
    if (are_all_within(of, reaches_of(seen, segments, {0, 0}))) {
      graph_.set_margin(of.clock, {0, 0});
      return;
    }
    int64_t longest = 0;
    for (size_t i = 1; i < seen.size(); ++i)
      longest = std::max(longest, distance(seen[i - 1].to, seen[i].to));
    const int64_t usual = std::max(kSecondNs, std::min(longest, kDayNs) * 2);
    Margin margin{usual, usual};
    PlaceCursor cursor = placement_.cursor(next);
    int64_t first = 0, last = 0;
    const TimeSpan others = span_of_others(of);
    if (!others.is_empty() && cursor.place_ns(seen.front().to, first) &&
        cursor.place_ns(seen.back().to, last)) {
      margin.before_ns = std::max(usual, distance(others.first, first));
      margin.after_ns = std::max(usual, distance(last, others.last));
    }
    graph_.set_margin(of.clock,
                      {std::min(margin.before_ns, kDayNs), std::min(margin.after_ns, kDayNs)});
  }

 private:
  // Returns how much later `b` is, at most a day; 0 if it is not.
  static int64_t distance(int64_t a, int64_t b) {
    return static_cast<int64_t>(std::clamp<__int128>(__int128{b} - a, 0, kDayNs));
  }

  template <class Visit>
  void for_each_event(const ClockOfBatch& of, Visit visit) const {
    const EventBatch& batch = *trackers_.batches[of.batch].batch;
    for (const Stream& stream : batch.streams)
      for (const Event& event : stream.events)
        if (event.clock == of.clock) visit(event.ts);
  }

  // Whether the reaches hold the readings of all events.
  bool are_all_within(const SetBackClock& of, std::span<const Reach> reaches) const {
    bool all = true;
    for (const ClockOfBatch& user : of.users) {
      const ClockId node = nodes_[user.batch][user.clock];
      const int64_t tick_ns = graph_.tick_ns(node);
      std::vector<ClockMap> before;  // hops to the clock that was set back
      for (ClockId at = node; at != of.clock; at = placement_.node(at).next) {
        const ClockGraph::Hop hop =
            graph_.hop(at, placement_.node(at).next, placement_.node(at).hop, placement_.model());
        before.push_back(map_of(hop.observations, hop.model, hop.margin));
      }
      for_each_event(user, [&](int64_t ticks) {
        int64_t ns = 0;
        std::optional<int64_t> reading;
        if (!__builtin_mul_overflow(ticks, tick_ns, &ns)) reading = ns;
        for (const ClockMap& map : before)
          if (reading) reading = map.convert(*reading);
        all = all && reading && std::ranges::any_of(reaches, [&](const Reach& reach) {
                return reach.holds(*reading);
              });
      });
    }
    return all;
  }

  // Returns the trace times of the events and snapshots of the files that other clocks place.
  TimeSpan span_of_others(const SetBackClock& of) const {
    TimeSpan span;
    std::set<FileId> files;
    for (const size_t file : of.files) files.insert(files_[file].file);
    for (size_t batch = 0; batch < nodes_.size(); ++batch) {
      if (!of.files.contains(trackers_.batches[batch].file)) continue;
      for (size_t clock = 0; clock < nodes_[batch].size(); ++clock) {
        const ClockId node = nodes_[batch][clock];
        if (!is_other(node)) continue;
        PlaceCursor cursor = placement_.cursor(node);
        for_each_event({batch, clock}, [&](int64_t ticks) {
          int64_t ts = 0;
          if (cursor.place(ticks, ts)) span.add(ts);
        });
      }
    }
    for (const ClockGraph::Snapshot& snapshot : graph_.snapshots()) {
      if (!files.contains(snapshot.origin.file)) continue;
      const auto clocks = graph_.clocks_of(snapshot);
      for (size_t i = 0; i < clocks.size(); ++i) {
        int64_t ts = 0;
        if (is_other(clocks[i]) &&
            placement_.cursor(clocks[i]).place_ns(graph_.readings_of(snapshot)[i], ts))
          span.add(ts);
      }
    }
    return span;
  }

  // Whether the clock has a place and was never set back.
  bool is_other(ClockId clock) const {
    if (!clock || !placement_.node(clock).placed()) return false;
    return std::ranges::all_of(placement_.path(clock),
                               [&](ClockId at) { return placement_.node(at).segments <= 1; });
  }

  std::span<const FileToLocate> files_;
  const Trackers& trackers_;
  std::span<const std::vector<ClockId>> nodes_;
  const Placement& placement_;
  ClockGraph& graph_;
};

}  // namespace

bool set_margins(std::span<const FileToLocate> files, const Trackers& trackers,
                 std::span<const std::vector<ClockId>> nodes, const Placement& placement,
                 ClockGraph& graph) {
  Margins margins(files, trackers, nodes, placement, graph);
  const std::vector<SetBackClock> found = margins.find();
  for (const SetBackClock& clock : found) margins.set(clock);
  return !found.empty();
}

}  // namespace tracebraid
