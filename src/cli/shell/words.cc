#include "cli/shell/words.h"

#include <algorithm>
#include <cctype>

namespace tracebraid {
namespace {

constexpr std::string_view kKeywords[] = {
    "ALL",       "AND",     "AS",    "ASC",      "BETWEEN", "BY",        "CASE",   "CAST",
    "CREATE",    "CROSS",   "DESC",  "DISTINCT", "DROP",    "ELSE",      "END",    "EXCEPT",
    "EXISTS",    "EXPLAIN", "FROM",  "GLOB",     "GROUP",   "HAVING",    "IN",     "INNER",
    "INTERSECT", "IS",      "JOIN",  "LEFT",     "LIKE",    "LIMIT",     "NOT",    "NULL",
    "OFFSET",    "ON",      "OR",    "ORDER",    "OVER",    "PARTITION", "SELECT", "TABLE",
    "THEN",      "UNION",   "USING", "VALUES",   "VIEW",    "WHEN",      "WHERE",  "WITH"};

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool begins(std::string_view word, std::string_view beginning) {
  return word.size() >= beginning.size() &&
         std::ranges::equal(word.substr(0, beginning.size()), beginning, {}, lower, lower);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

bool is_lower(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string lowered(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

// Completes "s.na" to columns that begin with "na".
void add_columns(std::string_view word, size_t dot, std::span<const RelationInfo> relations,
                 std::vector<std::string>& found) {
  const std::string_view table = word.substr(0, dot);
  const auto named = [&](const RelationInfo& relation) {
    return relation.name.size() == table.size() && begins(relation.name, table);
  };
  const bool known = std::ranges::any_of(relations, named);
  for (const RelationInfo& relation : relations) {
    if (known && !named(relation)) continue;
    for (const std::string& column : relation.columns)
      if (begins(column, word.substr(dot + 1)))
        found.push_back(std::string(word.substr(0, dot + 1)) + column);
  }
}

void add_names(std::string_view word, std::span<const RelationInfo> relations,
               std::vector<std::string>& found) {
  for (const std::string_view keyword : kKeywords)
    if (begins(keyword, word))
      found.push_back(is_lower(word) ? lowered(keyword) : std::string(keyword));
  for (const RelationInfo& relation : relations) {
    if (begins(relation.name, word)) found.push_back(relation.name);
    for (const std::string& column : relation.columns)
      if (begins(column, word)) found.push_back(column);
  }
}

// Returns whether the last words of a line are INCLUDE PERFETTO MODULE.
bool names_module(std::string_view line) {
  for (const std::string_view keyword : {"MODULE", "PERFETTO", "INCLUDE"}) {
    line = line.substr(0, line.find_last_not_of(" \t\n") + 1);
    const std::string_view word = word_at_end(line);
    if (word.size() != keyword.size() || !begins(word, keyword)) return false;
    line.remove_suffix(word.size());
  }
  return true;
}

}  // namespace

std::string_view word_at_end(std::string_view line) {
  size_t begin = line.size();
  while (begin > 0 && is_word(line[begin - 1])) --begin;
  return line.substr(begin);
}

std::vector<std::string> completions(std::string_view line, std::span<const RelationInfo> relations,
                                     std::span<const std::string_view> dot_commands,
                                     std::span<const std::string> modules) {
  const std::string_view word = word_at_end(line);
  std::vector<std::string> found;
  const size_t dot = word.rfind('.');
  if (names_module(line.substr(0, line.size() - word.size()))) {
    for (const std::string& module : modules)
      if (begins(module, word)) found.push_back(module);
  } else if (word.size() == line.size() && word.starts_with('.')) {
    for (const std::string_view command : dot_commands)
      if (begins(command, word)) found.emplace_back(command);
  } else if (dot != word.npos && dot > 0) {
    add_columns(word, dot, relations, found);
  } else if (!word.empty()) {
    add_names(word, relations, found);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::string common_beginning(std::span<const std::string> words) {
  if (words.empty()) return {};
  std::string_view common = words[0];
  for (const std::string& word : words) {
    const auto [end, other] = std::ranges::mismatch(common, word, {}, lower, lower);
    common = common.substr(0, static_cast<size_t>(end - common.begin()));
  }
  return std::string(common);
}

}  // namespace tracebraid
