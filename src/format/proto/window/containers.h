// The tree of window containers in a snapshot of the window manager (spec proto-2 11).
//
// Input: a WindowManagerServiceDumpProto. Output: its containers in the order of a walk. Called by
// window_manager.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/proto/window/rects.h"

namespace tracebraid::proto {

struct WindowContainer {
  std::string_view message;  // RootWindowContainerProto or WindowContainerChildProto
  std::string_view type;     // Task, WindowState ...
  int32_t token = 0;
  std::string title;
  bool is_visible = false;
  std::optional<std::string> name_override;
  std::optional<int32_t> parent;  // token
  std::optional<int64_t> index;   // among its siblings
  std::optional<TraceRect> rect;
};

// Returns the containers of a snapshot, parents first. Returns nothing if a container lacks a field
// that identifies it, or if the tree is too deep.
std::optional<std::vector<WindowContainer>> window_containers(std::string_view service);

}  // namespace tracebraid::proto
