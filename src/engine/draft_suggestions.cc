// DraftPlaces::suggestions(), snap() and nearest(): where a file may belong, by what it has in
// common with others.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/boundary.h"
#include "base/iso_time.h"
#include "engine/draft.h"
#include "engine/draft_state.h"
#include "report/labels.h"

namespace tracebraid {
namespace {

constexpr size_t kMostOfKind = 4;        // suggestions by first or last events
constexpr uint32_t kSnapBuckets = 4096;  // in the reach of a dragged file
constexpr size_t kMostMarks = 64;

std::optional<int64_t> difference(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  return result;
}

// The own timeline of a file, and where it is placed.
struct OwnClock {
  uint32_t row = 0;  // of clock
  // Of the first and the last event; none if the clock has no place.
  std::optional<int64_t> first_reading, first_ts, last_ts;
};

// Returns nothing for a file with clocks that others may share.
std::optional<OwnClock> own_clock(const Store& store, uint32_t file) {
  std::optional<OwnClock> own;
  const PlacementTable& places = store.placements;
  int64_t most = -1;
  for (uint32_t row = 0; row < places.rows(); ++row) {
    if (places.trace_id[row].row != file) continue;
    const uint32_t clock = places.clock_id[row].row;
    if (clock == OptRow::kNull) continue;
    if (store.clocks.domain[clock] != domain::kPrivate) return std::nullopt;
    if (places.placed[row] <= most) continue;
    most = places.placed[row];
    own = OwnClock{.row = clock,
                   .first_reading = std::nullopt,
                   .first_ts = value_of(places.first_ts[row]),
                   .last_ts = value_of(places.last_ts[row])};
    const std::optional<int64_t> offset = value_of(places.offset_start_ns[row]);
    if (own->first_ts && offset) own->first_reading = difference(*own->first_ts, *offset);
  }
  return own;
}

class Suggester {
 public:
  Suggester(const PlacedFiles& placed, uint32_t file, const OwnClock& own)
      : store_(*placed.merged.store), clocks_(*placed.merged.clocks), file_(file), own_(own) {}

  void add_sync_markers() {
    const std::vector<ClockGraph::Edge> edges = clocks_.graph.edges();
    const std::vector<uint32_t> own = same_clocks(own_.row, edges);
    const auto is_own = [&](ClockId clock) {
      return std::ranges::find(own, clock.row) != own.end();
    };
    for (const ClockGraph::Edge& edge : edges) {
      const bool is_from = is_own(edge.from);
      if (edge.source != EvidenceSource::SyncMarker || is_from == is_own(edge.to)) continue;
      const ClockId end = is_from ? edge.to : edge.from;
      const ClockGraph::Hop hop = clocks_.graph.hop(is_from ? edge.from : edge.to, end, edge.kind,
                                                    clocks_.placement.model());
      if (hop.observations.empty()) continue;
      const uint32_t other = clock_of_file(same_clocks(end.row, edges));
      DraftSuggestion found{.kind = "sync_marker", .file = file_of(other)};
      const Observation& first = hop.observations.front();
      found.candidates = found.used = edge.observations;
      if (edge.uncertainty_ns != kUnbounded) found.bound_ns = edge.uncertainty_ns;
      add_relation(std::move(found), other, difference(first.to, first.from));
    }
  }

