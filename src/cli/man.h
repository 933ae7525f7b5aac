// The manual page, made from the declarations of the commands.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"

namespace tracebraid {

// tracebraid(1), for man -l or the manual's folder.
std::string man_page(std::span<const Command> commands, std::string_view version);

}  // namespace tracebraid
