#include "export/perfetto/machines.h"

#include <algorithm>
#include <limits>

#include "base/clock_domain.h"
#include "export/perfetto/args.h"
#include "export/perfetto/tables.h"

namespace tracebraid::perfetto {
namespace {

constexpr uint32_t kBoottime = field::BuiltinClock::kBoottime;

void add_clock(protozero::pbf_writer& snapshot, uint32_t id, int64_t ns) {
  using Field = field::ClockSnapshot_Clock;
  protozero::pbf_writer clock(snapshot, field::ClockSnapshot::kClocks);
  clock.add_uint32(Field::kClockId, id);
  clock.add_uint64(Field::kTimestamp, static_cast<uint64_t>(ns));
}

// Returns whether the clock has the same meaning in other files: clocks of a sequence or of a file
// do not.
bool is_kept(int64_t domain) {
  return domain > 0 && (domain < domain::kFirstOfSequence || domain > domain::kLastOfSequence) &&
         domain != field::BuiltinClock::kTraceFile &&
         domain <= std::numeric_limits<uint32_t>::max();
}

}  // namespace

Machines::Machines(const Store& store) : store_(store), ids_(store.machines.rows()) {
  // Keeps an id if it is valid in packets and unique.
  std::vector<uint32_t> used{0};
  const auto is_free = [&](uint32_t id) { return std::ranges::count(used, id) == 0; };
  for (uint32_t row = 0; row < ids_.size(); ++row) {
    if (row == store.timeline_machine) continue;
    const int64_t raw = store.machines.raw_id[row];
    const bool fits = raw > 0 && raw <= std::numeric_limits<uint32_t>::max();
    uint32_t id = fits ? static_cast<uint32_t>(raw) : 0;
    for (uint32_t next = row + 1; id == 0 || !is_free(id); ++next) id = next;
    used.push_back(id);
    ids_[row] = id;
  }
  has_clocks_ = store.clock_snapshots.rows() != 0 || ids_.size() > 1;
}

std::vector<uint32_t> Machines::in_order() const {
  std::vector<uint32_t> rows;
  if (!ids_.empty()) rows.push_back(store_.timeline_machine);
  for (uint32_t row = 0; row < ids_.size(); ++row)
    if (row != store_.timeline_machine) rows.push_back(row);
  return rows;
}

void Machines::write(const Selection& selection, PacketFile& file) const {
  for (const uint32_t machine : in_order()) {
    if (machine != store_.timeline_machine && !selection.takes_machine(machine)) continue;
    if (has_clocks_) write_clocks(machine, file);
    if (machine != store_.timeline_machine) write_sync(machine, file);
    for (const Writer writer : {events(machine), kernel(machine), samples(machine)}) {
      Packet packet(file, writer);
      packet->add_uint32(field::TracePacket::kSequenceFlags, kStateCleared);
    }
    write_system(machine, file);
    write_cpus(machine, file);
  }
}

void Machines::write_clocks(uint32_t machine, PacketFile& file) const {
  const ClockSnapshotTable& rows = store_.clock_snapshots;
  bool is_first = true;
  const auto write_one = [&](int64_t ts, size_t begin, size_t end) {
    Packet packet(file, events(machine));
    protozero::pbf_writer snapshot(packet.get(), field::TracePacket::kClockSnapshot);
    add_clock(snapshot, kBoottime, file.time(ts));
    for (size_t row = begin; row < end; ++row)
      if (rows.machine_id[row].row == machine && is_kept(rows.clock_id[row]) &&
          rows.clock_id[row] != kBoottime)
        add_clock(snapshot, static_cast<uint32_t>(rows.clock_id[row]), rows.clock_value[row]);
    if (is_first && machine == store_.timeline_machine)
      snapshot.add_enum(field::ClockSnapshot::kPrimaryTraceClock, kBoottime);
    is_first = false;
  };
  for (size_t begin = 0, end = 0; begin < rows.rows(); begin = end) {
    int64_t ts = 0;
    bool has_row = false;
    for (end = begin; end < rows.rows() && rows.snapshot_id[end] == rows.snapshot_id[begin];
         ++end) {
      if (rows.machine_id[end].row != machine || !is_kept(rows.clock_id[end])) continue;
      if (!has_row || rows.clock_id[end] == kBoottime) ts = rows.ts[end];
      has_row = true;
    }
    if (has_row) write_one(ts, begin, end);
  }
  if (is_first) write_one(store_.trace_start, 0, 0);
}

// Writes two equal readings on both sides, which give the offset 0.
void Machines::write_sync(uint32_t machine, PacketFile& file) const {
  const int64_t moment = std::max<int64_t>(store_.trace_start, 1);
  Packet packet(file, events(machine));
  protozero::pbf_writer sync(packet.get(), field::TracePacket::kRemoteClockSync);
  for (int i = 0; i < 2; ++i) {
    protozero::pbf_writer synced(sync, field::RemoteClockSync::kSyncedClocks);
    for (const auto side : {field::RemoteClockSync_SyncedClocks::kClientClocks,
                            field::RemoteClockSync_SyncedClocks::kHostClocks}) {
      protozero::pbf_writer clocks(synced, side);
      add_clock(clocks, kBoottime, moment);
    }
  }
}

void Machines::write_system(uint32_t machine, PacketFile& file) const {
  using Field = field::SystemInfo;
  const MachineTable& rows = store_.machines;
  Packet packet(file, events(machine), store_.trace_start);
  protozero::pbf_writer info(packet.get(), field::TracePacket::kSystemInfo);
  const auto add = [&](protozero::pbf_writer& to, uint32_t number, StringId id) {
    if (id) add_text(to, number, text(store_, id));
  };
  const auto add_number = [&](uint32_t number, OptInt value) {
    if (value.value != OptInt::kNull) info.add_int64(number, value.value);
  };
  {
    protozero::pbf_writer uts(info, Field::kUtsname);
    add(uts, field::Utsname::kSysname, rows.sysname[machine]);
    add(uts, field::Utsname::kVersion, rows.version[machine]);
    add(uts, field::Utsname::kRelease, rows.release[machine]);
    add(uts, field::Utsname::kMachine, rows.arch[machine]);
  }
  add(info, Field::kAndroidBuildFingerprint, rows.android_build_fingerprint[machine]);
  add_number(Field::kAndroidSdkVersion, rows.android_sdk_version[machine]);
  add_number(Field::kNumCpus, rows.num_cpus[machine]);
  add(info, Field::kAndroidDeviceManufacturer, rows.android_device_manufacturer[machine]);
  add_number(Field::kSystemRamBytes, rows.system_ram_bytes[machine]);
  add(info, Field::kMachineName, rows.name[machine]);
}

void Machines::write_cpus(uint32_t machine, PacketFile& file) const {
  using Field = field::CpuInfo_Cpu;
  const CpuTable& rows = store_.cpus;
  const uint32_t first = machine * kCpusOfMachine;
  uint32_t end = first;
  for (uint32_t row = first; row < std::min<size_t>(rows.rows(), first + kCpusOfMachine); ++row)
    if (rows.processor[row] || rows.capacity[row].value != OptInt::kNull) end = row + 1;
  if (end == first) return;
  Packet packet(file, events(machine), store_.trace_start);
  protozero::pbf_writer info(packet.get(), field::TracePacket::kCpuInfo);
  for (uint32_t row = first; row < end; ++row) {
    protozero::pbf_writer cpu(info, field::CpuInfo::kCpus);
    add_text(cpu, Field::kProcessor, text(store_, rows.processor[row]));
    for (size_t i = 0; i < store_.cpu_freqs.rows(); ++i)
      if (store_.cpu_freqs.ucpu[i] == row)
        cpu.add_uint32(Field::kFrequencies, static_cast<uint32_t>(store_.cpu_freqs.freq[i]));
    if (rows.capacity[row].value != OptInt::kNull)
      cpu.add_uint32(Field::kCapacity, static_cast<uint32_t>(rows.capacity[row].value));
  }
}

}  // namespace tracebraid::perfetto
