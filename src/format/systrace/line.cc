#include "format/systrace/line.h"

#include <cstring>

#include "kernel/text/sched.h"

namespace tracebraid::systrace {
namespace {

constexpr size_t kMostFlags = 9;
constexpr size_t kMostIdDigits = 10;
constexpr int64_t kMostCpu = 4095;  // of the table cpu (spec clocks 12.7)
constexpr std::string_view kDelayMarks = "!+#*@$%";
constexpr std::string_view kStack = "<stack trace>";

// Reads a line from left to right; each step returns whether it found its element.
class Scanner {
 public:
  Scanner(const char* at, const char* end) : at_(at), end_(end) {}

  bool at_end() const { return at_ == end_; }
  char peek() const { return at_ == end_ ? '\0' : *at_; }
  const char* position() const { return at_; }
  std::string_view rest() const { return {at_, static_cast<size_t>(end_ - at_)}; }

  bool blanks() {
    const char* const from = at_;
    while (at_ != end_ && is_blank(*at_)) ++at_;
    return at_ != from;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool id(int64_t& value) {
    const char* const from = at_;
    value = 0;
    while (at_ != end_ && is_digit(*at_)) {
      if (static_cast<size_t>(at_ - from) == kMostIdDigits) return false;
      value = value * 10 + (*at_++ - '0');
    }
    return at_ != from;
  }
  // Returns the text up to the next blank.
  std::string_view word() {
    const char* const from = at_;
    while (at_ != end_ && !is_blank(*at_)) ++at_;
    return {from, static_cast<size_t>(at_ - from)};
  }

 private:
  const char* at_;
  const char* end_;
};

bool is_flag(char c) {
  return is_digit(c) || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Parses "(  567)" or "(-----)"; a line without this word is valid.
bool parse_tgid(Scanner& scan, int64_t tid, int64_t& tgid) {
  if (!scan.take('(')) return true;
  scan.blanks();
  if (scan.peek() == '-') {
    while (scan.take('-')) continue;
  } else if (!scan.id(tgid)) {
    return false;
  } else if (tgid == 0 && tid != 0) {
    tgid = kNoId;  // old kernels print it for threads that have no entry any more
  }
  scan.blanks();
  if (!scan.take(')')) return false;
  scan.blanks();
  return true;
}

bool parse_cpu(Scanner& scan, uint32_t& cpu) {
  int64_t number = 0;
  if (!scan.take('[') || !scan.id(number) || number > kMostCpu || !scan.take(']')) return false;
  cpu = static_cast<uint32_t>(number);
  return true;
}

// Parses "316.196720:" without the flags before it.
bool parse_time(std::string_view word, Line& line) {
  while (!word.empty() && kDelayMarks.find(word.front()) != std::string_view::npos)
    word.remove_prefix(1);
  if (word.size() < 2 || word.back() != ':' || !is_digit(word.front())) return false;
  word.remove_suffix(1);
  line.is_count = word.find('.') == std::string_view::npos;
  const std::optional<int64_t> time = line.is_count ? parse_decimal(word) : parse_billionths(word);
  if (!time) return false;
  line.ns = *time;
  return true;
}

// Parses the flags, if any, and the time.
bool parse_flags_and_time(Scanner& scan, size_t flag_width, Line& line) {
  scan.blanks();
  std::string_view word = scan.word();
  if (word.empty()) return false;
  const char first = word.front();
  if (!is_flag(first) || is_digit(first))
    return parse_time(word, line) || [&] {
      // A delay mark may be separate from the time.
      if (word.size() != 1 || kDelayMarks.find(first) == std::string_view::npos) return false;
      scan.blanks();
      return parse_time(scan.word(), line);
    }();
  if (word.back() == ':') {
    if (word.size() <= flag_width) return false;
    line.flags = word.substr(0, flag_width);
    line.touches = true;
    return parse_time(word.substr(flag_width), line);
  }
  if (word.size() > kMostFlags) return false;
  for (const char c : word)
    if (!is_flag(c)) return false;
  line.flags = word;
  scan.blanks();
  word = scan.word();
  if (word.size() == 1 && kDelayMarks.find(word.front()) != std::string_view::npos) {
    scan.blanks();
    word = scan.word();
  }
  return parse_time(word, line);
}

// Parses "  8,0    Q   R 123456 + 8 [dd]" of the tracer blk.
bool is_request(std::string_view body) {
  const size_t comma = body.find_first_not_of("0123456789");
  return comma != 0 && comma != std::string_view::npos && body[comma] == ',' &&
         comma + 1 < body.size() && is_digit(body[comma + 1]);
}

// Parses "     0:120:R ==> [003]   312:100:R bash". Rows have the kernel's names of these entries.
bool parse_tasks(std::string_view body, Line& line) {
  TaskChange change;
  if (!is_digit(body.front()) || !parse_task_change(body, change)) return false;
  line.name = change.is_switch ? "context_switch" : "wakeup";
  line.details = trim(body);
  return true;
}

// Parses "sys_read(fd: 3, buf: 7ffd, count: 10)" and "sys_read -> 0x10", the kernel's text for
// events of one system call.
bool parse_call(std::string_view body, Line& line) {
  constexpr std::string_view kPrefix = "sys_", kReturns = " -> ";
  if (!body.starts_with(kPrefix)) return false;
  const size_t end = body.find_first_of("(: \t");
  if (end == std::string_view::npos) return false;
  const std::string_view rest = body.substr(end);
  if (rest.front() == '(' ? !trim(rest).ends_with(')') : !rest.starts_with(kReturns)) return false;
  line.name = body.substr(0, end);
  line.details = trim(rest);
  return true;
}

// Parses "sched_switch: prev_comm=..." or "sys_close <-system_call_fastpath".
bool parse_body(Scanner& scan, Line& line) {
  if (!scan.blanks()) return false;
  const std::string_view body = scan.rest();
  if (body.empty()) return false;
  if (is_request(body) || trim(body) == kStack) {
    line.name = is_request(body) ? "blk" : "kernel_stack";
    line.details = trim(body);
    return true;
  }
  if (parse_call(body, line) || parse_tasks(body, line)) return true;
  const size_t end = body.find_first_of(": \t");
  if (end == 0 || end == std::string_view::npos) return false;
  if (body[end] == ':') {
    line.name = body.substr(0, end);
    line.details = trim(body.substr(end + 1));
    return true;
  }
  // Parses "work+0x10/0x20 [module]: text".
  constexpr std::string_view kModuleEnd = "]: ";
  if (const size_t close = body.find(kModuleEnd, end);
      close != std::string_view::npos && body[end + 1] == '[' &&
      body.find(' ', end + 1) == close + kModuleEnd.size() - 1) {
    line.name = body.substr(0, close + 1);
    line.details = trim(body.substr(close + kModuleEnd.size()));
    return true;
  }
  if (body.find(" <-", end) == std::string_view::npos) return false;
  line.details = trim(body);
  return true;
}

// Parses the layout of latency tracers: "0dNs3    8us+: _raw_spin_lock", microseconds since the
// recording began; and of trace-cmd report -l: "0d..3  5.000001: sched_switch: ...".
bool parse_latency(Scanner& scan, Line& line) {
  constexpr size_t kFewestFlags = 3;
  constexpr int64_t kNsPerUs = 1000;
  int64_t cpu = 0, us = 0;
  if (!scan.id(cpu) || cpu > kMostCpu) return false;
  const std::string_view flags = scan.word();
  if (flags.size() < kFewestFlags || flags.size() > kMostFlags || is_digit(flags.front()))
    return false;
  for (const char c : flags)
    if (!is_flag(c)) return false;
  scan.blanks();
  line.cpu = static_cast<uint32_t>(cpu);
  line.flags = flags;
  if (Scanner rest = scan; parse_time(rest.word(), line)) return parse_body(rest, line);
  if (!scan.id(us) || !scan.take('u') || !scan.take('s')) return false;
  if (kDelayMarks.find(scan.peek()) != std::string_view::npos) scan.take(scan.peek());
  scan.blanks();
  if (!scan.take(':')) return false;
  line.is_count = true;  // ticks of a clock that no other file has
  line.ns = us * kNsPerUs;
  if (parse_body(scan, line)) return true;
  line.details = trim(scan.rest());  // a function without a caller
  return !line.details.empty() && line.details.find_first_of(" \t") == std::string_view::npos;
}

// Parses the text after the '-' that ends the task's name.
bool parse_after_task(Scanner scan, size_t flag_width, Line& line) {
  line.tgid = kNoId;
  line.flags = {};
  line.name = {};
  line.touches = false;
  if (!scan.id(line.tid) || !scan.blanks()) return false;
  if (is_digit(scan.peek())) return parse_latency(scan, line);
  return parse_tgid(scan, line.tid, line.tgid) && parse_cpu(scan, line.cpu) &&
         parse_flags_and_time(scan, flag_width, line) && parse_body(scan, line);
}

}  // namespace

std::optional<Line> parse_line(std::string_view text, size_t flag_width) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  Line line;
  // The name may contain '-' and digits: the first '-' after which the rest matches applies.
  for (const char* at = begin; at != end;) {
    const void* const found = std::memchr(at, '-', static_cast<size_t>(end - at));
    if (found == nullptr) return std::nullopt;
    const char* const dash = static_cast<const char*>(found);
    at = dash + 1;
    if (at == end || !is_digit(*at)) continue;
    if (!parse_after_task(Scanner(at, end), flag_width, line)) continue;
    line.task = trim(text.substr(0, static_cast<size_t>(dash - begin)));
    return line;
  }
  return std::nullopt;
}

}  // namespace tracebraid::systrace
