#include "server/api/roots.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tracebraid::api {
namespace {

int open_beneath(int folder, const char* path) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, folder, path, &how, sizeof how));
}

// For systems without openat2(): opens component by component and follows no link.
int open_by_components(int folder, std::string_view path) {
  Descriptor at(::openat(folder, ".", O_RDONLY | O_CLOEXEC));
  while (at && !path.empty()) {
    const std::string part(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    if (part.empty()) continue;
    at =
        Descriptor(::openat(at.fd(), part.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  }
  return at ? ::dup(at.fd()) : -1;
}

bool has_parent_part(std::string_view path) {
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (part == "..") return true;
    path.remove_prefix(std::min(part.size() + 1, path.size()));
  }
  return false;
}

Error forbidden(const std::string& path) {
  return {ErrorCode::Unsupported, fmt::format("{}: not a file or folder below the root", path)};
}

bool is_below(const std::string& path, const Root& root) {
  const std::string folder = root.path.ends_with('/') ? root.path : root.path + "/";
  return path == root.path || path.starts_with(folder);
}

// Returns the path of an open file without links, so that a link that takes its place later leads
// nowhere else.
Result<std::string> path_of(const Descriptor& file, const Root& root, const std::string& path) {
  std::error_code error;
  std::string real = std::filesystem::canonical(root.path + "/" + path, error).string();
  struct stat named{}, opened{};
  const bool is_same = !error && ::stat(real.c_str(), &named) == 0 &&
                       ::fstat(file.fd(), &opened) == 0 && named.st_dev == opened.st_dev &&
                       named.st_ino == opened.st_ino;
  if (!is_same || !is_below(real, root)) return tl::unexpected(forbidden(path));
  return real;
}

// Returns an Error if a folder has a link to a file outside of the root: a folder is opened with
// the files that its links name.
Result<> check_links(const std::string& folder, const Root& root) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename().string().starts_with('.')) {  // not opened
      at.disable_recursion_pending();
      continue;
    }
    std::error_code unknown;
    if (!at->is_symlink(unknown)) continue;
    const fs::path target = fs::canonical(at->path(), unknown);
    if (!unknown && !is_below(target.string(), root))
      return tl::unexpected(Error{
          ErrorCode::Unsupported,
          fmt::format("{}: the link leads outside of the root", at->path().filename().string())});
  }
  return {};
}

}  // namespace

const Root* find_root(const Api& api, std::string_view name) {
  const auto found = std::ranges::find(api.roots, name, &Root::name);
  return found == api.roots.end() ? nullptr : &*found;
}

Result<Descriptor> open_below(const Root& root, const std::string& path) {
  if (path.starts_with('/') || path.find('\0') != path.npos || has_parent_part(path))
    return tl::unexpected(forbidden(path));
  const Descriptor folder(::open(root.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder)
    return fail(ErrorCode::NotFound, fmt::format("{}: {}", root.name, std::strerror(errno)));
  const std::string relative = path.empty() ? "." : path;
  int fd = open_beneath(folder.fd(), relative.c_str());
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) fd = open_by_components(folder.fd(), relative);
  if (fd < 0 && errno == ENOENT)
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file", path));
  if (fd < 0) return tl::unexpected(forbidden(path));
  Descriptor opened(fd);
  struct stat status{};
  if (::fstat(opened.fd(), &status) != 0 || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
    return tl::unexpected(forbidden(path));
  return opened;
}

Result<std::string> path_of_input(const Api& api, const std::string& root,
                                  const std::string& path) {
  if (root.empty()) {
    if (std::ranges::find(api.options.files, path) != api.options.files.end()) return path;
    return tl::unexpected(Error{
        ErrorCode::Unsupported,
        fmt::format("{}: not a file of the command line; name a root, or upload the file", path)});
  }
  const Root* const found = find_root(api, root);
  if (found == nullptr)
    return fail(ErrorCode::NotFound, fmt::format("there is no root '{}'", root));
  TB_TRY_ASSIGN(const Descriptor opened, open_below(*found, path));
  TB_TRY_ASSIGN(std::string real, path_of(opened, *found, path));
  TB_TRY(check_links(real, *found));
  return real;
}

}  // namespace tracebraid::api
