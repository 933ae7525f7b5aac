// compact_sched: switches and wakings of a CPU, column by column (spec proto 5.3).
#include <algorithm>

#include "format/proto/fields.h"
#include "format/proto/ftrace.h"
#include "format/proto/wire.h"

namespace tracebraid::proto {
namespace {

constexpr uint64_t kInterruptFlags = 0x18;  // hard and soft interrupt, of common_flags

}  // namespace

bool CompactSched::read(std::string_view message, EventSink& sink) {
  using Field = field::FtraceEventBundle_CompactSched;
  comms.clear();
  for (std::vector<uint64_t>* column :
       {&switch_times, &prev_states, &next_pids, &next_prios, &next_comms, &waking_times,
        &waking_pids, &target_cpus, &waking_prios, &waking_comms, &waking_flags})
    column->clear();
  bool good = true;
  Message fields(message);
  while (fields.next()) {
    std::vector<uint64_t>* column = nullptr;
    switch (fields.number()) {
      case Field::kInternTable:
        comms.push_back(sink.string(fields.bytes()));
        break;
      case Field::kSwitchTimestamp:
        column = &switch_times;
        break;
      case Field::kSwitchPrevState:
        column = &prev_states;
        break;
      case Field::kSwitchNextPid:
        column = &next_pids;
        break;
      case Field::kSwitchNextPrio:
        column = &next_prios;
        break;
      case Field::kSwitchNextCommIndex:
        column = &next_comms;
        break;
      case Field::kWakingTimestamp:
        column = &waking_times;
        break;
      case Field::kWakingPid:
        column = &waking_pids;
        break;
      case Field::kWakingTargetCpu:
        column = &target_cpus;
        break;
      case Field::kWakingPrio:
        column = &waking_prios;
        break;
      case Field::kWakingCommIndex:
        column = &waking_comms;
        break;
      case Field::kWakingCommonFlags:
        column = &waking_flags;
        break;
      default:
        break;
    }
    if (column != nullptr)
      good &= for_each_varint(fields, [&](uint64_t value) { column->push_back(value); });
  }
  return good && !fields.bad();
}

void FtraceReader::read_compact(FtraceEvent event, std::string_view message,
                                const ClockChoice& clock) {
  CompactSched& columns = compact_;
  const auto flaw = [&] {
    sink_.count(Stat::compact_sched_has_parse_errors, event.packet.at, {}, event.packet.machine);
  };
  if (!columns.read(message, sink_)) flaw();
  if (!emit_switches(event, clock)) flaw();
  if (!emit_wakings(event, clock)) flaw();
}

// As many rows as are whole.
bool FtraceReader::emit_switches(const FtraceEvent& at, const ClockChoice& clock) {
  const CompactSched& columns = compact_;
  const auto [rows, longest] =
      std::minmax({columns.switch_times.size(), columns.prev_states.size(),
                   columns.next_pids.size(), columns.next_prios.size(), columns.next_comms.size()});
  std::vector<SwitchExtra>& extras = sink_.batch().switches;
  uint64_t time = 0;
  for (size_t i = 0; i < rows; ++i) {
    time += columns.switch_times[i];
    if (columns.next_comms[i] >= columns.comms.size()) return false;
    SwitchExtra extra;
    extra.next_tid = static_cast<int32_t>(columns.next_pids[i]);
    extra.prev_state = static_cast<int64_t>(columns.prev_states[i]);
    extra.next_comm = columns.comms[columns.next_comms[i]];
    extra.next_prio = static_cast<int32_t>(columns.next_prios[i]);
    const EventTime when = clocks_.time(at.packet.machine, clock, static_cast<int64_t>(time));
    Event event = make_event(when, EventKind::SchedSwitchCompact, at.cpu);
    event.extra = static_cast<uint32_t>(extras.size());
    extras.push_back(extra);
    sink_.event(event, at.rank());
  }
  return rows == longest;
}

bool FtraceReader::emit_wakings(const FtraceEvent& at, const ClockChoice& clock) {
  const CompactSched& columns = compact_;
  const bool has_flags = !columns.waking_flags.empty();
  const auto [rows, longest] = std::minmax(
      {columns.waking_times.size(), columns.waking_pids.size(), columns.target_cpus.size(),
       columns.waking_prios.size(), columns.waking_comms.size(),
       has_flags ? columns.waking_flags.size() : columns.waking_times.size()});
  std::vector<WakingExtra>& extras = sink_.batch().wakings;
  uint64_t time = 0;
  for (size_t i = 0; i < rows; ++i) {
    time += columns.waking_times[i];
    if (columns.waking_comms[i] >= columns.comms.size()) return false;
    const uint64_t flags = has_flags ? columns.waking_flags[i] : 0;
    WakingExtra extra;
    extra.prio = static_cast<int32_t>(columns.waking_prios[i]);
    extra.target_cpu = static_cast<int32_t>(columns.target_cpus[i]);
    extra.irq_context = (flags & kInterruptFlags) != 0 ? 1 : 0;
    extra.common_flags = static_cast<uint32_t>(flags);
    const EventTime when = clocks_.time(at.packet.machine, clock, static_cast<int64_t>(time));
    Event event = make_event(when, EventKind::SchedWaking, at.cpu);
    event.value = static_cast<int32_t>(columns.waking_pids[i]);
    event.name = columns.comms[columns.waking_comms[i]];
    event.extra = static_cast<uint32_t>(extras.size());
    extras.push_back(extra);
    sink_.event(event, at.rank());
  }
  return rows == longest;
}

}  // namespace tracebraid::proto
