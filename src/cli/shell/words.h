// Completion in the shell.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/connection.h"

namespace tracebraid {

// Returns the part of the line before the cursor that completion replaces.
std::string_view word_at_end(std::string_view line);

// Returns sorted, distinct completions. After "name." only columns: of that relation, or all
// columns if `name` is an alias. After INCLUDE PERFETTO MODULE only modules.
std::vector<std::string> completions(std::string_view line, std::span<const RelationInfo> relations,
                                     std::span<const std::string_view> dot_commands,
                                     std::span<const std::string> modules = {});

// Returns the longest common prefix, ignoring case.
std::string common_beginning(std::span<const std::string> words);

}  // namespace tracebraid
