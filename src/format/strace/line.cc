#include "format/strace/line.h"

#include <algorithm>

#include "base/words.h"

namespace tracebraid::strace {
namespace {

std::optional<int64_t> number(std::string_view text) {
  return !text.empty() && is_digit(text[0]) ? parse_decimal(text) : std::nullopt;
}

// Seconds with up to nine decimals, as ns.
std::optional<int64_t> nanoseconds(std::string_view text) {
  return !text.empty() && is_digit(text[0]) ? parse_billionths(text) : std::nullopt;
}

bool is_name(std::string_view text) {
  for (const char c : text)
    if (!is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_')
      return false;
  return !text.empty();
}

// " <0.000123>" at the end.
void take_duration(std::string_view& text, Line& line) {
  if (!text.ends_with('>')) return;
  const size_t open = text.rfind(" <");
  if (open == std::string_view::npos) return;
  const std::optional<int64_t> ns = nanoseconds(text.substr(open + 2, text.size() - open - 3));
  if (!ns) return;
  line.duration_ns = ns;
  text = trim(text.substr(0, open));
}

// "args) = result": the last ") =" ends the args.
bool parse_end(std::string_view text, Line& line) {
  for (size_t at = text.rfind(" = "); at != std::string_view::npos && at > 0;
       at = text.rfind(" = ", at - 1)) {
    const std::string_view before = trim(text.substr(0, at));
    if (!before.ends_with(')')) continue;
    line.args = trim(before.substr(0, before.size() - 1));
    line.result = trim(text.substr(at + 3));
    return true;
  }
  return false;
}

bool parse_call(std::string_view text, Line& line) {
  constexpr std::string_view kUnfinished = "<unfinished ...>", kResumed = " resumed>";
  text = trim(text);
  if (text.starts_with("--- ") || text.starts_with("+++ ")) {
    line.kind = text[0] == '-' ? Line::Kind::Signal : Line::Kind::Exit;
    text.remove_prefix(4);
    line.name = text.substr(0, text.find(' '));
    return true;
  }
  take_duration(text, line);
  const bool is_unfinished = text.ends_with(kUnfinished);
  if (is_unfinished) text = trim(text.substr(0, text.size() - kUnfinished.size()));
  if (text.starts_with("<... ")) {
    const size_t end = text.find(kResumed);
    if (end == std::string_view::npos) return false;
    line.name = text.substr(5, end - 5);
    text.remove_prefix(end + kResumed.size());
    line.kind = is_unfinished ? Line::Kind::ResumedUnfinished : Line::Kind::Resumed;
    if (is_unfinished) line.args = trim(text);
    return is_name(line.name) && (is_unfinished || parse_end(text, line));
  }
  const size_t open = text.find('(');
  if (open == std::string_view::npos || !is_name(text.substr(0, open))) return false;
  line.name = text.substr(0, open);
  text.remove_prefix(open + 1);
  if (!is_unfinished) return parse_end(text, line);
  line.kind = Line::Kind::Unfinished;
  line.args = trim(text);
  return true;
}

}  // namespace

std::optional<Line> parse_line(std::string_view text) {
  constexpr std::string_view kPid = "[pid ";
  constexpr size_t kMostPidDigits = 9;
  Line line;
  std::string_view rest = text;
  if (rest.starts_with(kPid)) {
    const size_t close = rest.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    line.tid = number(trim(rest.substr(kPid.size(), close - kPid.size())));
    if (!line.tid) return std::nullopt;
    rest.remove_prefix(close + 1);
  }
  std::string_view word = take_word(rest);
  const bool is_pid = !line.tid && word.size() <= kMostPidDigits &&
                      word.find('.') == std::string_view::npos && number(word);
  if (is_pid) {
    line.tid = number(word);
    word = take_word(rest);
  }
  const std::optional<int64_t> ns = nanoseconds(word);
  if (!ns) return std::nullopt;
  line.ns = *ns;
  // Options -ttt and -r together: what passed since the line before stands besides.
  rest = trim(rest);
  if (rest.starts_with("(+"))
    rest.remove_prefix(std::min(rest.size(), std::min(rest.find(')'), rest.size() - 1) + 1));
  if (!parse_call(rest, line)) return std::nullopt;
  return line;
}

}  // namespace tracebraid::strace
