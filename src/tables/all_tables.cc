#include "tables/all_tables.h"

namespace tracebraid {

std::vector<TableView> Store::views() const {
  std::vector<TableView> all;
  for_each_table(*this, [&](const auto& table) { all.push_back(table.view()); });
  all.push_back(args.view());
  all.push_back(args.full_view());
  return all;
}

}  // namespace tracebraid
