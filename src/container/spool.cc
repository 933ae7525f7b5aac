#include "container/spool.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/descriptor.h"
#include "base/mapped_file.h"
#include "base/temporary_file.h"

namespace tracebraid {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr uint64_t kMemoryBytes = uint64_t{64} << 20;

// Waits until there are bytes to read. Returns false if the work is cancelled. read() itself could
// wait for ever on a pipe without data: a cancel does not interrupt it.
bool wait_for_bytes(int fd, const Progress& progress) {
  constexpr int kLookMs = 100;
  pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
  while (!progress.cancelled())
    if (const int ready = ::poll(&waiting, 1, kLookMs); ready > 0 || (ready < 0 && errno != EINTR))
      return true;
  return false;
}

// Bytes in memory. The destructor of the last owner returns them to the budget.
struct HeldBytes {
  std::shared_ptr<Budget> budget;
  std::string bytes;

  explicit HeldBytes(std::shared_ptr<Budget> with) : budget(std::move(with)) {}
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;
  ~HeldBytes() {
    budget->in_memory -= bytes.size();
    budget->memory.release(bytes.size());
  }

  // Returns false if the budget has no room.
  bool append(std::string_view more) {
    const bool has_room = budget->in_memory.fetch_add(more.size()) + more.size() <= kMemoryBytes;
    if (!has_room || !budget->memory.take(more.size())) {
      budget->in_memory -= more.size();
      return false;
    }
    bytes.append(more);
    return true;
  }
};

class TemporaryFile {
 public:
  explicit TemporaryFile(const HostFiles& files) : files_(files) {}

  Result<> append(std::string_view bytes) {
    if (!file_) {
      TB_TRY_ASSIGN(file_, open_temporary_file(files_.temporary_directory));
    }
    while (!bytes.empty()) {
      const ssize_t wrote = ::write(file_.fd(), bytes.data(), bytes.size());
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) return tl::unexpected(temporary_file_error(files_.temporary_directory, errno));
      bytes.remove_prefix(static_cast<size_t>(wrote));
    }
    return {};
  }
  Result<Bytes> map() const {
    TB_TRY_ASSIGN(MappedFile mapped,
                  MappedFile::map(file_.fd(), files_.temporary_directory, files_));
    const auto owner = std::make_shared<const MappedFile>(std::move(mapped));
    return Bytes{owner->bytes(), owner, owner};
  }
  explicit operator bool() const { return static_cast<bool>(file_); }

 private:
  const HostFiles& files_;
  Descriptor file_;
};

}  // namespace

Result<Spooled> spool(Input& input, const std::shared_ptr<Budget>& budget, Progress& progress) {
  auto held = std::make_shared<HeldBytes>(budget);
  TemporaryFile file(budget->files);
  while (const std::optional<Block> block = input.next(kBlockBytes)) {
    if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    progress.advance(block->bytes.size());
    if (!file && held->append(block->bytes)) continue;
    if (!file) {
      TB_TRY(file.append(held->bytes));
      held = std::make_shared<HeldBytes>(budget);
    }
    TB_TRY(file.append(block->bytes));
  }
  Spooled spooled{{held->bytes, held}, input.problem()};
  if (file) {
    TB_TRY_ASSIGN(spooled.bytes, file.map());
  }
  return spooled;
}

Input read_descriptor(int fd, const std::string& path, FileDamage& damage,
                      const Progress& progress) {
  return Input([fd, path, &damage, &progress, at = uint64_t{0}](
                   char* into, size_t size) mutable -> Result<size_t> {
    while (wait_for_bytes(fd, progress)) {
      const ssize_t got = ::read(fd, into, size);
      if (got >= 0) {
        at += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
      }
      if (const int reason = errno; reason != EINTR && reason != EAGAIN)
        return tl::unexpected(damage.note_unreadable(path, at, reason));
    }
    return fail(ErrorCode::Cancelled, "interrupted");
  });
}

}  // namespace tracebraid
