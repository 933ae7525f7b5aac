// WrittenFiles: the files of an export. They get their names together, when all are complete.
#pragma once

#include <string>
#include <vector>

#include "base/new_file.h"
#include "base/result.h"
#include "export/export.h"

namespace tracebraid {

class WrittenFiles {
 public:
  // Adds a complete file with `rows` rows.
  Result<> add(NewFile file, uint64_t rows);
  // Gives all files their names.
  Result<ExportReport> finish() &&;

 private:
  ExportReport report_;
  std::vector<NewFile> files_;
};

Result<> make_folder(const std::string& path);

}  // namespace tracebraid
