// Scans a result set once to find the types (query/compile/seen_types.h) and dictionaries of its
// Arrow columns, because cells of SQL results may have any type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/string_pool.h"
#include "export/arrow/columns.h"
#include "query/batch/batch_sink.h"
#include "query/compile/seen_types.h"

namespace tracebraid {

// The limit of a dictionary of results, because each row is looked up twice and large dictionaries
// are slow.
inline constexpr uint32_t kMostScannedTexts = 1 << 16;

struct ScannedColumn {
  std::string name;
  ArrowColumn::Type type = ArrowColumn::Type::Integer;
  StringPool texts;  // of a Dictionary, where the id is the index

  // Returns the column; its texts live as long as this object.
  ArrowColumn arrow() const;
  void add(const Cell& cell, ArrowValues& values) const;
};

// Collects the columns from the batches of the first result set.
class ResultScan final : public BatchSink {
 public:
  explicit ResultScan(Progress& progress) : progress_(progress) {}

  void begin(const Schema& schema) override;
  bool add(const RecordBatch& batch) override;
  // Returns the number of result sets. Those after the first may be unintended.
  uint32_t sets() const { return sets_; }
  // Returns the types after all rows. `declared` has the types of columns known by name, which
  // apply if the rows permit.
  std::vector<ScannedColumn> finish(std::span<const ArrowColumn> declared) &&;

 private:
  struct Seen {
    ScannedColumn column;
    SeenTypes types;
    bool has_dictionary = true;
    size_t text_bytes = 0;  // size of the dictionary
  };
  static void add_texts(Seen& seen, const ArrayData& array);
  static void add_text(Seen& seen, std::string_view text);

  Progress& progress_;
  std::vector<Seen> seen_;
  uint32_t sets_ = 0;
};

}  // namespace tracebraid