  void add_match_sets() {
    const ClockMatchSetTable& sets = store_.clock_match_sets;
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < sets.rows(); ++row)
      if (sets.clock_a[row].row == own_.row || sets.clock_b[row].row == own_.row)
        rows.push_back(row);
    const StringId refused = store_.strings.find("refused");
    std::ranges::stable_sort(rows, {}, [&](uint32_t row) {
      return std::pair(sets.verdict[row] == refused, -sets.used[row]);
    });
    for (const uint32_t row : rows) {
      const bool is_a = sets.clock_a[row].row == own_.row;
      const uint32_t other = is_a ? sets.clock_b[row].row : sets.clock_a[row].row;
      DraftSuggestion found{.kind = text_of(store_, sets.kind[row]),
                            .file = is_a ? sets.trace_b[row] : sets.trace_a[row],
                            .candidates = sets.candidates[row],
                            .used = sets.used[row]};
      std::optional<int64_t> offset = value_of(sets.offset_ns[row]);
      found.rate_ppb = value_of(sets.rate_ppb[row]);
      found.bound_ns = value_of(sets.bound_ns[row]);
      if (!is_a && offset) offset = difference(0, *offset);
      if (!is_a && found.rate_ppb) found.rate_ppb = -*found.rate_ppb;
      if (refused && sets.verdict[row] == refused) {
        found.refused = text_of(store_, sets.detail[row]);
        if (found.refused.empty()) found.refused = text_of(store_, sets.reason[row]);
        if (found.refused.empty()) found.refused = "refused";
      }
      add_residuals(row, found);
      add_relation(std::move(found), other, offset);
    }
  }

  void add_dates(std::span<const StatedTime> times) {
    for (const StatedTime& time : times) {
      if (time.file != file_) continue;
      std::optional<int64_t> start = time.utc_ns;
      if (time.moment == StatedTime::Moment::LastEvent) {
        const auto length = own_.first_ts && own_.last_ts
                                ? difference(*own_.last_ts, *own_.first_ts)
                                : std::nullopt;
        start = length ? difference(time.utc_ns, *length) : std::nullopt;
      } else if (time.moment == StatedTime::Moment::Reading) {
        const auto after =
            own_.first_reading ? difference(time.reading_ns, *own_.first_reading) : std::nullopt;
        start = after ? difference(time.utc_ns, *after) : std::nullopt;
      }
      if (!start) continue;
      DraftSuggestion found{.kind = "date", .file = file_, .candidates = 1, .used = 1};
      found.start = print_iso_time(*start);
      const bool is_known = std::ranges::any_of(found_, [&](const DraftSuggestion& other) {
        return other.kind == found.kind && other.start == found.start;
      });
      if (is_known) continue;
      found.path = file_label(store_, {file_});
      found_.push_back(std::move(found));
    }
  }

  void add_equal_ends() {
    struct Span {
      std::optional<int64_t> first, last;
    };
    std::vector<Span> spans(store_.files.rows());
    const PlacementTable& places = store_.placements;
    for (uint32_t row = 0; row < places.rows(); ++row) {
      const auto first = value_of(places.first_ts[row]), last = value_of(places.last_ts[row]);
      if (!first || !last || places.trace_id[row].row >= spans.size()) continue;
      Span& span = spans[places.trace_id[row].row];
      span.first = std::min(span.first.value_or(*first), *first);
      span.last = std::max(span.last.value_or(*last), *last);
    }
    const Span own = spans[file_];
    if (!own.first || !own.last) return;
    size_t others = 0;
    for (uint32_t file = 0; file < spans.size() && others < kMostOfKind; ++file) {
      if (file == file_ || !spans[file].first) continue;
      ++others;
      add_move("first_events", file, difference(*spans[file].first, *own.first));
      add_move("last_events", file, difference(*spans[file].last, *own.last));
    }
  }

  std::vector<DraftSuggestion> finish() && {
    std::ranges::stable_partition(found_,
                                  [](const DraftSuggestion& each) { return each.refused.empty(); });
    return std::move(found_);
  }

 private:
  // Returns the clock and those that are the same clock by one edge: files that name a clock of
  // their machine are tied to it.
  static std::vector<uint32_t> same_clocks(uint32_t clock,
                                           std::span<const ClockGraph::Edge> edges) {
    std::vector<uint32_t> same{clock};
    for (const ClockGraph::Edge& edge : edges) {
      if (edge.kind != EvidenceKind::SameClock) continue;
      if (edge.from.row == clock) same.push_back(edge.to.row);
      if (edge.to.row == clock) same.push_back(edge.from.row);
    }
    return same;
  }

