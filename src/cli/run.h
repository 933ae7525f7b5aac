// run_command_line(): the whole program, from argv to the exit code.
//
// Input: arguments, environment, standard streams. Output: text and exit codes. Called by main.cc.
// Handles signals, which the library does not.
#pragma once

namespace tracebraid {

int run_command_line(int argc, char** argv);

}  // namespace tracebraid
