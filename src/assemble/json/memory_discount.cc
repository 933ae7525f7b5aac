#include "assemble/json/memory_discount.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "assemble/json/memory_regions.h"

namespace tracebraid {
namespace {

int64_t without(int64_t bytes, int64_t tracing_bytes) {
  return bytes < tracing_bytes ? 0 : bytes - tracing_bytes;
}

// Sums over the regions of the native heap: size, proportional, private dirty.
using Sums = std::array<std::optional<int64_t>, 3>;
Sums native_heap(std::span<const MemoryRegion> regions, const StringPool& strings) {
  Sums sums;
  const auto add = [](std::optional<int64_t>& sum, int64_t bytes) {
    if (bytes == kUnset) return;
    int64_t more = 0;
    sum = __builtin_add_overflow(sum.value_or(0), bytes, &more)
              ? std::numeric_limits<int64_t>::max()
              : more;
  };
  for (const MemoryRegion& region : regions) {
    const std::string_view file = region.file ? strings.get(region.file) : std::string_view();
    if (region_class(file) != "Native heap") continue;
    add(sums[0], region.size);
    add(sums[1], region.bytes[MemoryRegion::kProportional]);
    add(sums[2], region.bytes[MemoryRegion::kPrivateDirty]);
  }
  return sums;
}

}  // namespace

uint32_t discount_args(int64_t tracing_bytes, std::span<const MemoryTotal> totals,
                       std::span<const MemoryRegion> regions, DeferredArgs& args, Store& store) {
  ArgsBuilder& set = args.open();
  set.add_int("tracing.size", tracing_bytes);
  for (const std::string_view name :
       {"resident_set_bytes", "peak_resident_set_bytes", "private_footprint_bytes"}) {
    const StringId id = store.strings.find(name);
    const auto total = std::ranges::find(totals, id, &MemoryTotal::name);
    if (id && total != totals.end())
      set.add_int("discounted." + std::string(name), without(total->value, tracing_bytes));
  }
  const Sums sums = native_heap(regions, store.strings);
  constexpr std::array<const char*, 3> kNames{"size", "pss", "private_dirty"};
  for (size_t i = 0; i < kNames.size(); ++i)
    if (sums[i])
      set.add_int(std::string("discounted.native_heap.") + kNames[i],
                  without(*sums[i], tracing_bytes));
  return set.close();
}

}  // namespace tracebraid
