#include "export/arrow/columns.h"

#include <algorithm>

namespace tracebraid {
namespace {

// From here on a column whose rows mostly differ is plain text.
constexpr size_t kManyTexts = 100'000;

}  // namespace

void ColumnScan::columns(std::span<const std::string> names) {
  if (sets_++ != 0) return;
  for (const std::string& name : names) {
    seen_.emplace_back();
    seen_.back().column.name = name;
  }
}

bool ColumnScan::row(std::span<const Cell> cells) {
  if (sets_ != 1 || progress_.cancelled()) return false;
  ++rows_;
  for (size_t i = 0; i < cells.size(); ++i) {
    Seen& seen = seen_[i];
    switch (cells[i].kind) {
      case Cell::Kind::Null:
        seen.column.has_nulls = true;
        break;
      case Cell::Kind::Int:
        seen.integers = true;
        break;
      case Cell::Kind::Real:
        seen.reals = true;
        break;
      case Cell::Kind::Text:
      case Cell::Kind::Blob:
        seen.texts = true;
        add_text(seen, cells[i].text);
        break;
    }
  }
  return true;
}

void ColumnScan::add_text(Seen& seen, std::string_view text) {
  if (!seen.has_dictionary) return;
  auto& numbers = seen.column.numbers;
  numbers.try_emplace(std::string(text), static_cast<int32_t>(numbers.size()));
  if (numbers.size() < kManyTexts || numbers.size() * 2 < rows_) return;
  seen.has_dictionary = false;
  numbers = {};
}

std::vector<ArrowColumn> ColumnScan::finish() && {
  std::vector<ArrowColumn> columns;
  columns.reserve(seen_.size());
  for (Seen& seen : seen_) {
    using Type = ArrowColumn::Type;
    ArrowColumn& column = seen.column;
    if (seen.texts && !seen.integers && !seen.reals)
      column.type = seen.has_dictionary ? Type::Dictionary : Type::Text;
    else if (seen.texts)
      column.type = Type::Text;  // of several kinds
    else if (seen.reals)
      column.type = Type::Real;
    if (column.type != Type::Dictionary) column.numbers = {};
    columns.push_back(std::move(column));
    // The map has its place now: its keys stay where they are.
    ArrowColumn& kept = columns.back();
    kept.texts.resize(kept.numbers.size());
    for (const auto& [text, number] : kept.numbers) kept.texts[static_cast<size_t>(number)] = text;
  }
  return columns;
}

}  // namespace tracebraid
