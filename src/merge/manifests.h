// Manifests: each applies to its archive; merge joins them into one (spec clocks 10.2, 11.4, 16
// point 11).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "manifest/manifest.h"
#include "merge/files.h"
#include "merge/locate/located.h"
#include "merge/problem.h"

namespace tracebraid {

// Returns for each file its path as a manifest beside the outermost archive names it: the names of
// the archives around it and its own, joined by '/'. A sole input has no name and adds none.
std::vector<std::string> manifest_paths(std::span<const TraceFile> files);

// Returns the TAR or ZIP that contains the file; none for other files, and for a sole input. The
// content of a compressed file has no name of its own.
std::optional<uint32_t> archive_of(uint32_t row, std::span<const TraceFile> files);

inline constexpr const char* kSecondManifest = "multiple perfetto_manifest files in archive";

// Parses the document at `path`. Appends a warning for each part that is ignored.
Result<Manifest> parse_manifest(std::string_view text, const std::string& path,
                                std::vector<Problem>& warnings);

// Returns the manifest at the path `named`, if not empty, which applies to all inputs, and the
// manifests among the files, in the order of `order`. `text` is that of the named manifest, if it
// was read. The named manifest replaces that of an archive that is the only input. Returns an Error
// for a second manifest in one archive, and for a manifest that does not come before the traces of
// its archive. Sets `inner` to the text of the manifest of an archive that is the only input.
Result<std::vector<Manifest>> read_manifests(const std::string& named,
                                             const std::optional<std::string>& text,
                                             std::span<const uint32_t> order,
                                             std::vector<TraceFile>& files,
                                             std::vector<Problem>& warnings, std::string& inner);

// Joins manifests into one: paths start at the outermost archive, patterns are replaced by the
// files that match, each entry has its target. Outer manifests take precedence. Requires: `files`
// have their manifest_path. Warns of entries that match nothing.
Manifest join_manifests(std::vector<Manifest> manifests, std::span<const FileToLocate> files,
                        std::vector<Problem>& warnings);

// Matches `text` against `pattern`, in which * and ? match letters other than '/', and ** any
// letters.
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace tracebraid
