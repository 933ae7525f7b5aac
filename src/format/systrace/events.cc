#include "format/systrace/events.h"

#include "event/plain_args.h"
#include "kernel/text/emit.h"
#include "kernel/text/topics.h"

namespace tracebraid::systrace {

using namespace kernel_text;

namespace {

using Handle = void (*)(const Line&, Chunk&);

// Emits only the row; `read` emits the meaning.
template <bool (*read)(const Line&, Context&), bool kRow>
void special(const Line& line, Chunk& chunk) {
  const bool is_read = read(line, chunk);
  if (!is_read) chunk.fail(line.details);
  if (kRow || !is_read) emit_row(line, chunk);
}

void mark(const Line& line, Chunk& chunk) {
  if (!read_mark(line, chunk)) chunk.fail(line.details);
  if (!chunk.keep_raw()) return;
  chunk.sink().open_args();
  add_text("details", line.details, chunk.sink());
  emit_row(line, chunk, chunk.sink().close_args());
}

// Another event may have the same name.
void task_change(const Line& line, Chunk& chunk) {
  if (!read_task_change(line, chunk)) emit_event(line, chunk);
}

// The functions are in the following lines.
void stack(const Line& line, Chunk& chunk) { chunk.begun_stack = line; }

// Handles "sys_close <-system_call_fastpath" of the function tracer; trace-cmd prints " <-- ".
void function(const Line& line, Chunk& chunk) {
  if (!chunk.keep_raw()) return;
  constexpr std::string_view kArrow = " <-";
  const size_t arrow = line.details.find(kArrow);
  EventSink& sink = chunk.sink();
  sink.open_args();
  add_text("ip", trim(line.details.substr(0, arrow)), sink);
  if (arrow != std::string_view::npos) {  // the latency layout may lack the arrow
    std::string_view parent = line.details.substr(arrow + kArrow.size());
    if (parent.starts_with("- ")) parent.remove_prefix(1);
    add_text("parent_ip", trim(parent), sink);
  }
  Line named = line;
  named.name = "function";
  emit_row(named, chunk, sink.close_args());
}

// Handles drivers' own marks: "sde_tracing_mark_write: C
// 1240
// vsync
// 1".
void other(const Line& line, Chunk& chunk) {
  if (read_call(line, chunk)) return;
  if (line.name.ends_with("_tracing_mark_write")) read_mark(line, chunk);
  emit_other_event(line, chunk);
}

// A handler of this format, or one of kernel text in general.
struct EventHandler {
  Handle handle = nullptr;
  void (*handle_text)(const Line&, Context&) = nullptr;
};

const absl::flat_hash_map<std::string_view, EventHandler>& handlers() {
  static const auto* const all = [] {
    auto* const map = new absl::flat_hash_map<std::string_view, EventHandler>{
        {"sched_switch", {.handle = special<read_switch, false>}},
        {"sched_waking", {.handle = special<read_waking, false>}},
        {"sched_wakeup", {.handle = special<read_waking, false>}},
        {"sched_wakeup_new", {.handle = special<read_waking, false>}},
        {"sched_blocked_reason", {.handle = special<read_blocked, true>}},
        {"context_switch", {.handle = task_change}},
        {"wakeup", {.handle = task_change}},
        {"tracing_mark_write", {.handle = mark}},
        {"print", {.handle = mark}},
        {"0", {.handle = mark}},
        {"kernel_stack", {.handle = stack}},
        {"function", {.handle = function}},
    };
    for (const std::span<const Handler> topic :
         {task_handlers(), power_handlers(), interrupt_handlers(), memory_handlers(),
          device_handlers(), binder_handlers()})
      for (const Handler& handler : topic)
        map->emplace(handler.name, EventHandler{.handle_text = handler.handle});
    return map;
  }();
  return *all;
}

}  // namespace

void read_event(const Line& line, Chunk& chunk) {
  if (line.name.empty()) return function(line, chunk);
  const auto at = handlers().find(line.name);
  if (at == handlers().end()) return other(line, chunk);
  const EventHandler& handler = at->second;
  if (handler.handle != nullptr) return handler.handle(line, chunk);
  handler.handle_text(line, chunk);
}

}  // namespace tracebraid::systrace
