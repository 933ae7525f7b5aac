#include "container/archive_writer.h"

#include <archive.h>
#include <archive_entry.h>
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
#include "base/signal_mask.h"

namespace tracebraid {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

struct FreeArchive {
  void operator()(archive* writer) const { archive_write_free(writer); }
};
struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
using Writer = std::unique_ptr<archive, FreeArchive>;
using Header = std::unique_ptr<archive_entry, FreeEntry>;

tl::unexpected<Error> io_error(std::string_view what, const std::string& path, int reason) {
  return fail(ErrorCode::Io, fmt::format("cannot {} {}: {}", what, path, std::strerror(reason)));
}

tl::unexpected<Error> write_error(const Writer& writer, const std::string& path) {
  const char* why = archive_error_string(writer.get());
  const int reason = archive_errno(writer.get());
  if (reason > 0 && reason != ENOMEM) return io_error("write", path, reason);
  // Other failures have no reason.
  const bool no_memory = reason == ENOMEM || why == nullptr;
  return fail(ErrorCode::Io,
              fmt::format("cannot write {}: {}", path, no_memory ? "out of memory" : why));
}

// A warning concerns names outside ASCII, which are written verbatim.
bool failed(la_ssize_t code) { return code < ARCHIVE_WARN; }

Result<Writer> open_writer(const std::string& path, ArchiveFormat format, int fd) {
  Writer writer(archive_write_new());
  int code = ARCHIVE_FATAL;
  if (writer && format == ArchiveFormat::Zip) {
    code = archive_write_set_format_zip(writer.get());
  } else if (writer) {
    // Plain ustar if it can represent the entry, so that every reader accepts it.
    code = archive_write_set_format_pax_restricted(writer.get());
  }
  if (!writer) return fail(ErrorCode::Io, "cannot write " + path + ": out of memory");
  if (failed(code) || failed(archive_write_add_filter_none(writer.get())) ||
      failed(archive_write_open_fd(writer.get(), fd)))
    return write_error(writer, path);
  return writer;
}

Result<> write_header(const Writer& writer, const std::string& path, const std::string& name,
                      uint64_t size, time_t modified) {
  const Header header(archive_entry_new2(writer.get()));
  if (!header) return fail(ErrorCode::Io, "cannot write " + path + ": out of memory");
  archive_entry_copy_pathname(header.get(), name.c_str());
  archive_entry_set_filetype(header.get(), AE_IFREG);
  archive_entry_set_perm(header.get(), 0644);
  archive_entry_set_size(header.get(), static_cast<la_int64_t>(size));
  archive_entry_set_mtime(header.get(), modified, 0);
  if (failed(archive_write_header(writer.get(), header.get()))) return write_error(writer, path);
  return {};
}

Result<> write_data(const Writer& writer, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const la_ssize_t wrote = archive_write_data(writer.get(), bytes.data(), bytes.size());
    if (wrote <= 0) return write_error(writer, path);
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  return {};
}

class Packing {
 public:
  Packing(const Writer& writer, const std::string& path, Progress& progress)
      : writer_(writer), path_(path), progress_(progress) {}

  Result<> add(const ArchiveEntry& entry) {
    if (!entry.bytes) return add_file(entry);
    // Entries without a time get time 0, so that equal inputs give equal archives.
    TB_TRY(write_header(writer_, path_, entry.name, entry.bytes->size(), 0));
    TB_TRY(write_data(writer_, path_, *entry.bytes));
    progress_.advance(entry.bytes->size());
    return {};
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
    TB_TRY(
        write_header(writer_, path_, entry.name, size, entry.without_time ? 0 : status.st_mtime));
    return copy(file.fd(), entry.path, size);
  }

  // Requires: a header that announces `size` bytes was written.
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
      TB_TRY(write_data(writer_, path_, {buffer_.get(), read}));
      progress_.advance(read);
      left -= read;
    }
    return {};
  }

  const Writer& writer_;
  const std::string& path_;
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
  const BlockedPipeSignal blocked;  // libarchive writes to the descriptor itself
  progress.begin("packing", total_size(entries));
  for (const ArchiveEntry& entry : entries)
    if (!entry.bytes) files.inputs->add(entry.path);
  TB_TRY_ASSIGN(NewFile target, NewFile::create(path, files));
  TB_TRY_ASSIGN(Writer writer, open_writer(path, format, target.fd()));
  Packing packing(writer, path, progress);
  for (const ArchiveEntry& entry : entries) TB_TRY(packing.add(entry));
  if (failed(archive_write_close(writer.get()))) return write_error(writer, path);
  return target.finish();
}

}  // namespace tracebraid
