#include "container/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

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
    source->in_folder = true;
    sources.push_back(*std::move(source));
  }
  for (const auto& [name, reason] : listing.unread)
    sources.push_back({.name = name,
                       .path = prefix + name,
                       .problem = cannot_open(prefix + name, reason).value(),
                       .in_folder = true});
  return {};
}

// Returns the absolute path as components. Hidden folders get a visible name, because archives and
// folders are read without hidden files.
std::vector<std::string> components_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  std::vector<std::string> parts;
  for (const fs::path& part : (failed ? fs::path(path) : absolute).lexically_normal()) {
    std::string text = part.string();
    if (text.empty() || text == "/" || text == ".." || text == ".") continue;
    if (text[0] == '.') text[0] = '_';
    parts.push_back(std::move(text));
  }
  return parts;
}

std::string last_components(const std::vector<std::string>& parts, size_t count) {
  std::string text;
  for (size_t i = parts.size() - count; i < parts.size(); ++i)
    text += (text.empty() ? "" : "/") + parts[i];
  return text;
}

// Adds folders of their paths to names that are equal, until they differ. The same path twice keeps
// its name.
void make_names_distinct(std::span<NamedPath> files) {
  while (true) {
    std::map<std::string_view, std::vector<NamedPath*>> by_name;
    for (NamedPath& file : files) by_name[file.name].push_back(&file);
    std::vector<std::pair<NamedPath*, std::string>> longer;
    for (const auto& [name, same] : by_name) {
      if (same.size() < 2) continue;
      std::set<std::vector<std::string>> paths;
      for (const NamedPath* file : same) paths.insert(components_of(file->path));
      if (paths.size() < 2) continue;
      for (NamedPath* file : same) {
        const std::vector<std::string> parts = components_of(file->path);
        const auto used = static_cast<size_t>(std::ranges::count(file->name, '/')) + 1;
        if (used < parts.size()) longer.emplace_back(file, last_components(parts, used + 1));
      }
    }
    if (longer.empty()) return;
    for (auto& [file, name] : longer) file->name = std::move(name);
  }
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

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
    if (inputs.size() > 1) source.name = base_name(path);
    sources.push_back(std::move(source));
  }
  if (inputs.size() < 2) return sources;
  std::vector<NamedPath> names;
  for (const Source& source : sources) names.push_back({*source.name, source.path});
  make_names_distinct(names);
  for (size_t i = 0; i < sources.size(); ++i) sources[i].name = std::move(names[i].name);
  return sources;
}

Result<std::vector<NamedPath>> list_files(std::span<const std::string> paths) {
  std::vector<NamedPath> files;
  for (const std::string& path : paths) {
    if (!is_directory(path)) {
      files.push_back({base_name(path), path});
      continue;
    }
    TB_TRY_ASSIGN(const Listing listing, list_directory(path));
    if (!listing.unread.empty())
      return cannot_open(path + "/" + listing.unread.front().first, listing.unread.front().second);
    for (const std::string& name : listing.files) {
      std::string below = (path.ends_with('/') ? path : path + "/") + name;
      if (!may_block(below)) files.push_back({name, std::move(below), true});
    }
  }
  make_names_distinct(files);
  return files;
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
