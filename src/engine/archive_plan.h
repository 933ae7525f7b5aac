// Plans the archive of `merge`: the name of each file, and whether the manifest matches. Messages
// are those of spec clocks 10.7.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "container/archive_writer.h"

namespace tracebraid {

inline constexpr std::string_view kManifestName = "perfetto_manifest.json";

// Returns the manifest first, if any, then each input under its base name, or under more of its
// path if base names are equal; files of a folder under their paths in it. `manifest` is the
// document, not its path.
Result<std::vector<ArchiveEntry>> plan_archive(std::span<const std::string> inputs,
                                               const std::optional<std::string>& manifest);

// Removes the files that are no traces, if a folder contains them or with `skip_unknown`, and
// returns their paths. Otherwise such a file is an Error.
Result<std::vector<std::string>> skip_unknown_files(bool skip_unknown,
                                                    std::vector<ArchiveEntry>& entries);

// Returns the kind by the end of the name: TAR unless it is .zip.
ArchiveFormat archive_format(std::string_view path);

}  // namespace tracebraid
