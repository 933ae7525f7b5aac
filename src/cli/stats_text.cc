#include "cli/stats_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace tracebraid {
namespace {

double ms(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

std::string line(double time, const std::string& scanned, const std::string& found,
                 const std::string& starts, std::string_view name) {
  return fmt::format("{:>12.3f}{:>14}{:>14}{:>10}  {}\n", time, scanned, found, starts, name);
}

}  // namespace

std::string stats_text(const QueryStats& stats) {
  std::string text;
  size_t number = 0;
  for (const QueryStats::Statement& statement : stats.statements) {
    text += fmt::format("statement {}: {:.3f} ms, {} rows\n", ++number, ms(statement.time),
                        statement.rows);
    text += fmt::format("{:>12}{:>14}{:>14}{:>10}  {}\n", "ms", "rows scanned", "rows found",
                        "starts", "operator");
    std::chrono::nanoseconds rest = statement.time;
    for (const QueryStats::Operator& entry : statement.operators) {
      rest -= entry.time;
      std::string name = fmt::format("{}: {}", entry.name, entry.access);
      if (!entry.detail.empty()) name += fmt::format("; {}", entry.detail);
      text += line(ms(entry.time), fmt::format("{}", entry.rows_scanned),
                   fmt::format("{}", entry.rows_found), fmt::format("{}", entry.starts), name);
    }
    text += line(std::max(0.0, ms(rest)), "", "", "", "SQLite and other operators");
  }
  return text;
}

}  // namespace tracebraid
