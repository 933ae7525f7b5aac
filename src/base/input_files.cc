#include "base/input_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

namespace tracebraid {
namespace {

namespace fs = std::filesystem;

std::pair<dev_t, ino_t> identity(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

}  // namespace

void InputFiles::add(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return;
  if (S_ISREG(status.st_mode)) files_.try_emplace(identity(status), path);
  if (!S_ISDIR(status.st_mode)) return;
  std::error_code failed;
  fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied,
                                         failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    if (entry->path().filename().string().starts_with('.')) {  // not read
      entry.disable_recursion_pending();
      continue;
    }
    const std::string name = entry->path().string();
    if (::stat(name.c_str(), &status) == 0 && S_ISREG(status.st_mode))
      files_.try_emplace(identity(status), name);
  }
}

void InputFiles::add(int fd, const std::string& name) {
  struct stat status{};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
    files_.try_emplace(identity(status), name);
}

std::optional<std::string> InputFiles::find(const std::string& path) const {
  struct stat status{};
  if (files_.empty() || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  const auto at = files_.find(identity(status));
  return at == files_.end() ? std::nullopt : std::optional(at->second);
}

Result<> check_no_input(const std::string& path, const InputFiles& inputs) {
  const std::optional<std::string> input = inputs.find(path);
  if (!input) return {};
  if (*input == path)
    return fail(ErrorCode::Usage,
                fmt::format("{}: the output would replace an input; choose another name", path));
  return fail(ErrorCode::Usage,
              fmt::format("{}: the output would replace the input {}, which is the same file; "
                          "choose another name",
                          path, *input));
}

Result<> check_output_file(const std::string& path, bool force, const InputFiles& inputs) {
  TB_TRY(check_no_input(path, inputs));
  struct stat status{};
  if (force || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return fail(ErrorCode::Usage, fmt::format("{}: a file has this name; --force replaces it", path));
}

}  // namespace tracebraid
