// Archives in an archive: each is a file of a fleet. They are listed here; workers copy them out.
//
// Input: paths. Output: names, sizes, and copies. Called by the listing of sources, and by workers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/host_files.h"
#include "base/result.h"

namespace tracebraid::fleet {

struct PackedFile {
  std::string name;
  int64_t size = -1;  // bytes; -1: not known
};

// Returns the archives in an archive, by name, if it has nothing else; otherwise it is a trace, and
// nothing is returned. So it is for damaged archives: opening them says what is wrong.
std::vector<PackedFile> archives_in(const std::string& archive, const HostFiles& files);

// Returns the archive and the member that a path below an archive names; nothing for other paths.
std::optional<std::pair<std::string, std::string>> archive_of(const std::string& path);

// Copies the member of a path of archives_in() into a folder, under its own name, and returns its
// path there. Errors: NotFound, BadInput, Io.
Result<std::string> copy_member(const std::string& path, const std::string& folder,
                                const HostFiles& files);

}  // namespace tracebraid::fleet
