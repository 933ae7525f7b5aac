#include "export/arrow/stored.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "query/scan/column_values.h"

namespace tracebraid {
namespace {

using Type = ArrowColumn::Type;

constexpr size_t kBlockRows = 1024;  // rows read at once

// Reads the values of a computed column in batches.
struct ReadBlock {
  std::array<int64_t, kBlockRows> values;
  std::array<bool, kBlockRows> valid;

  // Calls body(i, value, is_valid) for consecutive rows.
  template <class Body>
  void for_each(const ColumnView& view, size_t first, size_t rows, Body body) {
    for (size_t done = 0; done < rows; done += kBlockRows) {
      const size_t count = std::min(kBlockRows, rows - done);
      view.read(view.data, first + done, std::span(values).first(count),
                std::span(valid).first(count));
      for (size_t i = 0; i < count; ++i) body(done + i, values[i], valid[i]);
    }
  }
};

// Extends a list by `rows` elements and returns them.
template <class T>
std::span<T> added(std::vector<T>& values, size_t rows) {
  values.resize(values.size() + rows);
  return std::span(values).last(rows);
}

void read_sparse(const SparseColumn& column, size_t first, std::span<int64_t> values) {
  std::ranges::fill(values, OptInt::kNull);
  const std::span<const uint32_t> rows = column.rows();
  const auto begin = std::ranges::lower_bound(rows, first);
  for (auto at = begin; at != rows.end() && *at < first + values.size(); ++at)
    values[*at - first] = column.values()[static_cast<size_t>(at - rows.begin())];
}

void read_integers(const ColumnView& view, size_t first, std::span<int64_t> values) {
  if (view.packed != nullptr) return view.packed->read(first, values);
  if (view.type == CellType::Sparse)
    return read_sparse(*static_cast<const SparseColumn*>(view.data), first, values);
  visit_integers(view, [&](const auto& cells) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = cells[first + i];
  });
}

}  // namespace

StoredColumn::StoredColumn(std::string name, const ColumnView& view, size_t rows,
                           const StringPool& strings)
    : view_(view), rows_(rows), strings_(strings) {
  column_.name = std::move(name);
  if (view_.sql_type == SqlType::Real) column_.type = Type::Real;
  if (view_.sql_type == SqlType::Text) column_.type = Type::Dictionary;
}

void StoredColumn::number_texts() {
  if (column_.type != Type::Dictionary) return;
  const bool is_small = has_ids() ? number_ids() : number_computed();
  if (is_small) return;
  column_.type = Type::Text;
  column_.texts = {};
  numbers_ = {};
  computed_ = {};
}

bool StoredColumn::has_ids() const {
  return view_.type == CellType::String || view_.text_id != nullptr || !view_.texts.empty();
}

uint32_t StoredColumn::ids() const {
  return view_.texts.empty() ? strings_.size() : static_cast<uint32_t>(view_.texts.size());
}

std::string_view StoredColumn::text_of(uint32_t id) const {
  return view_.texts.empty() ? strings_.get(StringId{id}) : view_.texts[id];
}

template <class Body>
void StoredColumn::for_each_id(size_t first, size_t rows, Body body) const {
  if (view_.read != nullptr) {
    ReadBlock().for_each(view_, first, rows, [&](size_t i, int64_t id, bool is_valid) {
      body(i, is_valid ? static_cast<uint32_t>(id) : kNoText);
    });
  } else if (view_.text_id != nullptr) {
    for (size_t i = 0; i < rows; ++i) body(i, view_.text_id(view_.data, first + i).row);
  } else {
    std::array<int64_t, kBlockRows> ids;
    for (size_t done = 0; done < rows; done += kBlockRows) {
      const size_t count = std::min(kBlockRows, rows - done);
      read_integers(view_, first + done, std::span(ids).first(count));
      for (size_t i = 0; i < count; ++i) body(done + i, static_cast<uint32_t>(ids[i]));
    }
  }
}

