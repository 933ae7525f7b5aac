// Parses the arguments of a command into the variables of its options.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command.h"

namespace tracebraid {

struct Parsed {
  bool help = false;                   // --help was given; nothing else is checked
  std::vector<std::string> arguments;  // arguments that are not options, in order
};

// `arguments` are those after the name of the command. Sets the targets of the options. An Error
// has code Usage and names a similar option, if any.
Result<Parsed> parse_arguments(const Command& command, std::vector<std::string> arguments);

}  // namespace tracebraid
