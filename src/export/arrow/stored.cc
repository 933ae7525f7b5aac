#include "export/arrow/stored.h"

#include <algorithm>

#include "base/words.h"
#include "export/arrow/scan.h"
#include "sql/column_values.h"

namespace tracebraid {
namespace {

using Type = ArrowColumn::Type;

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

// At the commas that are in no parentheses and no quotes.
std::vector<std::string_view> split_list(std::string_view list) {
  std::vector<std::string_view> items;
  size_t begin = 0;
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\'') quoted = !quoted;
    if (quoted) continue;
    if (list[i] == '(') ++depth;
    if (list[i] == ')') --depth;
    if (list[i] != ',' || depth != 0) continue;
    items.push_back(trim_lines(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  items.push_back(trim_lines(list.substr(begin)));
  return items;
}

// "category AS cat", "ts".
PlainRelation::Item item_of(std::string_view text) {
  const size_t as = text.rfind(" AS ");
  if (as == text.npos) return {std::string(text), std::string(text)};
  return {std::string(trim_lines(text.substr(as + 4))),
          std::string(trim_lines(text.substr(0, as)))};
}

std::optional<PlainRelation> relation_of(std::string_view table, std::string_view list) {
  if (!is_name(table) || !table.starts_with("__intrinsic_")) return std::nullopt;
  PlainRelation plain{std::string(table), {}};
  for (const std::string_view text : split_list(list)) {
    plain.items.push_back(item_of(text));
    if (!is_name(plain.items.back().name)) return std::nullopt;
  }
  return plain;
}

}  // namespace

std::optional<PlainRelation> plain_relation(const Database::Relation& relation) {
  const std::string_view sql = relation.sql;
  constexpr std::string_view kProjection = "USING __intrinsic_dataframe(";
  if (const size_t at = sql.find(kProjection); at != sql.npos) {
    const std::string_view list = sql.substr(at + kProjection.size());
    const size_t comma = list.find(','), end = list.rfind(')');
    if (comma == list.npos || end == list.npos || end < comma) return std::nullopt;
    return relation_of(trim_lines(list.substr(0, comma)), list.substr(comma + 1, end - comma - 1));
  }
  constexpr std::string_view kSelect = "SELECT ", kFrom = "FROM ";
  const size_t select = sql.find(kSelect), from = sql.rfind(kFrom);
  if (select == sql.npos || from == sql.npos || from < select) return std::nullopt;
  // What is behind the table's name, WHERE or a comma, is no part of a name.
  std::string_view table = trim_lines(sql.substr(from + kFrom.size()));
  if (table.ends_with(';')) table.remove_suffix(1);
  const std::string_view list = sql.substr(select + kSelect.size(), from - select - kSelect.size());
  for (const std::string_view word : {"SELECT", "DISTINCT", "FROM", "JOIN", "OVER", "count("})
    if (list.find(word) != list.npos) return std::nullopt;
  return relation_of(table, list);
}

StoredColumn::StoredColumn(std::string name, const ColumnView& view, size_t rows,
                           const StringPool& strings)
    : view_(view), strings_(strings) {
  column_.name = std::move(name);
  if (view_.sql_type == SqlType::Real) column_.type = Type::Real;
  if (view_.sql_type != SqlType::Text) return;
  column_.type = Type::Dictionary;
  const bool is_small = view_.type == CellType::String ? number_ids(rows) : number_computed(rows);
  if (is_small) return;
  column_.type = Type::Text;
  column_.texts = {};
  numbers_ = {};
  computed_ = {};
}

bool StoredColumn::is_new_text_fine(std::string_view text, size_t rows) {
  column_.texts.push_back(text);
  text_bytes_ += text.size();
  return text_bytes_ <= kMostDictionaryBytes &&
         (column_.texts.size() < kManyTexts || column_.texts.size() * 2 < rows);
}

bool StoredColumn::number_ids(size_t rows) {
  constexpr int32_t kUnseen = -1;
  numbers_.assign(strings_.size(), kUnseen);
  return visit_integers(view_, [&](const auto& ids) {
    for (size_t row = 0; row < rows; ++row) {
      const StringId id{static_cast<uint32_t>(ids[row])};
      if (!id || numbers_[id.row] != kUnseen) continue;
      numbers_[id.row] = static_cast<int32_t>(column_.texts.size());
      if (!is_new_text_fine(strings_.get(id), rows)) return false;
    }
    return true;
  });
}

bool StoredColumn::number_computed(size_t rows) {
  for (size_t row = 0; row < rows; ++row) {
    const Cell value = cell(view_, row, strings_);
    if (value.kind == Cell::Kind::Null) continue;
    const auto number = static_cast<int32_t>(column_.texts.size());
    if (computed_.try_emplace(value.text, number).second && !is_new_text_fine(value.text, rows))
      return false;
  }
  return true;
}

size_t StoredColumn::rows_of_batch(size_t first, size_t rows) const {
  if (column_.type != Type::Text) return rows;
  size_t bytes = 0;
  for (size_t i = 0; i < rows; ++i) {
    bytes += cell(view_, first + i, strings_).text.size();
    if (bytes > kMostBatchBytes) return i == 0 ? 1 : i;
  }
  return rows;
}

void StoredColumn::add_computed(const Cell& value, ArrowValues& values) const {
  if (value.kind == Cell::Kind::Null) return values.null(column_.type);
  switch (column_.type) {
    case Type::Integer:
      return values.integer(value.integer);
    case Type::Real:
      return values.real(value.real);
    case Type::Dictionary:
      return values.number(computed_.find(value.text)->second);
    case Type::Text:
      return values.text(value.text);
  }
}

void StoredColumn::add(size_t first, size_t rows, ArrowValues& values) const {
  if (!holds_integers(view_)) {
    for (size_t row = first; row < first + rows; ++row)
      add_computed(cell(view_, row, strings_), values);
    return;
  }
  const Domain domain = domain_of(view_);
  visit_integers(view_, [&](const auto& cells) {
    for (size_t row = first; row < first + rows; ++row) {
      const int64_t value = cells[row];
      if (value < domain.min || value > domain.max)
        values.null(column_.type);
      else if (column_.type == Type::Integer)
        values.integer(value);
      else if (column_.type == Type::Dictionary)
        values.number(numbers_[static_cast<size_t>(value)]);
      else
        values.text(strings_.get(StringId{static_cast<uint32_t>(value)}));
    }
  });
}

}  // namespace tracebraid
