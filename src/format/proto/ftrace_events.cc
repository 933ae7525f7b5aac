// What ftrace events mean on the timeline (spec proto 5.5).
#include <fmt/format.h>

#include <string>

#include "format/proto/fields.h"
#include "format/proto/ftrace.h"
#include "format/proto/wire.h"

namespace tracebraid::proto {

void FtraceReader::apply(const FtraceEvent& event) {
  using E = field::FtraceEvent;
  switch (event.number) {
    case E::kSchedSwitch:
      return apply_switch(event);
    case E::kSchedWaking:
      return apply_waking(event);
    case E::kSchedBlockedReason:
      return apply_blocked(event);
    case E::kTaskNewtask:
      return apply_new_task(event);
    case E::kTaskRename:
      return apply_rename(event);
    case E::kSchedProcessFree:
      return apply_process_free(event);
    case E::kPrint:
      return apply_print(event);
    case E::kCpuFrequency:
      return apply_frequency(event);
    case E::kCpuFrequencyLimits:
      return apply_frequency_limits(event);
    case E::kCpuIdle:
      return apply_idle(event);
    default:
      return;  // only the raw row
  }
}

void FtraceReader::apply_frequency(const FtraceEvent& event) {
  using Field = field::CpuFrequencyFtraceEvent;
  uint32_t cpu = 0, khz = 0;
  for (Message fields(event.message); fields.next();) {
    if (fields.number() == Field::kCpuId) cpu = fields.u32();
    if (fields.number() == Field::kState) khz = fields.u32();
  }
  emit_counter(
      event.time,
      tracks_.cpu_counter(event.packet.machine, cpu, {.type = "cpu_frequency", .name = "cpufreq"}),
      khz, sink_, event.rank());
}

void FtraceReader::apply_idle(const FtraceEvent& event) {
  using Field = field::CpuIdleFtraceEvent;
  uint32_t cpu = 0, state = 0;
  for (Message fields(event.message); fields.next();) {
    if (fields.number() == Field::kCpuId) cpu = fields.u32();
    if (fields.number() == Field::kState) state = fields.u32();
  }
  emit_counter(
      event.time,
      tracks_.cpu_counter(event.packet.machine, cpu, {.type = "cpu_idle", .name = "cpuidle"}),
      state, sink_, event.rank());
}

void FtraceReader::apply_frequency_limits(const FtraceEvent& event) {
  using Field = field::CpuFrequencyLimitsFtraceEvent;
  uint32_t cpu = 0, lowest = 0, highest = 0;
  for (Message fields(event.message); fields.next();) {
    if (fields.number() == Field::kCpuId) cpu = fields.u32();
    if (fields.number() == Field::kMinFreq) lowest = fields.u32();
    if (fields.number() == Field::kMaxFreq) highest = fields.u32();
  }
  const auto emit = [&](std::string_view type, std::string_view what, uint32_t khz) {
    const std::string name = fmt::format("Cpu {} {} Freq Limit", cpu, what);
    emit_counter(event.time,
                 tracks_.cpu_counter(event.packet.machine, cpu, {.type = type, .name = name}), khz,
                 sink_, event.rank());
  };
  emit("cpu_max_frequency_limit", "Max", highest);
  emit("cpu_min_frequency_limit", "Min", lowest);
}

}  // namespace tracebraid::proto
