#include "server/rpc/appended_trace.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/temporary_file.h"

namespace tracebraid::rpc {

Result<> AppendedTrace::append(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (!file_) {
    TB_TRY_ASSIGN(file_, open_temporary_file(spool_->folder()));
  }
  TB_TRY(spool_->take(bytes.size()));
  size_ += static_cast<int64_t>(bytes.size());
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.fd(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return tl::unexpected(temporary_file_error(spool_->folder(), errno));
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Result<TraceInput> AppendedTrace::finish(std::string name) {
  const auto size = static_cast<size_t>(size_);
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.fd(), 0);
  if (mapped == MAP_FAILED) return tl::unexpected(temporary_file_error(spool_->folder(), errno));
  file_ = Descriptor();  // the mapping keeps the bytes
  size_ = 0;             // the input releases the bytes
  return buffer_input(std::move(name), {static_cast<const char*>(mapped), size},
                      [mapped, size, spool = spool_] {
                        ::munmap(mapped, size);
                        spool->release(size);
                      });
}

void AppendedTrace::clear() {
  file_ = Descriptor();
  spool_->release(static_cast<uint64_t>(size_));
  size_ = 0;
}

}  // namespace tracebraid::rpc
