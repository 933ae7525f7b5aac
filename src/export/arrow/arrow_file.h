// ArrowFile: writes batches of rows to a Parquet or an Arrow IPC file. It is in a library of its
// own (arrow_file.cc), loaded on first use, so the program starts and runs without Apache Arrow.
//
// Input: columns by batch. Output: Parquet and Arrow IPC files. Called by the exporters parquet and
// arrow (tables.cc).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "export/arrow/columns.h"

namespace tracebraid {

enum class ArrowKind : uint8_t { Parquet, Ipc };

class ArrowFile {
 public:
  virtual ~ArrowFile() = default;
  // Writes a batch of `rows` rows: one element per column.
  virtual Result<> write(std::span<const ArrowValues> values, int64_t rows) = 0;
  virtual Result<> finish() = 0;
};

// The entry point of the library, exported as kMakeArrowFile.
using MakeArrowFile = void (*)(ArrowKind kind, int fd, const std::string& path,
                               std::vector<ArrowColumn> columns,
                               Result<std::unique_ptr<ArrowFile>>& made);
inline constexpr const char* kMakeArrowFile = "tracebraid_make_arrow_file";

// Loads the library from a folder. Returns an Error that says what to install if it is missing.
Result<MakeArrowFile> load_arrow_library(const std::string& folder);

}  // namespace tracebraid
