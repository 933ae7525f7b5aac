// Frames of Android, from the app to the display (spec proto 6.7).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

struct FrameTimelineState {
  // What became of a frame; ticks of its packet, and where its slice's flows go.
  struct Actual {
    int64_t ticks, display_token;
    bool is_surface;
    uint32_t extra;  // of EventBatch::slice_extras
  };
  absl::flat_hash_map<int64_t, uint32_t> open;  // tracks of frames that have not ended, by cookie
  std::vector<Actual> actual;
};

void read_frame_timeline(const PacketInfo& packet, std::string_view message,
                         FrameTimelineState& state, PacketOutput& out);
void finish_frame_timeline(FrameTimelineState& state, EventSink& sink);

struct GraphicsFrameState {
  // One buffer of a layer.
  struct Buffer {
    std::optional<EventTime> dequeued;  // by the app, which has not queued it yet
    uint32_t open = kNone;              // track of the phase it is in
    // Times of the frame in it, in ns of its packets' clock; 0 if that has not happened.
    uint32_t frame = 0;
    int64_t queued = 0, acquired = 0, latched = 0;
  };
  std::map<std::pair<uint32_t, std::string>, Buffer> buffers;  // by buffer and layer
  absl::flat_hash_map<std::string, uint32_t> shown;            // tracks of open frames, by layer
};

void read_graphics_frame(const PacketInfo& packet, std::string_view message,
                         GraphicsFrameState& state, PacketOutput& out);
// Buffers that apps never queued.
void finish_graphics_frames(uint32_t machine, const GraphicsFrameState& state, PacketOutput& out);

}  // namespace tracebraid::proto
