#include "container/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/damaged_file.h"
#include "base/descriptor.h"
#include "container/spool.h"

namespace tracebraid {
namespace {

tl::unexpected<Error> cannot_open(const std::string& path, int reason) {
  const ErrorCode code = reason == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
  return fail(code, "cannot open " + path + ": " + std::strerror(reason));
}

// Mapping pays from here on, and the number of mappings is limited.
constexpr off_t kMappedBytes = off_t{64} << 10;

Spooled read_small(int fd, size_t size, const std::string& path, Progress& progress) {
  Input input = read_descriptor(fd, path, progress);
  const Block block = input.next(size).value_or(Block{});
  std::optional<Error> problem = input.problem();
  if (!problem && block.bytes.size() < size) problem = note_shrunk(path, size, block.bytes.size());
  return Spooled{{block.bytes, block.owner}, std::move(problem)};
}

// Regular files are mapped or, small ones, read. What has no size (pipes, and
// files of /proc) is spooled.
Result<Spooled> open_descriptor(int fd, const std::string& path,
                                const std::shared_ptr<Budget>& budget, Progress& progress) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return cannot_open(path, errno);
  const bool is_file = S_ISREG(status.st_mode) && status.st_size > 0;
  if (is_file && status.st_size < kMappedBytes)
    return read_small(fd, static_cast<size_t>(status.st_size), path, progress);
  if (is_file && ::lseek(fd, 0, SEEK_CUR) == 0) {
    TB_TRY_ASSIGN(MappedFile mapped, MappedFile::map(fd, path));
    const auto owner = std::make_shared<const MappedFile>(std::move(mapped));
    return Spooled{{owner->bytes(), owner, owner}, std::nullopt};
  }
  Input input = read_descriptor(fd, path, progress);
  return spool(input, budget, progress);
}

Result<Source> open_file(std::string path, const std::shared_ptr<Budget>& budget,
                         Progress& progress) {
  Descriptor file;
  if (path != "-") {
    // A pipe that nobody writes to yet is waited for by its reader, who notices a Ctrl-C.
    file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file) return cannot_open(path, errno);
  }
  const int fd = file ? file.fd() : STDIN_FILENO;
  TB_TRY_ASSIGN(Spooled spooled, open_descriptor(fd, path, budget, progress));
  return Source{std::nullopt, std::move(path), std::move(spooled.bytes),
                std::move(spooled.problem)};
}

struct Listing {
  std::vector<std::string> files;                   // relative to the directory, sorted
  std::vector<std::pair<std::string, int>> unread;  // directories, and why (errno)
};

// Subdirectories wait on a list, so that depth costs no stack.
Result<Listing> list_directory(const std::string& root) {
  namespace fs = std::filesystem;
  Listing listing;
  std::vector<std::string> waiting{""};
  while (!waiting.empty()) {
    const std::string directory = std::move(waiting.back());
    waiting.pop_back();
    std::error_code error;
    fs::directory_iterator entry(root + "/" + directory, error);
    if (error && directory.empty()) return cannot_open(root, error.value());
    if (error) listing.unread.emplace_back(directory, error.value());
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with('.')) continue;
      std::error_code unknown;
      if (entry->symlink_status(unknown).type() == fs::file_type::directory)
        waiting.push_back(directory + name + "/");
      else if (entry->status(unknown).type() != fs::file_type::directory)
        listing.files.push_back(directory + name);
    }
  }
  std::ranges::sort(listing.files);
  std::ranges::sort(listing.unread);
  return listing;
}

// Reading from a pipe or a device that lies in a directory could block for ever.
bool may_block(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

Result<> open_directory(const std::string& root, const std::shared_ptr<Budget>& budget,
                        Progress& progress, std::vector<Source>& sources) {
  TB_TRY_ASSIGN(Listing listing, list_directory(root));
  const std::string prefix = root.ends_with('/') ? root : root + "/";
  for (std::string& name : listing.files) {
    std::string path = prefix + name;
    if (may_block(path)) continue;
    Result<Source> source = open_file(path, budget, progress);
    if (!source && source.error().code == ErrorCode::Cancelled)
      return tl::unexpected(std::move(source).error());
    if (!source) source = Source{std::nullopt, std::move(path), {}, std::move(source).error()};
    source->name = std::move(name);
    sources.push_back(*std::move(source));
  }
  for (const auto& [name, reason] : listing.unread)
    sources.push_back({name, prefix + name, {}, cannot_open(prefix + name, reason).value()});
  return {};
}

bool is_directory(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

Result<std::vector<Source>> open_sources(std::span<const std::string> paths,
                                         const std::shared_ptr<Budget>& budget,
                                         Progress& progress) {
  std::vector<Source> sources;
  for (const std::string& path : paths) {
    if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    if (path != "-" && is_directory(path)) {
      TB_TRY(open_directory(path, budget, progress, sources));
      continue;
    }
    TB_TRY_ASSIGN(Source source, open_file(path, budget, progress));
    if (paths.size() > 1) source.name = path.substr(path.rfind('/') + 1);
    sources.push_back(std::move(source));
  }
  return sources;
}

bool is_hidden(std::string_view path) {
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    if (part.starts_with('.') && part != "." && part != "..") return true;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return false;
}

}  // namespace tracebraid
