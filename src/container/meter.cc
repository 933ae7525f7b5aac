#include "container/meter.h"

#include <fmt/format.h>

#include <algorithm>

namespace tracebraid {
namespace {

// Small members may have any ratio, because an almost empty trace compresses very well.
constexpr uint64_t kRatioFrom = uint64_t{64} << 20;
// An input may have any ratio until its members have this many bytes together.
constexpr uint64_t kTotalRatioFrom = uint64_t{1} << 30;

tl::unexpected<Error> over_limit(std::string_view what, uint64_t limit, std::string_view option) {
  return fail(ErrorCode::Limit,
              fmt::format("unpacks to {} {}; if that is expected, raise {}", what, limit, option));
}

}  // namespace

Result<> Meter::reached(uint64_t size) const {
  const ContainerLimits& limits = budget_->limits;
  if (size > limits.max_member_bytes)
    return over_limit("more bytes than", limits.max_member_bytes, "--max-member-bytes");
  if (size >= kRatioFrom && size / std::max<uint64_t>(packed_, 1) > limits.max_ratio)
    return over_limit("more than its compressed size times", limits.max_ratio, "--max-ratio");

  uint64_t before = high_water_->load(std::memory_order_relaxed);
  while (before < size && !high_water_->compare_exchange_weak(before, size)) {
  }
  if (before >= size) return {};
  const uint64_t fresh = size - before;
  const uint64_t total = budget_->unpacked.fetch_add(fresh) + fresh;
  if (total > limits.max_total_bytes)
    return over_limit("more bytes, all members together, than", limits.max_total_bytes,
                      "--max-total-bytes");
  // Limits archives of many members that are archives of many members.
  const uint64_t packed = std::max<uint64_t>(budget_->packed.load(std::memory_order_relaxed), 1);
  if (total >= kTotalRatioFrom && total / packed > limits.max_ratio)
    return over_limit("more, all members together, than the size of the input times",
                      limits.max_ratio, "--max-ratio");
  return {};
}

}  // namespace tracebraid
