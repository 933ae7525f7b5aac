#include "format/systrace/piece.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "event/event_kind.h"
#include "format/common/plain_args.h"
#include "format/common/stats.h"
#include "format/systrace/events.h"
#include "format/systrace/graph_line.h"
#include "format/systrace/kernel.h"

namespace tracebraid::systrace {
namespace {

constexpr int64_t kNamePriority = 1;  // of names that the kernel gives (spec proto 4.1)
constexpr uint32_t kMonotonic = 3;
constexpr std::string_view kFunctionOfStack = "=> ";

bool is_placeholder(std::string_view name) {
  return name.empty() || name == "<...>" || name == "<unknown>" || name == "<idle>";
}

// Line ends of lines that come out of a script's string.
std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.ends_with("\\n\\")) text.remove_suffix(3);
  return text;
}

// The number behind `key` in the text; -1 if there is none.
int64_t number_after(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return -1;
  text.remove_prefix(at + key.size());
  size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  return parse_decimal(text.substr(0, digits)).value_or(-1);
}

void add_lost(int64_t events, PieceFacts& facts) {
  if (__builtin_add_overflow(facts.lost_events, events, &facts.lost_events))
    facts.lost_events = std::numeric_limits<int64_t>::max();
}

// "CPU:2 [LOST 37 EVENTS]", of trace-cmd "CPU:2 [37 EVENTS DROPPED]"; one at least where nobody
// knows how many: "CPU:2 [LOST EVENTS]", "CPU:2 [EVENTS DROPPED]". Nothing if it says something
// else.
std::optional<int64_t> events_lost(std::string_view text) {
  const size_t open = text.find('[');
  if (open == std::string_view::npos) return std::nullopt;
  const std::string_view note = text.substr(open);
  if (note.starts_with("[LOST EVENTS]") || note.starts_with("[EVENTS DROPPED]")) return 1;
  if (!note.ends_with(" EVENTS]") && !note.ends_with(" EVENTS DROPPED]")) return std::nullopt;
  const int64_t lost = number_after(note, note.starts_with("[LOST ") ? "[LOST " : "[");
  return lost >= 0 ? std::optional(lost) : std::nullopt;
}

// Tracers that write other lines than events and calls.
bool is_unsupported(std::string_view tracer) {
  static constexpr std::string_view kTracers[] = {"mmiotrace", "hwlat", "osnoise", "timerlat"};
  return std::ranges::find(kTracers, tracer) != std::end(kTracers);
}

// "------------------------", which stands around switches of tasks in texts of function_graph.
bool is_rule(std::string_view text) {
  return text.size() > 3 && text.find_first_not_of('-') == std::string_view::npos;
}

}  // namespace

void name_text_clock(EventSink& sink) { sink.clock({.domain = kMonotonic, .by_default = true}); }

uint32_t count_clock(EventSink& sink) {
  return sink.clock({.domain = kPrivateClock, .sequence = 1, .by_default = true});
}

Piece::Piece(const FileForm& form, EventSink& sink, PieceFacts& facts)
    : form_(form), sink_(sink), facts_(facts), tracks_(sink), marks_(tracks_, sink) {
  name_text_clock(sink);
}

void Piece::read(std::string_view text, uint64_t at) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* line = begin; line != end;) {
    const void* const feed = std::memchr(line, '\n', static_cast<size_t>(end - line));
    const char* const line_end = feed == nullptr ? end : static_cast<const char*>(feed);
    offset_ = at + static_cast<uint64_t>(line - begin);
    read_line(without_line_end({line, static_cast<size_t>(line_end - line)}));
    line = feed == nullptr ? end : line_end + 1;
  }
  end_stack();
}

void Piece::read_line(std::string_view text) {
  if (text.starts_with('#')) {
    // A task may be called so, too.
    if (const auto line = parse_line(text, form_.flag_width)) {
      note_task(*line);
      return read_event(*line, *this);
    }
    return read_comment(text);
  }
  if (stack_ && read_stack_line(text)) return;
  const std::optional<Line> line = parse_line(text, form_.flag_width);
  if (!line) {
    if (!read_notice(text)) fail(text);
    return;
  }
  note_task(*line);
  read_event(*line, *this);
}

void Piece::begin_stack(const Line& line) {
  end_stack();
  stack_ = line;
  functions_.clear();
}

