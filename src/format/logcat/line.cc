#include "format/logcat/line.h"

#include <charconv>

#include "base/calendar.h"

namespace tracebraid::logcat {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// 'd' in the pattern stands for a digit.
bool fits(std::string_view text, std::string_view pattern) {
  if (text.size() != pattern.size()) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (pattern[i] == 'd' ? !is_digit(text[i]) : text[i] != pattern[i]) return false;
  return true;
}

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Takes the next word and the blanks before it.
std::string_view take_word(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

// ".250" and more digits, up to nine.
std::optional<int64_t> fraction(std::string_view text) {
  constexpr size_t kMost = 9;
  if (text.size() < 2 || text.size() > kMost + 1 || text[0] != '.') return std::nullopt;
  int64_t value = 0;
  for (const char c : text.substr(1)) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  for (size_t i = text.size() - 1; i < kMost; ++i) value *= 10;
  return value;
}

// "MM-DD" or "YYYY-MM-DD", then "HH:MM:SS.mmm".
bool parse_time(std::string_view date, std::string_view time, Line& line) {
  constexpr size_t kClock = 8, kYear = 5;  // "HH:MM:SS", "YYYY-"
  line.has_year = fits(date, "dddd-dd-dd");
  if (!line.has_year && !fits(date, "dd-dd")) return false;
  const int64_t year = line.has_year ? *number(date.substr(0, 4)) : kLeapYear;
  if (line.has_year) date.remove_prefix(kYear);
  if (time.size() <= kClock || !fits(time.substr(0, kClock), "dd:dd:dd")) return false;
  const std::optional<int64_t> part = fraction(time.substr(kClock));
  const int64_t month = *number(date.substr(0, 2)), day = *number(date.substr(3, 2));
  const int64_t hour = *number(time.substr(0, 2)), minute = *number(time.substr(3, 2));
  const int64_t second = *number(time.substr(6, 2));
  const std::optional<int64_t> days = days_of(year, month, day);
  if (!part || !days || hour > 23 || minute > 59 || second > 60) return false;
  const int64_t seconds = *days * 86400 + hour * 3600 + minute * 60 + second;
  return !__builtin_mul_overflow(seconds, kSecond, &line.ns) &&
         !__builtin_add_overflow(line.ns, *part, &line.ns);
}

// "1700000001.250"
bool parse_epoch(std::string_view word, Line& line) {
  const size_t point = word.find('.');
  if (point == 0 || point == std::string_view::npos) return false;
  const std::optional<int64_t> seconds = number(word.substr(0, point));
  const std::optional<int64_t> part = fraction(word.substr(point));
  if (!seconds || !part || *seconds < 0) return false;
  line.has_year = line.is_utc = true;
  return !__builtin_mul_overflow(*seconds, kSecond, &line.ns) &&
         !__builtin_add_overflow(line.ns, *part, &line.ns);
}

// "+0100": the time stands that much ahead of UTC.
bool take_zone(std::string_view& rest, Line& line) {
  std::string_view after = rest;
  const std::string_view zone = take_word(after);
  if (!fits(zone, "+dddd") && !fits(zone, "-dddd")) return true;
  const int64_t minutes = *number(zone.substr(1, 2)) * 60 + *number(zone.substr(3, 2));
  const int64_t ahead = (zone[0] == '-' ? -minutes : minutes) * 60 * kSecond;
  rest = after;
  line.is_utc = true;
  return !__builtin_sub_overflow(line.ns, ahead, &line.ns);
}

int64_t priority_of(std::string_view letter) {
  constexpr std::string_view kLetters = "VDIWEFS";
  constexpr int64_t kVerbose = 2;
  if (letter.size() != 1) return -1;
  if (letter == "A") return kVerbose + 5;  // as F
  const size_t at = kLetters.find(letter[0]);
  return at == std::string_view::npos ? -1 : kVerbose + static_cast<int64_t>(at);
}

// "I/Tag( 100): message"
bool parse_brief(std::string_view text, Line& line) {
  text = trim(text);
  if (text.size() < 3 || text[1] != '/') return false;
  line.priority = priority_of(text.substr(0, 1));
  const size_t close = text.find("): "),
               end = close == std::string_view::npos && text.ends_with("):") ? text.size() - 2
                                                                             : close;
  if (line.priority < 0 || end == std::string_view::npos) return false;
  const size_t open = text.rfind('(', end);
  if (open == std::string_view::npos || open < 2) return false;
  const std::optional<int64_t> pid = number(trim(text.substr(open + 1, end - open - 1)));
  if (!pid) return false;
  line.pid = line.tid = *pid;
  line.tag = trim(text.substr(2, open - 2));
  line.message = text.substr(std::min(text.size(), end + 3));
  return true;
}

// "[UID] PID TID LEVEL TAG     : message"
bool parse_threadtime(std::string_view text, Line& line) {
  std::string_view words[4];
  for (std::string_view& word : words) word = take_word(text);
  size_t level = 2;
  if (priority_of(words[2]) < 0) {
    level = 3;  // a word for the user stands before
    if (priority_of(words[3]) < 0) return false;
    line.uid = number(words[0]).value_or(-1);
  } else {
    text = {words[3].data(), words[3].size() + text.size()};
  }
  const std::optional<int64_t> pid = number(words[level - 2]), tid = number(words[level - 1]);
  if (!pid || !tid) return false;
  line.pid = *pid;
  line.tid = *tid;
  line.priority = priority_of(words[level]);
  size_t colon = text.find(": ");
  if (colon == std::string_view::npos && text.ends_with(':')) colon = text.size() - 1;
  if (colon == std::string_view::npos) return false;
  line.tag = trim(text.substr(0, colon));
  line.message = text.substr(std::min(text.size(), colon + 2));
  return true;
}

}  // namespace

std::optional<Line> parse_line(std::string_view text) {
  Line line;
  std::string_view rest = text;
  const std::string_view first = take_word(rest);
  if (!parse_epoch(first, line)) {
    const std::string_view time = take_word(rest);
    if (!parse_time(first, time, line) || !take_zone(rest, line)) return std::nullopt;
  }
  if (!parse_brief(rest, line) && !parse_threadtime(rest, line)) return std::nullopt;
  return line;
}

bool is_divider(std::string_view text) { return text.starts_with("--------"); }

}  // namespace tracebraid::logcat
