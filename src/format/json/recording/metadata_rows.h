// Metadata rows: what the file's top-level members become.
#pragma once

#include "format/json/document/file_content.h"

namespace tracebraid::json {

// Adds rows of `metadata` (spec json 5.4), and the clock evidence that some of
// these members are (spec json 6.2, 6.5).
void write_metadata_rows(FileContent& content, EventSink& sink);

}  // namespace tracebraid::json
