#include "fleet/cache_size.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <vector>

namespace tracebraid::fleet {
namespace {

struct CachedFile {
  int64_t used_ns = 0;
  std::string path;
  uint64_t size = 0;
};

int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace

Result<CacheSize> CacheSize::open(std::string folder, std::optional<uint64_t> size) {
  CacheSize cache;
  cache.folder_ = std::move(folder);
  std::error_code failed;
  std::filesystem::create_directories(cache.folder_, failed);
  if (failed)
    return fail(ErrorCode::Io,
                fmt::format("cannot make the folder {}: {}", cache.folder_, failed.message()));
  struct statvfs disk = {};
  if (size)
    cache.size_ = *size;
  else if (::statvfs(cache.folder_.c_str(), &disk) == 0)
    cache.size_ = static_cast<uint64_t>(disk.f_bavail) * disk.f_frsize / 10;
  return cache;
}

void CacheSize::prune() {
  std::vector<CachedFile> found;
  uint64_t total = 0;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder_, failed), end; !failed && at != end;
       at.increment(failed)) {
    struct stat status = {};
    const std::string path = at->path().string();
    // Files that another run deleted are gone.
    if (!path.ends_with(".braid") || ::lstat(path.c_str(), &status) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    const auto size = static_cast<uint64_t>(status.st_size);
    found.push_back(
        {std::max(nanoseconds(status.st_atim), nanoseconds(status.st_mtim)), path, size});
    total += size;
  }
  std::ranges::sort(found, {},
                    [](const CachedFile& file) { return std::tie(file.used_ns, file.path); });
  for (size_t i = 0; i < found.size() && total > size_; ++i) {
    ::unlink(found[i].path.c_str());
    total -= found[i].size;
  }
  next_ = groups_ + 20 + found.size() / 50;
}

void CacheSize::add_group() {
  if (++groups_ >= next_) prune();
}

}  // namespace tracebraid::fleet
