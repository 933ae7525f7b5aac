// Batches as text without indexes, for tests.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "event/batch.h"
#include "event/event_traits.h"
#include "event/sched_events.h"

namespace tracebraid::proto {

class BatchText {
 public:
  explicit BatchText(const EventBatch& batch) : batch_(batch) {}

  std::string event(const Event& event) const {
    return fmt::format("{} {} {} [{}] {} {} {} {{{}}} {}", static_cast<int>(event.kind), event.ts,
                       clock(event.clock), subject(event), string(event.name),
                       string(event.category), event.value, args(event), extra(event));
  }

 private:
  std::string string(StringId id) const {
    return id ? "'" + std::string(batch_.strings.get(id)) + "'" : "-";
  }
  std::string clock(uint32_t index) const {
    const ClockName& c = batch_.clocks[index];
    return fmt::format("{}/{}/{}/{}/{}/{}", c.domain, c.sequence, batch_.machines[c.machine],
                       c.tick_ns, c.by_default, static_cast<int>(c.on_failure));
  }
  std::string process(uint32_t index) const {
    if (index == kNone) return "none";
    const ProcessName& p = batch_.processes[index];
    return fmt::format("p{}/{}/{}", batch_.machines[p.machine], p.pid, p.life);
  }
  std::string thread(uint32_t index) const {
    if (index == kNone) return "none";
    const ThreadName& t = batch_.threads[index];
    return fmt::format("t{}/{}/{}/{}", batch_.machines[t.machine], t.tid, t.pid, t.life);
  }
  std::string track(uint32_t index) const {
    if (index == kNone) return "none";
    const TrackName& t = batch_.tracks[index];
    std::string owner = std::to_string(t.owner);
    if (t.scope == TrackScope::Process) owner = process(t.owner);
    if (t.scope == TrackScope::Thread) owner = thread(t.owner);
    return fmt::format("{} {} {} {} {} {} {} {} {} ({}) ({}) < {}", static_cast<int>(t.scope),
                       static_cast<int>(t.events), static_cast<int>(t.lanes), t.root, owner,
                       string(t.type), string(t.name), string(t.unit), t.cookie, set(t.dimensions),
                       set(t.source_args), track(t.parent));
  }
  // Returns the name that Event::track refers to.
  std::string subject(const Event& event) const {
    switch (traits_of(event.what()).track) {
      case TrackField::Process:
        return process(event.track);
      case TrackField::Thread:
      case TrackField::MaybeThread:
        return thread(event.track);
      case TrackField::Track:
        return track(event.track);
      case TrackField::None:
      case TrackField::Cpu:
      case TrackField::StatIndex:
        return std::to_string(event.track);
    }
    return {};
  }
  std::string args(const Event& event) const {
    return traits_of(event.what()).args == ArgsField::Number ? std::to_string(event.args)
                                                             : set(event.args);
  }
  std::string value(const ArgRow& row) const {
    const auto index = static_cast<uint32_t>(row.value);
    if (row.type == ArgType::String) return string({index});
    if (row.type == ArgType::Thread || row.type == ArgType::ThreadUint) return thread(index);
    if (row.type == ArgType::Process || row.type == ArgType::ProcessUint) return process(index);
    return std::to_string(row.value);
  }
  std::string set(uint32_t first) const {
    std::string out;
    for (size_t i = first; first != kNone; ++i) {
      const ArgRow& row = batch_.args.rows[i];
      out += string(batch_.args.keys[row.key].key) + "=";
      out += value(row);
      out += ' ';
      if (row.last) break;
    }
    return out;
  }
  std::string extra(const Event& event) const {
    if (event.extra == kNone) return {};
    if (traits_of(event.what()).extra != ExtraField::MaybeSliceExtra)
      return std::to_string(event.extra);
    const SliceExtra& e = batch_.slice_extras[event.extra];
    std::string out = fmt::format("{} {}", e.thread_ts, e.instruction_count);
    for (size_t i = e.flows; e.flows != kNone; ++i) {
      out += fmt::format(" f{}/{}", batch_.flows[i].id, static_cast<int>(batch_.flows[i].kind));
      if (batch_.flows[i].last) break;
    }
    return out;
  }

  const EventBatch& batch_;
};

// Returns the events of all batches, one per line, in the order in which tables would be built if
// all times were equal.
inline std::vector<std::string> lines_of(const std::vector<EventBatch>& batches) {
  struct Part {
    uint32_t rank;
    const EventBatch* batch;
    const Stream* stream;
  };
  std::vector<Part> parts;
  for (const EventBatch& batch : batches)
    for (const Stream& stream : batch.streams) parts.push_back({stream.rank, &batch, &stream});
  std::ranges::stable_sort(parts, {}, &Part::rank);
  std::vector<std::string> lines;
  for (const Part& part : parts)
    for_each_event(*part.batch, *part.stream, [&](const Event& event) {
      lines.push_back(BatchText(*part.batch).event(event));
    });
  return lines;
}

}  // namespace tracebraid::proto
