// The columns of a Parquet or Arrow file: their types, and their values by batch. Plain memory,
// because the library that writes the file does not depend on the rest of the program.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracebraid {

// The limit of a dictionary; beyond it, a column with mostly distinct rows is plain text.
inline constexpr size_t kManyTexts = 100'000;
inline constexpr size_t kMostDictionaryBytes = size_t{16} << 20;
// The largest size of the texts of a batch, because Arrow has offsets of 31 bits.
inline constexpr size_t kMostBatchBytes = size_t{16} << 20;

// Texts are dictionary-encoded unless most rows are distinct. Only fleets write Binary; other
// exports have bytes as texts.
struct ArrowColumn {
  enum class Type : uint8_t { Integer, Real, Dictionary, Text, Binary };
  std::string name;
  Type type = Type::Integer;
  std::vector<std::string_view> texts;  // of a Dictionary, by index; must outlive the file
};

// The values of one column of a batch, in the layout of Arrow.
class ArrowValues {
 public:
  void null(ArrowColumn::Type type) {
    switch (type) {
      case ArrowColumn::Type::Integer:
        integers.push_back(0);
        break;
      case ArrowColumn::Type::Real:
        reals.push_back(0);
        break;
      case ArrowColumn::Type::Dictionary:
        numbers.push_back(0);
        break;
      case ArrowColumn::Type::Text:
      case ArrowColumn::Type::Binary:
        ends.push_back(static_cast<int32_t>(texts.size()));
        break;
    }
    ++nulls;
    mark(false);
  }
  void integer(int64_t value) {
    integers.push_back(value);
    mark(true);
  }
  void real(double value) {
    reals.push_back(value);
    mark(true);
  }
  void number(int32_t value) {
    numbers.push_back(value);
    mark(true);
  }
  void text(std::string_view value) {
    texts += value;
    ends.push_back(static_cast<int32_t>(texts.size()));
    mark(true);
  }
  // Sets the number of rows after the values. Calls `is_valid` for each row.
  template <class IsValid>
  void mark_all(size_t count, IsValid is_valid) {
    size_t i = 0;
    for (; i < count && rows % 8 != 0; ++i) mark_or_count(is_valid(i));
    for (; i + 8 <= count; i += 8) {
      unsigned bits = 0;
      for (size_t bit = 0; bit < 8; ++bit) bits |= (is_valid(i + bit) ? 1u : 0u) << bit;
      valid.push_back(static_cast<uint8_t>(bits));
      nulls += 8 - std::popcount(bits);
      rows += 8;
    }
    for (; i < count; ++i) mark_or_count(is_valid(i));
  }
  // Removes all rows and keeps the memory.
  void clear() {
    integers.clear();
    reals.clear();
    numbers.clear();
    texts.clear();
    ends.assign(1, 0);
    valid.clear();
    rows = nulls = 0;
  }
  bool is_full() const { return texts.size() >= kMostBatchBytes; }

  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<int32_t> numbers;     // indexes of the dictionary
  std::string texts;                // concatenated
  std::vector<int32_t> ends = {0};  // offset of each text, and the end of the last
  std::vector<uint8_t> valid;       // one bit per row, lowest first
  int64_t rows = 0, nulls = 0;

 private:
  void mark_or_count(bool is_valid) {
    nulls += is_valid ? 0 : 1;
    mark(is_valid);
  }
  void mark(bool is_valid) {
    if (rows % 8 == 0) valid.push_back(0);
    if (is_valid) valid.back() = static_cast<uint8_t>(valid.back() | 1u << (rows % 8));
    ++rows;
  }
};

}  // namespace tracebraid
