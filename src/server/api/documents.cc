#include "server/api/documents.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/descriptor.h"
#include "base/words.h"
#include "server/api/json_body.h"

namespace tracebraid::api {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".json";
constexpr size_t kMostBytes = size_t{8} << 20;

// Returns the numbers of the versions in a folder, the newest last.
std::vector<int64_t> versions_in(const std::string& folder) {
  std::vector<int64_t> versions;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.ends_with(kEnding)) continue;
    if (const auto number = parse_decimal(name.substr(0, name.size() - kEnding.size())))
      versions.push_back(*number);
  }
  std::ranges::sort(versions);
  return versions;
}

std::string file_of(const std::string& folder, int64_t version) {
  return fmt::format("{}/{}{}", folder, version, kEnding);
}

std::optional<std::string> read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status{};
  if (!file || ::fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<uint64_t>(status.st_size) > kMostBytes)
    return std::nullopt;
  std::string text(static_cast<size_t>(status.st_size), '\0');
  if (::read(file.fd(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return std::nullopt;
  return text;
}

Error io_error(const std::string& path) {
  return {ErrorCode::Io, fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

// Replaces a file as a whole, so that a reader sees the old or the new text.
Result<> write_file(const std::string& path, std::string_view text) {
  const std::string part = fmt::format("{}.{}.part", path, ::getpid());
  {
    const Descriptor file(
        ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file || ::write(file.fd(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      return tl::unexpected(io_error(part));
  }
  if (::rename(part.c_str(), path.c_str()) == 0) return {};
  const Error error = io_error(path);
  ::unlink(part.c_str());
  return tl::unexpected(error);
}

}  // namespace

bool is_document_name(std::string_view name) {
  constexpr size_t kLongest = 128;
  return !name.empty() && name.size() <= kLongest && name[0] != '.' &&
         std::ranges::all_of(name, [](char c) {
           const char low = lower_case(c);
           return is_digit(c) || (low >= 'a' && low <= 'z') || c == '.' || c == '_' || c == '-';
         });
}

std::string Documents::folder_of(std::string_view name) const {
  return fmt::format("{}/{}", folder_, name);
}

Result<std::string> Documents::read(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  const std::string folder = folder_of(name);
  std::vector<int64_t> versions = versions_in(folder);
  for (; !versions.empty(); versions.pop_back()) {
    const std::string path = file_of(folder, versions.back());
    const std::optional<std::string> text = read_file(path);
    if (text && parse_json(*text)) return *text;
    ::rename(path.c_str(), (path + ".damaged").c_str());
  }
  return fail(ErrorCode::NotFound, fmt::format("there is no document '{}'", name));
}

Result<> Documents::write(std::string_view name, std::string_view json, size_t versions) {
  const std::scoped_lock lock(mutex_);
  const std::string folder = folder_of(name);
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return tl::unexpected(io_error(folder));
  const std::vector<int64_t> earlier = versions_in(folder);
  TB_TRY(write_file(file_of(folder, earlier.empty() ? 1 : earlier.back() + 1), json));
  for (size_t i = 0; i + versions <= earlier.size(); ++i)
    ::unlink(file_of(folder, earlier[i]).c_str());
  return {};
}

}  // namespace tracebraid::api
