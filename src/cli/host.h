// The program as host of the library: how it uses files, and the state for that.
#pragma once

#include <memory>
#include <optional>

#include "base/host_files.h"
#include "base/new_file.h"
#include "engine/trace.h"

namespace tracebraid {

// Returns settings that map inputs, read standard input as "-", and keep temporary files in $TMPDIR
// or /tmp, and names the
// memory budget if it is set. Each call makes a list of damage of its own.
HostFiles program_files();

// Returns the outputs that are being written.
UnfinishedFiles& unfinished_files();

// Makes the command fail at its end if damage to the files of the trace appears after opening.
void watch_until_end(std::shared_ptr<const Trace> trace);
std::optional<Error> damage_at_end();

}  // namespace tracebraid