  // Returns the first of the clocks that another file has events of; the first one if none has.
  uint32_t clock_of_file(std::span<const uint32_t> clocks) const {
    const auto found =
        std::ranges::find_if(clocks, [&](uint32_t clock) { return file_of(clock) != file_; });
    return found == clocks.end() ? clocks.front() : *found;
  }

  uint32_t file_of(uint32_t clock) const {
    const uint32_t own = store_.clocks.trace_id[clock].row;
    if (own != OptRow::kNull) return own;
    const PlacementTable& places = store_.placements;
    for (uint32_t row = 0; row < places.rows(); ++row)
      if (places.clock_id[row].row == clock) return places.trace_id[row].row;
    return file_;
  }

  // Adds a relation to another clock, if a manifest can name it or the relation is refused.
  void add_relation(DraftSuggestion found, uint32_t other, std::optional<int64_t> offset) {
    const auto domain = static_cast<uint32_t>(store_.clocks.domain[other]);
    found.clock = domain == domain::kPrivate ? "" : std::string(clock_name(domain));
    const bool is_nameable = (domain == domain::kPrivate || !found.clock.empty()) &&
                             !clock_sequence(store_, {other}) && found.file != file_;
    if (!is_nameable) offset.reset();
    if (!offset && found.refused.empty()) return;
    found.path = file_label(store_, {found.file});
    found.offset_ns = offset;
    int64_t reading = 0, ts = 0;
    const bool has_place = offset && own_.first_reading && own_.first_ts &&
                           !__builtin_add_overflow(*own_.first_reading, *offset, &reading) &&
                           clocks_.placement.cursor({other}).place_ns(reading, ts);
    if (has_place) found.by_ns = difference(ts, *own_.first_ts);
    found_.push_back(std::move(found));
  }

  void add_move(std::string_view kind, uint32_t file, std::optional<int64_t> by) {
    if (!by || *by == 0) return;
    DraftSuggestion found{.kind = kind, .file = file, .candidates = 1, .used = 1};
    found.path = file_label(store_, {file});
    found.by_ns = by;
    found_.push_back(std::move(found));
  }

  void add_residuals(uint32_t set, DraftSuggestion& to) const {
    constexpr size_t kHundred = 100, kHalf = 50, kMost = 99;
    std::vector<int64_t> residuals;
    const ClockMatchTable& matches = store_.clock_matches;
    for (uint32_t row = 0; row < matches.rows(); ++row) {
      if (matches.set_id[row] != set || matches.used[row] == 0) continue;
      if (const auto residual = value_of(matches.residual_ns[row]))
        residuals.push_back(std::abs(*residual));
    }
    if (residuals.empty()) return;
    std::ranges::sort(residuals);
    const auto at = [&](size_t percent) {
      return residuals[(residuals.size() - 1) * percent / kHundred];
    };
    to.residual_p50_ns = at(kHalf);
    to.residual_p99_ns = at(kMost);
  }

  const Store& store_;
  const MergedClocks& clocks_;
  const uint32_t file_;
  const OwnClock own_;
  std::vector<DraftSuggestion> found_;
};

}  // namespace

Result<std::vector<DraftSuggestion>> DraftPlaces::suggestions(uint32_t file) const {
  return at_boundary(draft_->state_->broken, [&]() -> Result<std::vector<DraftSuggestion>> {
    const Store& store = *placed_->merged.store;
    if (file >= store.files.rows())
      return fail(ErrorCode::NotFound, fmt::format("there is no file {}", file));
    const std::optional<OwnClock> own = own_clock(store, file);
    if (!own) return std::vector<DraftSuggestion>();
    Suggester suggester(*placed_, file, *own);
    suggester.add_sync_markers();
    suggester.add_match_sets();
    suggester.add_dates(draft_->state_->files->stated_times());
    suggester.add_equal_ends();
    return std::move(suggester).finish();
  });
}

