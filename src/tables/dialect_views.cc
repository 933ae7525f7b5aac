#include "tables/dialect_views.h"

#include <set>

namespace tracebraid {
namespace {

constexpr std::string_view kSql =
#include "tables/dialect_views.inc"
    ;

std::set<std::string_view> names_of_views() {
  constexpr std::string_view kCreate = "CREATE VIEW IF NOT EXISTS ";
  std::set<std::string_view> names;
  for (size_t at = kSql.find(kCreate); at != std::string_view::npos; at = kSql.find(kCreate, at)) {
    at += kCreate.size();
    names.insert(kSql.substr(at, kSql.find(' ', at) - at));
  }
  return names;
}

}  // namespace

std::string_view dialect_views_sql() { return kSql; }

bool is_dialect_view(std::string_view name) {
  static const std::set<std::string_view> kNames = names_of_views();
  return kNames.contains(name);
}

}  // namespace tracebraid
