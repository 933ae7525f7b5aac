#include "merge/place/row_span.h"

#include <algorithm>

#include "assemble/saturate.h"
#include "event/event_traits.h"
#include "merge/place/placer.h"

namespace tracebraid {
namespace {

constexpr size_t kMostCandidates = 4096;  // of lasting events before they are sorted out

// Whether events of the kind make a row with their time.
constexpr bool makes_row(EventKind kind) {
  using enum EventKind;
  switch (kind) {
    case SliceBegin:
    case Slice:
    case Instant:
    case SliceBeginOnce:
    case AsyncStepBegin:
    case Counter:
    case CounterUntilNow:
    case State:
    case SchedSwitch:
    case SchedSwitchCompact:
    case SchedWaking:
    case SchedWakingCompact:
    case SchedBlocked:
    case ThreadState:
    case FtraceEvent:
    case FtraceMeaning:
    case FtraceRow:
    case Log:
    case Sample:
    case HeapDump:
    case HeapGraph:
      return true;
    default:
      return false;
  }
}

// Drops the events that end before a later one in each placement.
void sort_out(std::vector<RowSpan::Lasting>& lasting) {
  std::ranges::sort(lasting, [](const RowSpan::Lasting& a, const RowSpan::Lasting& b) {
    return a.ticks != b.ticks ? a.ticks < b.ticks : a.dur < b.dur;
  });
  size_t kept = 0;
  for (const RowSpan::Lasting& each : lasting) {
    while (kept > 0 && lasting[kept - 1].dur <= each.dur) --kept;
    lasting[kept++] = each;
  }
  lasting.resize(kept);
}

void include(int64_t start, int64_t end, std::optional<TraceBounds>& bounds) {
  if (!bounds) bounds = {start, end};
  bounds->start = std::min(bounds->start, start);
  bounds->end = std::max(bounds->end, end);
}

}  // namespace

std::vector<RowSpan> row_spans(const EventBatch& batch) {
  std::vector<RowSpan> spans(batch.clocks.size());
  std::vector<size_t> most(spans.size(), kMostCandidates);
  const auto add = [](RowSpan& span, int64_t ticks, bool is_row) {
    if (is_row) span.first = std::min(span.first.value_or(ticks), ticks);
    span.last = std::max(span.last.value_or(ticks), ticks);
  };
  for (const Stream& stream : batch.streams) {
    for (const Event& event : stream.events) {
      const bool is_row = makes_row(event.what());
      if (!is_row && event.what() != EventKind::SliceEnd) continue;
      RowSpan& span = spans[event.clock];
      add(span, event.ts, is_row);
      if (event.value <= 0 || traits_of(event.what()).value != ValueField::Duration) continue;
      span.lasting.push_back({event.ts, event.value});
      if (span.lasting.size() < most[event.clock]) continue;
      sort_out(span.lasting);
      most[event.clock] = std::max(kMostCandidates, 2 * span.lasting.size());
    }
    for (const SchedRecord& record : stream.sched)
      add(spans[batch.sched_facts[record.fact].clock], record.ts, true);
  }
  for (RowSpan& span : spans) {
    sort_out(span.lasting);
    span.lasting.shrink_to_fit();
  }
  return spans;
}

size_t rows_memory(std::span<const RowSpan> spans) {
  size_t bytes = spans.size_bytes();
  for (const RowSpan& span : spans) bytes += span.lasting.size() * sizeof(RowSpan::Lasting);
  return bytes;
}

void include_rows(std::span<const RowSpan> spans, std::span<const ClockPlace> clocks,
                  const Placement& placement, const PlacingRules& rules,
                  std::span<const PlaceCount> counts, std::optional<TraceBounds>& bounds) {
  Placer placer(clocks, placement, rules);
  for (uint32_t clock = 0; clock < spans.size(); ++clock) {
    const RowSpan& span = spans[clock];
    const PlaceCount& count = counts[clock];
    if (count.timed == 0 || !span.first) continue;
    const auto time_of = [&](int64_t ticks) -> std::optional<int64_t> {
      if (clocks[clock].kind == ClockPlace::Kind::Latest) return std::nullopt;
      const bool is_kept = placer.place(ticks, clock, true, [] { return false; }) == Fate::Kept;
      return is_kept ? std::optional(ticks) : std::nullopt;
    };
    // An event without a place of its own tells nothing of the others, which `count` has.
    include(time_of(*span.first).value_or(count.first_ts),
            time_of(*span.last).value_or(count.last_ts), bounds);
    for (const RowSpan::Lasting& each : span.lasting)
      if (const auto ts = time_of(each.ticks)) include(*ts, end_of(*ts, each.dur), bounds);
  }
}

}  // namespace tracebraid
