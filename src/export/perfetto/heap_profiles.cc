#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "export/perfetto/heaps.h"
#include "export/perfetto/tables.h"
#include "format/proto/recording/own.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

// Allocations and frees of a callsite since the recording began, as in dumps.
struct Totals {
  int64_t allocated = 0, freed = 0, allocations = 0, frees = 0;
};
using Dump = std::map<uint32_t, Totals>;  // by callsite

// Rows are differences to the dump before; negative ones are frees.
void add_rows(const HeapProfileAllocationTable& rows, size_t begin, size_t end, uint32_t dump,
              const HeapProfileTable& dumps, Dump& totals) {
  for (size_t row = begin; row < end; ++row) {
    if (rows.upid[row] != dumps.upid[dump] || rows.heap_name[row] != dumps.heap_name[dump])
      continue;
    Totals& sum = totals[rows.callsite_id[row]];
    const auto add = [](int64_t& to, int64_t value) {
      if (__builtin_add_overflow(to, value, &to)) to = std::numeric_limits<int64_t>::max();
    };
    const bool is_free = rows.count[row] < 0 || (rows.count[row] == 0 && rows.size[row] < 0);
    if (is_free) {
      add(sum.frees, rows.count[row] == std::numeric_limits<int64_t>::min() ? 0 : -rows.count[row]);
      add(sum.freed, rows.size[row] == std::numeric_limits<int64_t>::min() ? 0 : -rows.size[row]);
    } else {
      add(sum.allocations, rows.count[row]);
      add(sum.allocated, rows.size[row]);
    }
  }
}

void write_dump(const Store& store, uint32_t dump, const Dump& totals, Writer writer,
                uint64_t index, int64_t coarse_end, const Descriptors& descriptors, Stacks& stacks,
                PacketFile& file) {
  using Field = field::ProfilePacket_ProcessHeapSamples;
  using Sample = field::ProfilePacket_HeapSample;
  const HeapProfileTable& dumps = store.heap_profiles;
  std::string interned;
  for (const auto& [callsite, sums] : totals) stacks.name(callsite, interned);
  Packet packet(file, writer, dumps.ts_end[dump]);
  packet->add_uint32(field::TracePacket::kSequenceFlags, kNeedsState);
  if (!interned.empty()) packet->add_message(field::TracePacket::kInternedData, interned);
  protozero::pbf_writer profile(packet.get(), field::TracePacket::kProfilePacket);
  profile.add_uint64(field::ProfilePacket::kIndex, index);
  protozero::pbf_writer process(profile, field::ProfilePacket::kProcessDumps);
  const auto number = [](protozero::pbf_writer& to, uint32_t field, int64_t value) {
    if (value != 0) to.add_uint64(field, static_cast<uint64_t>(value));
  };
  const int64_t pid = store.processes.pid[dumps.upid[dump]];
  const int64_t shown_pid = descriptors.shown_pid(dumps.upid[dump]);
  process.add_uint64(Field::kPid, static_cast<uint64_t>(shown_pid));
  process.add_uint64(Field::kTimestamp, static_cast<uint64_t>(coarse_end));
  int64_t start = 0;
  if (!__builtin_sub_overflow(coarse_end, dumps.dur[dump], &start))
    process.add_uint64(Field::kStartTimestamp, static_cast<uint64_t>(start));
  add_text(process, Field::kHeapName, text(store, dumps.heap_name[dump]));
  for (const auto& [callsite, sums] : totals) {
    protozero::pbf_writer sample(process, Field::kSamples);
    sample.add_uint64(Sample::kCallstackId, iid_of(callsite));
    number(sample, Sample::kSelfAllocated, sums.allocated);
    number(sample, Sample::kSelfFreed, sums.freed);
    number(sample, Sample::kAllocCount, sums.allocations);
    number(sample, Sample::kFreeCount, sums.frees);
  }
  protozero::pbf_writer about(process, own::kField);
  const int64_t end = file.time(dumps.ts_end[dump]);
  about.add_int64(own::HeapDump::kEnd, end);
  if (!__builtin_sub_overflow(end, dumps.dur[dump], &start))
    about.add_int64(own::HeapDump::kStart, start);
  if (shown_pid != pid) about.add_int64(own::HeapDump::kPid, pid);
}

}  // namespace

Result<> write_heap_profiles(const Store& store, const Selection& selection,
                             const Machines& machines, const Clocks& clocks,
                             const Descriptors& descriptors, std::vector<Stacks>& stacks,
                             PacketFile& file) {
  const HeapProfileTable& dumps = store.heap_profiles;
  const HeapProfileAllocationTable& rows = store.heap_profile_allocations;
  struct Heap {
    Dump sums;
    std::optional<int64_t> last_end;
  };
  std::map<std::pair<uint32_t, StringId>, Heap> totals;  // of a process
  std::vector<uint64_t> written(store.machines.rows());
  const auto times = rows.ts.values();
  for (uint32_t dump = 0; dump < dumps.rows(); ++dump) {
    const uint32_t upid = dumps.upid[dump], machine = store.processes.machine_id[upid];
    auto& [sums, last_end] = totals[{upid, dumps.heap_name[dump]}];
    const auto [begin, end] = std::ranges::equal_range(times, dumps.ts_end[dump]);
    if (std::exchange(last_end, dumps.ts_end[dump]) != dumps.ts_end[dump])
      add_rows(rows, static_cast<size_t>(begin - times.begin()),
               static_cast<size_t>(end - times.begin()), dump, dumps, sums);
    if (!selection.takes_time(dumps.ts_end[dump], 0) || !selection.takes_machine(machine) ||
        !selection.takes_process({upid}))
      continue;
    write_dump(store, dump, sums, machines.samples(machine), written[machine]++,
               clocks.coarse_time(machine, dumps.ts_end[dump]), descriptors, stacks[machine], file);
    TB_TRY(file.drain());
  }
  return {};
}

}  // namespace tracebraid::perfetto
