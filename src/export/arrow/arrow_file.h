// ArrowFile: batches of rows in a Parquet or an Arrow IPC file. It is in a library of its own
// (arrow_file.cc), which is loaded when such a file is to be written: the program starts without
// Apache Arrow, and runs where there is none.
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
  // Loads the library. An Error that says what to install, if there is none.
  static Result<> available();
  // Writes to the descriptor, which stays the caller's. `path` is for errors. After available().
  static Result<std::unique_ptr<ArrowFile>> create(ArrowKind kind, int fd, const std::string& path,
                                                   std::vector<ArrowColumn> columns);
  virtual ~ArrowFile() = default;
  // One batch, of `rows` rows. As many as there are columns.
  virtual Result<> write(std::span<const ArrowValues> values, int64_t rows) = 0;
  virtual Result<> finish() = 0;
};

// What the library gives to the program, under the name kMakeArrowFile.
using MakeArrowFile = void (*)(ArrowKind kind, int fd, const std::string& path,
                               std::vector<ArrowColumn> columns,
                               Result<std::unique_ptr<ArrowFile>>& made);
inline constexpr const char* kMakeArrowFile = "tracebraid_make_arrow_file";

}  // namespace tracebraid
