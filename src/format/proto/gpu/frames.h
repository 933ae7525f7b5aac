// Frames of Android, from the app to the display (spec proto 6.7).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "event/make_event.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

struct FrameTimelineState {
  // The outcome of a frame; ticks of its packet, and the flows of its slice.
  struct Actual {
    int64_t ticks, display_token;
    bool is_surface;
    uint32_t extra;  // index of EventBatch::slice_extras
  };
  absl::flat_hash_map<int64_t, uint32_t> open;                // tracks of open frames, by cookie
  absl::flat_hash_set<std::pair<int64_t, int64_t>> expected;  // pids and tokens of surfaces
  std::vector<Actual> actual;
};

void read_frame_timeline(const PacketInfo& packet, std::string_view message,
                         FrameTimelineState& state, PacketOutput& out);
void finish_frame_timeline(FrameTimelineState& state, EventSink& sink);

// Steps of buffers, which several programs report independently. They are ordered by time at the
// end of the file.
struct GraphicsFrameState {
  struct Step {
    EventTime time;
    StringId layer;
    uint32_t frame, kind, buffer;
    int64_t duration_ns;
  };
  std::vector<Step> steps;
};

void read_graphics_frame(const PacketInfo& packet, std::string_view message,
                         GraphicsFrameState& state, PacketOutput& out);
void finish_graphics_frames(uint32_t machine, GraphicsFrameState& state, PacketOutput& out);

}  // namespace tracebraid::proto
