#include "cli/run.h"

int main(int argc, char** argv) { return tracebraid::run_command_line(argc, argv); }
