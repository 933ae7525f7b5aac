#include "query/macros/builtin_macros.h"

#include <algorithm>

#include "query/compile/token_list.h"
#include "query/macros/macro.h"

namespace tracebraid {
namespace {

constexpr std::string_view kStringify[] = {"__intrinsic_stringify",
                                           "__intrinsic_stringify_ignore_table"};
constexpr struct {
  std::string_view name, prefix, separator;
} kApply[] = {{"__intrinsic_token_apply", "", ", "},
              {"__intrinsic_token_apply_prefix", ", ", ", "},
              {"__intrinsic_token_apply_and", "", " AND "},
              {"__intrinsic_token_apply_and_prefix", " AND ", " AND "}};

constexpr std::string_view kTypes[] = {
    "ColumnNameList", "_ProjectionFragment", "_TableNameList",  "ColumnName",
    "Expr",           "TableOrSubquery",     "UnparenExprList", "ExprList"};

// Returns the elements of "(a, b)"; nothing if the text is anything else.
std::optional<std::vector<SqlText>> elements_of(const SqlText& argument) {
  const TokenList list = token_list(argument.text);
  const size_t count = list.tokens.size();
  if (count < 2 || !list.is(0, "(") || list.tokens[0].partner != count - 1) return std::nullopt;
  std::vector<SqlText> elements;
  for (const TokenRange& range : split_at_commas(list, {1, count - 1})) {
    if (range.is_empty()) return std::nullopt;
    const ListedToken& last = list.tokens[range.end - 1];
    elements.push_back(argument.part(list.tokens[range.begin].begin, last.begin + last.length));
  }
  return elements;
}

}  // namespace

bool is_macro_type(std::string_view name) {
  return std::ranges::any_of(kTypes, [&](std::string_view type) {
    return type.size() == name.size() &&
           std::ranges::equal(
               type, name, {}, [](char c) { return c | 0x20; }, [](char c) { return c | 0x20; });
  });
}

std::string macro_type_names() {
  std::string names;
  for (const std::string_view type : kTypes) names.append(names.empty() ? "" : ", ") += type;
  return names;
}

bool is_builtin_macro(std::string_view name) {
  return std::ranges::find(kStringify, name) != std::end(kStringify) ||
         std::ranges::any_of(kApply, [&](const auto& apply) { return apply.name == name; });
}

std::optional<std::string> stringify(std::string_view name, std::span<const SqlText> arguments) {
  if (std::ranges::find(kStringify, name) == std::end(kStringify) || arguments.size() != 1)
    return std::nullopt;
  return "'" + arguments[0].text + "'";
}

std::optional<AppliedCalls> token_apply(std::string_view name, std::span<const SqlText> arguments) {
  const auto* apply = std::ranges::find_if(kApply, [&](const auto& a) { return a.name == name; });
  if (apply == std::end(kApply) || arguments.size() < 2 || arguments.size() > 3)
    return std::nullopt;
  AppliedCalls calls{arguments[0].text, "", std::string(apply->separator), {}};
  std::vector<std::vector<SqlText>> lists;
  for (const SqlText& argument : arguments.subspan(1)) {
    std::optional<std::vector<SqlText>> elements = elements_of(argument);
    if (!elements) return std::nullopt;
    lists.push_back(*std::move(elements));
  }
  size_t count = lists[0].size();
  for (const auto& list : lists) count = std::min(count, list.size());
  for (size_t i = 0; i < count; ++i) {
    std::vector<SqlText>& call = calls.arguments.emplace_back();
    for (auto& list : lists) call.push_back(std::move(list[i]));
  }
  if (count != 0) calls.prefix = apply->prefix;
  return calls;
}

}  // namespace tracebraid
