#include "engine/event_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "merge/merge.h"
#include "timeline/events/event.h"

namespace tracebraid {
namespace {

using timeline::TableKind;
using timeline::Timeline;

// Clocks of an event that are compared one by one. Beyond that the bounds on the timeline are used,
// which are larger.
constexpr size_t kMostClocks = 64;
constexpr size_t kMostFlows = 4096;  // that are followed from an event

// The start of an event by one of the clocks that can be its own.
struct Candidate {
  ClockId clock;
  std::optional<int64_t> reading_ns;  // none: the path back from the timeline is ambiguous
  int64_t bound_ns;                   // of the clock's events on the timeline
};

struct EventClocks {
  int64_t ts = 0;
  std::vector<Candidate> candidates;  // the clock with the most events first
};

constexpr std::string_view source_of(TableKind kind) {
  switch (kind) {
    case TableKind::Sched:
      return "sched";
    case TableKind::ThreadState:
      return "thread_state";
    case TableKind::Ftrace:
      return "ftrace_event";
    case TableKind::Log:
      return "logs";
    case TableKind::Sample:
    case TableKind::JsonSample:
      return "samples";
    default:
      return {};
  }
}

// Returns the row of track of an event; none for events that are on no track.
OptRow track_of(const Store& store, EventKey event) {
  switch (event.kind) {
    case TableKind::Slice:
      return {store.slices.track_id[event.row]};
    case TableKind::Counter:
      return {store.counters.track_id[event.row]};
    case TableKind::State:
      return {store.states.track_id[event.row]};
    default:
      return {};
  }
}

// Returns the rows of clock that the event's track, or else its table, has in the file and machine;
// NULL is trace time. Empty if that is not known.
std::vector<OptRow> own_clocks(const Store& store, EventKey event,
                               const timeline::EventOwners& owners) {
  if (const OptRow track = track_of(store, event); track.row != OptRow::kNull) {
    const OptRow clock = store.tracks.clock_id[track.row];
    return clock.row == OptRow::kNull ? std::vector<OptRow>() : std::vector{clock};
  }
  std::vector<OptRow> clocks;
  const StringId source = store.strings.find(source_of(event.kind));
  const SourceClockTable& table = store.source_clocks;
  for (uint32_t row = 0; row < table.rows(); ++row) {
    const bool is_it =
        source && table.table_name[row] == source &&
        (owners.file.row == OptRow::kNull || table.trace_id[row].row == owners.file.row) &&
        (owners.machine.row == OptRow::kNull || table.machine_id[row] == owners.machine.row);
    if (is_it) clocks.push_back(table.clock_id[row]);
  }
  return clocks;
}

// Keeps the rows of placement of the event's own clocks, if any of them is one.
void keep_own(const PlacementTable& placements, std::span<const OptRow> own,
              std::vector<uint32_t>& rows) {
  const auto is_own = [&](uint32_t row) {
    return std::ranges::find(own, placements.clock_id[row].row, &OptRow::row) != own.end();
  };
  if (std::ranges::any_of(rows, is_own))
    std::erase_if(rows, [&](uint32_t row) { return !is_own(row); });
}

Result<EventClocks> clocks_of(const Timeline& timeline, const ClockGraph& graph,
                              ClockRelations& relations, EventKey event) {
  const auto brief = timeline::brief_of(timeline, event.kind, event.row);
  if (!brief)
    return fail(ErrorCode::NotFound,
                fmt::format("there is no event {} {}", name_of(event.kind), event.row));
  const Store& store = timeline.store();
  const PlacementTable& placements = store.placements;
  const timeline::EventOwners owners = owners_of(timeline, event.kind, event.row);
  std::vector<uint32_t> rows = timeline::placements_of(store, owners.file, owners.machine);
  keep_own(placements, own_clocks(store, event, owners), rows);
  std::ranges::stable_sort(rows, std::greater<>(),
                           [&](uint32_t row) { return placements.placed[row]; });
  EventClocks clocks{.ts = brief->ts, .candidates = {}};
  for (const uint32_t row : rows) {
    const OptRow own = placements.clock_id[row];
    const ClockId clock = own.row == OptRow::kNull ? graph.trace_time() : ClockId{own.row};
    const int64_t bound = placements.uncertainty_ns[row].value;
    const int64_t bound_ns = bound == OptInt::kNull ? kUnbounded : bound;
    const auto known = std::ranges::find(clocks.candidates, clock, &Candidate::clock);
    if (known != clocks.candidates.end())
      known->bound_ns = std::max(known->bound_ns, bound_ns);
    else
      clocks.candidates.push_back(
          {clock, relations.convert(graph.trace_time(), clock, brief->ts), bound_ns});
  }
  return clocks;
}

// Returns the largest bound of the events of any of the clocks on the timeline.
int64_t worst_bound(const EventClocks& clocks) {
  int64_t worst = clocks.candidates.empty() ? kUnbounded : 0;
  for (const Candidate& each : clocks.candidates) worst = std::max(worst, each.bound_ns);
  return worst;
}

// Returns the order that two pairs of clocks agree on.
ReadingOrder agreed(ReadingOrder a, ReadingOrder b) {
  if (a == ReadingOrder::NotKnown || b == ReadingOrder::NotKnown) return ReadingOrder::NotKnown;
  return a == b ? a : ReadingOrder::Undecided;
}

ReadingDistance distance_of(ClockRelations& relations, const Candidate& a, const Candidate& b,
                            int64_t gap_ns) {
  if (a.reading_ns && b.reading_ns)
    return relations.distance({a.clock, *a.reading_ns}, {b.clock, *b.reading_ns});
  // By their times on the timeline.
  return distance_within(gap_ns, add_uncertainty(a.bound_ns, b.bound_ns));
}

// Compares by all clocks that are possible: the order is certain if all agree.
EventOrder order_by_clocks(ClockRelations& relations, const EventClocks& a, const EventClocks& b) {
  EventOrder order{.is_at_most = a.candidates.size() > 1 || b.candidates.size() > 1};
  int64_t gap_ns = 0;
  if (__builtin_sub_overflow(b.ts, a.ts, &gap_ns)) return order;
  const size_t most = std::max(a.candidates.size(), b.candidates.size());
  ReadingDistance all = distance_within(gap_ns, add_uncertainty(worst_bound(a), worst_bound(b)));
  if (!a.candidates.empty() && !b.candidates.empty() && most <= kMostClocks) {
    all = distance_of(relations, a.candidates.front(), b.candidates.front(), gap_ns);
    for (const Candidate& of_b : b.candidates)  // outside, as the paths to it are cached
      for (const Candidate& of_a : a.candidates) {
        const ReadingDistance each = distance_of(relations, of_a, of_b, gap_ns);
        all.order = agreed(all.order, each.order);
        all.bound_ns = std::max(all.bound_ns, each.bound_ns);
      }
    const bool is_one_clock = most == 1 && a.candidates[0].clock == b.candidates[0].clock;
    if (is_one_clock && all.bound_ns == 0) order.reason = OrderReason::Clock;
  }
  order.order = all.order;
  order.gap_ns = all.gap_ns;
  if (all.bound_ns != kUnbounded) order.bound_ns = all.bound_ns;
  return order;
}

// Returns true if a chain of flows leads from the start of one slice to that of another.
bool is_led_by_flows(const Timeline& timeline, uint32_t from, uint32_t to) {
  std::vector<uint32_t> reached{from};
  size_t followed = 0;
  for (size_t next = 0; next < reached.size() && followed < kMostFlows; ++next)
    for (const uint32_t flow : timeline.flows().of_slice(reached[next])) {
      const auto arrow = timeline.flows().arrow(flow);
      if (arrow.out != reached[next]) continue;
      const uint32_t slice = arrow.in;
      if (slice == to) return true;
      ++followed;
      if (std::ranges::find(reached, slice) == reached.end()) reached.push_back(slice);
    }
  return false;
}

// Overrules the clocks if a flow connects the two events.
void apply_flows(const Timeline& timeline, EventKey first, EventKey second, EventOrder& order) {
  if (first.kind != TableKind::Slice || second.kind != TableKind::Slice) return;
  const bool is_forward = is_led_by_flows(timeline, first.row, second.row);
  if (!is_forward && !is_led_by_flows(timeline, second.row, first.row)) return;
  const ReadingOrder by_flow = is_forward ? ReadingOrder::Before : ReadingOrder::After;
  const ReadingOrder against = is_forward ? ReadingOrder::After : ReadingOrder::Before;
  order.is_contradicted = order.order == against;
  order.order = by_flow;
  order.reason = OrderReason::Flow;
}

std::optional<uint32_t> find_edge(const Store& store, ClockId a, ClockId b, EvidenceKind kind) {
  const ClockEdgeTable& edges = store.clock_edges;
  const StringId kind_name = store.strings.find(name_of(kind));
  for (uint32_t row = 0; row < edges.rows(); ++row) {
    const uint32_t from = edges.from_clock[row], to = edges.to_clock[row];
    if (edges.kind[row] == kind_name &&
        ((from == a.row && to == b.row) || (from == b.row && to == a.row)))
      return row;
  }
  return std::nullopt;
}

std::vector<OrderStep> path_of(const Store& store, ClockRelations& relations, const EventClocks& a,
                               const EventClocks& b) {
  std::vector<OrderStep> path;
  const bool is_related = !a.candidates.empty() && !b.candidates.empty() &&
                          a.candidates.front().reading_ns && b.candidates.front().reading_ns;
  if (!is_related || a.candidates.front().clock == b.candidates.front().clock) return path;
  const auto steps = relations.path(a.candidates.front().clock, b.candidates.front().clock);
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto [clock, hop] = steps[i];
    OrderStep& step = path.emplace_back();
    step.clock = clock.row;
    step.label = store.strings.get(store.clocks.label[clock.row]);
    if (i + 1 == steps.size()) break;
    step.edge = find_edge(store, clock, steps[i + 1].clock, hop);
    if (!step.edge) continue;
    step.source = store.strings.get(store.clock_edges.source[*step.edge]);
    const int64_t bound = store.clock_edges.uncertainty_ns[*step.edge].value;
    if (bound != OptInt::kNull) step.bound_ns = bound;
  }
  return path;
}

std::optional<EventReading> usual_reading(const Store& store, const EventClocks& clocks) {
  if (clocks.candidates.empty() || !clocks.candidates.front().reading_ns) return std::nullopt;
  const Candidate& usual = clocks.candidates.front();
  return EventReading{std::string(store.strings.get(store.clocks.label[usual.clock.row])),
                      *usual.reading_ns};
}

}  // namespace

