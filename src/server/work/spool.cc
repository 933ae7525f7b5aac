#include "server/work/spool.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "base/words.h"

namespace tracebraid {
namespace {

constexpr std::string_view kPrefix = "tracebraid-serve-";

// Returns the start time of a process in ticks since boot; nothing if it does not exist.
std::optional<std::string> start_of(std::string_view pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  // The name of the program, in parentheses, may contain anything.
  std::string_view rest = std::string_view(text).substr(text.rfind(')') + 1);
  constexpr int kStartTime = 20;  // words behind the name
  std::string_view word;
  for (int i = 0; i < kStartTime; ++i) word = take_word(rest);
  return std::string(word);
}

void remove_dead(const std::string& parent) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(parent, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename();
    if (!name.starts_with(kPrefix)) continue;
    const std::string_view process = std::string_view(name).substr(kPrefix.size());
    const size_t dash = process.find('-');
    if (dash == process.npos || !parse_decimal(process.substr(0, dash))) continue;
    struct stat status{};
    if (::lstat(at->path().c_str(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    if (start_of(process.substr(0, dash)) == process.substr(dash + 1)) continue;
    std::error_code ignored;
    std::filesystem::remove_all(at->path(), ignored);
  }
}

}  // namespace

Result<std::unique_ptr<Spool>> Spool::create(const std::string& parent, uint64_t limit) {
  remove_dead(parent);
  const std::string pid = fmt::to_string(::getpid());
  std::string folder = fmt::format("{}/{}{}-{}", parent, kPrefix, pid, start_of(pid).value_or("0"));
  if (::mkdir(folder.c_str(), 0700) != 0)
    return fail(ErrorCode::Io, fmt::format("{}: cannot make the folder of the spool: {}; give "
                                           "another one with --spool",
                                           folder, std::strerror(errno)));
  return std::unique_ptr<Spool>(new Spool(std::move(folder), limit));
}

Spool::~Spool() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Result<> Spool::take(uint64_t bytes) {
  if (used_.fetch_add(bytes) + bytes <= limit_) return {};
  used_ -= bytes;
  return fail(ErrorCode::Limit,
              fmt::format("the spool is full: {} bytes; raise --spool-limit", limit_));
}

Result<std::shared_ptr<SpoolFolder>> SpoolFolder::create(Spool& spool, std::string_view name) {
  std::string path = fmt::format("{}/{}", spool.folder(), name);
  if (::mkdir(path.c_str(), 0700) != 0)
    return fail(ErrorCode::Io, fmt::format("{}: {}", path, std::strerror(errno)));
  return std::shared_ptr<SpoolFolder>(new SpoolFolder(spool, std::move(path)));
}

SpoolFolder::~SpoolFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  spool_.release(counted_);
}

Result<> SpoolFolder::count() {
  const std::lock_guard lock(mutex_);
  uint64_t bytes = 0;
  std::error_code error;  // files vanish when they get their final name
  for (std::filesystem::directory_iterator at(path_, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    const uintmax_t size = at->file_size(gone);
    if (!gone) bytes += size;
  }
  if (bytes <= counted_) {
    spool_.release(counted_ - bytes);
    counted_ = bytes;
  } else if (!failure_) {
    if (const Result<> taken = spool_.take(bytes - counted_))
      counted_ = bytes;
    else
      failure_ = taken.error();
  }
  return failure_ ? Result<>(tl::unexpected(*failure_)) : Result<>();
}

}  // namespace tracebraid
