// EndRule: what the end of a slice may close, and what is counted if it closes nothing.
#pragma once

#include <cstdint>

namespace tracebraid {

enum class EndRule : uint8_t {
  Matching,    // category and name; otherwise nothing happens
  JsonThread,  // or, if there is none, the name only
  JsonAsync,
};

}  // namespace tracebraid
