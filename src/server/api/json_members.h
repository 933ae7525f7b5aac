// Members of documents that several routes have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/rows.h"

namespace tracebraid::api {

// Adds a decimal text, or null.
inline void add_optional(JsonText& json, std::string_view name,
                         const std::optional<int64_t>& number) {
  if (number)
    json.add(name, std::to_string(*number));
  else
    json.add_raw(name, "null");
}

}  // namespace tracebraid::api
