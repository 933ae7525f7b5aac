#include "query/scan/projection.h"

#include <fmt/core.h>

#include "query/compile/tokens.h"

namespace tracebraid {
namespace {

std::string_view cut_token(std::string_view& text) {
  text = skip_space(text);
  const Token token = first_token(text);
  text.remove_prefix(token.text.size());
  return token.text;
}

}  // namespace

Result<Projection> project(const Table& base, std::string_view name,
                           std::span<const char* const> columns) {
  Projection projection;
  const TableView& from = base.view();
  TableView view{projection.names.emplace_back(name), from.about, from.rows, {}};
  std::vector<size_t> sources;
  for (std::string_view text : columns) {
    const std::string_view source = cut_token(text);
    const ColumnView* column = base.column(source);
    if (column == nullptr || column == &kRowid)
      return fail(ErrorCode::Sql, fmt::format("{} has no column {}", from.name, source));
    const bool renamed = !cut_token(text).empty();
    sources.push_back(static_cast<size_t>(column - from.columns.data()));
    view.columns.push_back(*column);
    view.columns.back().name = projection.names.emplace_back(renamed ? cut_token(text) : source);
  }
  projection.table = std::make_unique<Table>(std::move(view), base, sources);
  return projection;
}

}  // namespace tracebraid
