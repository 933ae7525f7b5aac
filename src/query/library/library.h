// The standard library: the modules of SQL in src/query/modules/, built into the program.
#pragma once

#include <span>
#include <string_view>

namespace tracebraid {

struct LibraryModule {
  std::string_view key;   // "slices.stack"
  std::string_view file;  // "src/query/modules/slices/stack.sql"
  std::string_view text;
};

// Returns all modules by key. Those of the package `prelude` run when a connection opens.
std::span<const LibraryModule> library_modules();

}  // namespace tracebraid
