// The path of a source file, as documentation gives it.
#pragma once

#include <string_view>

namespace tracebraid {

// Returns the part of __FILE__ or of std::source_location::file_name() from "src/" on.
constexpr std::string_view file_below_root(std::string_view path) {
  const size_t root = path.rfind("src/");
  return root == path.npos ? path : path.substr(root);
}

}  // namespace tracebraid
