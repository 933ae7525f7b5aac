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

// Allocations and frees of a callsite.
struct Totals {
  int64_t allocated = 0, freed = 0, allocations = 0, frees = 0;
};
using Dump = std::map<uint32_t, Totals>;  // by callsite

void add(int64_t& to, int64_t value) {
  if (__builtin_add_overflow(to, value, &to)) to = std::numeric_limits<int64_t>::max();
}

// Returns a + b - c by field. Totals only grow, so differences do not overflow.
Totals sum_less(const Totals& a, const Totals& b, const Totals& c) {
  const auto of = [&](int64_t Totals::* field) {
    int64_t sum = a.*field - c.*field;
    add(sum, b.*field);
    return sum;
  };
  return {of(&Totals::allocated), of(&Totals::freed), of(&Totals::allocations), of(&Totals::frees)};
}

// One heap of a process.
struct Heap {
  Dump sums;     // since the recording began
  Dump written;  // the part that dumps in the file have
  Dump bases;    // totals of the callsite in all heaps before its first dump in this heap
  std::optional<int64_t> last_end;
};

// Rows are differences to the dump before; negative ones are frees.
void add_rows(const HeapProfileAllocationTable& rows, size_t begin, size_t end, uint32_t upid,
              StringId heap, Dump& totals) {
  for (size_t row = begin; row < end; ++row) {
    if (rows.upid[row] != upid || rows.heap_name[row] != heap) continue;
    Totals& sum = totals[rows.callsite_id[row]];
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

// Returns the values of the next dump of the heap. Readers keep the totals of a callsite in all
// heaps (`all`), and add to the values of a heap the totals before its first dump.
Dump next_dump(Heap& heap, Dump& all) {
  Dump values;
  for (const auto& [callsite, sums] : heap.sums) {
    Totals& before = all[callsite];
    const Totals& base = heap.bases.try_emplace(callsite, before).first->second;
    before = sum_less(before, sums, heap.written[callsite]);
    values[callsite] = sum_less(before, {}, base);
  }
  heap.written = heap.sums;
  return values;
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
  if (dumps.heap_name[dump])
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
  std::map<std::pair<uint32_t, StringId>, Heap> heaps;  // of a process
  std::map<uint32_t, Dump> totals;                      // of all heaps of a process
  std::vector<uint64_t> written(store.machines.rows());
  const auto times = rows.ts.values();
  const StringId unknown = store.strings.find("unknown");
  for (uint32_t dump = 0; dump < dumps.rows(); ++dump) {
    const uint32_t upid = dumps.upid[dump], machine = store.processes.machine_id[upid];
    const StringId name = dumps.heap_name[dump] ? dumps.heap_name[dump] : unknown;
    Heap& heap = heaps[{upid, name}];
    const auto [begin, end] = std::ranges::equal_range(times, dumps.ts_end[dump]);
    if (std::exchange(heap.last_end, dumps.ts_end[dump]) != dumps.ts_end[dump])
      add_rows(rows, static_cast<size_t>(begin - times.begin()),
               static_cast<size_t>(end - times.begin()), upid, name, heap.sums);
    if (!selection.takes_time(dumps.ts_end[dump], 0) || !selection.takes_machine(machine) ||
        !selection.takes_process({upid}))
      continue;
    write_dump(store, dump, next_dump(heap, totals[upid]), machines.samples(machine),
               written[machine]++, clocks.coarse_time(machine, dumps.ts_end[dump]), descriptors,
               stacks[machine], file);
    TB_TRY(file.drain());
  }
  return {};
}

}  // namespace tracebraid::perfetto
