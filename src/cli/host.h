// What the program lets the library do in its process, and the state that this takes.
#pragma once

#include <memory>
#include <optional>

#include "base/host_files.h"
#include "base/new_file.h"
#include "engine/trace.h"

namespace tracebraid {

// Maps inputs, reads standard input as "-", keeps temporary files in $TMPDIR or /tmp, and names the
// memory budget if it is set. Each call makes a list of damage of its own.
HostFiles program_files();

// Outputs that are being written.
UnfinishedFiles& unfinished_files();

// Damage to the files of a trace that shows after its opening fails the command at its end.
void watch_until_end(std::shared_ptr<const Trace> trace);
std::optional<Error> damage_at_end();

}  // namespace tracebraid
