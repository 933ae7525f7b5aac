// What the columns of a result set hold, found by looking at all rows once: the types and the
// dictionaries of their Arrow columns.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "sql/database.h"

namespace tracebraid {

// A text is a number of a dictionary, unless most rows have one of their own.
struct ArrowColumn {
  enum class Type : uint8_t { Integer, Real, Dictionary, Text };
  std::string name;
  Type type = Type::Integer;
  bool has_nulls = false;
  absl::flat_hash_map<std::string, int32_t> numbers;  // of texts
  std::vector<std::string_view> texts;                // by number; keys of `numbers`
};

// Fills a list of columns from the rows of the first result set.
class ColumnScan final : public RowSink {
 public:
  explicit ColumnScan(Progress& progress) : progress_(progress) {}

  void columns(std::span<const std::string> names) override;
  bool row(std::span<const Cell> cells) override;
  // The types, now that all rows were seen.
  std::vector<ArrowColumn> finish() &&;
  uint64_t rows() const { return rows_; }

 private:
  struct Seen {
    ArrowColumn column;
    bool integers = false, reals = false, texts = false, has_dictionary = true;
  };
  void add_text(Seen& seen, std::string_view text);

  Progress& progress_;
  std::vector<Seen> seen_;
  uint64_t rows_ = 0;
  uint32_t sets_ = 0;
};

}  // namespace tracebraid
