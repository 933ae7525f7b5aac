#include "format/proto/system/sys_stats.h"

#include <fmt/format.h>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/system/stats.h"

namespace tracebraid::proto {
namespace {

using Field = field::SysStats;

constexpr double kKib = 1024;
constexpr double kSectorsPerMb = 2048;
constexpr uint32_t kMaxCpus = 4096;

struct Named {
  uint32_t value;
  std::string_view name;
};
constexpr Named kMeminfo[] = {
#define TB_MEMINFO(value, name) {value, name},
#define TB_VMSTAT(value, name)
#include "format/proto/generated/sys_stats_names.inc"
#undef TB_MEMINFO
#undef TB_VMSTAT
};
constexpr Named kVmstat[] = {
#define TB_MEMINFO(value, name)
#define TB_VMSTAT(value, name) {value, name},
#include "format/proto/generated/sys_stats_names.inc"
#undef TB_MEMINFO
#undef TB_VMSTAT
};
constexpr Named kPsi[] = {{field::SysStats_PsiSample_PsiResource::kCpuSome, "cpu.some"},
                          {field::SysStats_PsiSample_PsiResource::kCpuFull, "cpu.full"},
                          {field::SysStats_PsiSample_PsiResource::kIoSome, "io.some"},
                          {field::SysStats_PsiSample_PsiResource::kIoFull, "io.full"},
                          {field::SysStats_PsiSample_PsiResource::kMemorySome, "mem.some"},
                          {field::SysStats_PsiSample_PsiResource::kMemoryFull, "mem.full"}};

std::string_view name_of(std::span<const Named> names, uint64_t value) {
  for (const Named& each : names)
    if (each.value == value) return each.name;
  return {};
}

// The two fields of many of the messages.
struct Pair {
  uint64_t key = 0, value = 0;
  std::string_view key_text;
};
Pair read_pair(Message fields) {
  Pair pair;
  while (fields.next()) {
    if (fields.number() == 1) {
      pair.key = fields.u64();
      pair.key_text = fields.bytes();
    }
    if (fields.number() == 2) pair.value = fields.u64();
  }
  return pair;
}

class StatsPacket {
 public:
  StatsPacket(const PacketInfo& packet, std::string_view message, SysStatsState& state,
              SystemTracks& tracks, EventSink& sink)
      : packet_(packet), message_(message), state_(state), tracks_(tracks), sink_(sink) {}

  // Reads fields in the order of rows, not in the order of the message.
  void read() {
    each(Field::kMeminfo, [&](const Message& m) { add_meminfo(read_pair(m.message())); });
    each(Field::kDevfreq, [&](const Message& m) { add_devfreq(read_pair(m.message())); });
    add_frequencies();
    each(Field::kVmstat, [&](const Message& m) { add_vmstat(read_pair(m.message())); });
    each(Field::kCpuStat, [&](const Message& m) { add_cpu_times(m.message()); });
    each(Field::kNumIrq, [&](const Message& m) { add_interrupt("num_irq", m.message()); });
    each(Field::kNumSoftirq, [&](const Message& m) { add_interrupt("num_softirq", m.message()); });
    each(Field::kNumForks, [&](const Message& m) { add_total("num_forks", m); });
    each(Field::kNumIrqTotal, [&](const Message& m) { add_total("num_irq_total", m); });
    each(Field::kNumSoftirqTotal, [&](const Message& m) { add_total("num_softirq_total", m); });
    each(Field::kBuddyInfo, [&](const Message& m) { add_buddy(m.message()); });
    each(Field::kDiskStat, [&](const Message& m) { add_disk(m.message()); });
    each(Field::kPsi, [&](const Message& m) { add_psi(read_pair(m.message())); });
    each(Field::kThermalZone, [&](const Message& m) { add_thermal(m.message()); });
    each(Field::kCpuidleState, [&](const Message& m) { add_idle(m.message()); });
    add_gpu_frequencies();
    each(Field::kSlabInfo, [&](const Message& m) { add_slab(m.message()); });
  }

 private:
  template <class Use>
  void each(uint32_t number, Use use) {
    for (Message fields(message_); fields.next();)
      if (fields.number() == number) use(fields);
  }
  void emit(uint32_t track, double value, uint32_t args = kNone) {
    emit_counter(packet_.time, track, value, sink_, 0, args);
  }
  void emit_global(const CounterKind& kind, double value, Dimensions dimensions = {},
                   uint32_t args = kNone) {
    emit(tracks_.global_counter(packet_.machine, kind, dimensions), value, args);
  }
  void emit_cpu(uint32_t cpu, const CounterKind& kind, double value, Dimensions dimensions = {}) {
    emit(tracks_.cpu_counter(packet_.machine, cpu, kind, dimensions), value);
  }
  void count(StatId stat) { sink_.count(stat, packet_.at, {}, packet_.machine); }

