#include "engine/functions/table_functions.h"

#include <algorithm>
#include <iterator>

namespace tracebraid {

std::vector<TableFunction> table_functions(const Store& store) {
  std::vector<TableFunction> all;
  const auto add = [&](std::vector<TableFunction> functions) {
    std::ranges::move(functions, std::back_inserter(all));
  };
#define TB_TABLE_FUNCTIONS(name) add(name(store));
#include "engine/functions/table_functions.inc"
#undef TB_TABLE_FUNCTIONS
  return all;
}

}  // namespace tracebraid
