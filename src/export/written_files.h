// The files of an export that makes several: none has its name before all are whole.
#pragma once

#include <string>
#include <vector>

#include "base/new_file.h"
#include "base/result.h"
#include "export/export.h"

namespace tracebraid {

class WrittenFiles {
 public:
  // A file with `rows` rows, to which nothing more is written.
  Result<> add(NewFile file, uint64_t rows);
  // All files get their names.
  Result<ExportReport> finish() &&;

 private:
  ExportReport report_;
  std::vector<NewFile> files_;
};

Result<> make_folder(const std::string& path);

}  // namespace tracebraid
