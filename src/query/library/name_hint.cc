#include "query/library/name_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

#include "base/nearest.h"
#include "query/compile/statement.h"
#include "query/compile/tokens.h"
#include "query/library/documentation.h"
#include "query/operators/relation_columns.h"

namespace tracebraid {
namespace {

constexpr size_t kLeastLetters = 3;  // shorter names are near many others

using Kinds = std::initializer_list<ObjectKind>;

// Appends the texts of the first column. A statement that fails gives none.
void add_texts(sqlite3* db, std::string_view sql, std::string_view argument,
               std::vector<std::string>& texts) {
  const StatementPtr statement = prepare(db, sql);
  if (statement == nullptr) return;
  if (!argument.empty())
    sqlite3_bind_text(statement.get(), 1, argument.data(), static_cast<int>(argument.size()),
                      SQLITE_STATIC);
  while (sqlite3_step(statement.get()) == SQLITE_ROW)
    if (const unsigned char* text = sqlite3_column_text(statement.get(), 0))
      texts.emplace_back(reinterpret_cast<const char*>(text));
}

// Returns the key of the first module with a public object of this name.
std::optional<std::string_view> module_of(std::string_view name, Kinds kinds) {
  for (const DocumentedModule& module : library_documentation())
    for (const DocumentedObject& object : module.objects)
      if (std::ranges::find(kinds, object.kind) != kinds.end() && is_same_name(object.name, name))
        return module.key;
  return std::nullopt;
}

// Returns the hint for a name that may be in the library, or be one of `known` in other letters.
std::string hint_for(std::string_view name, std::span<const std::string> known, Kinds kinds) {
  if (const auto module = module_of(name, kinds))
    return fmt::format("{} is in a module; write INCLUDE PERFETTO MODULE {}; before", name,
                       *module);
  std::vector<std::string_view> names;
  for (const std::string& each : known)
    if (!each.starts_with('_') || name.starts_with('_')) names.push_back(each);
  for (const DocumentedModule& module : library_documentation())
    for (const DocumentedObject& object : module.objects)
      if (!object.is_internal() && std::ranges::find(kinds, object.kind) != kinds.end())
        names.push_back(object.name);
  if (name.size() < kLeastLetters) return "";
  const auto near = nearest(name, names);
  if (!near) return "";
  const bool is_known = std::ranges::find(known, *near) != known.end();
  const auto module = is_known ? std::nullopt : module_of(*near, kinds);
  return module ? fmt::format("did you mean {} of the module {}?", *near, *module)
                : fmt::format("did you mean {}?", *near);
}

std::vector<std::string> relations(const ConnectionState& connection) {
  std::vector<std::string> names;
  sqlite3* const db = connection.db.get();
  add_texts(db, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", {}, names);
  // Looking for temporary tables would make the database of them: see before_run().
  if (connection.has_changed)
    add_texts(db, "SELECT name FROM sqlite_temp_schema WHERE type IN ('table', 'view')", {}, names);
  return names;
}

// Returns the name that a word or a name in quotes stands for.
std::string_view name_in(const Token& token) {
  if (token.kind == TokenKind::Word) return token.text;
  if (token.kind != TokenKind::Quoted || token.text.size() < 2) return {};
  return token.text.substr(1, token.text.size() - 2);
}

// Returns the columns of the tables and views that a statement names.
std::vector<std::string> columns_in(const ConnectionState& connection, std::string_view statement) {
  constexpr size_t kMostTables = 16;
  const std::vector<std::string> known = relations(connection);
  std::vector<std::string> named, columns;
  while (named.size() < kMostTables) {
    const Token token = first_token(statement);
    if (token.kind == TokenKind::End) break;
    statement.remove_prefix(token.text.size());
    const std::string_view name = name_in(token);
    const auto is_it = [&](std::string_view each) { return is_same_name(each, name); };
    const auto found = std::ranges::find_if(known, is_it);
    if (found == known.end() || std::ranges::any_of(named, is_it)) continue;
    named.push_back(*found);
    add_texts(connection.db.get(), "SELECT name FROM pragma_table_info(?1)", *found, columns);
  }
  return columns;
}

// Returns what follows `beginning` in the last line; nothing if it begins otherwise.
std::optional<std::string_view> behind(std::string_view line, std::string_view beginning) {
  if (!line.starts_with(beginning)) return std::nullopt;
  return line.substr(beginning.size());
}

}  // namespace

std::string name_hint(const ConnectionState& connection, std::string_view statement,
                      std::string_view message) {
  const std::string_view line = message.substr(message.rfind('\n') + 1);
  if (const auto table = behind(line, "no such table: ")) {
    const std::string_view name = table->substr(table->rfind('.') + 1);
    return hint_for(name, relations(connection),
                    {ObjectKind::Table, ObjectKind::View, ObjectKind::TableFunction});
  }
  if (const auto function = behind(line, "no such function: ")) {
    std::vector<std::string> known;
    add_texts(connection.db.get(), "SELECT DISTINCT name FROM pragma_function_list ORDER BY name",
              {}, known);
    return hint_for(*function, known, {ObjectKind::Function});
  }
  if (const auto column = behind(line, "no such column: ")) {
    const std::string_view name = column->substr(column->rfind('.') + 1);
    if (name.size() < kLeastLetters) return "";
    const std::vector<std::string> columns = columns_in(connection, statement);
    const auto near = nearest(name, std::vector<std::string_view>(columns.begin(), columns.end()));
    return near && !is_same_name(*near, name) ? fmt::format("did you mean {}?", *near) : "";
  }
  if (auto macro = behind(line, "unknown macro '")) {
    std::vector<std::string> known;
    for (const auto& [name, defined] : connection.macros) known.push_back(name);
    macro->remove_suffix(macro->ends_with('\'') ? 1 : 0);
    return hint_for(*macro, known, {ObjectKind::Macro});
  }
  return "";
}

}  // namespace tracebraid
