#include "query/library/documentation.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/assert.h"
#include "base/words.h"
#include "query/compile/position.h"
#include "query/library/library.h"
#include "query/statements/parse.h"

namespace tracebraid {
namespace {

// Returns the comment lines at the end of a text, joined by spaces. An empty line ends them.
std::string comment_at_end(std::string_view text) {
  std::string comment;
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  while (!text.empty()) {
    const size_t newline = text.rfind('\n');
    std::string_view line = trim_lines(text.substr(newline == text.npos ? 0 : newline + 1));
    if (!line.starts_with("--")) break;
    line = trim(line.substr(2));
    comment = comment.empty() ? std::string(line) : fmt::format("{} {}", line, comment);
    text = text.substr(0, newline == text.npos ? 0 : newline);
  }
  return comment;
}

class Reader {
 public:
  Reader(std::string_view key, std::string_view text) : text_(text) { module_.key = key; }

  Result<DocumentedModule> read();

 private:
  tl::unexpected<Error> wrong(size_t at, std::string_view message) const {
    return fail(ErrorCode::Sql,
                fmt::format("{}: line {}: {}", module_.key, position_at(text_, at).line, message));
  }
  Result<> read_object(const TokenList& list, size_t begin, std::string about, Statement kind);
  // Returns the comment before a token of a statement.
  static std::string comment_before(const TokenList& list, size_t at) {
    const auto next = std::ranges::lower_bound(list.tokens, at, {}, &ListedToken::begin);
    if (next == list.tokens.begin()) return {};
    const ListedToken& before = *std::prev(next);
    const size_t end = before.begin + before.length;
    return comment_at_end(list.text.substr(end, at - end));
  }
  Result<std::vector<DocumentedName>> names(const TokenList& list, size_t begin,
                                            std::span<const DeclaredName> declared,
                                            bool needs_comments) const;

  std::string_view text_;
  DocumentedModule module_;
};

Result<std::vector<DocumentedName>> Reader::names(const TokenList& list, size_t begin,
                                                  std::span<const DeclaredName> declared,
                                                  bool needs_comments) const {
  std::vector<DocumentedName> names;
  for (const DeclaredName& name : declared) {
    std::string type = name.type;
    if (!name.reference.empty()) type += fmt::format("({})", name.reference);
    if (name.is_variadic) type += "...";
    names.push_back({name.name, std::move(type), comment_before(list, name.at)});
    if (needs_comments && names.back().about.empty())
      return wrong(begin + name.at, fmt::format("{} has no description", name.name));
  }
  return names;
}

Result<> Reader::read_object(const TokenList& list, size_t begin, std::string about,
                             Statement kind) {
  const auto parsed = parse_statement(list, kind);
  if (!parsed) return wrong(begin + parsed.error().at, parsed.error().message);
  if (kind == Statement::IncludeModule) {
    module_.includes.push_back(parsed->name);
    return {};
  }
  if (kind == Statement::CreateIndex || kind == Statement::DropIndex) return {};
  DocumentedObject object{ObjectKind::Table, parsed->name, std::move(about)};
  if (kind == Statement::CreateView) object.kind = ObjectKind::View;
  if (kind == Statement::CreateMacro) object.kind = ObjectKind::Macro;
  if (kind == Statement::CreateFunction)
    object.kind = parsed->returns_table ? ObjectKind::TableFunction : ObjectKind::Function;
  const bool is_public = !object.is_internal();
  if (is_public && object.about.empty())
    return wrong(begin, fmt::format("{} has no description", object.name));
  const bool is_relation = object.kind == ObjectKind::Table || object.kind == ObjectKind::View;
  if (is_public && is_relation && !parsed->has_schema)
    return wrong(begin, fmt::format("{} does not declare its columns", object.name));
  TB_TRY_ASSIGN(object.arguments, names(list, begin, parsed->arguments, is_public));
  TB_TRY_ASSIGN(object.columns, names(list, begin, parsed->columns, is_public));
  if (object.kind == ObjectKind::Function || object.kind == ObjectKind::Macro) {
    object.return_type = parsed->returns.type;
    if (!parsed->returns.reference.empty())
      object.return_type += fmt::format("({})", parsed->returns.reference);
    object.return_about = comment_before(list, parsed->returns.at);
    if (is_public && object.return_about.empty())
      return wrong(begin + parsed->returns.at,
                   fmt::format("the result of {} has no description", object.name));
  }
  module_.objects.push_back(std::move(object));
  return {};
}

Result<DocumentedModule> Reader::read() {
  const TokenList all = token_list(text_);
  size_t before_end = 0;  // of the last statement
  for (size_t i = 0; i < all.tokens.size(); ++i) {
    if (all.is(i, ";")) continue;
    const size_t begin = all.tokens[i].begin;
    while (i < all.tokens.size() && !all.is(i, ";")) ++i;
    const size_t end = i < all.tokens.size() ? all.tokens[i].begin : text_.size();
    const std::string_view before = text_.substr(before_end, begin - before_end);
    if (before_end == 0) {
      const size_t empty_line = before.find("\n\n");
      module_.about = comment_at_end(before.substr(0, empty_line));
      if (module_.about.empty()) return wrong(0, "the module has no description");
    }
    std::string about = before_end == 0 && before.find("\n\n") == before.npos
                            ? std::string()
                            : comment_at_end(before);
    before_end = end + 1;
    const TokenList statement = token_list(text_.substr(begin, end - begin));
    const Statement kind = kind_of_statement(statement.text);
    if (kind != Statement::Sqlite) TB_TRY(read_object(statement, begin, std::move(about), kind));
  }
  return std::move(module_);
}

}  // namespace

std::string_view name_of(ObjectKind kind) {
  constexpr std::string_view kNames[] = {"TABLE", "VIEW", "FUNCTION", "TABLE_FUNCTION", "MACRO"};
  return kNames[static_cast<size_t>(kind)];
}

Result<DocumentedModule> read_documentation(std::string_view key, std::string_view text) {
  return Reader(key, text).read();
}

std::span<const DocumentedModule> library_documentation() {
  static const std::vector<DocumentedModule> kModules = [] {
    std::vector<DocumentedModule> modules;
    for (const LibraryModule& module : library_modules()) {
      if (module.key.starts_with("prelude.")) continue;
      Result<DocumentedModule> read = read_documentation(module.key, module.text);
      TB_ASSERT(read.has_value());
      modules.push_back(*std::move(read));
    }
    std::ranges::sort(modules, {}, &DocumentedModule::key);
    return modules;
  }();
  return kModules;
}

}  // namespace tracebraid
