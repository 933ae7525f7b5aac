// Suspending, devices, wake locks, temperatures (spec proto 5.5, "CPU, clocks, power").
#include <fmt/format.h>

#include <array>
#include <vector>

#include "assemble/kernel/by_machine.h"
#include "assemble/kernel/topics.h"
#include "assemble/stats.h"
#include "kernel/values.h"

namespace tracebraid {
namespace {

struct SuspendState {
  StringId enter;  // cookie of suspend_enter while it is open
  bool is_freezing = false;
};

struct PowerState {
  std::vector<SuspendState> suspends;  // by machine
  Remembered<uint32_t> wakelocks;      // open slices, by name
};

constexpr TrackKind kSuspend{.type = "suspend_resume", .lanes = Lanes::ByCookie};
constexpr TrackKind kSuspendMinimal{.type = "suspend_resume_minimal"};
constexpr TrackKind kWakelock{.type = "wakesource_wakelock"};
// A kind with the type of a counter track, but with slices.
constexpr TrackKind kRuntimePower = counter_kind("linux_rpm");
constexpr TrackKind kHotplug{.type = "cpu_hotplug", .scope = TrackScope::Cpu};
constexpr TrackKind kDeviceFrequency = counter_kind("linux_device_frequency");

uint32_t suspend_track(KernelEmitter& out, const KernelEvent& e) {
  return out.track(e, kSuspend, kNone, {}, "Suspend/Resume Latency");
}

// The name of a slice is the cookie of its lane.
void end_suspend(KernelEmitter& out, const KernelEvent& e, StringId name) {
  out.end(e, suspend_track(out, e), {}, {.cookie = name.row});
}

void suspend_resume(KernelEmitter& out, PowerState& state, const KernelEvent& e) {
  const std::string_view action = e.text("action");
  const int32_t val = action == "timekeeping_freeze" ? 0 : e.i32("val");
  const StringId name = out.id(fmt::format("{}({})", action, val));
  SuspendState& suspend = of_machine(state.suspends, e.machine);
  if (!e.flag("start")) {
    end_suspend(out, e, name);
    if (action == "suspend_enter") suspend = {};
    if (action == "thaw_processes" && suspend.is_freezing) {
      end_suspend(out, e, suspend.enter);
      suspend = {};
    }
    return;
  }
  const ArgSource args = out.args()
                             .uint("utid", e.utid)
                             .text("event_type", "Main Kernel Suspend Event")
                             .uint("cpu", e.cpu())
                             .text("device_name", StringId{})
                             .text("driver_name", StringId{})
                             .text("callback_phase", StringId{})
                             .close();
  out.begin(e, suspend_track(out, e), name, {.args = args, .cookie = name.row});
  if (action == "suspend_enter") suspend = {name, false};
  if (action == "freeze_processes" && suspend.enter) suspend.is_freezing = true;
}

void suspend_resume_minimal(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t track = out.track(e, kSuspendMinimal, kNone, {}, "Suspend/Resume Minimal");
  if (e.flag("start"))
    out.begin(e, track, out.id("Suspended"));
  else
    out.end(e, track);
}

StringId callback_name(KernelEmitter& out, const KernelEvent& e) {
  return out.id(fmt::format("{} {}", e.text("device"), e.text("driver")));
}

void device_pm_callback_start(KernelEmitter& out, const KernelEvent& e) {
  const StringId name = callback_name(out, e);
  const ArgSource args =
      out.args()
          .uint("utid", e.utid)
          .text("event_type", "Device PM Suspend Event")
          .uint("cpu", e.cpu())
          .text("device_name", e.text("device"))
          .text("driver_name", e.text("driver"))
          .text("callback_phase", pm_callback_phase(e.i32("event"), e.text("pm_ops")))
          .close();
  out.begin(e, suspend_track(out, e), name, {.args = args, .cookie = name.row});
}

void device_pm_callback_end(KernelEmitter& out, const KernelEvent& e) {
  end_suspend(out, e, callback_name(out, e));
}

struct Wakelock {
  uint32_t track;
  StringId shown;
  uint32_t& held;
};

Wakelock wakelock(KernelEmitter& out, PowerState& state, const KernelEvent& e) {
  constexpr size_t kMaxShown = 31;
  const std::string_view name = e.text("name");
  const std::string shown = fmt::format("Wakelock({})", name).substr(0, kMaxShown);
  const uint32_t track = out.track(e, kWakelock, kNone, {{"wakelock_event", name}}, shown);
  return {track, out.id(shown), state.wakelocks[{e.machine, out.id(name).row}]};
}

void wakeup_source_activate(KernelEmitter& out, PowerState& state, const KernelEvent& e) {
  const Wakelock lock = wakelock(out, state, e);
  if (lock.held++ == 0) out.begin(e, lock.track, lock.shown);
}

void wakeup_source_deactivate(KernelEmitter& out, PowerState& state, const KernelEvent& e) {
  const Wakelock lock = wakelock(out, state, e);
  if (lock.held > 0 && --lock.held == 0) out.end(e, lock.track);
}

void rpm_status(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t track =
      out.track(e, kRuntimePower, kNone, {{"linux_device", e.text("name")}}, StringId{});
  out.end(e, track);
  switch (e.i32("status")) {
    case -1:
      out.begin(e, track, out.id("Invalid State"));
      break;
    case 0:
      out.begin(e, track, out.id("Active"));
      break;
    case 1:
      out.begin(e, track, out.id("Resuming"));
      break;
    case 3:
      out.begin(e, track, out.id("Suspending"));
      break;
    default:  // suspended
      break;
  }
}

// Uses the first spelling of the name, with a prefix for its kind.
void devfreq_frequency(KernelEmitter& out, const KernelEvent& e) {
  const std::string_view device = e.text("dev_name");
  const uint32_t track =
      out.track(e, kDeviceFrequency, kNone, {{"linux_device", device}}, [&]() -> std::string {
        const size_t at = device.find("devfreq_");
        if (at != std::string_view::npos) return std::string(device.substr(at));
        return fmt::format("devfreq_{}", device);
      });
  out.counter(e, track, static_cast<double>(e.u64("freq")));
}

void cpuhp_enter(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t cpu = e.u32("cpu");
  const uint32_t track =
      out.track(e, kHotplug, cpu, {}, [=] { return fmt::format("CPU Hotplug {}", cpu); });
  const ArgSource args =
      out.args().uint("action_cpu", e.cpu()).integer("cpuhp_idx", e.i32("idx")).close();
  out.begin(e, track, out.id(fmt::format("cpuhp({})", e.i32("idx"))),
            {.category = out.id("cpu"), .args = args});
}

void cpuhp_exit(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t cpu = e.u32("cpu");
  out.end(e, out.track(e, kHotplug, cpu, {}, [=] { return fmt::format("CPU Hotplug {}", cpu); }));
}

void thermal_temperature(KernelEmitter& out, const KernelEvent& e) {
  const std::string_view zone = e.text("thermal_zone");
  const uint32_t track =
      out.track(e, counter_kind("thermal_temperature"), kNone, {{"thermal_zone", zone}},
                [&] { return fmt::format("{} Temperature", zone); });
  out.counter(e, track, e.i32("temp"));
}

void cdev_update(KernelEmitter& out, const KernelEvent& e) {
  const std::string_view type = e.text("type");
  const uint32_t track =
      out.track(e, counter_kind("cooling_device_counter"), kNone, {{"linux_device", type}},
                [&] { return fmt::format("{} Cooling Device", type); });
  out.counter(e, track, static_cast<double>(e.u64("target")));
}

void thermal_exynos(KernelEmitter& out, const KernelEvent& e) {
  constexpr std::array<std::string_view, 7> kZones{"BIG", "MID", "LITTLE", "GPU",
                                                   "ISP", "TPU", "AUR"};
  const uint32_t number = e.u32("tz_id");
  if (number >= kZones.size()) return out.count(stats::ftrace_thermal_exynos_acpm_unknown_tz_id, e);
  const std::string_view zone = kZones[number];
  const ArgSource id = out.args().integer("thermal_zone_id", number).close();
  out.counter(
      e,
      out.track(e, counter_kind("acpm_thermal_temperature"), kNone, {{"thermal_zone", zone}},
                [&] { return fmt::format("{} Temperature", zone); }),
      e.u32("current_temp"), id);
  out.counter(
      e,
      out.track(e, counter_kind("acpm_cooling_device_counter"), kNone, {{"thermal_zone", zone}},
                [&] { return fmt::format("Tj-{} Cooling Device", zone); }),
      e.u32("cdev_state"), id);
}

void bcl_irq_trigger(KernelEmitter& out, const KernelEvent& e) {
  const bool throttles = e.i32("throttle") != 0;
  const auto add = [&](std::string_view key, int32_t value) {
    out.counter(e, out.track(e, counter_kind("bcl_irq"), kNone, {{"bcl_key", key}}, key), value);
  };
  const auto limit = [&](FieldKey field) { return throttles ? e.i32(field) : 0; };
  add("bcl_irq_id", throttles ? e.i32("id") : -1);
  add("bcl_irq_throttle", e.i32("throttle"));
  add("bcl_irq_cpu0", limit("cpu0_limit"));
  add("bcl_irq_cpu1", limit("cpu1_limit"));
  add("bcl_irq_cpu2", limit("cpu2_limit"));
  add("bcl_irq_tpu", limit("tpu_limit"));
  add("bcl_irq_gpu", limit("gpu_limit"));
  add("bcl_irq_voltage", e.i32("voltage"));
  add("bcl_irq_capacity", e.i32("capacity"));
}

constexpr KernelHandler<PowerState> kHandlers[] = {
    {"suspend_resume", suspend_resume},
    {"suspend_resume_minimal", suspend_resume_minimal},
    {"device_pm_callback_start", device_pm_callback_start},
    {"device_pm_callback_end", device_pm_callback_end},
    {"wakeup_source_activate", wakeup_source_activate},
    {"wakeup_source_deactivate", wakeup_source_deactivate},
    {"rpm_status", rpm_status},
    {"devfreq_frequency", devfreq_frequency},
    {"cpuhp_enter", cpuhp_enter},
    {"cpuhp_multi_enter", cpuhp_enter},
    {"cpuhp_exit", cpuhp_exit},
    {"thermal_temperature", thermal_temperature},
    {"cdev_update", cdev_update},
    {"thermal_exynos_acpm_bulk", thermal_exynos},
    {"thermal_exynos_acpm_high_overhead", thermal_exynos},
    {"bcl_irq_trigger", bcl_irq_trigger},
};

}  // namespace

std::unique_ptr<KernelTopic> power_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
