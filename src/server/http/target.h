// Targets of requests: the path and the query of "/api/v1/files?path=a%20b".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracebraid::http {

struct Target {
  // The decoded segments between slashes: "api", "v1", "files". A decoded segment may contain a
  // slash.
  std::vector<std::string> segments;
  std::vector<std::pair<std::string, std::string>> query;  // decoded, in order

  // Returns the first value of a parameter, or null.
  const std::string* find(std::string_view name) const;
};

// Returns nothing for a target that does not begin with a slash, or with a malformed escape or a
// NUL.
std::optional<Target> parse_target(std::string_view target);

// Decodes %XX, and + as a space if `plus_is_space`. Returns nothing for a malformed escape or a
// NUL.
std::optional<std::string> decode_percent(std::string_view text, bool plus_is_space);

}  // namespace tracebraid::http
