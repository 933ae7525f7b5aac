#include "engine/timeline.h"

#include <utility>

#include "base/cut_text.h"
#include "braid/braid.h"
#include "merge/merge.h"

namespace tracebraid {
namespace {

constexpr size_t kMostText = 1024;
// Tables that all parts of the timeline read. Timeline::prepare() verifies those of the events.
constexpr std::string_view kShared[] = {MachineTable::kName,
                                        TraceFileTable::kName,
                                        ProcessTable::kName,
                                        ThreadTable::kName,
                                        CpuTable::kName,
                                        TrackTable::kName,
                                        FlowTable::kName,
                                        FlowViolationTable::kName,
                                        PlacementTable::kName,
                                        ArgsTable::kName,
                                        JsonEventColorTable::kName,
                                        JsonObjectInstanceTable::kName};

}  // namespace

TraceTimeline::TraceTimeline(std::shared_ptr<const Trace> trace, timeline::TimelineOptions options)
    : trace_(std::move(trace)), timeline_(*trace_->merged().store, std::move(options)) {}

Result<std::shared_ptr<const TraceTimeline>> TraceTimeline::open(std::shared_ptr<const Trace> trace,
                                                                 uint64_t memory,
                                                                 const Stop& stop) {
  return at_boundary(trace->broken(), [&]() -> Result<std::shared_ptr<const TraceTimeline>> {
    timeline::TimelineOptions options{.threads = trace->engine().threads(), .memory = memory};
    if (const auto& tables = trace->braid_tables(); tables != nullptr) {
      for (const std::string_view table : kShared) TB_TRY(tables->verify(table));
      options.verify = [tables](std::string_view table) { return tables->verify(table); };
    }
    std::shared_ptr<TraceTimeline> made(new TraceTimeline(trace, std::move(options)));
    TB_TRY(made->timeline_.prepare(stop));
    return made;
  });
}

uint32_t TraceTimeline::number_of_strings() const { return timeline_.store().strings.size(); }

std::pair<std::string_view, bool> TraceTimeline::text(uint32_t id) const {
  const std::string_view whole = timeline_.store().strings.get(StringId{id});
  return {cut_text(whole, kMostText), whole.size() > kMostText};
}

}  // namespace tracebraid
