#include "assemble/samples/package_path.h"

namespace tracebraid {
namespace {

enum class Match { Prefix, Contains };

// Returns the package of code that the system ships; empty for other code.
std::string_view package_of_system(std::string_view path) {
  const auto matches = [&](Match match, std::string_view text) {
    return match == Match::Prefix ? path.starts_with(text) : path.find(text) != path.npos;
  };
#define TB_PACKAGE_PATH(match, text, package) \
  if (matches(Match::match, text)) return package;
#include "assemble/generated/package_paths.inc"
#undef TB_PACKAGE_PATH
  return {};
}

// Parses [~~X/]PKG-.../...; returns an empty text for other paths.
std::string_view package_of_app(std::string_view path) {
  constexpr std::string_view kRandomPart = "~~";
  if (path.starts_with(kRandomPart)) {
    const size_t slash = path.find('/');
    if (slash == path.npos) return {};
    path.remove_prefix(slash + 1);
  }
  const size_t slash = path.find('/');
  if (slash == path.npos) return {};
  const size_t minus = path.find('-');
  return minus < slash ? path.substr(0, minus) : std::string_view();
}

}  // namespace

PackageOfPath package_of_path(std::string_view path) {
  constexpr std::string_view kApps = "/data/app/", kInMemory = "dex extracted in memory from ";
  if (const std::string_view package = package_of_system(path); !package.empty()) return {package};
  if (const size_t at = path.find(kInMemory); at != path.npos)
    path.remove_prefix(at + kInMemory.size());
  if (!path.starts_with(kApps)) return {};
  const std::string_view package = package_of_app(path.substr(kApps.size()));
  return {package, package.empty()};
}

}  // namespace tracebraid
