#include "format/perf/mappings.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/hex.h"
#include "format/perf/bytes.h"
#include "format/perf/stats.h"

namespace tracebraid::perf {
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
  Space& of = spaces_[pid];
  of.version = ++last_version_;
  auto& space = of.mappings;
  if (space.size() >= kMaxMappings) return;
  // A new mapping replaces earlier mappings in its range.
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
    copy.version = ++last_version_;
    spaces_[pid] = std::move(copy);
  }
}

const Mappings::Space& Mappings::space_of(uint32_t pid) const {
  static const Space kEmpty;
  const auto at = spaces_.find(pid);
  return at == spaces_.end() ? kEmpty : at->second;
}

Mappings::Frame Mappings::find_frame(const Space& space, uint64_t address, bool is_kernel) {
  StackFrame frame;
  frame.name = sink_.string("");  // symbols are found later
  const auto after = space.mappings.upper_bound(address);
  const bool is_known = after != space.mappings.begin() && address < std::prev(after)->second.end;
  if (is_known) {
    const auto& [start, mapping] = *std::prev(after);
    frame.mapping = mapping.index;
    // Frames of the kernel have addresses in memory, others offsets in their file.
    frame.rel_pc = static_cast<int64_t>(address - start + (is_kernel ? 0 : mapping.file_offset));
  } else {
    frame.mapping = sink_.mapping(
        {.name = sink_.string(is_kernel ? "[kernel]" : "[unknown]"), .build_id = sink_.string("")});
    frame.rel_pc = static_cast<int64_t>(address);
  }
  return {sink_.frame(frame), !is_known};
}

Mappings::Frame Mappings::frame(const Space& space, uint64_t address, bool is_kernel) {
  // Versions that no space has any more remain until then.
  constexpr size_t kMostKnown = size_t{1} << 18;
  if (frames_.size() >= kMostKnown) frames_.clear();
  const auto [at, is_new] =
      frames_.try_emplace({address, uint64_t{space.version} << 1 | (is_kernel ? 1 : 0)});
  if (is_new) at->second = find_frame(space, address, is_kernel);
  return at->second;
}

void Mappings::take_steps(const Sample& sample, uint16_t misc) {
  constexpr size_t kMaxFrames = 4096;  // of one callchain
  // Markers in a chain give the mode of the following addresses.
  constexpr uint64_t kFirstMarker = ~uint64_t{0} - 4094;
  constexpr uint64_t kKernelMarker = ~uint64_t{0} - 127;
  constexpr uint16_t kKernelMode = 1;
  bool is_kernel = (misc & kCpuModeMask) == kKernelMode;
  steps_.clear();
  for (Bytes chain(sample.callchain); chain.rest().size() >= 8 && steps_.size() < kMaxFrames;) {
    const uint64_t address = chain.u64();
    if (address >= kFirstMarker)
      is_kernel = address == kKernelMarker;
    else
      steps_.push_back({address, is_kernel});
  }
  if (steps_.empty() && sample.ip != 0 && sample.callchain.empty())
    steps_.push_back({sample.ip, is_kernel});
}

uint32_t Mappings::find_callsites(const Chain& before, const Space& user, const Space& kernel) {
  size_t shared = 0;
  const size_t most = std::min(steps_.size(), before.steps.size());
  for (; shared < most; ++shared) {
    const Step& known = before.steps[before.steps.size() - 1 - shared];
    Step& step = steps_[steps_.size() - 1 - shared];
    if (step.address != known.address || step.is_kernel != known.is_kernel) break;
    step = known;
  }
  Step caller = shared == 0 ? Step{} : steps_[steps_.size() - shared];
  for (size_t i = steps_.size() - shared; i-- > 0;) {
    Step& step = steps_[i];
    const Frame found = frame(step.is_kernel ? kernel : user, step.address, step.is_kernel);
    step.callsite = sink_.callsite(caller.callsite, found.index);
    step.dummies = caller.dummies + (found.is_dummy ? 1 : 0);
    caller = step;
  }
  if (caller.dummies > 0) sink_.tally(stats::perf_dummy_mapping_used, caller.dummies);
  return steps_.empty() ? kNone : steps_.front().callsite;
}

uint32_t Mappings::callsite(const Sample& sample, uint16_t misc) {
  const uint32_t pid = sample.pid.value_or(0);
  take_steps(sample, misc);
  const Space &user = space_of(pid), &kernel = space_of(kKernel);
  Chain& before = chains_[sample.tid.value_or(0) % chains_.size()];
  if (before.pid != pid || before.version != user.version ||
      before.kernel_version != kernel.version)
    before = {pid, user.version, kernel.version, {}};
  const uint32_t callsite = find_callsites(before, user, kernel);
  std::swap(before.steps, steps_);
  return callsite;
}

}  // namespace tracebraid::perf
