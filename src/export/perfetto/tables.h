// Table look-ups shared by the writers of a protobuf trace.
#pragma once

#include <string_view>

#include "assemble/identity/cpus.h"  // kCpusOfMachine
#include "tables/store.h"

namespace tracebraid::perfetto {

// Returns an empty text for none.
inline std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

}  // namespace tracebraid::perfetto
