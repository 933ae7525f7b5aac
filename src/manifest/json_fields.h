// Typed access to the JSON of a manifest, and the errors of invalid values. Included by the parsers
// of this folder only.
#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid::manifest_json {

using Value = simdjson::dom::element;
using Object = simdjson::dom::object;

inline Error broken(std::string_view text) {
  return {ErrorCode::BadManifest, fmt::format("perfetto_manifest: {}", text)};
}

// Row numbers in comments refer to the table of spec clocks 10.4.
#define TB_REQUIRE(condition, text)                                       \
  do {                                                                    \
    if (!(condition)) return tl::unexpected(manifest_json::broken(text)); \
  } while (0)

inline std::optional<Value> find(const Object& object, std::string_view key) {
  Value value;
  if (object.at_key(key).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

// Returns an integer that fits into 64 bits; 1.0 is no integer.
inline std::optional<int64_t> integer(const Value& value) {
  int64_t number = 0;
  if (!value.is<int64_t>() || value.get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

inline std::optional<std::string> text(const Value& value) {
  std::string_view view;
  if (value.get(view) != simdjson::SUCCESS) return std::nullopt;
  return std::string(view);
}

}  // namespace tracebraid::manifest_json
