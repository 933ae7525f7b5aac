#include "server/rpc/exported_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "base/progress.h"
#include "base/temporary_file.h"
#include "engine/archive.h"
#include "engine/export.h"
#include "server/work/cancel_when_gone.h"

namespace tracebraid::rpc {
namespace {

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
  static std::atomic<uint64_t> last{0};
  TB_TRY_ASSIGN(std::shared_ptr<SpoolFolder> folder,
                SpoolFolder::create(*service.host().spool, fmt::format("rpc-export-{}", ++last)));
  const std::string path = folder->path() + "/out";
  const ExportRequest request{.path = path, .stop = gone};
  std::string written = path;
  Progress progress;
  {
    // An export that ends because the spool is full has that reason as its error.
    const CancelWhenGone cancel(progress, gone, [&] { return !folder->count(); });
    Result<> done = export_trace(trace, kind_of(format), request, progress).map([](auto&&) {});
    if (done && format == ExportFormat::ArrowTar) {
      written += ".tar";
      done = pack_folder(*service.host().engine, path, written, progress);
    }
    TB_TRY(folder->count());
    TB_TRY(done);
  }
  Descriptor file(::open(written.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return tl::unexpected(temporary_file_error(folder->path(), errno));
  return ExportedFile(std::move(folder), std::move(file));
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
