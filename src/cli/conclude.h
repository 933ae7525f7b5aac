// The end of the commands that judge a merge: check, merge and manifest validate.
#pragma once

#include "cli/command.h"
#include "engine/report.h"

namespace tracebraid {

// Prints the reasons of --strict to fail, if `strict`, as errors. Returns the exit status.
ExitCode conclude(const Verdict& verdict, bool strict);

}  // namespace tracebraid
