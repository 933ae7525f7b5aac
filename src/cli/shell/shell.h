// The interactive shell: SQL and dot commands, from a terminal or a pipe.
//
// Input: lines. Output: rows on standard output. Called by the command shell.
#pragma once

#include "cli/command.h"
#include "engine/connection.h"

namespace tracebraid {

// Runs until the input ends or .quit. The exit code is that of a pipe: kExitSql
// if any statement failed; for a person always kExitFine.
ExitCode run_shell(TraceConnection& connection);

// "  .tables [PATTERN]   List tables and views", a line each.
std::string shell_commands_help();

}  // namespace tracebraid
