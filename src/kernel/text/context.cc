#include "kernel/text/context.h"

#include "base/clock_domain.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "kernel/stats.h"

namespace tracebraid::kernel_text {
namespace {

constexpr int64_t kNamePriority = 1;  // of names from the kernel (spec proto 4.1)

bool is_placeholder(std::string_view name) {
  return name.empty() || name == "<...>" || name == "<unknown>" || name == "<idle>";
}

}  // namespace

void add_text_clock(EventSink& sink) {
  sink.clock({.domain = domain::kMonotonic, .by_default = true});
}

uint32_t count_clock(EventSink& sink) {
  return sink.clock({.domain = kPrivateClock, .sequence = 1, .by_default = true});
}

Context::Context(bool keep_raw, EventSink& sink) : sink_(sink), tracks_(sink), keep_raw_(keep_raw) {
  add_text_clock(sink);
}

void Context::note_task(const Line& line) {
  if (line.tid == 0) return;
  note_name(line, line.tid, line.task, true);
  Task& task = tasks_[line.tid];
  const bool has_process = line.tgid != kNoId && line.tgid != task.tgid;
  if (!has_process && task.is_emitted) return;
  if (has_process) task.tgid = line.tgid;
  task.is_emitted = true;
  const uint32_t thread = sink_.thread({.tid = line.tid, .pid = task.tgid});
  sink_.event(make_thread_seen(time(line), thread));
}

void Context::note_name(const Line& line, int64_t tid, std::string_view name, bool emits) {
  if (tid == 0 || is_placeholder(name)) return;
  Task& task = tasks_[tid];
  if (task.name == name) return;
  task.name = name;
  if (!emits) return;
  const uint32_t thread = sink_.thread({.tid = tid});
  sink_.event(make_thread_name(time(line), thread, sink_.string(name), kNamePriority));
}

void Context::fail(std::string_view text) {
  sink_.count(stats::systrace_parse_failure, offset_, text);
}

}  // namespace tracebraid::kernel_text
