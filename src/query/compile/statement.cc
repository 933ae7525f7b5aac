#include "query/compile/statement.h"

#include <new>

namespace tracebraid {

std::vector<std::string> column_names(sqlite3_stmt* statement) {
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* name = sqlite3_column_name(statement, i);
    if (name == nullptr) throw std::bad_alloc();
    names.emplace_back(name);
  }
  return names;
}

}  // namespace tracebraid
