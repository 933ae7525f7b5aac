// Helpers for SQL functions that return new text or bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "query/functions/sql_function.h"

namespace tracebraid {

// Wraps a function (arguments) -> Result<std::optional<std::string>> as the body of a SqlFunction;
// nothing is NULL. The text is valid until the next call.
template <class Body>
auto returns_text(Body body, Cell::Kind kind = Cell::Kind::Text) {
  return [body = std::move(body), kind,
          text = std::string()](std::span<const Cell> arguments) mutable -> Result<Cell> {
    auto made = body(arguments);
    if (!made) return tl::unexpected(std::move(made).error());
    if (!*made) return Cell::null();
    text = **std::move(made);
    Cell cell = Cell::of(std::string_view(text));
    cell.kind = kind;
    return cell;
  };
}

using MaybeText = Result<std::optional<std::string>>;

// Converts a value to text as SQLite does. Returns nothing for NULL.
std::optional<std::string> text_of(const Cell& cell);
// The same without a copy: the text of the cell, or `converted`. Requires: it is not NULL.
std::string_view view_of(const Cell& cell, std::string& converted);

}  // namespace tracebraid
