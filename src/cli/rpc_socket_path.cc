#include "cli/rpc_socket_path.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/words.h"
#include "cli/host.h"

namespace tracebraid {
namespace {

bool is_session_name(std::string_view name) {
  constexpr size_t kLongest = 64;
  const auto is_letter = [](char c) {
    return is_digit(c) || (lower_case(c) >= 'a' && lower_case(c) <= 'z');
  };
  return !name.empty() && name.size() <= kLongest && is_letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || c == '_' || c == '-'; });
}

// A folder of another user, or one that others can write, could hold another user's socket.
Result<> make_private_folder(const std::string& path) {
  struct stat status{};
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return fail(ErrorCode::Io,
                fmt::format("--rpc-socket: cannot make {}: {}", path, std::strerror(errno)));
  if (::lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      status.st_uid != ::geteuid() || (status.st_mode & 0077) != 0)
    return fail(ErrorCode::Io,
                fmt::format("--rpc-socket: {}: must be your folder with mode 0700", path));
  return {};
}

}  // namespace

Result<std::string> rpc_socket_path(const std::string& name_or_path) {
  if (name_or_path.find('/') != name_or_path.npos || name_or_path.ends_with(".sock"))
    return name_or_path;
  if (!is_session_name(name_or_path))
    return fail(ErrorCode::Usage,
                fmt::format("--rpc-socket: '{}' is no path and no name of up to 64 letters, "
                            "digits, '_' and '-'",
                            name_or_path));
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string parent = runtime != nullptr && runtime[0] != '\0'
                                 ? std::string(runtime)
                                 : program_files().temporary_directory;
  const std::string folder = parent + "/perfetto";
  TB_TRY(make_private_folder(folder));
  return folder + "/" + name_or_path + ".sock";
}

}  // namespace tracebraid
