// The fields of a manifest that are ours: other readers ignore them.
#pragma once

#include "manifest/json_fields.h"
#include "manifest/manifest.h"

namespace tracebraid::manifest_json {

// drift_ppm, offset_at_ns and points of a `clocks` object.
Result<> parse_clock_extensions(const Object& clocks, ClockOverride& found);

// glob and start of an entry of `files`, whose other fields are read.
Result<> parse_file_extensions(const Object& entry, FileEntry& found);

// clock_model, join_flows and machines. `warnings` as in parse_manifest().
Result<> parse_document_extensions(const Object& body, Manifest& found,
                                   std::vector<std::string>& warnings);

}  // namespace tracebraid::manifest_json
