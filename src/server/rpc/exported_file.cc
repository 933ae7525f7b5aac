#include "server/rpc/exported_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/progress.h"
#include "base/temporary_file.h"
#include "engine/archive.h"
#include "engine/export.h"
#include "server/work/cancel_when_gone.h"

namespace tracebraid::rpc {
namespace {

// A folder that its destructor removes.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& parent) : path_(parent + "/export.XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string_view kind_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::Perfetto:
      return "perfetto";
    case ExportFormat::ArrowTar:
      return "arrow";
    case ExportFormat::Sqlite:
      return "sqlite";
    case ExportFormat::None:
      break;
  }
  return {};
}

}  // namespace

Result<ExportedFile> ExportedFile::write(RpcService& service, ExportFormat format,
                                         const StopPointer& gone) {
  if (format == ExportFormat::None)
    return fail(ErrorCode::Unsupported,
                "the request names no format of an export: 1 is perfetto, 2 a tar of Arrow files, "
                "3 sqlite");
  std::shared_ptr<const Trace> trace;
  {
    TB_TRY_ASSIGN(const RpcService::Lock lock, service.lock(gone));
    TB_TRY_ASSIGN(trace, service.trace(gone));
  }
  const TemporaryFolder folder(service.host().spool);
  if (folder.path().empty())
    return tl::unexpected(temporary_file_error(service.host().spool, errno));
  const ExportRequest request{.path = folder.path() + "/out", .stop = gone};
  std::string written = request.path;
  Progress progress;
  {
    const CancelWhenGone cancel(progress, gone);
    TB_TRY(export_trace(trace, kind_of(format), request, progress));
    if (format == ExportFormat::ArrowTar) {
      written += ".tar";
      TB_TRY(pack_folder(*service.host().engine, request.path, written, progress));
    }
  }
  Descriptor file(::open(written.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return tl::unexpected(temporary_file_error(service.host().spool, errno));
  return ExportedFile(std::move(file));
}

bool ExportedFile::send(const std::function<bool(std::string_view)>& send) const {
  std::string buffer(size_t{1} << 20, '\0');
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(file_.fd(), buffer.data(), buffer.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    if (!send(std::string_view(buffer).substr(0, static_cast<size_t>(got)))) return false;
    at += got;
  }
}

}  // namespace tracebraid::rpc
