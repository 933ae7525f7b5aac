// Reads public columns that are columns of a raw table, as most are, in place; many times faster
// than SQL.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>
#include <string_view>
#include <vector>

#include "column/column.h"
#include "export/arrow/columns.h"
#include "query/compile/connection.h"

namespace tracebraid {

// One column, with indexes for its texts.
class StoredColumn {
 public:
  StoredColumn(std::string name, const ColumnView& view, size_t rows, const StringPool& strings);
  // Call this first. Scans all rows of a text column.
  void number_texts();
  const ArrowColumn& arrow() const { return column_; }
  // Returns how many of `rows` rows fit into a batch.
  size_t rows_of_batch(size_t first, size_t rows) const;
  void add(size_t first, size_t rows, ArrowValues& values) const;

 private:
  // Returns false if there are too many texts for a dictionary.
  bool number_ids();
  bool number_computed();
  bool is_new_text_fine(std::string_view text);
  void add_computed(const Cell& value, ArrowValues& values) const;
  void add_integers(size_t first, size_t rows, ArrowValues& values) const;
  void add_reals(size_t first, size_t rows, ArrowValues& values) const;
  void add_ids(size_t first, size_t rows, ArrowValues& values) const;
  // Whether texts have ids that text_of() accepts.
  bool has_ids() const;
  uint32_t ids() const;  // one more than the largest id
  std::string_view text_of(uint32_t id) const;
  // Calls body(i, id) for consecutive rows; i counts from 0, the id of NULL is kNoText.
  static constexpr uint32_t kNoText = StringId::kNone;
  template <class Body>
  void for_each_id(size_t first, size_t rows, Body body) const;

  ColumnView view_;
  size_t rows_;
  const StringPool& strings_;
  ArrowColumn column_;
  // Indexes of a Dictionary: by the id of a string, or by the text for computed columns.
  std::vector<int32_t> numbers_;
  absl::flat_hash_map<std::string_view, int32_t> computed_;
  size_t text_bytes_ = 0;
};

}  // namespace tracebraid
