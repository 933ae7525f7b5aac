#include "format/proto/window/window_manager.h"

#include <optional>
#include <string>
#include <vector>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/window/containers.h"
#include "format/proto/window/message_rows.h"
#include "format/proto/window/rects.h"
#include "format/proto/window/stats.h"

namespace tracebraid::proto {
namespace {

constexpr StatId kMalformed = stats::winscope_windowmanager_parse_errors;
constexpr MessageType kEntry{"com.android.internal.WindowManagerTraceEntry", kMalformed};
constexpr MessageType kRoot{"com.android.internal.RootWindowContainerProto", kMalformed};
constexpr MessageType kChild{"com.android.internal.WindowContainerChildProto", kMalformed};
// Rows show a container without those below it.
constexpr FieldOfType kChildren{"com.android.internal.WindowContainerProto",
                                field::WindowContainerProto::kChildren};

void add_container(const PacketInfo& packet, const WindowContainer& container, int64_t snapshot,
                   RectRows& rects, PacketOutput& out) {
  const MessageType& type = container.parent ? kChild : kRoot;
  const std::string shown = without_field(packet, type, container.message, kChildren, out);
  const uint32_t args = message_args(packet, type, shown, out);
  int64_t rect = 0;
  if (container.rect) rect = rects.add(*container.rect, RectRows::Share::No);
  RowWriter row(out.sink, "windowmanager_windowcontainer");
  row.row("snapshot_id", snapshot);
  add_raw(shown, row);
  row.text("title", container.title)
      .integer("token", container.token)
      .integer("is_visible", container.is_visible)
      .text("container_type", container.type);
  if (container.parent) row.integer("parent_token", *container.parent);
  if (container.index) row.integer("child_index", *container.index);
  if (container.name_override) row.text("name_override", *container.name_override);
  if (rect != 0) row.row("window_rect_id", rect);
  out.sink.event(row.finish(packet.time, args));
}

}  // namespace

void read_window_manager(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::WindowManagerTraceEntry;
  std::string_view service;
  uint64_t elapsed = 0;
  int64_t focused = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kElapsedRealtimeNanos) elapsed = fields.u64();
    if (fields.number() == Field::kWindowManagerService) service = fields.bytes();
  }
  for (Message fields(service); fields.next();)
    if (fields.number() == field::WindowManagerServiceDumpProto::kFocusedDisplayId)
      focused = fields.i32();
  RectRows rects(packet.time, out.sink);
  const std::string shown = without_field(packet, kEntry, message, kChildren, out);
  const uint32_t args = message_args(packet, kEntry, shown, out);
  RowWriter row(out.sink, "windowmanager");
  add_raw(shown, row);
  row.integer("focused_display_id", focused).integer("has_invalid_elapsed_ts", elapsed == 0);
  const int64_t snapshot = rects.next_number();
  out.sink.event(row.finish(packet.time, args, snapshot));
  const std::optional<std::vector<WindowContainer>> containers = window_containers(service);
  if (!containers) return out.count(kMalformed, packet);
  for (const WindowContainer& container : *containers)
    add_container(packet, container, snapshot, rects, out);
}

}  // namespace tracebraid::proto
