// Tables of a Gecko profile, in both of its dialects (spec json 11.1).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/common/json_scan.h"

namespace tracebraid::gecko {

struct Row {
  size_t number = 0;
  bool is_bad = false;       // whether the row is malformed
  const char* at = nullptr;  // position in the file; in parallel arrays that of the first value
};

// A table is a schema with rows, or an object of parallel arrays. Rows keep their numbers even if
// some are malformed.
class Table {
 public:
  explicit Table(const json::Value& value);

  bool has(std::string_view column) const;
  // Calls each(row, values) for all rows: values[i] is that of columns[i], Absent if it is missing.
  // Releases the pages of `input` that were read.
  template <size_t N, class Each>
  void for_each_row(const std::array<std::string_view, N>& columns, const Input* input,
                    const Each& each) const {
    std::array<json::Value, N> values;
    Rows rows = start(columns, input);
    for (; rows.row.number < rows_ && next(rows, values); ++rows.row.number) each(rows.row, values);
  }

 private:
  struct Rows {
    std::vector<size_t> places;   // index of the column at each position of a row, or none
    std::vector<JsonScan> scans;  // of the rows, or of each column
    std::vector<bool> has_more;
    Row row;
  };
  Rows start(std::span<const std::string_view> columns, const Input* input) const;
  bool next(Rows& rows, std::span<json::Value> values) const;

  JsonFields fields_;
  bool has_schema_ = false;
  JsonFields schema_;         // position of a column
  size_t rows_ = ~size_t{0};  // upper limit
};

// The index that means none.
constexpr int64_t kNoIndex = -1;
int64_t index_in(const json::Value& value);

// Returns the names in a list of objects, such as libraries or categories; empty for an object
// without one.
std::vector<std::string> names_in(const json::Value& list);

}  // namespace tracebraid::gecko
