// Loads the library that writes Parquet and Arrow files from the folder that the host names.
#include <dlfcn.h>
#include <fmt/format.h>

#include "export/arrow/arrow_file.h"

namespace tracebraid {

#ifdef TRACEBRAID_ARROW_LIBRARY
Result<MakeArrowFile> load_arrow_library(const std::string& folder) {
  const std::string path = folder + "/" + TRACEBRAID_ARROW_LIBRARY;
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
Result<MakeArrowFile> load_arrow_library(const std::string&) {
  return fail(ErrorCode::Unsupported,
              "this build cannot write Parquet and Arrow: run scripts/python-env, which installs "
              "the Python package pyarrow, and configure the build again");
}
#endif

}  // namespace tracebraid
