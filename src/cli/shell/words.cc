#include "cli/shell/words.h"

#include <algorithm>
#include <cctype>

#include "cli/shell/aliases.h"

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

bool is_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && begins(a, b);
}

const RelationInfo* find_relation(std::string_view name, std::span<const RelationInfo> relations) {
  const auto found = std::ranges::find_if(
      relations, [&](const RelationInfo& relation) { return is_same(relation.name, name); });
  return found == relations.end() ? nullptr : &*found;
}

// Returns the relation that `name` means in the statement: of an alias, or of that name.
const RelationInfo* meant_relation(std::string_view name, std::span<const NamedRelation> named,
                                   std::span<const RelationInfo> relations) {
  for (const NamedRelation& each : named)
    if (is_same(each.name, name)) return find_relation(each.relation, relations);
  return find_relation(name, relations);
}

void add_columns_of(const RelationInfo& relation, std::string_view beginning,
                    std::string_view prefix, std::vector<std::string>& found) {
  for (const std::string& column : relation.columns)
    if (begins(column, beginning)) found.push_back(std::string(prefix) + column);
}

// Completes "s.na" to columns that begin with "na".
void add_columns(std::string_view word, size_t dot, std::span<const NamedRelation> named,
                 std::span<const RelationInfo> relations, std::vector<std::string>& found) {
  const std::string_view prefix = word.substr(0, dot + 1), column = word.substr(dot + 1);
  const RelationInfo* const meant = meant_relation(word.substr(0, dot), named, relations);
  if (meant != nullptr) return add_columns_of(*meant, column, prefix, found);
  for (const RelationInfo& relation : relations) add_columns_of(relation, column, prefix, found);
}

void add_names(std::string_view word, std::span<const NamedRelation> named,
               const Vocabulary& vocabulary, std::vector<std::string>& found) {
  for (const std::string_view keyword : kKeywords)
    if (begins(keyword, word))
      found.push_back(is_lower(word) ? lowered(keyword) : std::string(keyword));
  for (const std::string& function : vocabulary.functions)
    if (begins(function, word)) found.push_back(function + "(");
  bool knows_columns = false;
  for (const NamedRelation& each : named) {
    if (begins(each.name, word)) found.emplace_back(each.name);
    const RelationInfo* const relation = find_relation(each.relation, vocabulary.relations);
    if (relation == nullptr) continue;
    knows_columns = true;
    add_columns_of(*relation, word, "", found);
  }
  for (const RelationInfo& relation : vocabulary.relations) {
    if (begins(relation.name, word)) found.push_back(relation.name);
    if (!knows_columns) add_columns_of(relation, word, "", found);
  }
}

// Completes a command of the shell or its argument.
void add_dot_words(std::string_view line, std::string_view word, const Vocabulary& vocabulary,
                   std::vector<std::string>& found) {
  for (const DotWords& each : vocabulary.dot_commands) {
    if (word.size() == line.size()) {
      if (begins(each.command, word)) found.emplace_back(each.command);
    } else if (line.substr(0, line.find(' ')) == each.command) {
      for (const std::string& value : each.values)
        if (begins(value, word)) found.push_back(value);
    }
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
  // The argument of a command of the shell may be a path.
  if (const size_t space = line.rfind(' '); line.starts_with('.') && space != line.npos)
    return line.substr(space + 1);
  size_t begin = line.size();
  while (begin > 0 && is_word(line[begin - 1])) --begin;
  return line.substr(begin);
}

std::vector<std::string> completions(std::string_view before, std::string_view after,
                                     const Vocabulary& vocabulary) {
  const std::string_view word = word_at_end(before);
  std::vector<std::string> found;
  const size_t dot = word.rfind('.');
  if (before.starts_with('.')) {
    add_dot_words(before, word, vocabulary, found);
  } else if (names_module(before.substr(0, before.size() - word.size()))) {
    for (const std::string& module : vocabulary.modules)
      if (begins(module, word)) found.push_back(module);
  } else if (dot != 0 && !word.empty()) {
    // The unfinished word must not be taken for a part of the statement.
    const std::string text =
        std::string(before.substr(0, before.size() - word.size())) + " " + std::string(after);
    const std::vector<NamedRelation> named = named_relations(text, before.size() - word.size());
    if (dot != word.npos)
      add_columns(word, dot, named, vocabulary.relations, found);
    else
      add_names(word, named, vocabulary, found);
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
