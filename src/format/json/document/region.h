// Region: the events of a file, in chunks that are read in parallel.
//
// The start of an event is certain only after all bytes before it have been read, but a guess is
// almost always right. Each chunk is read as if the guesses at both of its ends were right. After
// the chunk before it has been read, the guess is verified; if it was wrong, the chunk is read
// again, behind the rest of the chunk before it. The result is that of reading the file in one go.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "format/format.h"
#include "format/json/document/elements.h"
#include "format/json/recording/facts.h"
#include "format/json/wire/stream.h"

namespace tracebraid::json {

// State that all chunks of a region share.
struct RegionForm {
  Form form = Form::Array;
  uint32_t depth = 1;  // containers around an event
  uint32_t depth_limit = 512;
};

struct RegionEnd {
  bool closed = false;   // its bracket was found; the stream continues after it
  bool gave_up = false;  // too many syntax errors
};

// Reads the events that come next in `stream`, into chunks. Waits for them.
RegionEnd read_region(ByteStream& stream, const RegionForm& form, Chunks& chunks, FileFacts& facts);

}  // namespace tracebraid::json
