#include "export/arrow/scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "query/batch/cell_at.h"

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
    case Type::Binary:
      if (cell.kind == Cell::Kind::Text) return values.text(cell.text);
      return values.text(text_of(cell));
  }
}

void ResultScan::begin(const Schema& schema) {
  if (sets_++ != 0) return;
  for (const Field& field : schema.fields) {
    seen_.emplace_back();
    seen_.back().column.name = field.name;
  }
}

bool ResultScan::add(const RecordBatch& batch) {
  if (sets_ != 1 || progress_.cancelled()) return false;
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    seen_[i].types.add(batch.columns[i]);
    add_texts(seen_[i], batch.columns[i]);
  }
  // Columns without a dictionary convert all rows to texts.
  return !std::ranges::all_of(
      seen_, [](const Seen& seen) { return seen.types.has_texts() && !seen.has_dictionary; });
}

void ResultScan::add_texts(Seen& seen, const ArrayData& array) {
  if (array.type == DataType::Int64 || array.type == DataType::Float64) return;
  for (size_t row = 0; row < array.length && seen.has_dictionary; ++row) {
    const Cell cell = cell_at(array, row);
    if (cell.kind == Cell::Kind::Text || cell.kind == Cell::Kind::Blob) add_text(seen, cell.text);
  }
}

void ResultScan::add_text(Seen& seen, std::string_view text) {
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
