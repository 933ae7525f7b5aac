#include "cli/shell/statement.h"

#include <algorithm>
#include <cctype>

namespace tracebraid {
namespace {

constexpr size_t kUnfinished = std::string_view::npos;

// Returns the position after the quoted text, comment or letter at `at`; kUnfinished if its end is
// missing.
size_t skip(std::string_view sql, size_t at) {
  const char c = sql[at];
  if (sql.substr(at).starts_with("--")) return std::min(sql.find('\n', at), sql.size());
  if (sql.substr(at).starts_with("/*")) {
    const size_t end = sql.find("*/", at + 2);
    return end == sql.npos ? kUnfinished : end + 2;
  }
  if (c == '\'' || c == '"' || c == '`' || c == '[') {
    // A doubled quote ends one text and starts another.
    const size_t end = sql.find(c == '[' ? ']' : c, at + 1);
    return end == sql.npos ? kUnfinished : end + 1;
  }
  return at + 1;
}

bool is_ignored(std::string_view sql, size_t at) {
  return std::isspace(static_cast<unsigned char>(sql[at])) != 0 ||
         sql.substr(at).starts_with("--") || sql.substr(at).starts_with("/*");
}

}  // namespace

bool is_complete(std::string_view sql) {
  bool complete = true;
  for (size_t at = 0; at < sql.size();) {
    if (!is_ignored(sql, at)) complete = sql[at] == ';';
    at = skip(sql, at);
    if (at == kUnfinished) return false;
  }
  return complete;
}

bool is_blank(std::string_view sql) {
  for (size_t at = 0; at < sql.size();) {
    if (!is_ignored(sql, at) && sql[at] != ';') return false;
    at = skip(sql, at);
    if (at == kUnfinished) return false;
  }
  return true;
}

}  // namespace tracebraid
