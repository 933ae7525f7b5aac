// Manifests: each is for the archive that it lies in, and together they are one
// (spec clocks 10.2, 11.4, 16 point 11).
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

// Of each file: the names of the archives around it and its own, joined by '/', as a
// manifest beside the outermost of them would call it. A sole input has no name and
// adds none.
std::vector<std::string> manifest_paths(std::span<const TraceFile> files);

// The manifest that the user named, if any, for the inputs as a whole, and those among
// the files, in the order of `order`. An Error for a second one in the same archive,
// and for one that does not come before the traces of its archive.
Result<std::vector<Manifest>> read_manifests(const std::string& named,
                                             std::span<const uint32_t> order,
                                             std::vector<TraceFile>& files,
                                             std::vector<Problem>& warnings);

// One manifest that says what all of them say: paths lead from the outermost, patterns
// are replaced by what they match, each entry has its target. The outer one's word
// counts more. `files` have their manifest_path. Warns of what matches nothing.
Manifest join_manifests(std::vector<Manifest> manifests, std::span<const FileToLocate> files,
                        std::vector<Problem>& warnings);

// `pattern`: * and ? stand for letters other than '/', ** for any.
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace tracebraid
