// Parsers of the manifest fields that tracebraid adds; other readers ignore these fields.
#pragma once

#include "manifest/json_fields.h"
#include "manifest/manifest.h"

namespace tracebraid::manifest_json {

// Parses drift_ppm, offset_at_ns and points of a `clocks` object.
Result<> parse_clock_extensions(const Object& clocks, ClockOverride& found);

// Parses glob, start, align and clock_group of an entry of `files`. Requires: its other fields are
// parsed.
Result<> parse_file_extensions(const Object& entry, FileEntry& found);

// Parses clock_model, join_flows, align and machines. `warnings` as in parse_manifest().
Result<> parse_document_extensions(const Object& body, Manifest& found,
                                   std::vector<std::string>& warnings);

}  // namespace tracebraid::manifest_json
