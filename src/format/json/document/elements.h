// Elements: the events of an array, one after the other, in a run of bytes that
// need not hold all of the array.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {

// What the elements are in (spec json 2.3).
enum class Form : uint8_t {
  Array,   // [ event, event ]
  Object,  // { "key": event, "key": event }
  Lines,   // event event: not in anything
};

// What came last before the place where reading starts or ends.
enum class Before : uint8_t { Opening, Comma, Element };

// More syntax errors than this and the rest of the file is given up.
inline constexpr uint64_t kMaxSyntaxErrors = 1000;

struct Elements {
  std::string_view bytes;
  uint64_t at = 0;  // offset in the file
  Before before = Before::Opening;
  Form form = Form::Array;
  uint32_t depth = 1;     // containers around an event
  bool is_final = false;  // nothing follows in the file

  // In the file, of a place in `bytes`.
  uint64_t offset(const char* place) const {
    return at + static_cast<uint64_t>(place - bytes.data());
  }
};

struct ElementsEnd {
  enum class Why : uint8_t {
    Open,    // all bytes are used up, between two elements
    Cut,     // the element that starts at `position` goes on behind the bytes
    Closed,  // `position` is behind the closing bracket
    GaveUp,  // too many syntax errors
  };
  Why why = Why::Open;
  size_t position = 0;
  Before before = Before::Opening;
};

// Adds the events to `chunk`. What is no event is counted; after a syntax error
// reading goes on with the next event that can be made out (spec json 2.4).
ElementsEnd read_elements(const Elements& elements, Chunk& chunk);

// A place where an event is very likely to start, as far behind as possible: a
// brace behind a comma, with a phase among its members. Whether it is one shows
// when the bytes before it have been read.
std::optional<size_t> guess_start_of_event(std::string_view bytes, Form form);

}  // namespace tracebraid::json
