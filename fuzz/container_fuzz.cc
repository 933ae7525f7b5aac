// Reads any bytes as nested archives. Reads every leaf to its end as a view, in repeated blocks,
// and as a whole.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "container/members.h"
#include "fuzz/limits.h"

namespace tracebraid {
namespace {

// A member may exceed its limit by one block; a stored member cannot be larger than its archive.
constexpr uint64_t kMostBytes = 4 << 20;

bool is_within_gzip(const std::vector<Member>& members, const Member& member) {
  for (std::optional<uint32_t> at = member.parent; at; at = members[*at].parent)
    if (members[*at].container == ContainerKind::Gzip) return true;
  return false;
}

void read(const Member& member, bool within_gzip, size_t block_size, size_t again) {
  Result<Input> input = member.open();
  if (!input) return;
  const std::string head(input->peek(block_size / 2));
  std::string bytes;
  while (const std::optional<Block> block = input->next(block_size, again)) {
    TB_ASSERT(block->at + block->again == bytes.size());
    bytes.append(block->bytes.substr(block->again));
    input->done(*block);
  }
  TB_ASSERT(bytes.size() <= kMostBytes && input->offset() == bytes.size());
  TB_ASSERT(bytes.starts_with(head));
  TB_ASSERT(member.empty == (bytes.empty() && !input->problem()));

  // A limit is detected after the block that exceeds it, and the amount of data from damaged gzip
  // depends on the calls of the decoder: one result is a prefix of the other. All other results are
  // equal.
  const bool limited = input->problem() && input->problem()->code == ErrorCode::Limit;
  const bool varies = input->problem() && !limited && within_gzip;
  Result<Input> once_more = member.open();
  TB_ASSERT(once_more);
  const std::string_view all = once_more->all().bytes;
  TB_ASSERT(all.starts_with(limited ? head : bytes) || (varies && bytes.starts_with(all)));
  TB_ASSERT(limited || varies || once_more->offset() == bytes.size());
  TB_ASSERT(once_more->problem().has_value() == input->problem().has_value());
}

void check_row(const std::vector<Member>& members, uint32_t row) {
  const Member& member = members[row];
  TB_ASSERT(member.parent.has_value() == (row != 0));
  TB_ASSERT(!member.parent || *member.parent < row);
  TB_ASSERT(!member.parent || members[*member.parent].container != ContainerKind::None);
  TB_ASSERT(!member.open || member.container == ContainerKind::None);
}

}  // namespace
}  // namespace tracebraid

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  const auto bytes = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
  Progress progress;
  const Result<std::vector<Member>> members =
      open_bytes("in", *bytes, bytes, {.limits = kFuzzLimits, .files = {}}, progress);
  TB_ASSERT(members && !members->empty() && members->size() <= kFuzzLimits.max_members);
  for (uint32_t row = 0; row < members->size(); ++row) {
    check_row(*members, row);
    const Member& member = (*members)[row];
    if (member.open) read(member, is_within_gzip(*members, member), 64 + size % 5000, size % 97);
  }
  return 0;
}
