// Elements: the events of an array, in a range of bytes that need not contain the whole array.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// The container of the elements (spec json 2.3).
enum class Form : uint8_t {
  Array,   // [ event, event ]
  Object,  // { "key": event, "key": event }
  Lines,   // event event: without a container
};

// The last token before the position where reading starts or ends.
enum class Before : uint8_t { Opening, Comma, Element };

// After this many syntax errors the rest of the file is skipped.
inline constexpr uint64_t kMaxSyntaxErrors = 1000;

struct Elements {
  std::string_view bytes;
  uint64_t at = 0;  // offset in the file
  Before before = Before::Opening;
  Form form = Form::Array;
  uint32_t depth = 1;     // containers around an event
  bool is_final = false;  // nothing follows in the file

  // Returns the offset in the file of a position in `bytes`.
  uint64_t offset(const char* place) const {
    return at + static_cast<uint64_t>(place - bytes.data());
  }
};

struct ElementsEnd {
  enum class Why : uint8_t {
    Open,    // all bytes were read, up to between two elements
    Cut,     // the element at `position` continues after the bytes
    Closed,  // `position` is after the closing bracket
    GaveUp,  // too many syntax errors
  };
  Why why = Why::Open;
  size_t position = 0;
  Before before = Before::Opening;
};

// Adds the events to `chunk`. Counts other elements; after a syntax error, continues with the next
// recognisable event (spec json 2.4).
ElementsEnd read_elements(const Elements& elements, Chunk& chunk);

// Returns the last position at which an event very likely starts: a brace after a comma, with a
// phase among its members. Whether an event starts there is certain only after the bytes before it
// have been read.
std::optional<size_t> guess_start_of_event(std::string_view bytes, Form form);

}  // namespace tracebraid::json