std::string_view name_of(ReadingOrder order) {
  switch (order) {
    case ReadingOrder::Before:
      return "before";
    case ReadingOrder::After:
      return "after";
    case ReadingOrder::Same:
      return "same";
    case ReadingOrder::Undecided:
      return "undecided";
    case ReadingOrder::NotKnown:
      break;
  }
  return "not_known";
}

std::string_view name_of(OrderReason reason) {
  switch (reason) {
    case OrderReason::Clock:
      return "clock";
    case OrderReason::Flow:
      return "flow";
    case OrderReason::Bounds:
      break;
  }
  return "bounds";
}

namespace {

// A reading to convert: of the event's clock, or of trace time.
struct Start {
  ClockId clock;
  int64_t ns;
};

// Appends the readings of other clocks at the moment of `start`.
Result<> add_readings(const Store& store, const ClockGraph& graph, ClockRelations& relations,
                      const Start& start, std::span<const uint32_t> to,
                      std::vector<ClockTime>& times) {
  std::vector<uint32_t> rows(to.begin(), to.end());
  if (to.empty())
    for (uint32_t row = 0; row < graph.size(); ++row) {
      const ClockKey& key = graph.key(ClockId{row});
      if (key.domain == domain::kRealtime && key.sequence == 0 && !key.file) rows.push_back(row);
    }
  for (const uint32_t row : rows) {
    if (row >= graph.size())
      return fail(ErrorCode::NotFound, fmt::format("the trace has no clock {}", row));
    const ClockId clock{row};
    ClockTime time{.clock = row, .label = std::string(store.strings.get(store.clocks.label[row]))};
    time.reading_ns = relations.convert(start.clock, clock, start.ns);
    const int64_t bound = relations.bound(start.clock, clock, start.ns);
    if (time.reading_ns && bound != kUnbounded) time.bound_ns = bound;
    times.push_back(std::move(time));
  }
  return {};
}

}  // namespace

