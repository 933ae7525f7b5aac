#include "format/strace/line.h"

#include <algorithm>

#include "base/words.h"

namespace tracebraid::strace {
namespace {

constexpr std::string_view kUnfinished = "<unfinished ...>";
constexpr std::string_view kPid = "[pid ";

std::optional<int64_t> number(std::string_view text) {
  return !text.empty() && is_digit(text[0]) ? parse_decimal(text) : std::nullopt;
}

// Parses seconds with up to nine decimals. Returns ns.
std::optional<int64_t> nanoseconds(std::string_view text) {
  return !text.empty() && is_digit(text[0]) ? parse_billionths(text) : std::nullopt;
}

// Parses "14:32:01" or "14:32:01.250000". Returns ns since midnight.
std::optional<int64_t> time_of_day(std::string_view text) {
  constexpr size_t kSeconds = 6;                                 // offset of the seconds
  constexpr int64_t kSecond = 1'000'000'000, kMostSeconds = 60;  // includes a leap second
  if (text.size() < kSeconds + 2 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto hours = number(text.substr(0, 2)), minutes = number(text.substr(3, 2));
  const auto rest = nanoseconds(text.substr(kSeconds));
  if (!hours || !minutes || !rest || *hours > 23 || *minutes > 59) return std::nullopt;
  if (*rest >= (kMostSeconds + 1) * kSecond) return std::nullopt;
  return (*hours * 60 + *minutes) * 60 * kSecond + *rest;
}

bool is_name(std::string_view text) {
  for (const char c : text)
    if (!is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_' && c != '?')
      return false;  // strace prints ???? for a call that it did not see
  return !text.empty();
}

// Removes " <0.000123>" at the end.
void take_duration(std::string_view& text, Line& line) {
  if (!text.ends_with('>')) return;
  const size_t open = text.rfind(" <");
  if (open == std::string_view::npos) return;
  const std::optional<int64_t> ns = nanoseconds(text.substr(open + 2, text.size() - open - 3));
  if (!ns) return;
  line.duration_ns = ns;
  text = trim(text.substr(0, open));
}

// Removes the mark of a call in which its thread was killed: "read(0,  <unfinished ...>) = ?".
void drop_unfinished(Line& line) {
  if (line.args.ends_with(kUnfinished))
    line.args = trim(line.args.substr(0, line.args.size() - kUnfinished.size()));
}

// Parses "args) = result": the first ")" that blanks and "=" follow ends the args.
bool parse_end(std::string_view text, Line& line) {
  for (size_t at = text.find(')'); at != std::string_view::npos; at = text.find(')', at + 1)) {
    const size_t equals = text.find_first_not_of(' ', at + 1);
    if (equals == std::string_view::npos || equals == at + 1 || text[equals] != '=') continue;
    line.args = trim(text.substr(0, at));
    line.result = trim(text.substr(equals + 1));
    drop_unfinished(line);
    return true;
  }
  return false;
}

// Returns the args of a call before it was interrupted: "3, " lacks the rest.
std::string_view args_so_far(std::string_view text) {
  text = trim(text);
  if (text.ends_with(',')) text.remove_suffix(1);
  return trim(text);
}

bool parse_call(std::string_view text, Line& line) {
  constexpr std::string_view kResumed = " resumed>";
  // The line of a call for whose end strace did not wait.
  constexpr std::string_view kDetached = "<detached ...>";
  text = trim(text);
  if (text.starts_with("--- ") || text.starts_with("+++ ")) {
    line.kind = text[0] == '-' ? Line::Kind::Signal : Line::Kind::Exit;
    text.remove_prefix(4);
    line.name = text.substr(0, text.find(' '));
    return true;
  }
  take_duration(text, line);
  const bool is_unfinished = text.ends_with(kUnfinished) || text.ends_with(kDetached);
  if (is_unfinished) text = trim(text.substr(0, text.rfind('<')));
  if (text.starts_with("<... ")) {
    const size_t end = text.find(kResumed);
    if (end == std::string_view::npos) return false;
    line.name = text.substr(5, end - 5);
    text.remove_prefix(end + kResumed.size());
    line.kind = is_unfinished ? Line::Kind::ResumedUnfinished : Line::Kind::Resumed;
    if (is_unfinished) line.args = args_so_far(text);
    return is_name(line.name) && (is_unfinished || parse_end(text, line));
  }
  const size_t open = text.find('(');
  if (open == std::string_view::npos || !is_name(text.substr(0, open))) return false;
  line.name = text.substr(0, open);
  text.remove_prefix(open + 1);
  if (!is_unfinished) return parse_end(text, line);
  if (parse_end(text, line) && line.result == "?") return true;  // the call never returns
  line.kind = Line::Kind::Unfinished;
  line.result = {};
  line.args = args_so_far(text);
  return true;
}

// Parses option -Y: "1234<bash>"; names may contain blanks. `word` is the first word, `rest` the
// following text.
bool take_comm(std::string_view word, std::string_view& rest, Line& line) {
  const size_t open = word.find('<');
  if (open == std::string_view::npos || open == 0) return false;
  const std::optional<int64_t> tid = number(word.substr(0, open));
  const std::string_view from(word.data() + open + 1, word.size() + rest.size() - open - 1);
  const size_t close = from.find("> ");
  if (!tid || close == std::string_view::npos) return false;
  line.tid = tid;
  line.comm = from.substr(0, close);
  rest = from.substr(close + 1);
  return true;
}

// Skips options -n and -i: "[ 257] ", "[00007f1234567890] ".
void skip_numbers(std::string_view& text) {
  for (int i = 0; i < 2 && text.starts_with('['); ++i) {
    const size_t close = text.find(']');
    if (close == std::string_view::npos) return;
    const std::string_view inside = trim(text.substr(1, close - 1));
    if (inside.find_first_not_of("0123456789abcdef?") != std::string_view::npos) return;
    text = trim(text.substr(close + 1));
  }
}

// Parses "[pid 1234] ", or with option -Y "[pid 1234<bash>] ".
bool take_pid(std::string_view& rest, Line& line) {
  constexpr std::string_view kNamed = ">]";
  std::string_view inside = rest.substr(kPid.size());
  const size_t open = inside.find_first_of("<]");
  if (open == std::string_view::npos) return false;
  line.tid = number(trim(inside.substr(0, open)));
  line.is_on_terminal = true;
  size_t end = open + 1;
  if (inside[open] == '<') {
    const size_t close = inside.find(kNamed, open);
    if (close == std::string_view::npos) return false;
    line.comm = inside.substr(open + 1, close - open - 1);
    end = close + kNamed.size();
  }
  rest = inside.substr(end);
  return line.tid.has_value();
}

}  // namespace

std::optional<Line> parse_line(std::string_view text) {
  constexpr size_t kMostPidDigits = 9;
  Line line;
  std::string_view rest = text;
  if (rest.starts_with(kPid) && !take_pid(rest, line)) return std::nullopt;
  std::string_view word = take_word(rest);
  if (!line.tid && take_comm(word, rest, line)) {
    word = take_word(rest);
  } else if (!line.tid && word.size() <= kMostPidDigits &&
             word.find('.') == std::string_view::npos && number(word)) {
    line.tid = number(word);
    word = take_word(rest);
  }
  std::optional<int64_t> ns = nanoseconds(word);
  if (!ns) {
    ns = time_of_day(word);
    line.is_of_day = true;
  }
  if (!ns) return std::nullopt;
  line.ns = *ns;
  // Options -ttt and -r together print the time since the line before, too.
  rest = trim(rest);
  if (rest.starts_with("(+"))
    rest.remove_prefix(std::min(rest.size(), std::min(rest.find(')'), rest.size() - 1) + 1));
  skip_numbers(rest);
  if (!parse_call(rest, line)) return std::nullopt;
  return line;
}

std::optional<int64_t> attached(std::string_view text) {
  constexpr std::string_view kStrace = "strace: ", kProcess = "Process ", kAttached = " attached";
  if (text.starts_with(kStrace)) text.remove_prefix(kStrace.size());
  if (!text.starts_with(kProcess) || !text.ends_with(kAttached)) return std::nullopt;
  text.remove_prefix(kProcess.size());
  return number(text.substr(0, text.size() - kAttached.size()));
}

bool is_notice(std::string_view text) {
  if (text.ends_with(" mode. ]") && text.find("[ Process PID=") != std::string_view::npos)
    return true;
  return text.starts_with("strace: ") || text.starts_with(" > ") ||
         (text.starts_with("Process ") &&
          (text.ends_with(" attached") || text.ends_with(" detached")));
}

bool is_timeless(std::string_view text) {
  Line line;
  return parse_call(text, line) && line.kind == Line::Kind::Call;
}

}  // namespace tracebraid::strace
