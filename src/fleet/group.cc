#include "fleet/group.h"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>

#include "engine/error_place.h"

namespace tracebraid::fleet {
namespace {

bool is_plain_in_uri(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("/_.-~").find(c) != std::string_view::npos;
}

}  // namespace

int64_t Group::size() const { return std::accumulate(sizes.begin(), sizes.end(), int64_t{0}); }

std::string Group::trace() const {
  return root.empty() ? paths.front() : relative_path(paths.front(), root);
}

std::string Group::uri() const {
  std::string uri = "file://";
  for (const char c : absolute_path(paths.front())) {
    if (is_plain_in_uri(c))
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::string absolute_path(const std::string& path) {
  std::error_code failed;
  std::string made = std::filesystem::absolute(path, failed).lexically_normal().string();
  if (made.size() > 1 && made.back() == '/') made.pop_back();
  return made;
}

std::string relative_path(const std::string& path, const std::string& root) {
  return std::filesystem::path(absolute_path(path))
      .lexically_relative(absolute_path(root))
      .string();
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return {};
  const size_t end = path.find_last_not_of('/', slash);
  return end == path.npos ? "/" : path.substr(0, end + 1);
}

ErrorCode code_named(std::string_view name) {
  for (int number = 1; number <= static_cast<int>(ErrorCode::Internal); ++number)
    if (const auto code = static_cast<ErrorCode>(number); code_name(code) == name) return code;
  return ErrorCode::Io;
}

}  // namespace tracebraid::fleet
