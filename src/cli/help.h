// --help, made from the declarations of the commands.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"

namespace tracebraid {

std::string program_help();
std::string command_help(const Command& command);

// `text` in lines of at most `width` letters, each line after the first indented by `indent`.
std::string wrap(std::string_view text, size_t width, size_t indent);

}  // namespace tracebraid
