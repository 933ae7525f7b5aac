#include "format/proto/window/shell_transitions.h"

#include <algorithm>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/window/message_rows.h"
#include "format/proto/window/rects.h"
#include "format/proto/window/stats.h"

namespace tracebraid::proto {
namespace {

using Field = field::ShellTransition;

constexpr MessageType kTransition{"com.android.internal.ShellTransition",
                                  stats::winscope_shell_transitions_parse_errors};
constexpr std::string_view kChange = "com.android.internal.ShellTransition.Change";

// Fields with columns of the same name.
constexpr std::string_view kColumns =
    "create_time_ns send_time_ns dispatch_time_ns merge_time_ns shell_abort_time_ns "
    "wm_abort_time_ns finish_time_ns start_transaction_id finish_transaction_id handler flags";
constexpr std::string_view kChangeColumns =
    "mode layer_id window_id flags start_display_id end_display_id start_rotation end_rotation";

void add_participant(const PacketInfo& packet, int32_t transition, std::string_view change,
                     RectRows& rects, PacketOutput& out) {
  using Change = field::ShellTransition_Change;
  int64_t start = 0, end = 0;
  for (Message fields(change); fields.next();) {
    if (fields.number() == Change::kStartAbsoluteBounds)
      start = rects.add(read_rect(fields.bytes()));
    if (fields.number() == Change::kEndAbsoluteBounds) end = rects.add(read_rect(fields.bytes()));
  }
  RowWriter row(out.sink, "window_manager_shell_transition_participants");
  row.integer("transition_id", transition);
  add_cells(out.descriptors, kChange, change, kChangeColumns, row);
  if (start != 0) row.row("start_abs_bounds_rect_id", start);
  if (end != 0) row.row("end_abs_bounds_rect_id", end);
  out.sink.event(row.finish(packet.time));
}

// The times that determine the status of a transition; 0 if absent.
struct Times {
  int64_t send = 0, dispatch = 0, merge = 0, finish = 0, shell_abort = 0, wm_abort = 0;

  void read(std::string_view message) {
    for (Message fields(message); fields.next();) {
      if (fields.number() == Field::kSendTimeNs) send = fields.i64();
      if (fields.number() == Field::kDispatchTimeNs) dispatch = fields.i64();
      if (fields.number() == Field::kMergeTimeNs) merge = fields.i64();
      if (fields.number() == Field::kFinishTimeNs) finish = fields.i64();
      if (fields.number() == Field::kShellAbortTimeNs) shell_abort = fields.i64();
      if (fields.number() == Field::kWmAbortTimeNs) wm_abort = fields.i64();
    }
  }
  bool is_played() const { return merge <= 0 && dispatch > 0 && finish > 0; }
  std::string_view status() const {
    if (merge > 0) return "merged";
    if (is_played()) return "played";
    return (shell_abort > 0 || wm_abort > 0) && dispatch <= 0 ? "aborted" : "";
  }
};

// Sorts packets whose times can be compared: those of one clock.
void sort_by_time(std::vector<ShellTransitions::Part>& parts) {
  const auto is_other = [&](const ShellTransitions::Part& part) {
    return part.time.clock != parts.front().time.clock;
  };
  if (std::ranges::none_of(parts, is_other))
    std::ranges::stable_sort(parts, {}, [](const auto& part) { return part.time.ticks; });
}

void add_transition(uint32_t machine, int32_t id, std::vector<ShellTransitions::Part>& parts,
                    PacketOutput& out) {
  sort_by_time(parts);
  Times times;
  ArraySizes arrays;
  out.sink.open_args();
  for (const ShellTransitions::Part& part : parts) {
    times.read(part.message);
    add_fields({.machine = machine, .at = part.at}, kTransition, part.message, arrays, out);
  }
  const uint32_t args = out.sink.close_args();
  RowWriter row(out.sink, "window_manager_shell_transitions");
  row.integer("transition_id", id);
  for (const ShellTransitions::Part& part : parts) {
    add_cells(out.descriptors, kTransition.name, part.message, kColumns, row);
    for (Message fields(part.message); fields.next();)
      if (fields.number() == Field::kType) row.integer("transition_type", fields.i32());
  }
  row.integer("ts", times.send != 0 ? times.send : times.dispatch);
  if (times.is_played()) {
    int64_t duration = 0;
    if (!__builtin_sub_overflow(times.finish, times.dispatch, &duration))
      row.integer("duration_ns", duration);
  }
  if (!times.status().empty()) row.text("status", times.status());
  out.sink.event(row.finish(parts.front().time, args));
}

}  // namespace

void read_shell_transition(const PacketInfo& packet, std::string_view message,
                           ShellTransitions& transitions, PacketOutput& out) {
  int32_t id = 0;
  RectRows rects(packet.time, out.sink);
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kId) id = fields.i32();
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kChanges) add_participant(packet, id, fields.bytes(), rects, out);
  RowWriter row(out.sink, "window_manager_shell_transition_protos");
  row.integer("transition_id", id);
  add_raw(message, row);
  out.sink.event(row.finish(packet.time));
  const auto [at, is_new] = transitions.by_id.try_emplace(id, transitions.all.size());
  if (is_new) transitions.all.push_back({id, {}});
  transitions.all[at->second].parts.push_back({packet.time, packet.at, std::string(message)});
}

void read_shell_handlers(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::ShellHandlerMappings::kMapping) continue;
    RowWriter row(out.sink, "window_manager_shell_transition_handlers");
    std::string_view name;
    for (Message mapping = fields.message(); mapping.next();) {
      if (mapping.number() == field::ShellHandlerMapping::kId)
        row.integer("handler_id", mapping.i32());
      if (mapping.number() == field::ShellHandlerMapping::kName) name = mapping.bytes();
    }
    row.text("handler_name", name);
    add_raw(message, row);
    out.sink.event(row.finish(packet.time));
  }
}

void finish_shell_transitions(uint32_t machine, ShellTransitions& transitions, PacketOutput& out) {
  for (auto& [id, parts] : transitions.all) add_transition(machine, id, parts, out);
}

}  // namespace tracebraid::proto
