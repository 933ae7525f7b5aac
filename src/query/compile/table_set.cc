#include "query/compile/table_set.h"

#include "query/functions/function.h"

namespace tracebraid {

TableSet::TableSet(TableSetParts parts) : parts_(std::move(parts)) {
  for (TableView& view : parts_.tables)
    tables_.push_back(std::make_unique<const Table>(std::move(view), *parts_.strings));
  parts_.tables.clear();
}

std::vector<SqlFunction> TableSet::functions(const StopCheck& stop) const {
  std::vector<SqlFunction> all = builtin_functions(stop);
  if (!parts_.functions) return all;
  std::vector<SqlFunction> own = parts_.functions(stop);
  std::move(own.begin(), own.end(), std::back_inserter(all));
  return all;
}

}  // namespace tracebraid
