// The commands, each declared in a file of its own.
#pragma once

#include <vector>

#include "cli/command.h"

namespace tracebraid {

Command info_command();
Command check_command();
Command query_command();
Command fleet_command();
Command shell_command();
Command serve_command();
Command open_command();
// The command line of programs that start the reference's trace_processor: -D or --httpd first.
Command httpd_command();
Command merge_command();
Command export_command();
Command manifest_command();
Command manifest_validate_command();
Command formats_command();
Command docs_command();
Command completions_command();
Command man_command();

// Returns all commands, in the order in which --help lists them.
const std::vector<Command>& all_commands();

}  // namespace tracebraid
