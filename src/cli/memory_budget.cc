#include "cli/memory_budget.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <mutex>
#include <new>
#include <string>
#include <tuple>

#include "base/descriptor.h"
#include "base/temporary_file.h"

namespace tracebraid {
namespace {

// One range of addresses, reserved at the start and divided into segments. A segment in the file
// has the same offset there as in the range.
constexpr size_t kSegmentBytes = size_t{1} << 20;
constexpr size_t kMostSegments = size_t{1} << 20;  // 1 TiB; fewer if the system does not grant that
constexpr size_t kFewestSegments = size_t{1} << 14;

// Larger blocks have segments of their own. Blocks of one size class share segments; each doubling
// of sizes has kClassesPerDoubling classes.
constexpr size_t kLargestShared = kSegmentBytes / 8;
constexpr unsigned kClassesPerDoubling = 16;
constexpr unsigned kClasses =
    static_cast<unsigned>(std::bit_width(kLargestShared / kSmallestBudgetedBytes)) *
    kClassesPerDoubling;

// Asks malloc again for its use after this many more bytes were taken.
constexpr uint64_t kHeapStepBytes = uint64_t{4} << 20;

constexpr uint32_t kNoSegment = ~uint32_t{0};

struct FreeBlock {
  FreeBlock* next;
};

enum class Use : uint8_t { Free, Shared, Alone };

struct Segment {  // of a run of segments, only the first has more than `head`
  uint32_t head = 0;
  uint32_t count = 0;  // of the run
  Use use = Use::Free;
  bool in_file = false;
  uint64_t bytes = 0;      // memory or file bytes that the run uses
  uint64_t discarded = 0;  // of these, bytes that were released before
  // Members of shared segments.
  uint32_t class_index = 0, block_bytes = 0, taken = 0, untouched = 0;  // blocks
  // Neighbours in the list of segments of the class with free blocks.
  uint32_t before = kNoSegment, after = kNoSegment;
  FreeBlock* free = nullptr;
};

// The reserved addresses. Without a budget only the size is read, which is 0.
std::atomic<uintptr_t> region_begin{0};
std::atomic<size_t> region_size{0};

struct Budget {
  std::mutex mutex;
  Segment* segments = nullptr;
  uint32_t segments_used = 0;  // segments from here on were never used
  size_t most_segments = 0;
  uint64_t limit = 0;
  BudgetUse use{};
  uint64_t heap = 0, heap_asked_at = 0;     // use of malloc, and total use when it was asked
  uint64_t stated_limit = 0, most_own = 0;  // the limit of the user; sampled with `heap`
  uint32_t open[kClasses];                  // first segment with a free block
  std::string directory;
  Descriptor file;
  std::atomic<int> failure{0};  // errno
};

// Never destroyed, because it is used until the last destructor has run.
Budget& budget() {
  alignas(Budget) static char bytes[sizeof(Budget)];
  static Budget& made = *new (bytes) Budget;
  return made;
}

char* address_of(uint32_t segment) {
  return reinterpret_cast<char*>(region_begin.load(std::memory_order_relaxed)) +
         segment * kSegmentBytes;
}

uint32_t segment_of(const void* at) {
  return static_cast<uint32_t>((reinterpret_cast<uintptr_t>(at) - region_begin) / kSegmentBytes);
}

// Returns the resident bytes that belong to no file; 0 if the system does not tell. Allocates
// nothing.
uint64_t own_bytes() {
  const Descriptor file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  char text[128] = {};
  if (!file || ::read(file.fd(), text, sizeof text - 1) <= 0) return 0;
  uint64_t size = 0, resident = 0, shared = 0;  // pages
  if (std::sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &size, &resident, &shared) != 3)
    return 0;
  return (resident - std::min(shared, resident)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

// A large mapping of malloc does not count as memory of the process.
uint64_t heap_bytes(Budget& b) {
  const uint64_t taken = b.use.in_memory + b.use.in_file;
  if (b.heap_asked_at == 0 || taken > b.heap_asked_at + kHeapStepBytes ||
      taken + kHeapStepBytes < b.heap_asked_at) {
    const struct mallinfo2 info = ::mallinfo2();
    b.heap = info.arena + info.hblkhd;
    b.heap_asked_at = std::max<uint64_t>(taken, 1);
    b.most_own = std::max(b.most_own, own_bytes());
  }
  return b.heap;
}

// First fit. Joins adjacent free runs while passing them.
uint32_t find_run(Budget& b, uint32_t count) {
  for (uint32_t i = 0; i < b.segments_used; i += b.segments[i].count) {
    Segment& run = b.segments[i];
    if (run.use != Use::Free) continue;
    for (uint32_t next = i + run.count; next < b.segments_used && b.segments[next].use == Use::Free;
         next = i + run.count)
      run.count += b.segments[next].count;
    if (run.count < count) continue;
    if (run.count > count) b.segments[i + count] = {.head = i + count, .count = run.count - count};
    return i;
  }
  if (b.most_segments - b.segments_used < count) return kNoSegment;
  const uint32_t first = b.segments_used;
  b.segments_used += count;
  return first;
}

bool map_run(Budget& b, uint32_t first, uint64_t bytes, bool in_file) {
  char* const at = address_of(first);
  if (!in_file) return ::mprotect(at, bytes, PROT_READ | PROT_WRITE) == 0;
  const auto offset = static_cast<off_t>(first * kSegmentBytes);
  // Reserves room on the disk now, because a write to a page without room ends the process.
  int failed = EINTR;
  while (failed == EINTR)
    failed = ::posix_fallocate(b.file.fd(), offset, static_cast<off_t>(bytes));
  if (failed != 0) {
    b.failure = failed;
    return false;
  }
  return ::mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, b.file.fd(), offset) !=
         MAP_FAILED;
}

uint32_t take_run(Budget& b, uint64_t bytes, Use use) {
  if (bytes > b.most_segments * kSegmentBytes) return kNoSegment;
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  bytes = (bytes + page - 1) / page * page;
  const uint64_t count = (bytes + kSegmentBytes - 1) / kSegmentBytes;
  const uint32_t first = find_run(b, static_cast<uint32_t>(count));
  if (first == kNoSegment) return kNoSegment;
  for (uint32_t i = 0; i < count; ++i) b.segments[first + i] = {.head = first};
  Segment& run = b.segments[first];
  run.count = static_cast<uint32_t>(count);
  run.in_file = b.use.in_memory + bytes + heap_bytes(b) > b.limit;
  if (!map_run(b, first, bytes, run.in_file)) return kNoSegment;
  run.use = use;
  run.bytes = bytes;
  (run.in_file ? b.use.in_file : b.use.in_memory) += bytes;
  return first;
}

void give_run_back(Budget& b, uint32_t first) {
  Segment& run = b.segments[first];
  (run.in_file ? b.use.in_file : b.use.in_memory) -= run.bytes - run.discarded;
  if (run.in_file)
    ::fallocate(b.file.fd(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                static_cast<off_t>(first * kSegmentBytes), static_cast<off_t>(run.bytes));
  // If this fails, the memory is kept until it is mapped again.
  std::ignore = ::mmap(address_of(first), run.bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  run = {.head = first, .count = run.count};
}

struct Class {
  unsigned index;
  size_t bytes;  // of its blocks
};

// Requires: `bytes` from kSmallestBudgetedBytes to kLargestShared.
Class class_of(size_t bytes) {
  const auto doubling = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1;
  const size_t step = (size_t{1} << doubling) / kClassesPerDoubling;
  const size_t steps = (bytes + step - 1) / step;  // kClassesPerDoubling to twice as many
  constexpr auto kFirst = static_cast<unsigned>(std::bit_width(kSmallestBudgetedBytes)) - 2;
  return {(doubling - kFirst) * kClassesPerDoubling + static_cast<unsigned>(steps) -
              kClassesPerDoubling - 1,
          steps * step};
}

void open_segment(Budget& b, uint32_t index) {
  Segment& segment = b.segments[index];
  uint32_t& first = b.open[segment.class_index];
  segment.before = kNoSegment;
  segment.after = first;
  if (first != kNoSegment) b.segments[first].before = index;
  first = index;
}

void close_segment(Budget& b, uint32_t index) {
  const Segment& segment = b.segments[index];
  (segment.before == kNoSegment ? b.open[segment.class_index] : b.segments[segment.before].after) =
      segment.after;
  if (segment.after != kNoSegment) b.segments[segment.after].before = segment.before;
}

void* take_block(Budget& b, size_t bytes) {
  const Class of = class_of(bytes);
  uint32_t index = b.open[of.index];
  if (index == kNoSegment) {
    index = take_run(b, kSegmentBytes, Use::Shared);
    if (index == kNoSegment) return nullptr;
    b.segments[index].class_index = of.index;
    b.segments[index].block_bytes = static_cast<uint32_t>(of.bytes);
    b.segments[index].untouched = static_cast<uint32_t>(kSegmentBytes / of.bytes);
    open_segment(b, index);
  }
  Segment& segment = b.segments[index];
  ++segment.taken;
  void* at = segment.free;
  if (at != nullptr) {
    segment.free = segment.free->next;
  } else {
    const size_t number = kSegmentBytes / of.bytes - segment.untouched--;
    at = address_of(index) + number * of.bytes;
  }
  if (segment.free == nullptr && segment.untouched == 0) close_segment(b, index);
  return at;
}

void give_block_back(Budget& b, uint32_t index, void* at) {
  Segment& segment = b.segments[index];
  const bool was_full = segment.free == nullptr && segment.untouched == 0;
  segment.free = new (at) FreeBlock{segment.free};
  --segment.taken;
  if (was_full) open_segment(b, index);
  // Keeps one segment, because otherwise a block that is allocated and freed repeatedly would map
  // and unmap it.
  const bool is_only = segment.before == kNoSegment && segment.after == kNoSegment;
  if (segment.taken > 0 || is_only) return;
  close_segment(b, index);
  give_run_back(b, index);
}

void discard(Budget& b, void* begin, size_t bytes) {
  const std::lock_guard lock(b.mutex);
  Segment& run = b.segments[b.segments[segment_of(begin)].head];
  if (!run.in_file) {
    ::madvise(begin, bytes, MADV_DONTNEED);
  } else if (::madvise(begin, bytes, MADV_REMOVE) != 0) {
    return;  // this file system keeps what it has
  }
  const uint64_t released = std::min<uint64_t>(bytes, run.bytes - run.discarded);
  run.discarded += released;
  (run.in_file ? b.use.in_file : b.use.in_memory) -= released;
}

class BudgetAllocator final : public HostAllocator {
 public:
  bool discard(void* begin, size_t bytes) noexcept override {
    if (!is_budgeted(begin)) return false;
    tracebraid::discard(budget(), begin, bytes);
    return true;
  }
};

}  // namespace

Result<> set_memory_budget(uint64_t bytes, const std::string& directory) {
  Budget& b = budget();
  if (has_memory_budget()) return fail(ErrorCode::Usage, "the memory limit was set before");
  b.directory = directory;
  TB_TRY_ASSIGN(b.file, open_temporary_file(b.directory));
  constexpr int kReserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* at = MAP_FAILED;
  b.most_segments = kMostSegments * 2;
  while (at == MAP_FAILED && b.most_segments > kFewestSegments) {
    b.most_segments /= 2;
    at = ::mmap(nullptr, b.most_segments * kSegmentBytes, PROT_NONE, kReserved, -1, 0);
  }
  void* const table =
      ::mmap(nullptr, b.most_segments * sizeof(Segment), PROT_READ | PROT_WRITE, kReserved, -1, 0);
  if (at == MAP_FAILED || table == MAP_FAILED)
    return fail(ErrorCode::Io, "--memory-limit: the system reserves no addresses (see ulimit -v)");
  b.segments = static_cast<Segment*>(table);
  std::ranges::fill(b.open, kNoSegment);
  // Leaves a sixteenth for stacks, tables of the libraries and other memory that is not allocated
  // here.
  b.limit = bytes - bytes / 16;
  b.stated_limit = bytes;
  region_begin = reinterpret_cast<uintptr_t>(at);
  region_size = b.most_segments * kSegmentBytes;
  return {};
}

bool has_memory_budget() { return region_size.load(std::memory_order_relaxed) != 0; }

void* allocate_budgeted(size_t bytes) {
  Budget& b = budget();
  if (!has_memory_budget()) return nullptr;
  const std::lock_guard lock(b.mutex);
  if (bytes <= kLargestShared) return take_block(b, std::max(bytes, kSmallestBudgetedBytes));
  const uint32_t first = take_run(b, bytes, Use::Alone);
  return first == kNoSegment ? nullptr : address_of(first);
}

bool is_budgeted(const void* at) {
  return reinterpret_cast<uintptr_t>(at) - region_begin.load(std::memory_order_relaxed) <
         region_size.load(std::memory_order_relaxed);
}

void free_budgeted(void* at) {
  Budget& b = budget();
  const std::lock_guard lock(b.mutex);
  const uint32_t index = b.segments[segment_of(at)].head;
  if (b.segments[index].use == Use::Shared)
    give_block_back(b, index, at);
  else
    give_run_back(b, index);
}

HostAllocator* budget_allocator() {
  static BudgetAllocator allocator;  // this file system does not release blocks
  return has_memory_budget() ? &allocator : nullptr;
}

BudgetUse budget_use() {
  Budget& b = budget();
  const std::lock_guard lock(b.mutex);
  return b.use;
}

std::optional<ExceededLimit> exceeded_limit() {
  Budget& b = budget();
  const std::lock_guard lock(b.mutex);
  b.most_own = std::max(b.most_own, own_bytes());
  if (!has_memory_budget() || b.most_own <= b.stated_limit + b.stated_limit / 8)
    return std::nullopt;
  return ExceededLimit{b.stated_limit, b.most_own};
}

std::optional<Error> budget_failure() {
  const Budget& b = budget();
  const int failure = b.failure;
  if (failure == 0) return std::nullopt;
  return temporary_file_error(b.directory, failure);
}

}  // namespace tracebraid
