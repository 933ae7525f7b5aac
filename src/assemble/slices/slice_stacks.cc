#include "assemble/slices/slice_stacks.h"

namespace tracebraid {

void SliceStacks::add(uint32_t batch, const SliceStack& stack, uint32_t slice, uint32_t track_row,
                      bool one_row) {
  const uint32_t begin = stacks_.callsite(batch, stack.callsite);
  const uint32_t end = stacks_.callsite(batch, stack.end_callsite);
  if (begin == kNone && end == kNone) return;
  if (one_row) {
    const auto [at, added] = rows_.try_emplace(slice, static_cast<uint32_t>(table_.rows()));
    if (!added) {
      if (end != kNone) table_.end_callsite_id.at(at->second).row = end;
      return;
    }
  }
  table_.slice_id.append(slice);
  table_.track_id.append(track_row);
  table_.callsite_id.append({begin});
  table_.end_callsite_id.append({end});
  table_.weight.append(stack.weight);
}

void SliceStacks::move_slices(std::span<const uint32_t> new_rows) {
  for (size_t i = 0; i < table_.rows(); ++i) table_.slice_id.at(i) = new_rows[table_.slice_id[i]];
}

}  // namespace tracebraid
