#include "query/operators/source_query.h"

#include <fmt/core.h>

#include "query/operators/relation_columns.h"

namespace tracebraid {

Result<GatheredRows> rows_of_source(const OperatorContext& context, std::string_view name,
                                    std::span<const char* const> arguments) {
  if (arguments.size() != 1)
    return fail(ErrorCode::Sql, fmt::format("{}: wrong number of arguments", name));
  std::string_view sql = arguments[0];
  constexpr std::string_view kBlank = " \t\r\n";
  const auto trim = [&] {
    sql.remove_prefix(std::min(sql.find_first_not_of(kBlank), sql.size()));
    sql = sql.substr(0, sql.find_last_not_of(kBlank) + 1);
  };
  trim();
  while (sql.starts_with('(') && sql.ends_with(')')) {
    sql = sql.substr(1, sql.size() - 2);
    trim();
  }
  if (sql.empty()) return fail(ErrorCode::Sql, fmt::format("{}: no source", name));
  return context.gather(sql, {});
}

Result<std::vector<size_t>> columns_of_source(const GatheredRows& rows, std::string_view name,
                                              const std::vector<std::string_view>& columns) {
  std::vector<size_t> found;
  for (const std::string_view column : columns) {
    size_t at = 0;
    while (at < rows.names.size() && !is_same_name(rows.names[at], column)) ++at;
    if (at == rows.names.size())
      return fail(ErrorCode::Sql, fmt::format("{}: the source has no column '{}'", name, column));
    found.push_back(at);
  }
  return found;
}

}  // namespace tracebraid
