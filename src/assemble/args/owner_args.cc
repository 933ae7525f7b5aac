#include "assemble/args/owner_args.h"

#include <algorithm>

namespace tracebraid {

void OwnerArgs::fill(DeferredArgs& args, Column<OptRow>& column) const {
  std::vector<uint32_t> rows;
  rows.reserve(sets_.size());
  for (const auto& [row, sets] : sets_) rows.push_back(row);
  std::ranges::sort(rows);
  for (const uint32_t row : rows) {
    ArgsBuilder& set = args.open();
    for (const ArgSource& part : sets_.at(row)) set.add_set(part);
    column.at(row).row = set.close();
  }
}

}  // namespace tracebraid
