// The manual page, generated from the declarations of the commands.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"

namespace tracebraid {

// Returns tracebraid(1), for `man -l` or a folder of manual pages.
std::string man_page(std::span<const Command> commands, std::string_view version);

}  // namespace tracebraid
