#include "merge/locate/batch_summary.h"

#include <algorithm>

#include "event/event_kind.h"
#include "event/sched_events.h"

namespace tracebraid {
namespace {

class Summarizer {
 public:
  explicit Summarizer(const EventBatch& batch) : batch_(batch) {
    summary_.clocks.resize(batch.clocks.size());
    summary_.has_switch_extras = !batch.switches.empty();
  }

  BatchSummary run() && {
    for (const Event& event : batch_.timed_metadata) ++summary_.clocks[event.clock].metadata;
    for (const Stream& stream : batch_.streams) {
      for (const Event& event : stream.events) add_event(event);
      for (const SchedRecord& record : stream.sched) add_compact(sched_event(batch_, record));
    }
    return std::move(summary_);
  }

 private:
  void add_event(const Event& event) {
    ClockUse& use = summary_.clocks[event.clock];
    ++use.events;
    int64_t ns = 0;
    if (!__builtin_mul_overflow(event.ts, batch_.clocks[event.clock].tick_ns, &ns)) {
      use.first_ns = std::min(use.first_ns, ns);
      use.last_ns = std::max(use.last_ns, ns);
    }
    add_to_range(event, use);
  }

  void add_compact(const Event& event) {
    ClockUse& use = summary_.clocks[event.clock];
    ++use.compact;
    add_to_range(event, use);
  }

  void add_to_range(const Event& event, ClockUse& use) {
    int64_t ns = 0, end = 0;
    if (!__builtin_mul_overflow(event.ts, batch_.clocks[event.clock].tick_ns, &ns)) {
      ++use.fitting;
      use.first_of_all_ns = std::min(use.first_of_all_ns, ns);
    }
    use.begin = std::min(use.begin, event.ts);
    use.end = std::max(use.end, event.ts);
    const int64_t duration = event.what() == EventKind::Slice ? event.value : 0;
    if (!__builtin_add_overflow(event.ts, duration, &end)) use.end = std::max(use.end, end);
    if (is_task_switch(event)) summary_.switches.push_back(task_switch(event, batch_));
  }

  const EventBatch& batch_;
  BatchSummary summary_;
};

}  // namespace

bool is_task_switch(const Event& event) {
  return event.what() == EventKind::SchedSwitch || event.what() == EventKind::SchedSwitchCompact;
}

TaskSwitch task_switch(const Event& event, const EventBatch& batch) {
  const uint32_t tid = event.what() == EventKind::SchedSwitchCompact
                           ? event.args
                           : static_cast<uint32_t>(batch.switches[event.extra].next_tid);
  return {.ticks = event.ts, .next_tid = tid, .cpu = event.track, .clock = event.clock};
}

BatchSummary summarize(const EventBatch& batch) { return Summarizer(batch).run(); }

}  // namespace tracebraid
