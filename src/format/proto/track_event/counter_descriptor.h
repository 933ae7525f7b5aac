// Counter descriptors: units and kinds of the counters of tracks (spec proto 2.3).
#pragma once

#include <string_view>

#include "event/sink.h"
#include "format/proto/track_event/tracks.h"

namespace tracebraid::proto {

CounterTrack read_counter(std::string_view message, EventSink& sink);

}  // namespace tracebraid::proto
