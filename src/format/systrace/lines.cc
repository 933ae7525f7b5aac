#include "format/systrace/lines.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/words.h"
#include "event/plain_args.h"
#include "format/systrace/events.h"
#include "format/systrace/graph.h"
#include "format/systrace/graph_line.h"
#include "kernel/text/emit.h"

namespace tracebraid::systrace {
namespace {

constexpr std::string_view kFunctionOfStack = "=> ";

// Removes line ends of lines from a script's string.
std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.ends_with("\\n\\")) text.remove_suffix(3);
  return text;
}

// Returns the number after `key` in the text; -1 if there is none.
int64_t number_after(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return -1;
  text.remove_prefix(at + key.size());
  size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  return parse_decimal(text.substr(0, digits)).value_or(-1);
}

void add_lost(int64_t events, ChunkFacts& facts) {
  if (__builtin_add_overflow(facts.lost_events, events, &facts.lost_events))
    facts.lost_events = std::numeric_limits<int64_t>::max();
}

// Returns the number of lost events in "CPU:2 [LOST 37 EVENTS]", or "CPU:2 [37 EVENTS DROPPED]" of
// trace-cmd; 1 for an unknown number: "CPU:2 [LOST EVENTS]", "CPU:2 [EVENTS DROPPED]". Returns
// nothing for other text.
std::optional<int64_t> events_lost(std::string_view text) {
  const size_t open = text.find('[');
  if (open == std::string_view::npos) return std::nullopt;
  const std::string_view note = text.substr(open);
  if (note.starts_with("[LOST EVENTS]") || note.starts_with("[EVENTS DROPPED]")) return 1;
  if (!note.ends_with(" EVENTS]") && !note.ends_with(" EVENTS DROPPED]")) return std::nullopt;
  const int64_t lost = number_after(note, note.starts_with("[LOST ") ? "[LOST " : "[");
  return lost >= 0 ? std::optional(lost) : std::nullopt;
}

// Returns whether the tracer writes lines that are neither events nor calls.
bool is_unsupported(std::string_view tracer) {
  static constexpr std::string_view kTracers[] = {"mmiotrace", "hwlat", "osnoise", "timerlat"};
  return std::ranges::find(kTracers, tracer) != std::end(kTracers);
}

// Matches "------------------------", which surrounds task switches in texts of function_graph.
bool is_rule(std::string_view text) {
  return text.size() > 3 && text.find_first_not_of('-') == std::string_view::npos;
}

}  // namespace

void LineReader::read(std::string_view text, uint64_t at) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* line = begin; line != end;) {
    const void* const feed = std::memchr(line, '\n', static_cast<size_t>(end - line));
    const char* const line_end = feed == nullptr ? end : static_cast<const char*>(feed);
    chunk_.set_offset(at + static_cast<uint64_t>(line - begin));
    read_line(without_line_end({line, static_cast<size_t>(line_end - line)}));
    line = feed == nullptr ? end : line_end + 1;
  }
  end_stack();
}

void LineReader::read_line(std::string_view text) {
  if (text.starts_with('#')) {
    // A task may have such a name, too.
    if (const auto line = parse_line(text, chunk_.form().flag_width)) return read_event_line(*line);
    return read_comment(text);
  }
  if (stack_ && read_stack_line(text)) return;
  const std::optional<Line> line = parse_line(text, chunk_.form().flag_width);
  if (!line) {
    if (!read_notice(text)) chunk_.fail(text);
    return;
  }
  read_event_line(*line);
}

void LineReader::read_event_line(const Line& line) {
  chunk_.note_task(line);
  read_event(line, chunk_);
  take_stack();
}

void LineReader::take_stack() {
  if (!chunk_.begun_stack) return;
  end_stack();
  stack_ = std::exchange(chunk_.begun_stack, std::nullopt);
  functions_.clear();
}

// Reads " => sys_close", or "=> sys_close (ffffffff811a2b30)" of trace-cmd.
bool LineReader::read_stack_line(std::string_view text) {
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

void LineReader::end_stack() {
  if (!stack_) return;
  if (chunk_.keep_raw()) {
    chunk_.sink().open_args();
    if (!functions_.empty()) add_text("caller", functions_, chunk_.sink());
    kernel_text::emit_row(*stack_, chunk_, chunk_.sink().close_args());
  }
  stack_.reset();
}

void LineReader::read_comment(std::string_view text) {
  constexpr std::string_view kEntries = "entries-in-buffer/entries-written:";
  constexpr std::string_view kLatency = "# latency:", kKept = ", #";
  constexpr std::string_view kClockType = "# clock_type=", kTracer = "# tracer:";
  if (const size_t at = text.find(kEntries); at != std::string_view::npos) {
    const std::string_view rest = trim(text.substr(at + kEntries.size()));
    const int64_t kept = number_after(rest, ""), written = number_after(rest, "/");
    if (kept >= 0 && kept < written) add_lost(written - kept, chunk_.facts());
    chunk_.facts().num_cpus = std::max(chunk_.facts().num_cpus, number_after(rest, "#P:"));
  } else if (text.starts_with(kLatency)) {  // "# latency: 16 us, #4/4, CPU#0 | (... #P:4)"
    const size_t from = text.find(kKept);
    const std::string_view rest =
        from == std::string_view::npos ? std::string_view() : text.substr(from + kKept.size());
    const int64_t kept = number_after(rest, ""), written = number_after(rest, "/");
    if (kept >= 0 && kept < written) add_lost(written - kept, chunk_.facts());
    chunk_.facts().num_cpus = std::max(chunk_.facts().num_cpus, number_after(text, "#P:"));
  } else if (text.starts_with(kClockType)) {
    chunk_.facts().clock_type = trim(text.substr(kClockType.size()));
  } else if (text.starts_with(kTracer)) {
    const std::string_view tracer = trim(text.substr(kTracer.size()));
    if (is_unsupported(tracer)) chunk_.facts().unsupported_tracer = tracer;
  }
}

bool LineReader::read_notice(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.starts_with("version =") || text == "TRACE:") return true;
  if (text.starts_with(kFunctionOfStack)) return true;  // the stack began in the chunk before
  if (text.starts_with("cpus=")) {
    chunk_.facts().num_cpus = std::max(chunk_.facts().num_cpus, number_after(text, "cpus="));
    return true;
  }
  if (text.starts_with("CPU:") || text.starts_with("CPU ")) {
    const std::optional<int64_t> lost = events_lost(text);
    if (lost) add_lost(*lost, chunk_.facts());
    return lost || text.ends_with("is empty");
  }
  if (is_rule(text)) return true;
  const std::optional<GraphLine> call = parse_graph_line(text);
  if (call) read_graph_line(*call, chunk_);
  take_stack();
  return call.has_value();
}

}  // namespace tracebraid::systrace
