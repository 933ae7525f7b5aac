// What all that write parts of a protobuf trace look up in the tables.
#pragma once

#include <string_view>

#include "assemble/identity/cpus.h"  // kCpusOfMachine
#include "tables/store.h"

namespace tracebraid::perfetto {

// Empty for none.
inline std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

}  // namespace tracebraid::perfetto
