// Completion in the shell.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/connection.h"

namespace tracebraid {

struct DotWords {
  std::string_view command;         // ".mode"
  std::vector<std::string> values;  // of its argument
};

// The words that the shell knows.
struct Vocabulary {
  std::vector<RelationInfo> relations;
  std::vector<std::string> functions;  // completed with their opening parenthesis
  std::vector<DotWords> dot_commands;
  std::vector<std::string> modules = {};  // of the standard library and of the user
};

// Returns the part of the line before the cursor that completion replaces.
std::string_view word_at_end(std::string_view line);

// Returns sorted, distinct completions of the text before the cursor. `after` is the rest of the
// statement, whose FROM clause names the relations and their aliases. After "name." only columns:
// of that relation or alias, or all columns if the name is unknown. Without a dot, columns of the
// relations in the statement, or all columns if it names none. After INCLUDE PERFETTO MODULE only
// modules.
std::vector<std::string> completions(std::string_view before, std::string_view after,
                                     const Vocabulary& vocabulary);

// Returns the longest common prefix, ignoring case.
std::string common_beginning(std::span<const std::string> words);

}  // namespace tracebraid
