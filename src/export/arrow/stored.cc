#include "export/arrow/stored.h"

#include <algorithm>

#include "sql/column_values.h"

namespace tracebraid {
namespace {

using Type = ArrowColumn::Type;

struct ComputedIds {
  const ColumnView* view;
  int64_t operator[](size_t row) const { return view->text_id(view->data, row).row; }
};

}  // namespace

template <class Body>
auto StoredColumn::with_ids(Body body) const {
  return view_.text_id != nullptr ? body(ComputedIds{&view_}) : visit_integers(view_, body);
}

StoredColumn::StoredColumn(std::string name, const ColumnView& view, size_t rows,
                           const StringPool& strings)
    : view_(view), strings_(strings) {
  column_.name = std::move(name);
  if (view_.sql_type == SqlType::Real) column_.type = Type::Real;
  if (view_.sql_type != SqlType::Text) return;
  column_.type = Type::Dictionary;
  const bool is_small = has_ids() ? number_ids(rows) : number_computed(rows);
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
  return with_ids([&](const auto& ids) {
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

void StoredColumn::add_integers(size_t first, size_t rows, ArrowValues& values) const {
  std::vector<int64_t>& into = values.integers;
  const size_t before = into.size();
  into.resize(before + rows);
  const std::span<int64_t> added = std::span(into).subspan(before);
  if (view_.packed != nullptr)
    view_.packed->read(first, added);
  else
    visit_integers(view_, [&](const auto& cells) {
      for (size_t i = 0; i < rows; ++i) added[i] = cells[first + i];
    });
  // NULL of a packed column lies below its domain.
  const Domain domain = domain_of(view_);
  values.mark_all(rows, [&](size_t i) { return added[i] >= domain.min && added[i] <= domain.max; });
}

void StoredColumn::add(size_t first, size_t rows, ArrowValues& values) const {
  if (column_.type == Type::Integer && holds_integers(view_))
    return add_integers(first, rows, values);
  if (column_.type == Type::Integer || column_.type == Type::Real || !has_ids()) {
    for (size_t row = first; row < first + rows; ++row)
      add_computed(cell(view_, row, strings_), values);
    return;
  }
  with_ids([&](const auto& ids) {
    for (size_t row = first; row < first + rows; ++row) {
      const StringId id{static_cast<uint32_t>(ids[row])};
      if (!id)
        values.null(column_.type);
      else if (column_.type == Type::Dictionary)
        values.number(numbers_[id.row]);
      else
        values.text(strings_.get(id));
    }
  });
}

}  // namespace tracebraid
