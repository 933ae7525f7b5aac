// compact_sched: switches and wakings of a CPU, column by column (spec proto 5.3).
#include <algorithm>
#include <initializer_list>
#include <span>

#include "format/proto/fields.h"
#include "format/proto/ftrace.h"
#include "format/proto/wire.h"

namespace tracebraid::proto {

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

namespace {

// Rows that are whole and whose commands are known; whether these are all.
struct CompactRows {
  size_t count = 0;
  bool is_all = false;
};

CompactRows whole_rows(std::initializer_list<size_t> sizes, std::span<const uint64_t> comms,
                       size_t known_comms) {
  const auto [rows, longest] = std::minmax(sizes);
  for (size_t i = 0; i < rows; ++i)
    if (comms[i] >= known_comms) return {i, false};
  return {rows, rows == longest};
}

// From distances to times. False if they do not rise.
bool sum_up(std::span<uint64_t> times) {
  bool rises = true;
  uint64_t sum = 0;
  for (uint64_t& time : times) {
    rises &= static_cast<int64_t>(sum + time) >= static_cast<int64_t>(sum);
    time = sum += time;
  }
  return rises;
}

}  // namespace

void FtraceReader::read_compact(FtraceEvent event, std::string_view message,
                                const ClockChoice& clock) {
  CompactSched& columns = compact_;
  const auto flaw = [&] {
    sink_.count(Stat::compact_sched_has_parse_errors, event.packet.at, {}, event.packet.machine);
  };
  if (!columns.read(message, sink_)) flaw();
  const CompactRows switches =
      whole_rows({columns.switch_times.size(), columns.prev_states.size(), columns.next_pids.size(),
                  columns.next_prios.size(), columns.next_comms.size()},
                 columns.next_comms, columns.comms.size());
  if (!switches.is_all) flaw();
  if (columns.waking_flags.empty()) columns.waking_flags.resize(columns.waking_times.size());
  const CompactRows wakings = whole_rows(
      {columns.waking_times.size(), columns.waking_pids.size(), columns.target_cpus.size(),
       columns.waking_prios.size(), columns.waking_comms.size(), columns.waking_flags.size()},
      columns.waking_comms, columns.comms.size());
  if (!wakings.is_all) flaw();
  // In the order of time, as they are to be sorted later, with switches before wakings.
  const bool switches_rise = sum_up(columns.switch_times);
  const bool rises = sum_up(columns.waking_times) && switches_rise;
  size_t waking = 0;
  for (size_t i = 0; i < switches.count; ++i) {
    const auto time = static_cast<int64_t>(columns.switch_times[i]);
    for (; rises && waking < wakings.count &&
           static_cast<int64_t>(columns.waking_times[waking]) < time;
         ++waking)
      emit_waking(event, clock, waking);
    emit_switch(event, clock, i);
  }
  for (; waking < wakings.count; ++waking) emit_waking(event, clock, waking);
}

void FtraceReader::emit_switch(const FtraceEvent& at, const ClockChoice& clock, size_t row) {
  const CompactSched& columns = compact_;
  const auto ticks = static_cast<int64_t>(columns.switch_times[row]);
  Event event = make_event(clocks_.time(at.packet.machine, clock, ticks),
                           EventKind::SchedSwitchCompact, at.cpu);
  event.value = static_cast<int64_t>(columns.prev_states[row]);
  event.name = columns.comms[columns.next_comms[row]];
  event.args = static_cast<uint32_t>(columns.next_pids[row]);
  event.extra = static_cast<uint32_t>(columns.next_prios[row]);
  sink_.event(event, at.rank());
}

void FtraceReader::emit_waking(const FtraceEvent& at, const ClockChoice& clock, size_t row) {
  const CompactSched& columns = compact_;
  const auto ticks = static_cast<int64_t>(columns.waking_times[row]);
  Event event = make_event(clocks_.time(at.packet.machine, clock, ticks),
                           EventKind::SchedWakingCompact, at.cpu);
  event.value = CompactWaking{static_cast<int32_t>(columns.waking_pids[row]),
                              static_cast<uint32_t>(columns.waking_flags[row])}
                    .pack();
  event.name = columns.comms[columns.waking_comms[row]];
  event.args = static_cast<uint32_t>(columns.waking_prios[row]);
  event.extra = static_cast<uint32_t>(columns.target_cpus[row]);
  sink_.event(event, at.rank());
}

}  // namespace tracebraid::proto
