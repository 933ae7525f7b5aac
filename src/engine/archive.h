// Archives of traces, and merge manifests, which relate the clocks of several files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace tracebraid {

class Engine;
class Trace;

// What merge_archive() has packed.
struct PackedFiles {
  size_t traces = 0;                 // files in the archive, without the manifest
  std::vector<std::string> skipped;  // paths of the files left out
};

// Packs the manifest document, if any, and each input into an archive, after checking them: files
// under their base names, or under more of their paths if base names are equal; files of a folder
// under their paths in it. A file that is no trace is left out if a folder contains it or with
// `skip_unknown`, and an Error otherwise. Messages are those of spec clocks 10.7.
//
// Writes a ZIP if `output` ends in .zip, else a TAR; either completely or not at all. Never
// replaces an input. Progress: "packing".
Result<PackedFiles> merge_archive(const Engine& engine, std::span<const std::string> inputs,
                                  const std::optional<std::string>& manifest, bool skip_unknown,
                                  const std::string& output, Progress& progress);

// Packs the files of a folder that an export wrote, without subfolders, by name into a TAR. Files
// have time 0, so that equal files give equal archives. Writes `output` as merge_archive() does.
Result<> pack_folder(const Engine& engine, const std::string& folder, const std::string& output,
                     Progress& progress);

// A summary of a valid manifest.
struct ManifestSummary {
  size_t files = 0;
  std::vector<std::string> warnings;  // ignored parts: unknown keys, repeated paths
};
// Checks a manifest document. Returns an Error of code BadManifest for the first rule that it
// breaks.
Result<ManifestSummary> validate_manifest(std::string_view json);

// Returns the text of the manifest within an archive that is the only input of the trace, if it
// applies; else empty. Valid as long as the trace.
std::string_view manifest_within(const Trace& trace);

// Returns a template of a manifest for the files of the trace.
Result<std::string> manifest_template(const Trace& trace);
// Returns the JSON Schema of manifests.
std::string_view manifest_schema_json();

}  // namespace tracebraid
