// The program as host of the library: how it uses files, and the state for that.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/host_files.h"
#include "base/new_file.h"
#include "engine/trace.h"

namespace tracebraid {

// Returns settings that map inputs, read standard input as "-", and keep temporary files in $TMPDIR
// or /tmp, and names the
// memory budget if it is set. Each call makes a list of damage of its own.
HostFiles program_files();

// Returns the folder of what the program keeps for its user: $XDG_STATE_HOME/tracebraid, or
// tracebraid in ~/.local/state; empty if the user has neither. The folder may not exist yet.
std::string state_folder();

// Returns the outputs that are being written.
UnfinishedFiles& unfinished_files();

// Makes the command fail at its end if damage to the files of the trace appears after opening.
void watch_until_end(std::shared_ptr<const Trace> trace);
std::optional<Error> damage_at_end();

}  // namespace tracebraid
