// Events of the scheduler. These are most of a file: they are read by hand.
#include <algorithm>
#include <array>

#include "format/ftrace_text/details.h"
#include "format/ftrace_text/events.h"

namespace tracebraid::ftrace_text {
namespace {

// Takes "<value><key>" off the front of the text: what stands before `key`, which is skipped.
bool take_until(std::string_view& text, std::string_view key, std::string_view& value) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return false;
  value = trim(text.substr(0, at));
  text.remove_prefix(at + key.size());
  return true;
}

bool to_int(std::string_view text, auto& value) {
  const std::optional<int64_t> number = parse_decimal(trim(text));
  using Number = std::remove_reference_t<decltype(value)>;
  if (!number || *number != static_cast<int64_t>(static_cast<Number>(*number))) return false;
  value = static_cast<Number>(*number);
  return true;
}

struct Switch {
  std::string_view prev_comm, next_comm, state;
  int64_t prev_tid = 0, next_tid = 0;
  int32_t prev_prio = 0, next_prio = 0;
};

// prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120
bool parse_fields(std::string_view text, Switch& out) {
  constexpr std::string_view kFirst = "prev_comm=";
  if (!text.starts_with(kFirst)) return false;
  text.remove_prefix(kFirst.size());
  std::string_view prev_pid, prev_prio, next_pid;
  if (!take_until(text, " prev_pid=", out.prev_comm) ||
      !take_until(text, " prev_prio=", prev_pid) || !take_until(text, " prev_state=", prev_prio) ||
      !take_until(text, " next_comm=", out.state) ||
      !take_until(text, " next_pid=", out.next_comm) || !take_until(text, " next_prio=", next_pid))
    return false;
  if (out.state.ends_with("==>")) out.state = trim(out.state.substr(0, out.state.size() - 3));
  const std::string_view next_prio = text.substr(0, text.find_first_of(" \t"));
  return to_int(prev_pid, out.prev_tid) && to_int(prev_prio, out.prev_prio) &&
         to_int(next_pid, out.next_tid) && to_int(next_prio, out.next_prio);
}

// "comm:pid [prio]", as trace-cmd writes it; what follows is left in `text`.
bool parse_task(std::string_view& text, std::string_view& comm, int64_t& tid, int32_t& prio) {
  const size_t open = text.find(" ["), close = text.find(']', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return false;
  const std::string_view task = text.substr(0, open);
  const size_t colon = task.rfind(':');
  if (colon == std::string_view::npos || !to_int(task.substr(colon + 1), tid) ||
      !to_int(text.substr(open + 2, close - open - 2), prio))
    return false;
  comm = trim(task.substr(0, colon));
  text.remove_prefix(close + 1);
  return true;
}

// a:1 [120] S ==> b:2 [120]
bool parse_trace_cmd(std::string_view text, Switch& out) {
  if (!parse_task(text, out.prev_comm, out.prev_tid, out.prev_prio)) return false;
  return take_until(text, "==>", out.state) &&
         parse_task(text, out.next_comm, out.next_tid, out.next_prio);
}

// States by their letters, joined without the bars between them; nothing if one is not known.
std::optional<std::string> letters_of(std::string_view state) {
  constexpr std::string_view kLetters = "RSDTtXZPxKWIN";
  std::string result;
  bool wants_letter = true;
  for (const char c : state) {
    const bool is_letter = kLetters.find(c) != std::string_view::npos;
    const bool is_mark = c == '|' || c == '+';
    if (wants_letter ? !is_letter : !is_letter && !is_mark) return std::nullopt;
    wants_letter = c == '|';
    if (c != '|') result += c;
  }
  if (result.empty() || wants_letter) return std::nullopt;
  return result;
}

void note_state(const Switch& from, SwitchExtra& extra, Piece& piece) {
  EventSink& sink = piece.sink();
  if (const std::optional<int64_t> bits = parse_decimal(from.state)) {
    extra.prev_state = *bits;
    return;
  }
  if (from.state.size() == 1 || from.state == "R+") {
    if (letters_of(from.state)) {
      extra.prev_state_text = sink.string(from.state);
      return;
    }
  }
  const std::optional<std::string> letters = letters_of(from.state);
  if (!letters) sink.count(Stat::ftrace_unknown_task_state, piece.offset(), from.state);
  extra.prev_state_text = sink.string(letters ? std::string_view(*letters) : from.state);
}

struct Woken {
  std::string_view comm;
  int64_t tid = 0;
  int32_t prio = 0, target_cpu = 0;
  int8_t success = -1;
};

bool to_success(std::string_view text, int8_t& success) {
  if (text.empty()) return true;
  success = text == "0" ? 0 : 1;
  return true;
}

// comm=a pid=1 prio=120 [success=1] target_cpu=002
bool parse_fields(std::string_view text, Woken& out) {
  constexpr std::string_view kFirst = "comm=";
  if (!text.starts_with(kFirst)) return false;
  text.remove_prefix(kFirst.size());
  std::string_view pid;
  if (!take_until(text, " pid=", out.comm) || !take_until(text, " prio=", pid)) return false;
  Details rest;  // the keys behind prio differ from kernel to kernel
  const std::string_view prio = text.substr(0, text.find_first_of(" \t"));
  split_details(text.substr(prio.size()), rest);
  to_success(rest.text("success"), out.success);
  const std::string_view cpu = rest.text("target_cpu");
  return to_int(pid, out.tid) && to_int(prio, out.prio) &&
         (cpu.empty() || to_int(cpu, out.target_cpu));
}

// a:1 [120] success=1 CPU:002
bool parse_trace_cmd(std::string_view text, Woken& out) {
  if (!parse_task(text, out.comm, out.tid, out.prio)) return false;
  constexpr std::string_view kSuccess = "success=", kCpu = "CPU:";
  if (const size_t at = text.find(kSuccess); at != std::string_view::npos)
    to_success(text.substr(at + kSuccess.size(), 1), out.success);
  if (const size_t at = text.find(kCpu); at != std::string_view::npos) {
    const std::string_view cpu = text.substr(at + kCpu.size());
    return to_int(cpu.substr(0, cpu.find_first_of(" \t")), out.target_cpu);
  }
  return true;
}

}  // namespace

bool read_switch(const Line& line, Piece& piece) {
  Switch found;
  if (!parse_fields(line.details, found) && !parse_trace_cmd(line.details, found)) return false;
  EventSink& sink = piece.sink();
  SwitchExtra extra;
  extra.prev_tid = found.prev_tid;
  extra.next_tid = found.next_tid;
  extra.prev_prio = found.prev_prio;
  extra.next_prio = found.next_prio;
  extra.prev_comm = sink.string(found.prev_comm);
  extra.next_comm = sink.string(found.next_comm);
  note_state(found, extra, piece);
  extra.adds_row = piece.form().keep_raw;
  piece.note_name(line, found.next_tid, found.next_comm, false);
  piece.note_name(line, found.prev_tid, found.prev_comm, false);
  Event event = make_event(piece.time(line), EventKind::SchedSwitch, line.cpu);
  event.value = line.tid;
  event.extra = static_cast<uint32_t>(sink.batch().switches.size());
  sink.batch().switches.push_back(extra);
  sink.event(event);
  return true;
}

bool read_waking(const Line& line, Piece& piece) {
  Woken found;
  if (!parse_fields(line.details, found) && !parse_trace_cmd(line.details, found)) return false;
  EventSink& sink = piece.sink();
  WakingExtra extra{.waker_tid = line.tid, .prio = found.prio, .target_cpu = found.target_cpu};
  extra.success = found.success;
  extra.may_repeat = line.name != "sched_waking";
  if (piece.form().keep_raw) extra.row_name = sink.string(line.name);
  if (found.success != 0) piece.note_name(line, found.tid, found.comm, false);
  Event event = make_event(piece.time(line), EventKind::SchedWaking, line.cpu);
  event.value = found.tid;
  event.name = sink.string(found.comm);
  event.extra = static_cast<uint32_t>(sink.batch().wakings.size());
  sink.batch().wakings.push_back(extra);
  sink.event(event);
  return true;
}

bool read_blocked(const Line& line, Piece& piece) {
  Details details;
  split_details(line.details, details);
  const std::optional<int64_t> tid = details.number("pid");
  if (!tid) return false;
  BlockedExtra extra;
  std::string_view wait = details.text("iowait");
  if (wait.empty()) wait = details.text("io_wait");
  if (!wait.empty()) extra.io_wait = wait == "0" ? 0 : 1;
  std::string_view caller = details.text("caller");
  caller = caller.substr(0, caller.find('+'));  // without offset and size
  EventSink& sink = piece.sink();
  if (!caller.empty()) extra.function = sink.string(caller);
  Event event = make_event(piece.time(line), EventKind::SchedBlocked, line.cpu);
  event.value = *tid;
  event.extra = static_cast<uint32_t>(sink.batch().blocked.size());
  sink.batch().blocked.push_back(extra);
  sink.event(event);
  return true;
}

}  // namespace tracebraid::ftrace_text
