#include "export/written_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace tracebraid {

Result<> WrittenFiles::add(NewFile file, uint64_t rows) {
  report_.rows += rows;
  std::error_code ignored;
  if (const auto size = std::filesystem::file_size(file.written_path(), ignored); !ignored)
    report_.bytes += size;
  TB_TRY(file.close());
  files_.push_back(std::move(file));
  return {};
}

Result<ExportReport> WrittenFiles::finish() && {
  for (NewFile& file : files_) TB_TRY(file.finish());
  return std::move(report_);
}

Result<> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return {};
  return fail(ErrorCode::Io, fmt::format("cannot make the folder {}: {}", path, failed.message()));
}

}  // namespace tracebraid
