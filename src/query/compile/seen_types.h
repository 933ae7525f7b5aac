// SeenTypes: infers the type of a result column from its rows, because SQLite gives a column values
// of any type.
#pragma once

#include "column/cell.h"
#include "query/batch/record_batch.h"

namespace tracebraid {

// The types of the values of one column, NULL aside.
struct SeenTypes {
  bool integers = false, reals = false, texts = false, blobs = false;

  void add(Cell::Kind kind) {
    integers |= kind == Cell::Kind::Int;
    reals |= kind == Cell::Kind::Real;
    texts |= kind == Cell::Kind::Text;
    blobs |= kind == Cell::Kind::Blob;
  }
  void add(const ArrayData& array);

  bool has_texts() const { return texts || blobs; }
  // Whether texts and numbers are among the values; such a column is text.
  bool is_mixed() const { return texts && (integers || reals); }
  // Returns the type that takes all values: `text` (Dictionary or Utf8) where all are texts, Utf8
  // for numbers among texts, Null without values.
  DataType type(DataType text) const;
};

}  // namespace tracebraid
