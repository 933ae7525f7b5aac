// Region: the events of a file, divided into chunks (Slab) that are read in parallel.
//
// The start of an event is certain only after all bytes before it have been read, but it can be
// guessed very well. Each chunk is therefore read as if the guesses at both of its ends were right,
// and checked when the chunk before it has been read. After a wrong guess, the chunk is read again,
// with the incomplete element before it in front. The result equals that of reading the file in
// order.
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

// Data that all chunks of a region share.
struct RegionForm {
  Form form = Form::Array;
  uint32_t depth = 1;  // containers around an event
  uint32_t depth_limit = 512;
};

struct RegionEnd {
  bool closed = false;   // its bracket was found; the stream continues after it
  bool gave_up = false;  // too many syntax errors
};

// Reads the next events of `stream` into chunks, and waits for the chunks.
RegionEnd read_region(ByteStream& stream, const RegionForm& form, Pieces& pieces, FileFacts& facts);

}  // namespace tracebraid::json
