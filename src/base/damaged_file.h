// Damage: what the system did to files while they were read, so that what was made of them
// is not what they hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tracebraid {

// A mapped file shrank, was written to, or could not be read at some place, or note_damage()
// was called. The message names the file, the place and what to do. Looks at all files that are
// mapped, and at those that were and that it has not told of yet. Nothing if all is well; files
// that only grew are.
std::optional<Error> damaged_file();

// Reading failed (`reason`: errno) at this byte of the file, which is for damaged_file() to tell.
// Returns the same.
Error note_damage(const std::string& path, uint64_t at, int reason);
// The file, which is not mapped, had so many bytes when it was opened, and fewer when it was read.
Error note_shrunk(const std::string& path, uint64_t then, uint64_t now);

// Installs a handler of SIGBUS, or with `on` false puts back the action that was there before. With
// it, what cannot be read of a mapped file reads as zeros, and damaged_file() reports the file; for
// other addresses the earlier action is taken. Only a host calls this: without it the library
// changes no signal, and a mapped file that shrinks ends the process. One thread at a time.
void guard_mapped_files(bool on);

// Paths of the mapped files that grew: only what they held at first was read.
std::vector<std::string> grown_files();

}  // namespace tracebraid
