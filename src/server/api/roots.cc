#include "server/api/roots.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

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
  TB_TRY(open_below(*found, path));
  return found->path + "/" + path;
}

}  // namespace tracebraid::api
