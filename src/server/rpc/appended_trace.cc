#include "server/rpc/appended_trace.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/temporary_file.h"

namespace tracebraid::rpc {

Result<> AppendedTrace::append(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (!file_) {
    TB_TRY_ASSIGN(file_, open_temporary_file(folder_));
  }
  const auto size = static_cast<int64_t>(bytes.size());
  if (reserve_ && !reserve_(size))
    return fail(ErrorCode::Limit, "the limit for temporary files is reached; raise --spool-limit");
  size_ += size;  // reserved
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.fd(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return tl::unexpected(temporary_file_error(folder_, errno));
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Result<TraceInput> AppendedTrace::finish(std::string name) {
  const auto size = static_cast<size_t>(size_);
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.fd(), 0);
  if (mapped == MAP_FAILED) return tl::unexpected(temporary_file_error(folder_, errno));
  file_ = Descriptor();  // the mapping keeps the bytes
  const int64_t reserved = std::exchange(size_, 0);
  return buffer_input(std::move(name), {static_cast<const char*>(mapped), size},
                      [mapped, size, reserved, reserve = reserve_] {
                        ::munmap(mapped, size);
                        if (reserve) reserve(-reserved);
                      });
}

void AppendedTrace::clear() {
  file_ = Descriptor();
  if (reserve_ && size_ != 0) reserve_(-size_);
  size_ = 0;
}

}  // namespace tracebraid::rpc
