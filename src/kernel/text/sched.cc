#include "kernel/text/sched.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "base/hex.h"
#include "base/words.h"
#include "event/emit.h"
#include "event/event_kind.h"
#include "kernel/stats.h"
#include "kernel/text/details.h"

namespace tracebraid {
namespace {

// Removes "<value><key>" from the front of the text: `value` is the text before `key`.
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

// Parses prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2
// next_prio=120.
bool parse_switch_fields(std::string_view text, SwitchText& out) {
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

// Parses "comm:pid [prio]" of trace-cmd; leaves the rest in `text`.
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

// Skips the words of kernels before 2.6.33: "task a:1 [120] (S) ==> b:2 [120]".
void skip_task_word(std::string_view& text) {
  constexpr std::string_view kWord = "task ";
  if (text.starts_with(kWord)) text.remove_prefix(kWord.size());
}

// Parses a:1 [120] S ==> b:2 [120].
bool parse_switch_trace_cmd(std::string_view text, SwitchText& out) {
  skip_task_word(text);
  if (!parse_task(text, out.prev_comm, out.prev_tid, out.prev_prio)) return false;
  if (!take_until(text, "==>", out.state)) return false;
  if (out.state.starts_with('(') && out.state.ends_with(')'))
    out.state = out.state.substr(1, out.state.size() - 2);
  return parse_task(text, out.next_comm, out.next_tid, out.next_prio);
}

// Returns the letters of states, without the bars between them; nothing for an unknown state.
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

void to_success(std::string_view text, int8_t& success) {
  if (!text.empty()) success = text == "0" ? 0 : 1;
}

// Parses comm=a pid=1 prio=120 [success=1] target_cpu=002.
bool parse_waking_fields(std::string_view text, WakingText& out) {
  constexpr std::string_view kFirst = "comm=";
  if (!text.starts_with(kFirst)) return false;
  text.remove_prefix(kFirst.size());
  std::string_view pid;
  if (!take_until(text, " pid=", out.comm) || !take_until(text, " prio=", pid)) return false;
  KernelDetails rest;  // the keys after prio differ between kernels
  const std::string_view prio = text.substr(0, text.find_first_of(" \t"));
  split_details(text.substr(prio.size()), rest);
  to_success(rest.text("success"), out.success);
  const std::string_view cpu = rest.text("target_cpu");
  return to_int(pid, out.tid) && to_int(prio, out.prio) &&
         (cpu.empty() || to_int(cpu, out.target_cpu));
}

// Parses a:1 [120] success=1 CPU:002.
bool parse_waking_trace_cmd(std::string_view text, WakingText& out) {
  skip_task_word(text);
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

// Parses "312:100:R". Blanks may precede a number, and an index may replace the letter of the
// state. Leaves the rest in `text`.
bool take_task(std::string_view& text, int64_t& tid, int32_t& prio, std::string_view& state) {
  constexpr std::string_view kStates = "RSDTtXZPI";
  std::string_view number;
  if (!take_until(text, ":", number) || !to_int(number, tid)) return false;
  if (!take_until(text, ":", number) || !to_int(number, prio)) return false;
  state = take_word(text);
  if (state.size() != 1) return false;
  if (!is_digit(state.front())) return true;
  const auto place = static_cast<size_t>(state.front() - '0');
  state = kStates.substr(std::min(place, kStates.size()), 1);
  return !state.empty();
}

// Parses "[003]".
bool take_cpu(std::string_view& text, int32_t& cpu) {
  std::string_view rest = trim(text), number;
  if (!rest.starts_with('[')) return false;
  rest.remove_prefix(1);
  if (!take_until(rest, "]", number) || !to_int(number, cpu)) return false;
  text = rest;
  return true;
}

void note_state(std::string_view state, const SchedLine& at, SwitchExtra& extra, EventSink& sink) {
  std::optional<int64_t> bits = parse_decimal(state);
  if (const auto digits = digits_after_0x(state)) {  // trace-cmd report -R prints hexadecimal bits
    const std::optional<uint64_t> hex = parse_hex(*digits);
    if (hex && *hex <= INT32_MAX) bits = static_cast<int64_t>(*hex);
  }
  if (bits) {
    extra.prev_state = *bits;
    return;
  }
  const bool is_usual = state.size() == 1 || state == "R+";
  const std::optional<std::string> letters = letters_of(state);
  if (is_usual && letters) {
    extra.prev_state_text = sink.string(state);
    return;
  }
  if (!letters) sink.count(stats::ftrace_unknown_task_state, at.offset, state);
  extra.prev_state_text = sink.string(letters ? std::string_view(*letters) : state);
}

}  // namespace

bool parse_switch(std::string_view details, SwitchText& out) {
  return parse_switch_fields(details, out) || parse_switch_trace_cmd(details, out);
}

bool parse_waking(std::string_view details, WakingText& out) {
  return parse_waking_fields(details, out) || parse_waking_trace_cmd(details, out);
}

bool parse_task_change(std::string_view text, TaskChange& out) {
  SwitchText& tasks = out.tasks;
  if (!take_task(text, tasks.prev_tid, tasks.prev_prio, tasks.state)) return false;
  const std::string_view sign = take_word(text);
  out.is_switch = sign == "==>";
  if (!out.is_switch && sign != "+" && sign != "==+") return false;
  const bool has_cpu = take_cpu(text, out.cpu);
  std::string_view next_state;
  if (!take_task(text, tasks.next_tid, tasks.next_prio, next_state)) return false;
  if (!has_cpu && !take_cpu(text, out.cpu)) return false;
  tasks.next_comm = trim(text);
  return true;
}

void emit_switch(const SchedLine& at, const SwitchText& found, EventSink& sink) {
  SwitchExtra extra;
  extra.prev_tid = found.prev_tid;
  extra.next_tid = found.next_tid;
  extra.prev_prio = found.prev_prio;
  extra.next_prio = found.next_prio;
  // Wakeup tracers do not print the name.
  if (!found.prev_comm.empty()) extra.prev_comm = sink.string(found.prev_comm);
  if (!found.next_comm.empty()) extra.next_comm = sink.string(found.next_comm);
  note_state(found.state, at, extra, sink);
  extra.adds_row = at.adds_row;
  emit_switch(sink, at.time, at.cpu, at.tid, extra);
}

void emit_waking(const SchedLine& at, std::string_view name, const WakingText& found,
                 EventSink& sink) {
  WakingExtra extra{.waker_tid = at.tid, .prio = found.prio, .target_cpu = found.target_cpu};
  extra.success = found.success;
  extra.may_repeat = name != "sched_waking";
  if (at.adds_row) extra.row_name = sink.string(name);
  const StringId comm = found.comm.empty() ? StringId{} : sink.string(found.comm);
  emit_waking(sink, at.time, at.cpu, found.tid, comm, extra);
}

bool emit_blocked(const SchedLine& at, std::string_view text, EventSink& sink) {
  KernelDetails details;
  split_details(text, details);
  const std::optional<int64_t> tid = details.number("pid");
  if (!tid) return false;
  BlockedExtra extra;
  std::string_view wait = details.text("iowait");
  if (wait.empty()) wait = details.text("io_wait");
  if (!wait.empty()) extra.io_wait = wait == "0" ? 0 : 1;
  std::string_view caller = details.text("caller");
  caller = caller.substr(0, caller.find('+'));  // without offset and size
  if (!caller.empty()) extra.function = sink.string(caller);
  emit_blocked(sink, at.time, at.cpu, *tid, extra);
  return true;
}

}  // namespace tracebraid
