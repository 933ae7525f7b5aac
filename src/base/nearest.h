// The nearest word of a list, for "did you mean".
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tracebraid {

// Returns the least number of letters to insert, delete, replace or swap with the next letter.
size_t edit_distance(std::string_view a, std::string_view b);

// Returns the nearest candidate, if it is near enough: a third of the letters may differ, or `word`
// is its beginning. Among equally near ones it prefers the same first letter, then the shortest,
// then the first candidate.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);

}  // namespace tracebraid
