#include "query/group/derived_column.h"

#include <algorithm>
#include <array>

namespace tracebraid {
namespace {

constexpr size_t kRowsAhead = size_t{1} << 17;
constexpr size_t kRowsOfTask = size_t{1} << 13;

}  // namespace

DerivedColumn::DerivedColumn(size_t rows, Evaluate evaluate, Workers& workers)
    : rows_(rows), evaluate_(std::move(evaluate)), workers_(workers) {}

size_t DerivedColumn::memory() const {
  return std::min(kRowsAhead, rows_) * (sizeof(int64_t) + sizeof(uint8_t));
}

ColumnView DerivedColumn::view() const {
  ColumnView view{.name = "", .type = CellType::Computed, .data = this};
  view.read = [](const void* data, size_t first, std::span<int64_t> values, std::span<bool> valid) {
    static_cast<const DerivedColumn*>(data)->read(first, values, valid);
  };
  return view;
}

void DerivedColumn::read(size_t first, std::span<int64_t> values, std::span<bool> valid) const {
  if (has_failed_) {
    std::ranges::fill(valid, false);
    return;
  }
  const bool follows = first == expected_;
  expected_ = first + values.size();
  if (!follows && (first < first_ || expected_ > first_ + count_)) {
    if (!evaluate_(first, values, valid)) has_failed_ = true;
    return;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t row = first + i;
    if (row < first_ || row >= first_ + count_) compute_ahead(row);
    values[i] = values_[row - first_];
    valid[i] = valid_[row - first_] != 0;
  }
}

void DerivedColumn::compute_ahead(size_t first) const {
  first_ = first;
  count_ = std::min(kRowsAhead, rows_ - first);
  values_.resize(count_);
  valid_.resize(count_);
  const size_t tasks = (count_ + kRowsOfTask - 1) / kRowsOfTask;
  workers_.run(tasks, [&](size_t task) {
    const size_t begin = task * kRowsOfTask, rows = std::min(kRowsOfTask, count_ - begin);
    std::array<bool, kRowsOfTask> valid{};
    const std::span part = std::span(valid).first(rows);
    if (!has_failed_ && !evaluate_(first + begin, std::span(values_).subspan(begin, rows), part))
      has_failed_ = true;
    std::ranges::copy(part, valid_.begin() + static_cast<ptrdiff_t>(begin));
  });
}

}  // namespace tracebraid
