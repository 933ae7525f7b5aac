// GPUs: frequency, memory, power, work (spec proto 5.5, "GPU, display, media").
#include <fmt/format.h>

#include <string>

#include "assemble/kernel/topics.h"
#include "assemble/stats.h"

namespace tracebraid {
namespace {

// Matches all events whose names begin with this.
constexpr std::string_view kMaliMcu = "mali_mali_PM_MCU_*";

constexpr TrackKind kMaliIrq{.type = "cpu_mali_irq", .scope = TrackScope::Cpu};

int64_t ugpu_of(KernelEmitter& out, const KernelEvent& e, uint32_t gpu) { return out.ugpu(e, gpu); }

void add_frequency(KernelEmitter& out, const KernelEvent& e, uint32_t gpu, double khz) {
  const uint32_t track =
      out.track(e, counter_kind("gpu_frequency", TrackScope::Global, "kHz"), kNone,
                {{"ugpu", ugpu_of(out, e, gpu)}, {"gpu", gpu}}, "gpufreq");
  out.counter(e, track, khz);
}

void gpu_frequency(KernelEmitter& out, const KernelEvent& e) {
  add_frequency(out, e, e.u32("gpu_id"), static_cast<double>(e.u64("state")));
}

void kgsl_gpu_frequency(KernelEmitter& out, const KernelEvent& e) {
  add_frequency(out, e, e.u32("gpu_id"), e.u32("gpu_freq") * 1000.0);
}

void gpu_mem_total(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t gpu = e.u32("gpu_id"), pid = e.u32("pid");
  const auto size = static_cast<double>(e.u64("size"));
  const int64_t ugpu = ugpu_of(out, e, gpu);
  if (pid == 0) {
    const uint32_t track = out.track(e, counter_kind("gpu_memory", TrackScope::Global, "bytes"),
                                     kNone, {{"ugpu", ugpu}, {"gpu", gpu}}, "GPU Memory");
    return out.counter(e, track, size);
  }
  const uint32_t utid = out.known_thread(e, pid);
  if (utid == kNone) return;
  // A thread of unknown process is the main thread of a process of its own.
  uint32_t upid = out.process_of_thread(utid);
  if (upid == OptRow::kNull) upid = out.process_of(e, pid);
  const uint32_t track =
      out.track(e, counter_kind("process_gpu_memory", TrackScope::Process, "bytes"), upid,
                {{"ugpu", ugpu}, {"gpu", gpu}}, "GPU Memory");
  out.counter(e, track, size);
}

// The time of the event is the start of the work.
void gpu_work_period(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t gpu = e.u32("gpu_id");
  const int64_t active = e.i64("total_active_duration_ns");
  int64_t dur = 0;
  if (__builtin_sub_overflow(e.i64("end_time_ns"), e.i64("start_time_ns"), &dur) || dur <= 0 ||
      active < 0)
    return out.count(stats::gpu_work_period_negative_duration, e);
  const uint32_t track =
      out.track(e, {.type = "android_gpu_work_period"}, kNone,
                {{"ugpu", ugpu_of(out, e, gpu)}, {"gpu", gpu}, {"uid", e.u32("uid")}}, StringId{});
  const double percent = 100.0 * static_cast<double>(active) / static_cast<double>(dur);
  const SliceExtra extra{.thread_ts = e.ts(), .thread_dur = active};
  out.complete(e, track, out.id(fmt::format("%{:.2f}", percent)), dur, {}, &extra);
}

void gpu_power_state(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t track =
      out.track(e, {.type = "powervr_gpu_power_state"}, kNone, {}, "powervr_gpu_power_state");
  const int32_t state = e.i32("new_state");
  out.end(e, track);
  const std::string_view name = state == 0   ? "OFF"
                                : state == 1 ? "PG"
                                : state == 2 ? "ON"
                                             : "Unknown";
  out.begin(e, track, out.id(name));
}

void mali_gpu_power_state(KernelEmitter& out, const KernelEvent& e) {
  out.counter(e,
              out.track(e, counter_kind("mali_gpu_power_state"), kNone, {}, "mali_gpu_power_state"),
              e.i32("to_state"));
}

uint32_t mali_irq_track(KernelEmitter& out, const KernelEvent& e) {
  return out.track(e, kMaliIrq, e.cpu(), {},
                   [&] { return fmt::format("Mali Irq Cpu {}", e.cpu()); });
}

void mali_interrupt_start(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, mali_irq_track(out, e), out.id("mali_CSF_INTERRUPT"),
            {.args = out.args().uint("info_val", e.u64("info_val")).close()});
}

void mali_interrupt_end(KernelEmitter& out, const KernelEvent& e) {
  out.end(e, mali_irq_track(out, e), out.id("mali_CSF_INTERRUPT"),
          {.args = out.args().uint("info_val", e.u64("info_val")).close()});
}

void mali_mcu_state(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t track = out.track(e, {.type = "mali_mcu_state"}, kNone, {}, StringId{});
  out.end(e, track);
  out.begin(e, track, out.id(out.text(e.event.name).substr(kMaliMcu.size() - 1)));
}

constexpr KernelHandler<NoState> kHandlers[] = {
    {"gpu_frequency", gpu_frequency},
    {"kgsl_gpu_frequency", kgsl_gpu_frequency},
    {"gpu_mem_total", gpu_mem_total},
    {"gpu_work_period", gpu_work_period},
    {"gpu_power_state", gpu_power_state},
    {"mali_gpu_power_state", mali_gpu_power_state},
    {"mali_mali_CSF_INTERRUPT_START", mali_interrupt_start},
    {"mali_mali_CSF_INTERRUPT_END", mali_interrupt_end},
    {kMaliMcu, mali_mcu_state},
};

}  // namespace

std::unique_ptr<KernelTopic> gpu_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
