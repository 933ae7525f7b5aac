// Tasks and their names, calls into the kernel, functions of it.
#include <charconv>

#include "format/ftrace_text/kernel.h"

namespace tracebraid::ftrace_text {
namespace {

constexpr int64_t kNamePriority = 1;  // as names of the scheduler

void new_task(const Line& line, Piece& piece) {
  constexpr uint64_t kCloneThread = 0x10000;
  state_row(line, piece);
  const KernelDetails details = details_of(line);
  const std::optional<int64_t> tid = details.number("pid");
  if (!tid || *tid == 0) return;
  uint64_t flags = 0;
  std::string_view text = details.text("clone_flags");  // hexadecimal, without a prefix
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::from_chars(text.data(), text.data() + text.size(), flags, 16);
  Event event = make_event(piece.time(line), EventKind::NewTask, piece.thread(line));
  event.value = *tid;
  event.name = piece.sink().string(details.text("comm"));
  event.extra = (flags & kCloneThread) != 0 ? 1 : 0;
  piece.sink().event(event);
}

void rename(const Line& line, Piece& piece) {
  state_row(line, piece);
  const KernelDetails details = details_of(line);
  const std::optional<int64_t> tid = details.number("pid");
  const std::string_view name = details.text("newcomm");
  if (!tid || name.empty()) return;
  Event event =
      make_event(piece.time(line), EventKind::TaskRename, piece.sink().thread({.tid = *tid}));
  event.name = piece.sink().string(name);
  event.value = kNamePriority;
  piece.note_name(line, *tid, name, false);
  piece.sink().event(event);
}

void process_free(const Line& line, Piece& piece) {
  state_row(line, piece);
  const std::optional<int64_t> tid = details_of(line).number("pid");
  if (!tid) return;
  piece.sink().event(
      make_event(piece.time(line), EventKind::ThreadEnd, piece.sink().thread({.tid = *tid})));
}

// "NR 64 (1, 7f00, 20, ...)"
void sys_enter(const Line& line, Piece& piece) {
  state_row(line, piece);
  std::string_view text = line.details;
  if (!text.starts_with("NR ")) return;
  text.remove_prefix(3);
  state_meaning(line, "sys_enter", {{"id", text.substr(0, text.find(' '))}}, piece);
}

// "NR 64 = 32"
void sys_exit(const Line& line, Piece& piece) {
  state_row(line, piece);
  std::string_view text = line.details;
  const size_t equals = text.find(" = ");
  if (!text.starts_with("NR ") || equals == std::string_view::npos) return;
  state_meaning(line, "sys_exit",
                {{"id", trim(text.substr(3, equals - 3))}, {"ret", trim(text.substr(equals + 3))}},
                piece);
}

void graph_entry(const Line& line, Piece& piece) {
  state_row(line, piece);
  const std::string_view function = details_of(line).text("func");
  if (!function.empty()) begin(line, thread_track(line, piece), function, piece);
}

void graph_return(const Line& line, Piece& piece) {
  state_row(line, piece);
  const std::string_view function = details_of(line).text("func");
  if (!function.empty()) end(line, thread_track(line, piece), function, piece);
}

// trace-cmd on function_graph: "   1.250 us   |  do_work() {", or "do_work();" if it called
// nothing: then the line has all of it.
void function_entry(const Line& line, Piece& piece) {
  state_row(line, piece);
  const size_t bar = line.details.find('|');
  if (bar == std::string_view::npos) return;
  const std::string_view call = trim(line.details.substr(bar + 1));
  const std::string_view function = call.substr(0, call.find('('));
  if (function.empty() || function == call) return;
  const uint32_t track = thread_track(line, piece);
  if (call.ends_with('{')) return begin(line, track, function, piece);
  constexpr int64_t kThousandth = 1'000'000;  // of billionths of a microsecond: ns
  std::string_view time = trim(line.details.substr(0, bar));
  while (!time.empty() && !is_digit(time.front())) time.remove_prefix(1);  // marks of delay
  time = time.substr(0, time.find(' '));
  const std::optional<int64_t> duration = time.empty() ? std::nullopt : parse_billionths(time);
  if (!duration) return instant(line, track, function, piece);
  Event event = make_event(piece.time(line), EventKind::Slice, track);
  event.name = piece.sink().string(function);
  event.value = *duration / kThousandth;
  piece.sink().event(event);
}

void function_exit(const Line& line, Piece& piece) {
  state_row(line, piece);
  end(line, thread_track(line, piece), {}, piece);
}

constexpr KernelHandler kHandlers[] = {
    {"task_newtask", new_task},
    {"task_rename", rename},
    {"sched_process_free", process_free},
    {"sys_enter", sys_enter},
    {"sys_exit", sys_exit},
    {"graph_ent", graph_entry},
    {"graph_ret", graph_return},
    {"funcgraph_entry", function_entry},
    {"funcgraph_exit", function_exit},
    {"signal_generate", state_event},
    {"signal_deliver", state_event},
    {"oom_score_adj_update", state_event},
    {"mark_victim", state_event},
};

}  // namespace

std::span<const KernelHandler> task_handlers() { return kHandlers; }

}  // namespace tracebraid::ftrace_text
