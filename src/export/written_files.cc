#include "export/written_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/file_bytes.h"

namespace tracebraid {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTitle = "Files of an export of tracebraid:";

bool exists(const std::string& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

// Whether the path stays inside the folder that it is relative to.
bool is_inside(const fs::path& path) {
  return path.is_relative() && !path.empty() && std::ranges::count(path, "..") == 0;
}

// Returns the files that an earlier export wrote to the folder; nothing if there was none.
std::optional<std::set<std::string>> listed_files(const std::string& folder) {
  const Result<std::string> text = read_file(fmt::format("{}/{}", folder, kExportList));
  if (!text || !text->starts_with(kTitle)) return std::nullopt;
  std::set<std::string> files;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (line != kTitle && is_inside(line)) files.emplace(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return files;
}

// Returns a file below the folder; nothing if there are only folders.
std::optional<std::string> any_file(const std::string& folder) {
  std::error_code failed;
  fs::recursive_directory_iterator entry(folder, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed))
    if (entry->symlink_status(failed).type() != fs::file_type::directory)
      return entry->path().string();
  return std::nullopt;
}

}  // namespace

Result<> check_export_folder(const std::string& path) {
  if (listed_files(path)) return {};
  const std::optional<std::string> file = any_file(path);
  if (!file) return {};
  return fail(ErrorCode::Usage,
              fmt::format("{}: the folder holds other files, such as {}; name a new or empty "
                          "folder, or --force writes into this one",
                          path, *file));
}

Result<> WrittenFiles::open_folder(const std::string& path, bool force) {
  force_ = force;
  if (!force) TB_TRY(check_export_folder(path));
  TB_TRY(make_folder(path));
  folder_ = path;
  earlier_ = listed_files(path).value_or(std::set<std::string>());
  return {};
}

Result<NewFile> WrittenFiles::create(const std::string& path) {
  if (!folder_.empty() && !force_ && !earlier_.contains(inside(path)) && exists(path))
    return fail(ErrorCode::Usage,
                fmt::format("{}: no earlier export wrote this file; --force replaces it", path));
  return NewFile::create(path, host_);
}

Result<> WrittenFiles::add(NewFile file, uint64_t rows) {
  report_.rows += rows;
  std::error_code ignored;
  if (const auto size = fs::file_size(file.written_path(), ignored); !ignored)
    report_.bytes += size;
  TB_TRY(file.close());
  files_.push_back(std::move(file));
  return {};
}

Result<ExportReport> WrittenFiles::finish(std::string_view ending) && {
  for (NewFile& file : files_) TB_TRY(file.finish());
  if (!folder_.empty()) TB_TRY(list_files(ending));
  return std::move(report_);
}

std::string WrittenFiles::inside(const std::string& path) const {
  return fs::path(path).lexically_relative(folder_).lexically_normal().string();
}

Result<> WrittenFiles::list_files(std::string_view ending) {
  std::set<std::string> listed;
  for (const NewFile& file : files_) listed.insert(inside(file.path()));
  for (const std::string& name : earlier_) {
    const std::string path = fmt::format("{}/{}", folder_, name);
    if (!name.ends_with(fmt::format(".{}", ending))) {
      if (exists(path)) listed.insert(name);
    } else if (!listed.contains(name) && !host_.inputs->find(path)) {
      std::error_code ignored;
      fs::remove(path, ignored);
      const fs::path folder = fs::path(path).parent_path();               // a partition
      if (fs::path(name).has_parent_path()) fs::remove(folder, ignored);  // if it is empty
    }
  }
  std::string text(kTitle);
  for (const std::string& name : listed) text += "\n" + name;
  TB_TRY_ASSIGN(NewFile list, NewFile::create(fmt::format("{}/{}", folder_, kExportList), host_));
  TB_TRY(list.write(text + "\n"));
  return list.finish();
}

Result<> WrittenFiles::make_folder(const std::string& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (!failed) return {};
  return fail(ErrorCode::Io, fmt::format("cannot make the folder {}: {}", path, failed.message()));
}

}  // namespace tracebraid