  void add_meminfo(const Pair& pair) {
    const std::string_view name = name_of(kMeminfo, pair.key);
    if (name.empty()) return count(stats::meminfo_unknown_keys);
    emit_global({.type = "meminfo", .name = name, .unit = "bytes"},
                static_cast<double>(pair.value) * kKib, {{"meminfo_key", name}});
  }

  void add_vmstat(const Pair& pair) {
    const std::string_view name = name_of(kVmstat, pair.key);
    if (name.empty()) return count(stats::vmstat_unknown_keys);
    emit_global({.type = "vmstat", .name = name}, static_cast<double>(pair.value),
                {{"vmstat_key", name}});
  }

  void add_devfreq(const Pair& pair) {
    emit_global({.type = "clock_frequency", .name = fmt::format("{} Frequency", pair.key_text)},
                static_cast<double>(pair.value), {{"linux_device", pair.key_text}});
  }

  void add_frequencies() {
    uint32_t cpu = 0;
    each(Field::kCpufreqKhz, [&](const Message& field) {
      for_each_varint(field, [&](uint64_t khz) {
        if (cpu < kMaxCpus)
          emit_cpu(cpu, {.type = "cpu_frequency", .name = "cpufreq"}, static_cast<uint32_t>(khz));
        ++cpu;
      });
    });
  }

  // Emits frequencies as events of GPU 0, as the kernel does.
  void add_gpu_frequencies() {
    each(Field::kGpufreqMhz, [&](const Message& field) {
      for_each_varint(field, [&](uint64_t value) {
        emit_gpu_frequency(packet_.time, 0, static_cast<int64_t>(value), sink_);
      });
    });
  }

  void add_cpu_times(Message fields) {
    using Times = field::SysStats_CpuTimes;
    constexpr std::array<std::string_view, Times::kStealNs + 1> kKeys{
        "",        "",           "user_ns", "user_nice_ns", "system_mode_ns",
        "idle_ns", "io_wait_ns", "irq_ns",  "softirq_ns",   "steal_ns"};
    std::array<uint64_t, kKeys.size()> values{};
    bool has_cpu = false;
    while (fields.next()) {
      has_cpu |= fields.number() == Times::kCpuId;
      if (fields.number() < values.size()) values[fields.number()] = fields.u64();
    }
    const uint64_t cpu = values[Times::kCpuId];
    if (!has_cpu || cpu >= kMaxCpus) return count(stats::invalid_cpu_times);
    for (size_t i = Times::kUserNs; i < kKeys.size(); ++i)
      emit_cpu(static_cast<uint32_t>(cpu),
               {.type = "cpustat", .name = fmt::format("cpu.times.{}", kKeys[i])},
               static_cast<double>(values[i]), {{"cpustat_key", kKeys[i]}});
  }

  void add_interrupt(std::string_view type, const Message& message) {
    const Pair pair = read_pair(message);
    const auto irq = static_cast<int32_t>(pair.key);
    emit_global({.type = type, .name = fmt::format("{} (id: {})", type, irq)},
                static_cast<double>(pair.value), {{"irq", irq}});
  }

  void add_total(std::string_view type, const Message& field) {
    emit_global({.type = type, .name = type}, static_cast<double>(field.u64()));
  }

  void add_psi(const Pair& pair) {
    const std::string_view resource = name_of(kPsi, pair.key);
    if (resource.empty()) return count(stats::psi_unknown_resource);
    emit_global({.type = "psi", .name = fmt::format("psi.{}", resource)},
                static_cast<double>(pair.value), {{"psi_resource", resource}});
  }

  void add_thermal(Message fields) {
    using Zone = field::SysStats_ThermalZone;
    std::string_view type;
    uint64_t temp = 0;
    while (fields.next()) {
      if (fields.number() == Zone::kType) type = fields.bytes();
      if (fields.number() == Zone::kTemp) temp = fields.u64();
    }
    emit_global({.type = "thermal_temperature_sys", .name = type, .unit = "C"},
                static_cast<double>(temp), {{"thermal_zone", type}});
  }

  void add_idle(const Message& message) {
    using State = field::SysStats_CpuIdleState;
    uint32_t cpu = 0;
    for (Message fields = message; fields.next();)
      if (fields.number() == State::kCpuId) cpu = fields.u32();
    if (cpu >= kMaxCpus) return;
    for (Message fields = message; fields.next();) {
      if (fields.number() != State::kCpuidleStateEntry) continue;
      const Pair pair = read_pair(fields.message());
      emit_cpu(cpu,
               {.type = "cpu_idle_state",
                .name = fmt::format("cpuidle{}.{}", cpu, pair.key_text),
                .unit = "us"},
               static_cast<double>(pair.value), {{"state", pair.key_text}});
    }
  }

