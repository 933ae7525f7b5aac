// Columns of a public table that are columns of a raw one, as most are: they are read in place,
// at many times the speed of SQL.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>
#include <string_view>
#include <vector>

#include "column/column.h"
#include "export/arrow/columns.h"
#include "query/compile/connection.h"

namespace tracebraid {

// One column, with its texts numbered.
class StoredColumn {
 public:
  StoredColumn(std::string name, const ColumnView& view, size_t rows, const StringPool& strings);
  // Before all that follows. Looks at all rows, if they are texts.
  void number_texts();
  const ArrowColumn& arrow() const { return column_; }
  // So many of `rows` rows are no more than a batch should hold.
  size_t rows_of_batch(size_t first, size_t rows) const;
  void add(size_t first, size_t rows, ArrowValues& values) const;

 private:
  // False if the texts are too many for a dictionary.
  bool number_ids();
  bool number_computed();
  bool is_new_text_fine(std::string_view text);
  void add_computed(const Cell& value, ArrowValues& values) const;
  void add_integers(size_t first, size_t rows, ArrowValues& values) const;
  void add_reals(size_t first, size_t rows, ArrowValues& values) const;
  void add_ids(size_t first, size_t rows, ArrowValues& values) const;
  // Whether texts are named by ids, which text_of() knows.
  bool has_ids() const;
  uint32_t ids() const;  // one more than the largest
  std::string_view text_of(uint32_t id) const;
  // Calls body(i, id) for consecutive rows; i counts from 0, the id of NULL is kNoText.
  static constexpr uint32_t kNoText = StringId::kNone;
  template <class Body>
  void for_each_id(size_t first, size_t rows, Body body) const;

  ColumnView view_;
  size_t rows_;
  const StringPool& strings_;
  ArrowColumn column_;
  // Of a Dictionary: by the id of a string; by the text, of those that are computed.
  std::vector<int32_t> numbers_;
  absl::flat_hash_map<std::string_view, int32_t> computed_;
  size_t text_bytes_ = 0;
};

}  // namespace tracebraid