// " => sys_close", or "=> sys_close (ffffffff811a2b30)" of trace-cmd.
bool Piece::read_stack_line(std::string_view text) {
  text = trim(text);
  if (!text.starts_with(kFunctionOfStack)) {
    end_stack();
    return false;
  }
  text = trim(text.substr(kFunctionOfStack.size()));
  if (!functions_.empty()) functions_ += ';';
  functions_ += text.substr(0, text.find(" ("));
  return true;
}

void Piece::end_stack() {
  if (!stack_) return;
  if (form_.keep_raw) {
    sink_.open_args();
    if (!functions_.empty()) add_text("caller", functions_, sink_);
    state_row(*stack_, *this, sink_.close_args());
  }
  stack_.reset();
}

void Piece::read_comment(std::string_view text) {
  constexpr std::string_view kEntries = "entries-in-buffer/entries-written:";
  constexpr std::string_view kLatency = "# latency:", kKept = ", #";
  constexpr std::string_view kClockType = "# clock_type=", kTracer = "# tracer:";
  if (const size_t at = text.find(kEntries); at != std::string_view::npos) {
    const std::string_view rest = trim(text.substr(at + kEntries.size()));
    const int64_t kept = number_after(rest, ""), written = number_after(rest, "/");
    if (kept >= 0 && kept < written) add_lost(written - kept, facts_);
    facts_.num_cpus = std::max(facts_.num_cpus, number_after(rest, "#P:"));
  } else if (text.starts_with(kLatency)) {  // "# latency: 16 us, #4/4, CPU#0 | (... #P:4)"
    const size_t from = text.find(kKept);
    const std::string_view rest =
        from == std::string_view::npos ? std::string_view() : text.substr(from + kKept.size());
    const int64_t kept = number_after(rest, ""), written = number_after(rest, "/");
    if (kept >= 0 && kept < written) add_lost(written - kept, facts_);
    facts_.num_cpus = std::max(facts_.num_cpus, number_after(text, "#P:"));
  } else if (text.starts_with(kClockType)) {
    facts_.clock_type = trim(text.substr(kClockType.size()));
  } else if (text.starts_with(kTracer)) {
    const std::string_view tracer = trim(text.substr(kTracer.size()));
    if (is_unsupported(tracer)) facts_.unsupported_tracer = tracer;
  }
}

bool Piece::read_notice(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.starts_with("version =") || text == "TRACE:") return true;
  if (text.starts_with(kFunctionOfStack)) return true;  // began in the piece before
  if (text.starts_with("cpus=")) {
    facts_.num_cpus = std::max(facts_.num_cpus, number_after(text, "cpus="));
    return true;
  }
  if (text.starts_with("CPU:") || text.starts_with("CPU ")) {
    const std::optional<int64_t> lost = events_lost(text);
    if (lost) add_lost(*lost, facts_);
    return lost || text.ends_with("is empty");
  }
  if (is_rule(text)) return true;
  const std::optional<GraphLine> call = parse_graph_line(text);
  if (call) read_graph_line(*call, *this);
  return call.has_value();
}

void Piece::note_task(const Line& line) {
  if (line.tid == 0) return;
  note_name(line, line.tid, line.task, true);
  Task& task = tasks_[line.tid];
  const bool says_process = line.tgid != kNoId && line.tgid != task.tgid;
  if (!says_process && task.is_stated) return;
  if (says_process) task.tgid = line.tgid;
  task.is_stated = true;
  const uint32_t thread = sink_.thread({.tid = line.tid, .pid = task.tgid});
  sink_.event(make_event(time(line), EventKind::ThreadSeen, thread));
}

void Piece::note_name(const Line& line, int64_t tid, std::string_view name, bool states) {
  if (tid == 0 || is_placeholder(name)) return;
  Task& task = tasks_[tid];
  if (task.name == name) return;
  task.name = name;
  if (!states) return;
  Event event = make_event(time(line), EventKind::ThreadName, sink_.thread({.tid = tid}));
  event.name = sink_.string(name);
  event.value = kNamePriority;
  sink_.event(event);
}

void Piece::fail(std::string_view text) {
  sink_.count(stats::systrace_parse_failure, offset_, text);
}

}  // namespace tracebraid::systrace
