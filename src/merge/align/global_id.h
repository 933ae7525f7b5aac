// Whether texts of ids occur by chance. For kinds whose ids may be texts.
#pragma once

#include <string>
#include <string_view>

#include "base/words.h"
#include "event/flow_join.h"

namespace tracebraid::align {

// Returns whether no two writers choose the id by chance: a UUID, 32 or more hexadecimal digits, or
// 16 digits of 64 random bits.
inline bool is_global_text(std::string_view id) {
  constexpr size_t kDigits = 16;
  if (id.size() == kDigits)
    if (const auto value = parse_hex(id)) return is_evidently_global(*value);
  // Flows that are local to no process and have no scope.
  return is_evidently_global(std::string("\n\n").append(id));
}

}  // namespace tracebraid::align
