// The Android package that code of a file belongs to (spec proto-2 10).
#pragma once

#include <string_view>

namespace tracebraid {

struct PackageOfPath {
  std::string_view package;   // empty: not known
  bool is_malformed = false;  // a file of an app whose path has no package
};

// `path` is the name of a mapping. The result refers to it, or to constants.
PackageOfPath package_of_path(std::string_view path);

}  // namespace tracebraid
