#include "container/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/descriptor.h"
#include "base/mapped_file.h"
#include "container/spool.h"

namespace tracebraid {
namespace {

tl::unexpected<Error> cannot_open(const std::string& path, int reason) {
  const ErrorCode code = reason == ENOENT ? ErrorCode::NotFound : ErrorCode::Io;
  return fail(code, "cannot open " + path + ": " + std::strerror(reason));
}

// Smaller files are read at once, because mapping them is slower and the number of mappings is
// limited.
constexpr off_t kSmallBytes = off_t{64} << 10;

Spooled read_small(int fd, size_t size, const std::string& path, FileDamage& damage,
                   Progress& progress) {
  Input input = read_descriptor(fd, path, damage, progress);
  const Block block = input.next(size).value_or(Block{});
  std::optional<Error> problem = input.problem();
  if (!problem && block.bytes.size() < size)
    problem = damage.note_shrunk(path, size, block.bytes.size());
  return Spooled{{block.bytes, block.owner}, std::move(problem)};
}

// Reads small regular files at once; maps others, or reads them on request. Spools files without a
// size (pipes, and files of /proc).
Result<Source> open_descriptor(int fd, std::string path, const std::shared_ptr<Budget>& budget,
                               Progress& progress) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return cannot_open(path, errno);
  Source source{.path = std::move(path)};
  const HostFiles& files = budget->files;
  const bool is_file = S_ISREG(status.st_mode) && status.st_size > 0;
  Spooled spooled;
  if (is_file && status.st_size < kSmallBytes) {
    spooled =
        read_small(fd, static_cast<size_t>(status.st_size), source.path, *files.damage, progress);
  } else if (is_file && ::lseek(fd, 0, SEEK_CUR) == 0) {
    if (files.access == FileAccess::Read) {
      TB_TRY_ASSIGN(source.file, ReadFile::open(fd, source.path, fd == STDIN_FILENO, files));
      return source;
    }
    TB_TRY_ASSIGN(MappedFile mapped, MappedFile::map(fd, source.path, files));
    const auto owner = std::make_shared<const MappedFile>(std::move(mapped));
    spooled.bytes = {owner->bytes(), owner, owner};
  } else {
    Input input = read_descriptor(fd, source.path, *files.damage, progress);
    TB_TRY_ASSIGN(spooled, spool(input, budget, progress));
  }
  source.bytes = std::move(spooled.bytes);
  source.problem = std::move(spooled.problem);
  return source;
}

Result<Source> open_file(std::string path, const std::shared_ptr<Budget>& budget,
                         Progress& progress) {
  if (path == "-" && budget->files.dash_is_standard_input)
    return open_descriptor(STDIN_FILENO, std::move(path), budget, progress);
  // Does not wait for a writer of a pipe. The reader waits, and checks whether it is cancelled.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return cannot_open(path, errno);
  return open_descriptor(file.fd(), std::move(path), budget, progress);
}

Result<Source> open_stream(const TraceInput& stream, const std::shared_ptr<Budget>& budget,
                           Progress& progress) {
  Input input([&](char* into, size_t size) -> Result<size_t> {
    Result<size_t> got = stream.stream(into, size);
    if (!got && got.error().code != ErrorCode::Cancelled)
      return tl::unexpected(budget->files.damage->note(std::move(got).error()));
    return got;
  });
  TB_TRY_ASSIGN(Spooled spooled, spool(input, budget, progress));
  return Source{.path = stream.name,
                .bytes = std::move(spooled.bytes),
                .problem = std::move(spooled.problem)};
}

struct Listing {
  std::vector<std::string> files;                   // relative to the directory, sorted
  std::vector<std::pair<std::string, int>> unread;  // directories, and why (errno)
};

// Keeps subdirectories on a list, so that depth does not use the stack.
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

// Returns whether reading may block for ever, as from a pipe or device in a directory.
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
    if (!source) source = Source{.path = std::move(path), .problem = std::move(source).error()};
    source->name = std::move(name);
    sources.push_back(*std::move(source));
  }
  for (const auto& [name, reason] : listing.unread)
    sources.push_back({.name = name,
                       .path = prefix + name,
                       .problem = cannot_open(prefix + name, reason).value()});
  return {};
}

bool is_directory(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

Result<TraceInput> gather_stream(const TraceInput& stream, const ContainerOptions& options,
                                 Progress& progress) {
  TB_TRY_ASSIGN(Source source, open_stream(stream, std::make_shared<Budget>(options), progress));
  if (source.problem) return tl::unexpected(*std::move(source.problem));
  return TraceInput{.name = stream.name, .bytes = std::move(source.bytes)};
}

Result<std::vector<Source>> open_sources(std::span<const TraceInput> inputs,
                                         const std::shared_ptr<Budget>& budget,
                                         Progress& progress) {
  std::vector<Source> sources;
  for (const TraceInput& input : inputs) {
    const std::string& path = input.name;
    if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    const bool is_standard_input = path == "-" && budget->files.dash_is_standard_input;
    if (input.is_path() && !is_standard_input && is_directory(path)) {
      TB_TRY(open_directory(path, budget, progress, sources));
      continue;
    }
    Source source;
    if (input.bytes) {
      source.path = path;
      source.bytes = *input.bytes;
    } else if (input.stream) {
      TB_TRY_ASSIGN(source, open_stream(input, budget, progress));
    } else {
      TB_TRY_ASSIGN(source, open_file(path, budget, progress));
    }
    if (inputs.size() > 1) source.name = path.substr(path.rfind('/') + 1);
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
