#include "container/archive_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/descriptor.h"
#include "base/new_file.h"
#include "container/archive_streams.h"

namespace tracebraid {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

tl::unexpected<Error> io_error(std::string_view what, const std::string& path, int reason) {
  const bool is_missing = what == "open" && reason == ENOENT;
  return fail(is_missing ? ErrorCode::NotFound : ErrorCode::Io,
              fmt::format("cannot {} {}: {}", what, path, std::strerror(reason)));
}

class Packing {
 public:
  Packing(ArchiveStream& archive, Progress& progress) : archive_(archive), progress_(progress) {}

  Result<> add(const ArchiveEntry& entry) {
    if (!entry.bytes) return add_file(entry);
    // Entries without a time get time 0, so that equal inputs give equal archives.
    TB_TRY(archive_.begin(entry.name, entry.bytes->size(), 0));
    TB_TRY(archive_.add(*entry.bytes));
    progress_.advance(entry.bytes->size());
    return archive_.end();
  }

 private:
  Result<> add_file(const ArchiveEntry& entry) {
    const Descriptor file(::open(entry.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return io_error("open", entry.path, errno);
    struct stat status{};
    if (::fstat(file.fd(), &status) != 0) return io_error("open", entry.path, errno);
    if (!S_ISREG(status.st_mode))
      return fail(ErrorCode::Io, "cannot pack " + entry.path + ": not a regular file");
    const auto size = static_cast<uint64_t>(status.st_size);
    TB_TRY(archive_.begin(entry.name, size, entry.without_time ? 0 : status.st_mtime));
    TB_TRY(copy(file.fd(), entry.path, size));
    return archive_.end();
  }

  // Requires: an entry of `size` bytes was begun.
  Result<> copy(int fd, const std::string& from, uint64_t size) {
    uint64_t left = size;
    while (left != 0) {
      if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
      const ssize_t got = ::read(fd, buffer_.get(), std::min<uint64_t>(left, kBlockBytes));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return io_error("read", fmt::format("{} at byte {}", from, size - left), errno);
      if (got == 0)
        return fail(ErrorCode::Io, "cannot pack " + from + ": it shrank while it was read");
      const auto read = static_cast<size_t>(got);
      TB_TRY(archive_.add({buffer_.get(), read}));
      progress_.advance(read);
      left -= read;
    }
    return {};
  }

  ArchiveStream& archive_;
  Progress& progress_;
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(kBlockBytes);
};

uint64_t total_size(std::span<const ArchiveEntry> entries) {
  uint64_t total = 0;
  for (const ArchiveEntry& entry : entries) {
    struct stat status{};
    if (entry.bytes)
      total += entry.bytes->size();
    else if (::stat(entry.path.c_str(), &status) == 0)
      total += static_cast<uint64_t>(status.st_size);
  }
  return total;
}

}  // namespace

Result<> write_archive(const std::string& path, ArchiveFormat format,
                       std::span<const ArchiveEntry> entries, const HostFiles& files,
                       Progress& progress) {
  progress.begin("packing", total_size(entries));
  for (const ArchiveEntry& entry : entries)
    if (!entry.bytes) files.inputs->add(entry.path);
  TB_TRY_ASSIGN(NewFile target, NewFile::create(path, files));
  std::unique_ptr<ArchiveStream> archive;
  if (format == ArchiveFormat::Tar) {
    archive = tar_stream(target);
  } else {
    TB_TRY_ASSIGN(archive, zip_stream(target));
  }
  Packing packing(*archive, progress);
  for (const ArchiveEntry& entry : entries) TB_TRY(packing.add(entry));
  TB_TRY(archive->finish());
  return target.finish();
}

}  // namespace tracebraid
