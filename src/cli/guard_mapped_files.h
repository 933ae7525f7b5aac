// A handler of SIGBUS, for programs that map files.
#pragma once

#include "base/mapped_file.h"

namespace tracebraid {

// Knows the mappings that HostFiles::mapping_guard was told of. There is one for the process,
// because a signal handler finds nothing else.
MappingGuard& mapping_guard();

// Installs the handler, or with `on` false the action that was there before. Lost pages of a
// mapping that mapping_guard() knows read as zeros; for other addresses the earlier action is
// taken. One thread at a time.
void guard_mapped_files(bool on);

}  // namespace tracebraid
