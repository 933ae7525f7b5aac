#include "export/perfetto/machines.h"

#include <algorithm>
#include <limits>

#include "export/perfetto/args.h"
#include "export/perfetto/tables.h"

namespace tracebraid::perfetto {

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
    for (const Writer writer : {events(machine), kernel(machine), samples(machine)}) {
      Packet packet(file, writer);
      packet->add_uint32(field::TracePacket::kSequenceFlags, kStateCleared);
    }
    write_system(machine, file);
    write_cpus(machine, file);
  }
}

void Machines::write_system(uint32_t machine, PacketFile& file) const {
  using Field = field::SystemInfo;
  const MachineTable& rows = store_.machines;
  Packet packet(file, events(machine), file.not_before_zero(store_.trace_start));
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
  Packet packet(file, events(machine), file.not_before_zero(store_.trace_start));
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