Result<std::optional<DraftEvent>> DraftPlaces::nearest(uint32_t file, int64_t ts,
                                                       int64_t reach_ns) const {
  return at_boundary(draft_->state_->broken, [&]() -> Result<std::optional<DraftEvent>> {
    const Store& store = *placed_->merged.store;
    if (reach_ns < 0) return fail(ErrorCode::Usage, "give a reach of 0 ns or more");
    if (file >= store.files.rows())
      return fail(ErrorCode::NotFound, fmt::format("there is no file {}", file));
    const auto found = draft_->state_->files->nearest(*placed_, file, ts, reach_ns);
    if (!found) return std::optional<DraftEvent>();
    DraftEvent event{.ts = found->ts, .reading_ns = found->reading_ns, .clock = std::nullopt};
    if (!found->clock) return std::optional(event);
    const auto domain = static_cast<uint32_t>(store.clocks.domain[found->clock.row]);
    const bool is_private = domain == domain::kPrivate;
    const std::string_view name = is_private ? std::string_view() : clock_name(domain);
    if ((is_private || !name.empty()) && !clock_sequence(store, {found->clock.row}))
      event.clock = std::string(name);
    return std::optional(event);
  });
}

Result<DraftSnap> DraftPlaces::snap(const SnapRequest& request) const {
  return at_boundary(draft_->state_->broken, [&]() -> Result<DraftSnap> {
    DraftSnap best{.by_ns = request.by_ns, .to = std::nullopt};
    if (request.reach_ns < 0 || request.marks.size() > kMostMarks)
      return fail(
          ErrorCode::Usage,
          fmt::format("snap: give a reach of 0 ns or more, and at most {} marks", kMostMarks));
    const uint32_t only[] = {request.file};
    TB_TRY_ASSIGN(const std::vector<DraftLane> own, lanes(only, {0, 1, 1}));
    if (own.empty() || !own[0].first_ts)
      return fail(ErrorCode::NotFound, fmt::format("file {} has no events", request.file));
    std::vector<int64_t> marks = request.marks;
    marks.push_back(*own[0].first_ts);
    marks.push_back(*own[0].last_ts);
    uint64_t nearest = static_cast<uint64_t>(request.reach_ns) + 1;
    const auto consider = [&](int64_t at, int64_t ts, std::string_view kind,
                              const DraftLane& lane) {
      const std::optional<int64_t> change = difference(ts, at);
      int64_t by = 0;
      if (!change || __builtin_add_overflow(request.by_ns, *change, &by)) return;
      const uint64_t distance =
          *change < 0 ? -static_cast<uint64_t>(*change) : static_cast<uint64_t>(*change);
      if (distance >= nearest) return;
      nearest = distance;
      best = {by, DraftSnap::Target{lane.file, lane.path, kind, ts}};
    };
    for (const int64_t mark : marks) {
      int64_t at = 0;
      LaneWindow window{.buckets = kSnapBuckets};
      if (__builtin_add_overflow(mark, request.by_ns, &at) ||
          __builtin_sub_overflow(at, request.reach_ns, &window.from) ||
          __builtin_add_overflow(at, request.reach_ns, &window.to) ||
          __builtin_add_overflow(window.to, 1, &window.to))
        continue;
      TB_TRY_ASSIGN(const std::vector<DraftLane> others, lanes({}, window));
      for (const DraftLane& lane : others) {
        if (lane.file == request.file || !lane.first_ts) continue;
        consider(at, *lane.first_ts, "start", lane);
        consider(at, *lane.last_ts, "end", lane);
        for (const DraftLane::Bucket& bucket : lane.buckets)
          consider(at, bucket.first_ts, "event", lane);
      }
    }
    return best;
  });
}

}  // namespace tracebraid
