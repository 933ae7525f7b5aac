// Kinds of tracks that handlers of kernel events make, and the values that distinguish tracks of a
// kind.
#pragma once

#include <cstdint>
#include <string_view>

#include "event/names.h"

namespace tracebraid {

struct TrackKind {
  std::string_view type;
  TrackScope scope = TrackScope::Global;
  TrackEvents events = TrackEvents::Slice;
  Lanes lanes = Lanes::Single;
  std::string_view unit = {};
};
constexpr TrackKind counter_kind(std::string_view type, TrackScope scope = TrackScope::Global,
                                 std::string_view unit = {}) {
  return {.type = type, .scope = scope, .events = TrackEvents::Counter, .unit = unit};
}

// A dimension: distinguishes a track from others of its kind and owner.
struct Dim {
  constexpr Dim(std::string_view the_key, std::string_view the_text)
      : key(the_key), text(the_text), is_text(true) {}
  constexpr Dim(std::string_view the_key, int64_t the_number) : key(the_key), number(the_number) {}
  std::string_view key, text;
  int64_t number = 0;
  bool is_text = false;
};

}  // namespace tracebraid
