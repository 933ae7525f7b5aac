// Tables of a Gecko profile, in both of its dialects (spec json 11.1).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "format/json_document.h"

namespace tracebraid::gecko {

// A table is a schema with rows, or an object of parallel arrays. Rows keep their
// number, whatever is wrong with one.
class Table {
 public:
  explicit Table(const JsonValue& value);

  size_t rows() const { return rows_; }
  bool is_bad(size_t row) const;  // it is no row at all
  // All values of a column; missing ones are nothing.
  std::vector<JsonValue> column(std::string_view name) const;
  bool has(std::string_view name) const;

 private:
  JsonValue value_;
  bool has_schema_ = false;
  std::map<std::string, size_t, std::less<>> schema_;  // position of a column
  std::vector<JsonValue> data_;
  size_t rows_ = 0;
};

// Numbers in a column, and what stands for none.
constexpr int64_t kNoIndex = -1;
std::vector<int64_t> indexes(const std::vector<JsonValue>& column);

}  // namespace tracebraid::gecko
