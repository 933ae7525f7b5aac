// ValueColumn: SQL values in memory, 8 bytes each, which operators read and write.
//
// Input: cells of a statement or of an operator. Output: typed values. Called by operators.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/pages.h"
#include "column/cell.h"

namespace tracebraid {

// The distinct texts and blobs of columns. Views stay valid as long as the TextSet lives.
class TextSet {
 public:
  // Returns the number of the text: 0, 1 ... in the order of first appearance.
  uint32_t intern(std::string_view text);
  std::string_view operator[](size_t number) const { return texts_[number]; }
  size_t size() const { return texts_.size(); }
  size_t memory() const { return bytes_ + texts_.capacity() * sizeof(std::string_view); }

 private:
  absl::flat_hash_map<std::string_view, uint32_t> numbers_;
  std::vector<std::string_view> texts_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_left_ = 0, bytes_ = 0;
  char* block_at_ = nullptr;
};

class ValueColumn {
 public:
  using Kind = Cell::Kind;

  void add(const Cell& cell);
  void add_integer(int64_t value) { add_word(Kind::Int, value); }
  void add_null() { add_word(Kind::Null, 0); }
  // Adds the text with this number in texts().
  void add_text(uint32_t number) { add_word(Kind::Text, number); }
  // Returns the number of a text in texts().
  uint32_t intern(std::string_view text) { return texts_.intern(text); }
  // Reserves memory for so many values.
  void reserve(size_t size) { reserve_in_huge_pages(words_, size); }
  // Takes integers as the whole column.
  void take_integers(std::vector<int64_t> values) {
    words_ = std::move(values);
    kind_ = Kind::Int;
  }

  size_t size() const { return words_.size(); }
  Kind kind(size_t row) const { return kinds_.empty() ? kind_ : kinds_[row]; }
  // The integer, the bits of the real, or the number of the text or blob in texts(); 0 for NULL.
  int64_t word(size_t row) const { return words_[row]; }
  std::span<const int64_t> words() const { return words_; }
  const TextSet& texts() const { return texts_; }
  Cell cell(size_t row) const;
  // Whether all values are of this kind; true for a column without values.
  bool is_all(Kind kind) const { return words_.empty() || (kinds_.empty() && kind_ == kind); }
  // The kind of all values but NULLs; Null if there are no others, nothing if there are several.
  std::optional<Kind> kind_of_all() const;
  size_t memory() const;

 private:
  void add_word(Kind kind, int64_t word) {
    if (words_.empty()) kind_ = kind;
    if (kind != kind_ && kinds_.empty()) kinds_.assign(words_.size(), kind_);
    if (!kinds_.empty()) kinds_.push_back(kind);
    words_.push_back(word);
  }

  std::vector<int64_t> words_;
  Kind kind_ = Kind::Null;   // of all values, if kinds_ is empty
  std::vector<Kind> kinds_;  // of each value, if there are several kinds
  TextSet texts_;
};

}  // namespace tracebraid
