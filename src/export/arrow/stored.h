// Columns of a public table that are columns of a raw one, as most are: they are read in place,
// at many times the speed of SQL.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>
#include <string_view>
#include <vector>

#include "export/arrow/columns.h"
#include "sql/database.h"
#include "table/column.h"

namespace tracebraid {

// One column, with its texts numbered.
class StoredColumn {
 public:
  StoredColumn(std::string name, const ColumnView& view, size_t rows, const StringPool& strings);
  const ArrowColumn& arrow() const { return column_; }
  // So many of `rows` rows are no more than a batch should hold.
  size_t rows_of_batch(size_t first, size_t rows) const;
  void add(size_t first, size_t rows, ArrowValues& values) const;

 private:
  // False if the texts are too many for a dictionary.
  bool number_ids(size_t rows);
  bool number_computed(size_t rows);
  bool is_new_text_fine(std::string_view text, size_t rows);
  void add_computed(const Cell& value, ArrowValues& values) const;
  // Calls `body` with something that has the id of the text of each row, where texts are ids.
  template <class Body>
  auto with_ids(Body body) const;
  bool has_ids() const { return view_.type == CellType::String || view_.text_id != nullptr; }
  void add_integers(size_t first, size_t rows, ArrowValues& values) const;

  ColumnView view_;
  const StringPool& strings_;
  ArrowColumn column_;
  // Of a Dictionary: by the id of a string; by the text, of those that are computed.
  std::vector<int32_t> numbers_;
  absl::flat_hash_map<std::string_view, int32_t> computed_;
  size_t text_bytes_ = 0;
};

}  // namespace tracebraid