  void add_slab(Message fields) {
    using Slab = field::SysStats_SlabInfo;
    std::string_view name;
    uint32_t pages = 0, slabs = 0;
    while (fields.next()) {
      if (fields.number() == Slab::kName) name = fields.bytes();
      if (fields.number() == Slab::kPagesPerSlab) pages = fields.u32();
      if (fields.number() == Slab::kNumSlabs) slabs = fields.u32();
    }
    sink_.open_args();
    add_int("pages_per_slab", pages, sink_, ArgType::Uint);
    add_int("num_slabs", slabs, sink_, ArgType::Uint);
    const uint32_t args = sink_.close_args();
    const double bytes = static_cast<double>(pages) * static_cast<double>(slabs) *
                         static_cast<double>(state_.page_size);
    emit_global({.type = "slabinfo", .name = fmt::format("mem.slab.{}", name), .unit = "bytes"},
                bytes, {{"slab_name", name}}, args);
  }

  // Emits free chunks; each entry is twice as large as the one before.
  void add_buddy(const Message& message) {
    using Buddy = field::SysStats_BuddyInfo;
    constexpr uint32_t kMaxOrders = 32;
    std::string_view node, zone;
    for (Message fields = message; fields.next();) {
      if (fields.number() == Buddy::kNode) node = fields.bytes();
      if (fields.number() == Buddy::kZone) zone = fields.bytes();
    }
    uint32_t order = 0;
    for (Message fields = message; fields.next();) {
      if (fields.number() != Buddy::kOrderPages) continue;
      for_each_varint(fields, [&](uint64_t chunks) {
        if (order >= kMaxOrders) return;
        const auto kib = static_cast<int64_t>((uint64_t{1} << order++) * state_.page_size / 1024);
        emit_global(
            {.type = "buddyinfo",
             .name = fmt::format("mem.buddyinfo[{}][{}][{} kB]", node, zone, kib)},
            static_cast<uint32_t>(chunks),
            {{"buddyinfo_node", node}, {"buddyinfo_zone", zone}, {"buddyinfo_chunk_size_kb", kib}});
      });
    }
  }

  // Emits differences to the packet before, because disks have running totals.
  void add_disk(Message fields) {
    using Disk = field::SysStats_DiskStat;
    std::string device;
    std::array<uint64_t, 10> now{};
    static_assert(Disk::kFlushTimeMs < now.size());
    while (fields.next()) {
      if (fields.number() == Disk::kDeviceName) device = fields.bytes();
      if (fields.number() > Disk::kDeviceName && fields.number() < now.size())
        now[fields.number()] = fields.u64();
    }
    const auto [known, is_new] = state_.disks.try_emplace(device, now);
    if (is_new) return;
    const auto passed = [&](uint32_t number) {
      return static_cast<double>(now[number]) - static_cast<double>(known->second[number]);
    };
    const auto emit_one = [&](std::string_view name, std::string_view unit, double value) {
      emit_global(
          {.type = "diskstat", .name = fmt::format("diskstat.[{}].{}", device, name), .unit = unit},
          value, {{"device_name", device}, {"counter_name", name}});
    };
    const auto emit_two = [&](std::string_view what, uint32_t sectors, uint32_t time) {
      const double amount = passed(sectors) / kSectorsPerMb;
      const double ms = passed(time);
      emit_one(fmt::format("{}_amount", what), "MB", amount);
      emit_one(fmt::format("{}_throughput", what), "MB/s", ms == 0 ? 0 : amount * 1000 / ms);
    };
    emit_two("read", Disk::kReadSectors, Disk::kReadTimeMs);
    emit_two("write", Disk::kWriteSectors, Disk::kWriteTimeMs);
    emit_two("discard", Disk::kDiscardSectors, Disk::kDiscardTimeMs);
    emit_one("flush_amount", "count", passed(Disk::kFlushCount));
    emit_one("flush_time", "ms", passed(Disk::kFlushTimeMs));
    known->second = now;
  }

  const PacketInfo& packet_;
  std::string_view message_;
  SysStatsState& state_;
  SystemTracks& tracks_;
  EventSink& sink_;
};

}  // namespace

void emit_gpu_frequency(const EventTime& time, uint32_t gpu, int64_t khz, EventSink& sink) {
  const StringId name = sink.string("gpu_frequency");
  sink.open_args();
  add_int("gpu_id", gpu, sink);
  add_int("state", khz, sink);
  sink.event(
      make_kernel_event(time, EventKind::FtraceMeaning, {.name = name, .args = sink.close_args()}));
}

void read_sys_stats(const PacketInfo& packet, std::string_view message, SysStatsState& state,
                    SystemTracks& tracks, EventSink& sink) {
  StatsPacket(packet, message, state, tracks, sink).read();
}

void note_page_size(std::string_view message, SysStatsState& state) {
  for (Message fields(message); fields.next();)
    if (fields.number() == field::SystemInfo::kPageSize && fields.u32() != 0)
      state.page_size = fields.u32();
}

}  // namespace tracebraid::proto
