#include "export/arrow/scan.h"

#include <fmt/format.h>

#include <algorithm>

namespace tracebraid {
namespace {

using Type = ArrowColumn::Type;

std::string text_of(const Cell& cell) {
  if (cell.kind == Cell::Kind::Int) return std::to_string(cell.integer);
  if (cell.kind == Cell::Kind::Real) return fmt::format("{}", cell.real);
  return std::string(cell.text);
}

// Files have bytes as texts.
Type type_of(SeenTypes seen, bool has_dictionary) {
  seen.texts = seen.has_texts();
  seen.blobs = false;
  switch (seen.type(DataType::Dictionary)) {
    case DataType::Float64:
      return Type::Real;
    case DataType::Dictionary:
      return has_dictionary ? Type::Dictionary : Type::Text;
    case DataType::Utf8:
      return Type::Text;
    default:
      return Type::Integer;
  }
}

}  // namespace

ArrowColumn ScannedColumn::arrow() const {
  ArrowColumn column{name, type, {}};
  for (uint32_t number = 0; number < texts.size(); ++number)
    column.texts.push_back(texts.get(StringId{number}));
  return column;
}

void ScannedColumn::add(const Cell& cell, ArrowValues& values) const {
  if (cell.kind == Cell::Kind::Null) return values.null(type);
  switch (type) {
    case Type::Integer:
      return values.integer(cell.integer);
    case Type::Real:
      return values.real(cell.kind == Cell::Kind::Int ? static_cast<double>(cell.integer)
                                                      : cell.real);
    case Type::Dictionary:
      return values.number(static_cast<int32_t>(texts.find(cell.text).row));
    case Type::Text:
      if (cell.kind == Cell::Kind::Text) return values.text(cell.text);
      return values.text(text_of(cell));
  }
}

void ResultScan::columns(std::span<const std::string> names) {
  if (sets_++ != 0) return;
  for (const std::string& name : names) {
    seen_.emplace_back();
    seen_.back().column.name = name;
  }
}

bool ResultScan::row(std::span<const Cell> cells) {
  if (sets_ != 1 || progress_.cancelled()) return false;
  for (size_t i = 0; i < cells.size(); ++i) {
    Seen& seen = seen_[i];
    seen.types.add(cells[i].kind);
    if (cells[i].kind == Cell::Kind::Text || cells[i].kind == Cell::Kind::Blob)
      add_text(seen, cells[i].text);
  }
  // Columns without a dictionary convert all rows to texts.
  return !std::ranges::all_of(
      seen_, [](const Seen& seen) { return seen.types.has_texts() && !seen.has_dictionary; });
}

void ResultScan::add_text(Seen& seen, std::string_view text) {
  if (!seen.has_dictionary) return;
  StringPool& texts = seen.column.texts;
  const uint32_t before = texts.size();
  texts.intern(text);
  if (texts.size() == before) return;
  seen.text_bytes += text.size();
  if (seen.text_bytes <= kMostDictionaryBytes && texts.size() <= kMostScannedTexts) return;
  seen.has_dictionary = false;
  texts = {};
}

std::vector<ScannedColumn> ResultScan::finish(std::span<const ArrowColumn> declared) && {
  std::vector<ScannedColumn> columns;
  for (Seen& seen : seen_) {
    ScannedColumn& column = seen.column;
    const auto known = std::ranges::find(declared, column.name, &ArrowColumn::name);
    column.type = type_of(seen.types, seen.has_dictionary);
    const bool is_replaced = known != declared.end() && column.type == Type::Integer &&
                             (known->type == Type::Real || !seen.types.integers);
    if (is_replaced) column.type = known->type;
    if (column.type != Type::Dictionary) column.texts = {};
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace tracebraid
