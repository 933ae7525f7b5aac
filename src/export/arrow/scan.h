// What the columns of a result set hold, found by looking at all rows once: the types and the
// dictionaries of their Arrow columns. For results of SQL, whose cells may be of any type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/string_pool.h"
#include "export/arrow/columns.h"
#include "query/compile/connection.h"

namespace tracebraid {

// A dictionary of results has no more: each row is looked up twice, and a large one is slow.
inline constexpr uint32_t kMostScannedTexts = 1 << 16;

struct ScannedColumn {
  std::string name;
  ArrowColumn::Type type = ArrowColumn::Type::Integer;
  StringPool texts;  // of a Dictionary: the id is the number

  // Its texts live as long as this.
  ArrowColumn arrow() const;
  void add(const Cell& cell, ArrowValues& values) const;
};

// Fills a list of columns from the rows of the first result set.
class ColumnScan final : public RowSink {
 public:
  explicit ColumnScan(Progress& progress) : progress_(progress) {}

  void columns(std::span<const std::string> names) override;
  bool row(std::span<const Cell> cells) override;
  // Result sets that were begun. What follows the first may not have been asked for.
  uint32_t sets() const { return sets_; }
  // The types, now that all rows were seen. `declared` has those of columns that are known by
  // name; they stand where the rows allow.
  std::vector<ScannedColumn> finish(std::span<const ArrowColumn> declared) &&;

 private:
  struct Seen {
    ScannedColumn column;
    bool integers = false, reals = false, texts = false, has_dictionary = true;
    size_t text_bytes = 0;  // of the dictionary
  };
  void add_text(Seen& seen, std::string_view text);

  Progress& progress_;
  std::vector<Seen> seen_;
  uint32_t sets_ = 0;
};

}  // namespace tracebraid
