#include "assemble/owner_args.h"

#include <algorithm>

namespace tracebraid {

void OwnerArgs::fill(ArgsBuilder& args, Column<OptRow>& column) const {
  std::vector<uint32_t> rows;
  rows.reserve(sets_.size());
  for (const auto& [row, sets] : sets_) rows.push_back(row);
  std::ranges::sort(rows);
  for (const uint32_t row : rows) {
    args.open();
    for (const ArgSource& set : sets_.at(row)) args.add_set(set);
    column.at(row).row = args.close();
  }
}

}  // namespace tracebraid
