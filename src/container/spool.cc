#include "container/spool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/descriptor.h"

namespace tracebraid {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr uint64_t kMemoryBytes = uint64_t{64} << 20;

// Bytes in memory, given back to the budget when the last user is gone.
struct HeldBytes {
  std::shared_ptr<Budget> budget;
  std::string bytes;

  explicit HeldBytes(std::shared_ptr<Budget> with) : budget(std::move(with)) {}
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;
  ~HeldBytes() { budget->in_memory -= bytes.size(); }

  // False if the budget has no room.
  bool append(std::string_view more) {
    if (budget->in_memory.fetch_add(more.size()) + more.size() > kMemoryBytes) {
      budget->in_memory -= more.size();
      return false;
    }
    bytes.append(more);
    return true;
  }
};

std::string temporary_directory() {
  const char* named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

tl::unexpected<Error> cannot_spool(const std::string& directory) {
  return fail(ErrorCode::Io, "cannot write a temporary file in " + directory + ": " +
                                 std::strerror(errno) + "; set TMPDIR to a directory with room");
}

// A file without a name: it is gone when nobody maps it any more.
Result<Descriptor> open_temporary(const std::string& directory) {
  Descriptor file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  // Not every file system has O_TMPFILE.
  std::string name = directory + "/tracebraid.XXXXXX";
  file = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!file) return cannot_spool(directory);
  ::unlink(name.c_str());
  return file;
}

class TemporaryFile {
 public:
  Result<> append(std::string_view bytes) {
    if (!file_) {
      TB_TRY_ASSIGN(file_, open_temporary(directory_));
    }
    while (!bytes.empty()) {
      const ssize_t wrote = ::write(file_.fd(), bytes.data(), bytes.size());
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) return cannot_spool(directory_);
      bytes.remove_prefix(static_cast<size_t>(wrote));
    }
    return {};
  }
  Result<Bytes> map() const {
    TB_TRY_ASSIGN(MappedFile mapped, MappedFile::map(file_.fd(), directory_));
    const auto owner = std::make_shared<const MappedFile>(std::move(mapped));
    return Bytes{owner->bytes(), owner, owner};
  }
  explicit operator bool() const { return static_cast<bool>(file_); }

 private:
  std::string directory_ = temporary_directory();
  Descriptor file_;
};

}  // namespace

Result<Spooled> spool(Input& input, const std::shared_ptr<Budget>& budget, Progress& progress) {
  auto held = std::make_shared<HeldBytes>(budget);
  TemporaryFile file;
  while (const std::optional<Block> block = input.next(kBlockBytes)) {
    if (progress.cancelled()) return fail(ErrorCode::Cancelled, "cancelled");
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

Input read_descriptor(int fd, const Progress& progress) {
  return Input([fd, &progress](char* into, size_t size) -> Result<size_t> {
    while (true) {
      const ssize_t got = ::read(fd, into, size);
      if (got >= 0) return static_cast<size_t>(got);
      if (progress.cancelled()) return fail(ErrorCode::Cancelled, "cancelled");
      if (errno != EINTR) return fail(ErrorCode::Io, std::strerror(errno));
    }
  });
}

}  // namespace tracebraid
