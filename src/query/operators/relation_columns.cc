#include "query/operators/relation_columns.h"

#include <fmt/core.h>

#include <new>

#include "query/scan/sqlite_module.h"

namespace tracebraid {

std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

bool is_same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         sqlite3_strnicmp(a.data(), b.data(), static_cast<int>(a.size())) == 0;
}

Result<std::vector<RelationColumnType>> columns_of_select(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* compiled = nullptr;
  if (sqlite3_prepare_v3(db, sql.c_str(), -1, 0, &compiled, nullptr) != SQLITE_OK)
    return tl::unexpected(sqlite_error(db));
  std::vector<RelationColumnType> columns;
  for (int i = 0; i < sqlite3_column_count(compiled); ++i) {
    const char* const name = sqlite3_column_name(compiled, i);
    const char* const type = sqlite3_column_decltype(compiled, i);
    columns.push_back({name == nullptr ? "" : name, type == nullptr ? "" : type});
  }
  sqlite3_finalize(compiled);
  return columns;
}

Result<std::vector<RelationColumnType>> columns_of_relation(sqlite3* db, std::string_view name) {
  auto columns = columns_of_select(db, fmt::format("SELECT * FROM {}", quoted(name)));
  if (!columns && columns.error().message == fmt::format("no such table: {}", name))
    return fail(ErrorCode::Sql, fmt::format("Unknown table or view name '{}'", name));
  return columns;
}

}  // namespace tracebraid
