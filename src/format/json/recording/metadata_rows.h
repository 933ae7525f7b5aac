// Metadata rows: the file's top-level members.
#pragma once

#include "format/json/document/file_content.h"

namespace tracebraid::json {

// Adds rows of `metadata` (spec json 5.4), and the clock evidence in some of these members (spec
// json 6.2, 6.5).
void write_metadata_rows(FileContent& content, EventSink& sink);

}  // namespace tracebraid::json
