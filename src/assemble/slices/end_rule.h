// EndRule: which slices an end may close, and the stat of an end that closes none.
#pragma once

#include <cstdint>

namespace tracebraid {

enum class EndRule : uint8_t {
  Matching,    // category and name; otherwise nothing happens
  JsonThread,  // or, if there is none, the name only
  JsonAsync,
};

}  // namespace tracebraid
