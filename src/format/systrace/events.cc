#include "format/systrace/events.h"

#include "format/common/plain_args.h"
#include "format/systrace/kernel.h"

namespace tracebraid::systrace {
namespace {

using Handle = void (*)(const Line&, Piece&);

// Emits only the row; the meaning is emitted separately.
template <bool (*read)(const Line&, Piece&), bool kRow>
void special(const Line& line, Piece& piece) {
  const bool is_read = read(line, piece);
  if (!is_read) piece.fail(line.details);
  if (kRow || !is_read) state_row(line, piece);
}

void mark(const Line& line, Piece& piece) {
  if (!read_mark(line, piece)) piece.fail(line.details);
  if (!piece.form().keep_raw) return;
  piece.sink().open_args();
  add_text("details", line.details, piece.sink());
  state_row(line, piece, piece.sink().close_args());
}

// The text may belong to another event with that name.
void task_change(const Line& line, Piece& piece) {
  if (!read_task_change(line, piece)) state_event(line, piece);
}

// The functions are in the following lines.
void stack(const Line& line, Piece& piece) { piece.begun_stack = line; }

// Handles "sys_close <-system_call_fastpath" of the function tracer; trace-cmd prints " <-- ".
void function(const Line& line, Piece& piece) {
  if (!piece.form().keep_raw) return;
  constexpr std::string_view kArrow = " <-";
  const size_t arrow = line.details.find(kArrow);
  EventSink& sink = piece.sink();
  sink.open_args();
  add_text("ip", trim(line.details.substr(0, arrow)), sink);
  if (arrow != std::string_view::npos) {  // the latency layout may lack the arrow
    std::string_view parent = line.details.substr(arrow + kArrow.size());
    if (parent.starts_with("- ")) parent.remove_prefix(1);
    add_text("parent_ip", trim(parent), sink);
  }
  Line named = line;
  named.name = "function";
  state_row(named, piece, sink.close_args());
}

// Handles drivers' own marks: "sde_tracing_mark_write: C
// 1240
// vsync
// 1".
void other(const Line& line, Piece& piece) {
  if (read_call(line, piece)) return;
  if (line.name.ends_with("_tracing_mark_write")) read_mark(line, piece);
  state_other_event(line, piece);
}

const absl::flat_hash_map<std::string_view, Handle>& handlers() {
  static const auto* const all = [] {
    auto* const map = new absl::flat_hash_map<std::string_view, Handle>{
        {"sched_switch", special<read_switch, false>},
        {"sched_waking", special<read_waking, false>},
        {"sched_wakeup", special<read_waking, false>},
        {"sched_wakeup_new", special<read_waking, false>},
        {"sched_blocked_reason", special<read_blocked, true>},
        {"context_switch", task_change},
        {"wakeup", task_change},
        {"tracing_mark_write", mark},
        {"print", mark},
        {"0", mark},
        {"kernel_stack", stack},
        {"function", function},
    };
    for (const std::span<const KernelHandler> topic :
         {task_handlers(), power_handlers(), interrupt_handlers(), memory_handlers(),
          device_handlers(), binder_handlers(), graph_handlers()})
      for (const KernelHandler& handler : topic) map->emplace(handler.name, handler.handle);
    return map;
  }();
  return *all;
}

}  // namespace

void read_event(const Line& line, Piece& piece) {
  if (line.name.empty()) return function(line, piece);
  const auto at = handlers().find(line.name);
  if (at == handlers().end()) return other(line, piece);
  at->second(line, piece);
}

}  // namespace tracebraid::systrace
