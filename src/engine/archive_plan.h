// What `merge` packs: which file under which name, and whether the manifest
// fits. Messages are those of spec clocks 10.7.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "container/archive_writer.h"

namespace tracebraid {

inline constexpr std::string_view kManifestName = "perfetto_manifest.json";

// The manifest first, if there is one, then each input under its base name.
// `manifest` is the document, not its path.
Result<std::vector<ArchiveEntry>> plan_archive(std::span<const std::string> inputs,
                                               const std::optional<std::string>& manifest);

// By the end of its name; TAR unless it is .zip.
ArchiveFormat archive_format(std::string_view path);

}  // namespace tracebraid
