// Loads the library that writes Parquet and Arrow files from the folder that the host names.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "export/arrow/arrow_file.h"

namespace tracebraid {

#ifdef TRACEBRAID_ARROW_LIBRARY
namespace {

// Returns the library that the loader did not find: the start of "libparquet.so.2100: cannot open
// shared object file: No such file or directory". Empty for other failures.
std::string missing_library(std::string_view why) {
  const size_t colon = why.find(": cannot open shared object file");
  return colon == why.npos ? std::string() : std::string(why.substr(0, colon));
}

Error cannot_load(const std::string& path, const std::string& why) {
  constexpr std::string_view kWhat = "cannot write Parquet and Arrow";
  if (std::error_code failed; !std::filesystem::exists(path, failed))
    return {ErrorCode::Unsupported,
            fmt::format("{}: the file {} is missing; it belongs beside the program", kWhat, path)};
  if (const std::string missing = missing_library(why); !missing.empty())
    return {ErrorCode::Unsupported,
            fmt::format("{}: the library {} is missing, which {} needs; it is part of the Python "
                        "package pyarrow, with which the program was built: scripts/python-env "
                        "installs it",
                        kWhat, missing, path)};
  return {ErrorCode::Unsupported, fmt::format("{}: {}", kWhat, why)};
}

}  // namespace

Result<MakeArrowFile> load_arrow_library(const std::string& folder) {
  const std::string path = folder + "/" + TRACEBRAID_ARROW_LIBRARY;
  // Never unloaded: Arrow has threads of its own.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* made = library == nullptr ? nullptr : ::dlsym(library, kMakeArrowFile);
  if (made != nullptr) return reinterpret_cast<MakeArrowFile>(made);
  const char* why = ::dlerror();
  return tl::unexpected(cannot_load(path, why == nullptr ? path : why));
}
#else
Result<MakeArrowFile> load_arrow_library(const std::string&) {
  return fail(ErrorCode::Unsupported,
              "this build cannot write Parquet and Arrow: run scripts/python-env, which installs "
              "the Python package pyarrow, and configure the build again");
}
#endif

}  // namespace tracebraid
