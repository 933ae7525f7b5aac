// Completion scripts for shells, generated from the declarations of the commands.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"

namespace tracebraid {

std::string bash_completions(std::span<const Command> commands);
std::string zsh_completions(std::span<const Command> commands);
std::string fish_completions(std::span<const Command> commands);

}  // namespace tracebraid
