// The nearest of a list of words, for "did you mean".
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tracebraid {

// Least number of letters to insert, delete, replace or swap with the next.
size_t edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, if it is near enough to be meant: a third of the
// letters may differ, or the word is the beginning of it. Of equals one with the
// same first letter, or else the first.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);

}  // namespace tracebraid
