#include "query/compile/position.h"

#include <fmt/core.h>

#include <algorithm>

namespace tracebraid {
namespace {

// Bytes of the line to show before and after the position.
constexpr size_t kShown = 128;

}  // namespace

Position position_at(std::string_view sql, size_t offset) {
  const std::string_view before = sql.substr(0, offset);
  const size_t lines = static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  return {lines + 1, newline == std::string_view::npos ? offset + 1 : offset - newline};
}

std::string error_text(std::string_view sql, std::string_view statement, size_t offset,
                       std::string_view message) {
  const auto [line, column] = position_at(sql, offset);
  const auto statement_begin = static_cast<size_t>(statement.data() - sql.data());
  const size_t statement_end = statement_begin + statement.size();
  const size_t line_begin = offset - (column - 1);
  const size_t line_end = std::min(sql.find('\n', offset), sql.size());
  const size_t begin =
      std::max({line_begin, statement_begin, offset < kShown ? size_t{0} : offset - kShown});
  const size_t end = std::max(offset, std::min({line_end, statement_end, offset + kShown}));
  return fmt::format(
      "Traceback (most recent call last):\n  File \"stdin\" line {} col {}\n    {}\n    {}^\n{}",
      line, column, sql.substr(begin, end - begin), std::string(offset - begin, ' '), message);
}

}  // namespace tracebraid