struct EventOrders::State {
  std::shared_ptr<const MergedClocks> clocks;  // null: there are none
  std::mutex mutex;                            // guards the next member
  std::optional<ClockRelations> relations;
};

EventOrders::EventOrders(std::shared_ptr<const MergedClocks> clocks)
    : state_(std::make_unique<State>()) {
  state_->clocks = std::move(clocks);
  if (state_->clocks != nullptr)
    state_->relations.emplace(state_->clocks->graph, state_->clocks->placement.model(),
                              2 * kMostClocks);
}

EventOrders::~EventOrders() = default;

Result<EventOrder> EventOrders::order(const Timeline& timeline, EventKey first,
                                      EventKey second) const {
  if (!state_->relations) return fail(ErrorCode::NotFound, "the trace has no clock");
  const std::scoped_lock lock(state_->mutex);
  const ClockGraph& graph = state_->clocks->graph;
  ClockRelations& relations = *state_->relations;
  TB_TRY_ASSIGN(const EventClocks a, clocks_of(timeline, graph, relations, first));
  TB_TRY_ASSIGN(const EventClocks b, clocks_of(timeline, graph, relations, second));
  EventOrder order = order_by_clocks(relations, a, b);
  if (order.reason != OrderReason::Clock) apply_flows(timeline, first, second, order);
  order.first = usual_reading(timeline.store(), a);
  order.second = usual_reading(timeline.store(), b);
  order.path = path_of(timeline.store(), relations, a, b);
  return order;
}

