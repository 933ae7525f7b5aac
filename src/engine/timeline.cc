#include "engine/timeline.h"

#include <utility>

#include "base/cut_text.h"
#include "braid/braid.h"
#include "engine/timeline_tables.h"
#include "merge/merge.h"

namespace tracebraid {
namespace {

constexpr size_t kMostText = 1024;

}  // namespace

TraceTimeline::TraceTimeline(std::shared_ptr<const Trace> trace, timeline::TimelineOptions options)
    : trace_(std::move(trace)),
      timeline_(*trace_->merged().store, std::move(options)),
      orders_(trace_->merged().clocks) {}

Result<std::shared_ptr<const TraceTimeline>> TraceTimeline::open(
    std::shared_ptr<const Trace> trace, uint64_t memory, const Stop& stop,
    std::function<void()> on_damaged_index) {
  return at_boundary(trace->broken(), [&]() -> Result<std::shared_ptr<const TraceTimeline>> {
    timeline::TimelineOptions options{.threads = trace->engine().threads(), .memory = memory};
    if (const auto& tables = trace->braid_tables(); tables != nullptr) {
      options.verify = [tables](std::string_view table) { return tables->verify(table); };
      TB_TRY(verify_timeline_tables(options.verify));
    }
    if (const timeline::IndexParts* const index = trace->timeline_index()) options.stored = *index;
    options.on_damaged_index = std::move(on_damaged_index);
    std::shared_ptr<TraceTimeline> made(new TraceTimeline(trace, std::move(options)));
    TB_TRY(made->timeline_.prepare(stop));
    return made;
  });
}

Result<EventOrder> TraceTimeline::order(EventKey first, EventKey second) const {
  return run(
      [&](const timeline::Timeline& timeline) { return orders_.order(timeline, first, second); });
}

uint32_t TraceTimeline::number_of_strings() const { return timeline_.store().strings.size(); }

std::pair<std::string_view, bool> TraceTimeline::text(uint32_t id) const {
  const std::string_view whole = timeline_.store().strings.get(StringId{id});
  return {cut_text(whole, kMostText), whole.size() > kMostText};
}

}  // namespace tracebraid
