// CPUs and clocks: frequencies, idle states, limits (spec proto 5.5, "CPU, clocks, power").
#include <fmt/format.h>

#include "assemble/identity/cpus.h"
#include "assemble/kernel/topics.h"

namespace tracebraid {
namespace {

constexpr TrackKind kFrequency = counter_kind("cpu_frequency", TrackScope::Cpu);
constexpr TrackKind kIdle = counter_kind("cpu_idle", TrackScope::Cpu);
constexpr TrackKind kMaxLimit = counter_kind("cpu_max_frequency_limit", TrackScope::Cpu);
constexpr TrackKind kMinLimit = counter_kind("cpu_min_frequency_limit", TrackScope::Cpu);
constexpr TrackKind kThrottle = counter_kind("cpu_frequency_throttle", TrackScope::Cpu);
constexpr TrackKind kClockFrequency = counter_kind("clock_frequency");
constexpr TrackKind kClockState = counter_kind("clock_state");
constexpr TrackKind kUtilization = counter_kind("cpu_utilization", TrackScope::Cpu);
constexpr TrackKind kCapacity = counter_kind("cpu_capacity", TrackScope::Cpu);
constexpr TrackKind kRunning = counter_kind("cpu_nr_running", TrackScope::Cpu);

void cpu_frequency(KernelEmitter& out, const KernelEvent& e) {
  out.counter(e, out.track(e, kFrequency, e.u32("cpu_id"), {}, "cpufreq"), e.u32("state"));
}

void cpu_idle(KernelEmitter& out, const KernelEvent& e) {
  out.counter(e, out.track(e, kIdle, e.u32("cpu_id"), {}, "cpuidle"), e.u32("state"));
}

void cpu_frequency_limits(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t cpu = e.u32("cpu_id");
  const auto name = [&](std::string_view which) {
    return [=] { return fmt::format("Cpu {} {} Freq Limit", cpu, which); };
  };
  out.counter(e, out.track(e, kMaxLimit, cpu, {}, name("Max")), e.u32("max_freq"));
  out.counter(e, out.track(e, kMinLimit, cpu, {}, name("Min")), e.u32("min_freq"));
}

void dcvsh_freq(KernelEmitter& out, const KernelEvent& e) {
  out.counter(e, out.track(e, kThrottle, e.u32("cpu"), {}, "cpufreq_throttle"),
              static_cast<double>(e.u64("freq")));
}

void clock_set_rate(KernelEmitter& out, const KernelEvent& e) {
  const std::string_view name = e.text("name");
  const uint32_t track = out.track(e, kClockFrequency, kNone, {{"linux_device", name}},
                                   [&] { return fmt::format("{} Frequency", name); });
  out.counter(e, track, static_cast<double>(e.u64("state")));
}

void clock_state(KernelEmitter& out, const KernelEvent& e) {
  const std::string_view name = e.text("name");
  const uint32_t track = out.track(e, kClockState, kNone, {{"linux_device", name}},
                                   [&] { return fmt::format("{} State", name); });
  out.counter(e, track, static_cast<double>(e.u64("state")));
}

void sched_cpu_util_cfs(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t cpu = e.u32("cpu");
  const auto name = [&](std::string_view what) {
    return [=] { return fmt::format("Cpu {} {}", cpu, what); };
  };
  out.counter(e, out.track(e, kUtilization, cpu, {}, name("Util")),
              static_cast<double>(e.u64("cpu_util")));
  out.counter(e, out.track(e, kCapacity, cpu, {}, name("Cap")),
              static_cast<double>(e.u64("capacity")));
  out.counter(e, out.track(e, kRunning, cpu, {}, name("Nr Running")), e.u32("nr_running"));
}

constexpr KernelHandler<NoState> kHandlers[] = {
    {"cpu_frequency", cpu_frequency},
    {"cpu_idle", cpu_idle},
    {"cpu_frequency_limits", cpu_frequency_limits},
    {"dcvsh_freq", dcvsh_freq},
    {"clock_set_rate", clock_set_rate},
    {"clock_enable", clock_state},
    {"clock_disable", clock_state},
    {"sched_cpu_util_cfs", sched_cpu_util_cfs},
};

}  // namespace

std::unique_ptr<KernelTopic> cpu_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