bool StoredColumn::is_new_text_fine(std::string_view text) {
  column_.texts.push_back(text);
  text_bytes_ += text.size();
  return text_bytes_ <= kMostDictionaryBytes &&
         (column_.texts.size() < kManyTexts || column_.texts.size() * 2 < rows_);
}

bool StoredColumn::number_ids() {
  constexpr int32_t kUnseen = -1;
  numbers_.assign(ids(), kUnseen);
  bool is_fine = true;
  for (size_t first = 0; first < rows_ && is_fine; first += kBlockRows) {
    for_each_id(first, std::min(kBlockRows, rows_ - first), [&](size_t, uint32_t id) {
      if (id == kNoText || numbers_[id] != kUnseen) return;
      numbers_[id] = static_cast<int32_t>(column_.texts.size());
      is_fine &= is_new_text_fine(text_of(id));
    });
  }
  return is_fine;
}

bool StoredColumn::number_computed() {
  for (size_t row = 0; row < rows_; ++row) {
    const Cell value = cell(view_, row, strings_);
    if (value.kind == Cell::Kind::Null) continue;
    const auto number = static_cast<int32_t>(column_.texts.size());
    if (computed_.try_emplace(value.text, number).second && !is_new_text_fine(value.text))
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
    case Type::Binary:
      return values.text(value.text);
  }
}

void StoredColumn::add_integers(size_t first, size_t rows, ArrowValues& values) const {
  const std::span<int64_t> into = added(values.integers, rows);
  if (view_.read != nullptr) {
    std::vector<uint8_t> valid(rows);
    ReadBlock().for_each(view_, first, rows, [&](size_t i, int64_t value, bool is_valid) {
      into[i] = is_valid ? value : 0;
      valid[i] = is_valid;
    });
    return values.mark_all(rows, [&](size_t i) { return valid[i] != 0; });
  }
  read_integers(view_, first, into);
  // NULL of a packed column is below all values.
  const Domain domain = domain_of(view_);
  values.mark_all(rows, [&](size_t i) { return into[i] >= domain.min && into[i] <= domain.max; });
}

void StoredColumn::add_reals(size_t first, size_t rows, ArrowValues& values) const {
  const std::span<double> into = added(values.reals, rows);
  constexpr double kNull = std::numeric_limits<double>::quiet_NaN();  // NULL of reals in tables
  ReadBlock().for_each(view_, first, rows, [&](size_t i, int64_t bits, bool is_valid) {
    into[i] = is_valid ? std::bit_cast<double>(bits) : kNull;
  });
  values.mark_all(rows, [&](size_t i) { return !std::isnan(into[i]); });
}

void StoredColumn::add_ids(size_t first, size_t rows, ArrowValues& values) const {
  if (column_.type == Type::Text) {
    for_each_id(first, rows, [&](size_t, uint32_t id) {
      if (id == kNoText)
        values.null(Type::Text);
      else
        values.text(text_of(id));
    });
    return;
  }
  const std::span<int32_t> into = added(values.numbers, rows);
  constexpr int32_t kNull = -1;
  for_each_id(first, rows,
              [&](size_t i, uint32_t id) { into[i] = id == kNoText ? kNull : numbers_[id]; });
  values.mark_all(rows, [&](size_t i) { return into[i] != kNull; });
  std::ranges::replace(into, kNull, 0);  // a valid index, for readers that ignore `valid`
}

void StoredColumn::add(size_t first, size_t rows, ArrowValues& values) const {
  const bool is_text = column_.type == Type::Dictionary || column_.type == Type::Text;
  if (is_text && has_ids()) return add_ids(first, rows, values);
  if (column_.type == Type::Integer && (holds_integers(view_) || view_.read != nullptr))
    return add_integers(first, rows, values);
  if (column_.type == Type::Real && view_.read != nullptr) return add_reals(first, rows, values);
  for (size_t row = first; row < first + rows; ++row)
    add_computed(cell(view_, row, strings_), values);
}

}  // namespace tracebraid
