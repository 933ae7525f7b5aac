// The interactive shell: SQL and dot commands, from a terminal or a pipe.
//
// Input: lines. Output: rows on standard output. Called by the command shell.
#pragma once

#include "cli/command.h"
#include "engine/connection.h"

namespace tracebraid {

// Runs until the end of input or .quit. Returns kExitSql if a statement from a pipe failed;
// kExitFine on a terminal.
ExitCode run_shell(TraceConnection& connection);

// Returns one line per command: "  .tables [PATTERN]   List tables and views".
std::string shell_commands_help();

}  // namespace tracebraid
