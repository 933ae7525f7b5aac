// ArrowFile: rows as record batches in a Parquet or an Arrow IPC file. Only where the build has
// Arrow.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "export/arrow/columns.h"

namespace tracebraid {

enum class ArrowKind : uint8_t { Parquet, Ipc };

class ArrowFile {
 public:
  // An Error that says what to install, if the build has no Arrow.
  static Result<> available();
  // Writes to the descriptor, which stays the caller's. `path` is for errors.
  static Result<std::unique_ptr<ArrowFile>> create(ArrowKind kind, int fd, const std::string& path,
                                                   std::vector<ArrowColumn> columns);
  virtual ~ArrowFile() = default;
  // As many cells as there are columns.
  virtual Result<> add(std::span<const Cell> cells) = 0;
  virtual Result<> finish() = 0;
};

}  // namespace tracebraid
