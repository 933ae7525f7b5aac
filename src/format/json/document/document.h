// Document: the top level of a file (spec json 2.3).
//
// Input: a ByteStream. Output: chunks of events in Chunks, FileContent for the rest. Called by
// read_file().
#pragma once

#include "format/format.h"
#include "format/json/document/file_content.h"
#include "format/json/wire/stream.h"

namespace tracebraid::json {

// Reads all documents of the stream. Events go into chunks, other data into `content`. `nesting`
// counts documents inside strings of documents.
void read_documents(ByteStream& stream, const ReadOptions& options, Chunks& chunks,
                    FileContent& content, uint32_t nesting = 0);

}  // namespace tracebraid::json
