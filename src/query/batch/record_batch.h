// RecordBatch: rows of a result as columns in Arrow's layout, so that Arrow's C data interface can
// export them without a copy.
//
// Buffers are immutable, aligned to 64 bytes and shared: an array keeps the memory that it views
// alive, also after the query and its connection are destroyed.
//
// Input: values of columns or cells of SQLite. Output: immutable batches. Called by Query, exports
// and C interfaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tracebraid {

enum class DataType : uint8_t {
  Unknown,     // not known before rows are read; returned by describe() only
  Null,        // all rows are NULL
  Int64,       // int64_t
  Float64,     // double
  Utf8,        // offsets of 32 bits, and bytes
  Dictionary,  // int32_t codes of a dictionary of Utf8
  Binary,      // as Utf8, of any bytes
  Variant,     // a dense union: rows of different types; only with QueryOptions::verbatim
};

struct Field {
  std::string name;
  DataType type = DataType::Unknown;
  // What the integers are: "time_ns", "duration_ns", or "row:thread" for row numbers of a table.
  // Empty for other columns, and where it is not known.
  std::string meaning = {};
  friend bool operator==(const Field&, const Field&) = default;
};
struct Schema {
  std::vector<Field> fields;
  friend bool operator==(const Schema&, const Schema&) = default;
};

// Bytes that `owner` keeps alive.
struct Buffer {
  std::shared_ptr<const void> owner;
  const std::byte* data = nullptr;
  size_t size = 0;

  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data);
  }
};

struct ArrayData {
  DataType type = DataType::Null;
  size_t length = 0, null_count = 0;
  Buffer validity;  // one bit per row, lowest first, 1 for a value; empty if null_count is 0
  // int64_t, double or int32_t a row; of Utf8 and Binary length + 1 offsets; of Variant an int8_t a
  // row, the index of its child.
  Buffer values;
  Buffer bytes;                     // for Utf8 and Binary
  Buffer offsets;                   // of Variant an int32_t a row, its place in its child
  std::vector<ArrayData> children;  // of Variant: Null, Int64, Float64, Utf8, Binary (Cell::Kind)
  std::shared_ptr<const ArrayData> dictionary;  // Utf8; only grows from batch to batch

  bool is_null(size_t row) const {
    if (type == DataType::Null) return true;
    if (type == DataType::Variant) return values.as<int8_t>()[row] == 0;
    return null_count != 0 && (validity.as<uint8_t>()[row / 8] >> row % 8 & 1) == 0;
  }
};

struct RecordBatch {
  std::shared_ptr<const Schema> schema;
  size_t rows = 0;
  std::vector<ArrayData> columns;
};

inline constexpr size_t kMostBatchRows = 65'536;
// A batch ends behind the row with which its texts and bytes, of all columns, reach this.
inline constexpr size_t kMostBatchTextBytes = size_t{16} << 20;
inline constexpr size_t kMostTextBytes = INT32_MAX;  // limit of offsets of 32 bits

}  // namespace tracebraid
