// Embedded: traces inside a document (spec json 2.5).
#pragma once

#include <string>

#include "format/json/document/file_content.h"

namespace tracebraid::json {

// Handles a member that may contain a trace, as JSON. Keeps a trace for later, ignores an empty
// value, and counts any other value. Returns whether the value is not empty.
bool note_embedded(const std::string& name, std::string json, FileContent& content);

}  // namespace tracebraid::json
