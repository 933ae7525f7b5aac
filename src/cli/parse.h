// From argv to the variables that a command's options name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command.h"

namespace tracebraid {

struct Parsed {
  bool help = false;                   // --help was among the arguments; nothing else is checked
  std::vector<std::string> arguments;  // those that are not options, in order
};

// `arguments` are those behind the command's name. Sets the options' targets.
// An Error has code Usage and names the nearest option, if one is near.
Result<Parsed> parse_arguments(const Command& command, std::vector<std::string> arguments);

}  // namespace tracebraid
