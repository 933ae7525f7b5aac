// Loads the library that writes Parquet and Arrow files from the folder of the program.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "export/arrow/arrow_file.h"

namespace tracebraid {
namespace {

#ifdef TRACEBRAID_ARROW_LIBRARY
// Returns null and sets an Error if it cannot be loaded.
Result<MakeArrowFile> load() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string path = program.parent_path() / TRACEBRAID_ARROW_LIBRARY;
  // Never unloaded: Arrow has threads of its own.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* made = library == nullptr ? nullptr : ::dlsym(library, kMakeArrowFile);
  if (made != nullptr) return reinterpret_cast<MakeArrowFile>(made);
  const char* why = ::dlerror();
  return fail(ErrorCode::Unsupported,
              fmt::format("cannot write Parquet and Arrow without the libraries of the Python "
                          "package pyarrow: {}",
                          why == nullptr ? path : why));
}
#else
Result<MakeArrowFile> load() {
  return fail(ErrorCode::Unsupported,
              "this build cannot write Parquet and Arrow: run scripts/python-env, which installs "
              "the Python package pyarrow, and configure the build again");
}
#endif

const Result<MakeArrowFile>& library() {
  static const Result<MakeArrowFile> kLibrary = load();
  return kLibrary;
}

}  // namespace

Result<> ArrowFile::available() {
  if (!library()) return tl::unexpected(library().error());
  return {};
}

Result<std::unique_ptr<ArrowFile>> ArrowFile::create(ArrowKind kind, int fd,
                                                     const std::string& path,
                                                     std::vector<ArrowColumn> columns) {
  TB_TRY(available());
  Result<std::unique_ptr<ArrowFile>> made;
  (*library())(kind, fd, path, std::move(columns), made);
  return made;
}

}  // namespace tracebraid
