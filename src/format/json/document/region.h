// Region: the events of a file, cut into chunks that are read side by side.
//
// Where an event starts can only be known by reading all bytes before it, but it
// can be guessed very well. So each chunk is read as if the guesses on both of
// its ends were right, and when the chunk before it has been read, too, it shows
// whether they were. If not, the chunk is read again, with what was left over
// before it in front. The outcome is that of reading the file in one go.
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

// What all chunks of a region have in common.
struct RegionForm {
  Form form = Form::Array;
  uint32_t depth = 1;  // containers around an event
  uint32_t depth_limit = 512;
};

struct RegionEnd {
  bool closed = false;   // its bracket was found; the stream goes on behind it
  bool gave_up = false;  // too many syntax errors
};

// Reads the events that come next in `stream`, into chunks. Waits for them.
RegionEnd read_region(ByteStream& stream, const RegionForm& form, Chunks& chunks, FileFacts& facts);

}  // namespace tracebraid::json
