// run_command_line(): the whole program, from argv to exit code.
#pragma once

namespace tracebraid {

int run_command_line(int argc, char** argv);

}  // namespace tracebraid
