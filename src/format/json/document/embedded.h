// Embedded: traces inside a document (spec json 2.5).
#pragma once

#include <string>

#include "format/json/document/file_content.h"

namespace tracebraid::json {

// A member that may hold a trace, as JSON. What it holds is kept for later, nothing is
// nothing, and anything else counts. Whether there was something.
bool note_embedded(const std::string& name, std::string json, FileContent& content);

}  // namespace tracebraid::json
