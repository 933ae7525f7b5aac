#include "query/compile/statement.h"

#include <new>

namespace tracebraid {

StatementPtr prepare(sqlite3* db, std::string_view sql) {
  sqlite3_stmt* compiled = nullptr;
  sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), 0, &compiled, nullptr);
  return StatementPtr(compiled);
}

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
