#include "query/operators/value_column.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tracebraid {

uint32_t TextSet::intern(std::string_view text) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  constexpr size_t kBlockBytes = size_t{1} << 16;
  if (text.size() > block_left_) {
    const size_t bytes = std::max(kBlockBytes, text.size());
    block_at_ = blocks_.emplace_back(std::make_unique_for_overwrite<char[]>(bytes)).get();
    block_left_ = bytes;
    bytes_ += bytes;
  }
  if (!text.empty()) std::memcpy(block_at_, text.data(), text.size());
  const std::string_view stored(block_at_ == nullptr ? "" : block_at_, text.size());
  if (block_at_ != nullptr) block_at_ += text.size();
  block_left_ -= text.size();
  const auto number = static_cast<uint32_t>(texts_.size());
  texts_.push_back(stored);
  numbers_.emplace(stored, number);
  return number;
}

void ValueColumn::add(const Cell& cell) {
  switch (cell.kind) {
    case Kind::Null:
      return add_word(Kind::Null, 0);
    case Kind::Int:
      return add_word(Kind::Int, cell.integer);
    case Kind::Real:
      return add_word(Kind::Real, std::bit_cast<int64_t>(cell.real));
    case Kind::Text:
    case Kind::Blob:
      return add_word(cell.kind, texts_.intern(cell.text));
  }
}

Cell ValueColumn::cell(size_t row) const {
  const int64_t word = words_[row];
  switch (kind(row)) {
    case Kind::Null:
      return Cell::null();
    case Kind::Int:
      return Cell::of(word);
    case Kind::Real:
      return {Kind::Real, 0, std::bit_cast<double>(word), {}};
    case Kind::Text:
    case Kind::Blob:
      return {kind(row), 0, 0, texts_[static_cast<size_t>(word)]};
  }
  return Cell::null();
}

std::optional<Cell::Kind> ValueColumn::kind_of_all() const {
  if (kinds_.empty()) return kind_;
  Kind found = Kind::Null;
  for (const Kind kind : kinds_) {
    if (kind == Kind::Null || kind == found) continue;
    if (found != Kind::Null) return std::nullopt;
    found = kind;
  }
  return found;
}

size_t ValueColumn::memory() const {
  return words_.capacity() * sizeof(int64_t) + kinds_.capacity() + texts_.memory();
}

}  // namespace tracebraid
