// A handler of SIGBUS, for programs that map files. The library installs it only for a host that
// calls guard_mapped_files().
#pragma once

#include "base/mapped_file.h"

namespace tracebraid {

// Returns the registry of the mappings that HostFiles::mapping_guard announces. There is one per
// process, because a signal handler can reach nothing else.
MappingGuard& mapping_guard();

// Installs the handler, or with `on` false restores the earlier action. Missing pages of a
// registered mapping read as zeros; faults at other addresses take the earlier action. One thread
// at a time.
void guard_mapped_files(bool on);
// Returns whether the handler is installed.
bool is_guarding_mapped_files();

}  // namespace tracebraid
