// Applies a manifest by the rules of the reference alone (spec clocks 10.5 and 10.6).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "clock/reference/tracker.h"
#include "format/proto/reference/walk.h"
#include "manifest/manifest.h"
#include "merge/files.h"

namespace tracebraid::reference {

struct AppliedManifest {
  std::map<std::string, FileRules, std::less<>> rules;  // by path of the entry
  std::vector<std::string> ignored;  // names of our additions that other readers ignore
};

// Creates the machines, chooses trace time and relates the clocks that the manifest names. Returns
// the Error that ends the import. `row` is the manifest's row of trace_file.
Result<AppliedManifest> apply_manifest(const Manifest& manifest, uint32_t row,
                                       const std::vector<TraceFile>& files, Shared& shared);

}  // namespace tracebraid::reference
