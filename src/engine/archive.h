// Archives of traces, and merge manifests: what relates the clocks of several files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace tracebraid {

class Trace;

// What `merge` packs, checked: the manifest document, if there is one, and each input under its
// base name. Messages are those of spec clocks 10.7.
//
// Writes a ZIP if `output` ends in .zip, else a TAR: whole or not at all. Progress: "packing".
Result<> merge_archive(std::span<const std::string> inputs,
                       const std::optional<std::string>& manifest, const std::string& output,
                       Progress& progress);

// What a manifest that breaks no rule of its own says.
struct ManifestSummary {
  size_t files = 0;
  std::vector<std::string> warnings;  // what is ignored: unknown keys, repeated paths
};
// An Error of code BadManifest for the first rule that the document breaks.
Result<ManifestSummary> validate_manifest(std::string_view json);

// A manifest to start from, for the files of the trace.
std::string manifest_template(const Trace& trace);
// A JSON Schema of manifests.
std::string_view manifest_schema_json();

}  // namespace tracebraid
