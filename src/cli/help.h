// The text of --help, generated from the declarations of the commands.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"

namespace tracebraid {

std::string program_help();
std::string command_help(const Command& command);

}  // namespace tracebraid
