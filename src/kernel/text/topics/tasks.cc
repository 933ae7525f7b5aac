// Tasks and their names, system calls, kernel functions.
#include <algorithm>
#include <charconv>
#include <string>

#include "base/hex.h"
#include "base/words.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "kernel/text/emit.h"
#include "kernel/text/topics.h"

namespace tracebraid::kernel_text {
namespace {

constexpr int64_t kNamePriority = 1;  // as names of the scheduler

void new_task(const Line& line, Context& context) {
  constexpr uint64_t kCloneThread = 0x10000;
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  const std::optional<int64_t> tid = details.number("pid");
  if (!tid || *tid == 0) return;
  uint64_t flags = 0;
  const std::string_view text = without_0x(details.text("clone_flags"));  // usually without prefix
  std::from_chars(text.data(), text.data() + text.size(), flags, 16);
  const EventTime time = context.time(line);
  const uint32_t parent = context.thread(line);
  const StringId comm = context.sink().string(details.text("comm"));
  context.sink().event(make_new_task(time, parent, *tid, comm, (flags & kCloneThread) != 0));
}

void rename(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  // Kernels since 6.14 omit the pid, because a task mostly renames itself.
  const int64_t tid = details.number("pid").value_or(line.tid);
  const std::string_view name = details.text("newcomm");
  if (name.empty()) return;
  const EventTime time = context.time(line);
  const uint32_t thread = context.sink().thread({.tid = tid});
  const StringId text = context.sink().string(name);
  context.note_name(line, tid, name, false);
  context.sink().event(make_task_rename(time, thread, text, kNamePriority));
}

void process_free(const Line& line, Context& context) {
  emit_row(line, context);
  const std::optional<int64_t> tid = details_of(line).number("pid");
  if (!tid) return;
  context.sink().event(make_thread_end(context.time(line), context.sink().thread({.tid = *tid})));
}

// An exiting task is still switched out, so it lives until it is freed.
void process_exit(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  emit_meaning(line, "task_exit",
               {{"pid", details.text("pid")},
                {"group_dead", details.text("group_dead") == "true" ? "1" : ""}},
               context);
}

void graph_entry(const Line& line, Context& context) {
  emit_row(line, context);
  const std::string_view function = details_of(line).text("func");
  if (!function.empty()) begin(line, thread_track(line, context), function, context);
}

void graph_return(const Line& line, Context& context) {
  emit_row(line, context);
  const std::string_view function = details_of(line).text("func");
  if (!function.empty()) end(line, thread_track(line, context), function, context);
}

// Handles trace-cmd on function_graph: "   1.250 us
//  do_work() {", or "do_work();" for a function without calls, which has no other line.
void function_entry(const Line& line, Context& context) {
  emit_row(line, context);
  const size_t bar = line.details.find('|');
  if (bar == std::string_view::npos) return;
  const std::string_view call = trim(line.details.substr(bar + 1));
  const std::string_view function = call.substr(0, call.find('('));
  if (function.empty() || function == call) return;
  const uint32_t track = thread_track(line, context);
  if (call.ends_with('{')) return begin(line, track, function, context);
  constexpr int64_t kThousandth = 1'000'000;  // of billionths of a microsecond: ns
  std::string_view time = trim(line.details.substr(0, bar));
  while (!time.empty() && !is_digit(time.front())) time.remove_prefix(1);  // delay marks
  time = time.substr(0, time.find(' '));
  const std::optional<int64_t> duration = time.empty() ? std::nullopt : parse_billionths(time);
  if (!duration) return instant(line, track, function, context);
  context.sink().event(make_slice(context.time(line), track, *duration / kThousandth,
                                  {.name = context.sink().string(function)}));
}

void function_exit(const Line& line, Context& context) {
  emit_row(line, context);
  end(line, thread_track(line, context), {}, context);
}

constexpr Handler kHandlers[] = {
    {"task_newtask", new_task},           {"task_rename", rename},
    {"sched_process_exit", process_exit}, {"sched_process_free", process_free},
    {"graph_ent", graph_entry},           {"graph_ret", graph_return},
    {"funcgraph_entry", function_entry},  {"funcgraph_exit", function_exit},
    {"signal_generate", emit_event},      {"signal_deliver", emit_event},
    {"oom_score_adj_update", emit_event}, {"mark_victim", emit_event},
};

// Adds a hexadecimal number, with or without a prefix; a text if it is no number.
void add_hex(std::string_view key, std::string_view value, EventSink& sink) {
  if (const std::optional<uint64_t> number = parse_hex(without_0x(value)))
    add_int(key, static_cast<int64_t>(*number), sink, ArgType::Uint);
  else
    add_text(key, value, sink);
}

// Adds "fd: 3, buf: 7ffd" as hexadecimal args.
void add_call_args(std::string_view text, EventSink& sink) {
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find(", "));
    text.remove_prefix(std::min(field.size() + 2, text.size()));
    const size_t colon = field.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string_view key = trim(field.substr(0, colon)),
                           value = trim(field.substr(colon + 2));
    add_hex(key, value, sink);
  }
}

// Handles trace-cmd's "sys_enter_read: fd: 0x3, count: 0xa" and "sys_exit_read: 0xa".
bool read_named_call(const Line& line, Context& context) {
  const bool is_exit = line.name.starts_with("sys_exit_");
  if (!is_exit && !line.name.starts_with("sys_enter_")) return false;
  const std::string_view hex = "0x";
  if (is_exit ? !line.details.starts_with(hex) : line.details.find(": ") == std::string_view::npos)
    return false;
  if (!context.keep_raw()) return true;
  EventSink& sink = context.sink();
  sink.open_args();
  if (is_exit)
    add_hex("ret", line.details, sink);
  else
    add_call_args(line.details, sink);
  emit_row(line, context, sink.close_args());
  return true;
}

}  // namespace

// Rows have the kernel's names of the events: "sys_enter_read", "sys_exit_read".
bool read_call(const Line& line, Context& context) {
  if (read_named_call(line, context)) return true;
  constexpr std::string_view kPrefix = "sys_", kReturns = "-> 0x";
  const bool is_exit = line.details.starts_with(kReturns);
  if (!line.name.starts_with(kPrefix) || (!is_exit && !line.details.starts_with('('))) return false;
  if (!context.keep_raw()) return true;
  const std::string name =
      (is_exit ? "sys_exit_" : "sys_enter_") + std::string(line.name.substr(kPrefix.size()));
  EventSink& sink = context.sink();
  sink.open_args();
  if (is_exit) {
    uint64_t value = 0;
    const std::string_view text = line.details.substr(kReturns.size());
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    add_int("ret", static_cast<int64_t>(value), sink);
  } else {
    add_call_args(line.details.substr(1, line.details.size() - 2), sink);
  }
  Line named = line;
  named.name = name;
  emit_row(named, context, sink.close_args());
  return true;
}

std::span<const Handler> task_handlers() { return kHandlers; }

}  // namespace tracebraid::kernel_text