Result<std::vector<ClockTime>> EventOrders::readings_at(const Timeline& timeline, EventKey event,
                                                        std::span<const uint32_t> to) const {
  if (!state_->relations) return std::vector<ClockTime>();
  const std::scoped_lock lock(state_->mutex);
  const ClockGraph& graph = state_->clocks->graph;
  TB_TRY_ASSIGN(const EventClocks own, clocks_of(timeline, graph, *state_->relations, event));
  const Store& store = timeline.store();
  std::vector<ClockTime> times;
  for (const Candidate& each : own.candidates)
    times.push_back({.clock = each.clock.row,
                     .label = std::string(store.strings.get(store.clocks.label[each.clock.row])),
                     .reading_ns = each.reading_ns,
                     .bound_ns = each.reading_ns ? std::optional<int64_t>(0) : std::nullopt,
                     .is_own = true});
  Start start{graph.trace_time(), own.ts};
  if (own.candidates.size() == 1 && own.candidates[0].reading_ns)
    start = {own.candidates[0].clock, *own.candidates[0].reading_ns};
  TB_TRY(add_readings(store, graph, *state_->relations, start, to, times));
  return times;
}

Result<std::vector<ClockTime>> EventOrders::readings_at(const Store& store, int64_t reading_ns,
                                                        std::optional<uint32_t> from,
                                                        std::span<const uint32_t> to) const {
  std::vector<ClockTime> times;
  if (!state_->relations) return times;
  const std::scoped_lock lock(state_->mutex);
  const ClockGraph& graph = state_->clocks->graph;
  if (from && *from >= graph.size())
    return fail(ErrorCode::NotFound, fmt::format("the trace has no clock {}", *from));
  const Start start{from ? ClockId{*from} : graph.trace_time(), reading_ns};
  TB_TRY(add_readings(store, graph, *state_->relations, start, to, times));
  return times;
}

}  // namespace tracebraid
