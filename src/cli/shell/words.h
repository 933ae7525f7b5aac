// Completion in the shell: what the word at the cursor could become.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/connection.h"

namespace tracebraid {

// The part of the line, up to the cursor, that completion replaces.
std::string_view word_at_end(std::string_view line);

// Sorted, each once. Behind "name." only columns: those of that relation, or all
// if `name` is an alias.
std::vector<std::string> completions(std::string_view line, std::span<const RelationInfo> relations,
                                     std::span<const std::string_view> dot_commands);

// The longest beginning that all of them share, without regard to case.
std::string common_beginning(std::span<const std::string> words);

}  // namespace tracebraid
