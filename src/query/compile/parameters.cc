#include "query/compile/parameters.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>

#include "query/compile/tokens.h"

namespace tracebraid {
namespace {

// Returns the name without its sign: ":ts" is "ts".
std::string_view bare_name(std::string_view name) {
  const bool has_sign =
      !name.empty() && (name.front() == ':' || name.front() == '@' || name.front() == '$');
  return name.substr(has_sign ? 1 : 0);
}

const Parameter* named(std::span<const Parameter> parameters, std::string_view variable) {
  const auto found = std::ranges::find_if(parameters, [&](const Parameter& parameter) {
    return parameter.name == variable ||
           (!parameter.name.empty() && parameter.name == bare_name(variable));
  });
  return found == parameters.end() ? nullptr : &*found;
}

// Returns the parameter at this position among those without names, from 1.
const Parameter* positional(std::span<const Parameter> parameters, int position) {
  for (const Parameter& parameter : parameters)
    if (parameter.name.empty() && --position == 0) return &parameter;
  return nullptr;
}

}  // namespace

Result<std::vector<Cell>> values_of_variables(sqlite3_stmt* statement,
                                              std::span<const Parameter> parameters) {
  const int count = sqlite3_bind_parameter_count(statement);
  std::vector<Cell> values(static_cast<size_t>(count));
  if (parameters.empty()) return values;
  for (int i = 1; i <= count; ++i) {
    const char* name = sqlite3_bind_parameter_name(statement, i);
    const bool has_name = name != nullptr && name[0] != '?';
    const Parameter* parameter = has_name ? named(parameters, name) : positional(parameters, i);
    // Numbers may have gaps: with ?1 and ?3, the number 2 has no variable.
    const bool is_gap = name == nullptr && parameter == nullptr && i != count;
    if (parameter != nullptr)
      values[static_cast<size_t>(i) - 1] = parameter->cell();
    else if (!is_gap)
      return fail(ErrorCode::Usage, has_name ? fmt::format("there is no value for {}", name)
                                             : fmt::format("there is no value for ?{}", i));
  }
  return values;
}

Result<> check_names(std::string_view sql, std::span<const Parameter> parameters) {
  std::vector<std::string_view> missing;
  for (const Parameter& parameter : parameters)
    if (!parameter.name.empty()) missing.push_back(parameter.name);
  while (!missing.empty()) {
    const Token token = first_token(sql);
    if (token.kind == TokenKind::End) break;
    if (token.kind == TokenKind::Variable)
      std::erase_if(missing, [&](std::string_view name) {
        return name == token.text || name == bare_name(token.text);
      });
    sql.remove_prefix(token.text.size());
  }
  if (missing.empty()) return {};
  return fail(ErrorCode::Usage,
              fmt::format("no variable of the SQL is called {}", missing.front()));
}

void bind_all(sqlite3_stmt* statement, std::span<const Cell> values) {
  const auto transient = reinterpret_cast<sqlite3_destructor_type>(intptr_t{-1});
  for (size_t i = 0; i < values.size(); ++i) {
    const Cell& cell = values[i];
    const int number = static_cast<int>(i) + 1;
    const char* bytes = cell.text.data() == nullptr ? "" : cell.text.data();
    switch (cell.kind) {
      case Cell::Kind::Null:
        sqlite3_bind_null(statement, number);
        break;
      case Cell::Kind::Int:
        sqlite3_bind_int64(statement, number, cell.integer);
        break;
      case Cell::Kind::Real:
        sqlite3_bind_double(statement, number, cell.real);
        break;
      case Cell::Kind::Text:
        sqlite3_bind_text64(statement, number, bytes, cell.text.size(), transient, SQLITE_UTF8);
        break;
      case Cell::Kind::Blob:
        sqlite3_bind_blob64(statement, number, bytes, cell.text.size(), transient);
        break;
    }
  }
}

std::string with_numbered_variables(std::string_view sql, sqlite3_stmt* statement) {
  std::string text;
  int last = 0;  // greatest number so far; a plain ? takes the next one
  for (Token token = first_token(sql); token.kind != TokenKind::End; token = first_token(sql)) {
    sql.remove_prefix(token.text.size());
    if (token.kind != TokenKind::Variable) {
      text += token.text;
      continue;
    }
    int number = last + 1;
    if (token.text.starts_with('?') && token.text.size() > 1)
      std::from_chars(token.text.data() + 1, token.text.data() + token.text.size(), number);
    else if (token.text != "?")
      number = sqlite3_bind_parameter_index(statement, std::string(token.text).c_str());
    last = std::max(last, number);
    text += fmt::format("?{}", number);
  }
  return text;
}

}  // namespace tracebraid
