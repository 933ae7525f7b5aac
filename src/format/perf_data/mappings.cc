#include "format/perf_data/mappings.h"

#include <string>
#include <vector>

#include "base/hex.h"
#include "format/perf_data/bytes.h"

namespace tracebraid::perf_data {
namespace {

constexpr uint16_t kHasBuildId = 1 << 14;  // of MMAP2
constexpr size_t kMaxMappings = 65'536;    // of one process

}  // namespace

void Mappings::mmap(const Record& record) {
  Bytes bytes(record.body);
  const uint32_t pid = bytes.u32();
  bytes.skip(4);
  const uint64_t start = bytes.u64(), size = bytes.u64();
  Mapping mapping;
  mapping.file_offset = bytes.u64();
  std::string build_id;
  if (record.type == kMmap2) {
    const std::string_view ids = bytes.bytes(24);
    if ((record.misc & kHasBuildId) != 0 && ids.size() == 24)
      build_id = hex_of(ids.substr(4, std::min<size_t>(static_cast<uint8_t>(ids[0]), 20)));
    bytes.skip(8);  // protection, flags
  }
  const std::string_view path = until_nul(bytes.rest());
  if (bytes.bad() || __builtin_add_overflow(start, size, &mapping.end)) mapping.end = ~uint64_t{0};
  if (build_id.empty())
    if (const auto known = header_.build_ids.find(path); known != header_.build_ids.end())
      build_id = known->second;
  mapping.index = sink_.mapping({.name = sink_.string(path),
                                 .build_id = sink_.string(build_id),
                                 .start = static_cast<int64_t>(start),
                                 .end = static_cast<int64_t>(mapping.end),
                                 .exact_offset = static_cast<int64_t>(mapping.file_offset)});
  Space& space = spaces_[pid];
  if (space.size() >= kMaxMappings) return;
  // What lay there before is gone where the new one lies.
  for (auto at = space.lower_bound(start); at != space.end() && at->first < mapping.end;)
    at = space.erase(at);
  if (const auto at = space.lower_bound(start); at != space.begin()) {
    Mapping& before = std::prev(at)->second;
    before.end = std::min(before.end, start);
  }
  space[start] = mapping;
}

void Mappings::fork(uint32_t pid, uint32_t parent) {
  if (pid == parent) return;
  if (const auto at = spaces_.find(parent); at != spaces_.end()) {
    Space copy = at->second;
    spaces_[pid] = std::move(copy);
  }
}

const std::pair<const uint64_t, Mappings::Mapping>* Mappings::find(uint32_t pid,
                                                                   uint64_t address) const {
  const auto space = spaces_.find(pid);
  if (space == spaces_.end()) return nullptr;
  const auto after = space->second.upper_bound(address);
  if (after == space->second.begin()) return nullptr;
  const auto at = std::prev(after);
  return address < at->second.end ? &*at : nullptr;
}

uint32_t Mappings::frame(uint32_t pid, uint64_t address, bool is_kernel) {
  StackFrame frame;
  frame.name = sink_.string("");  // symbols are found later
  if (const auto* const found = find(is_kernel ? kKernel : pid, address)) {
    frame.mapping = found->second.index;
    // Kernel code is named by where it lies, other code by where it lies in its file.
    frame.rel_pc =
        static_cast<int64_t>(address - found->first + (is_kernel ? 0 : found->second.file_offset));
  } else {
    sink_.tally(Stat::perf_dummy_mapping_used);
    frame.mapping = sink_.mapping(
        {.name = sink_.string(is_kernel ? "[kernel]" : "[unknown]"), .build_id = sink_.string("")});
    frame.rel_pc = static_cast<int64_t>(address);
  }
  return sink_.frame(frame);
}

uint32_t Mappings::callsite(const Sample& sample, uint16_t misc) {
  constexpr size_t kMaxFrames = 4096;  // of one callchain
  // Markers in a chain say in which mode the addresses that follow are.
  constexpr uint64_t kFirstMarker = ~uint64_t{0} - 4094;
  constexpr uint64_t kKernelMarker = ~uint64_t{0} - 127;
  constexpr uint16_t kKernelMode = 1;
  bool is_kernel = (misc & kCpuModeMask) == kKernelMode;
  const uint32_t pid = sample.pid.value_or(0);
  std::vector<uint32_t> frames;  // leaf first
  for (Bytes chain(sample.callchain); chain.rest().size() >= 8 && frames.size() < kMaxFrames;) {
    const uint64_t address = chain.u64();
    if (address >= kFirstMarker)
      is_kernel = address == kKernelMarker;
    else
      frames.push_back(frame(pid, address, is_kernel));
  }
  if (frames.empty() && sample.ip != 0 && sample.callchain.empty())
    frames.push_back(frame(pid, sample.ip, is_kernel));
  uint32_t callsite = kNone;
  for (size_t i = frames.size(); i-- > 0;) callsite = sink_.callsite(callsite, frames[i]);
  return callsite;
}

}  // namespace tracebraid::perf_data
