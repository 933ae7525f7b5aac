#include "format/common/logcat_line.h"

#include "base/calendar.h"
#include "base/hex.h"
#include "base/words.h"

namespace tracebraid::android_logcat {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Parses a thread id. Before 2012 it was hexadecimal.
std::optional<int64_t> parse_thread(std::string_view text) {
  const std::optional<std::string_view> digits = digits_after_0x(text);
  if (!digits) return parse_decimal(text);
  const std::optional<uint64_t> hex = parse_hex(*digits);
  if (!hex || *hex > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(*hex);
}

// Matches `text` against `pattern`, in which 'd' stands for a digit.
bool fits(std::string_view text, std::string_view pattern) {
  if (text.size() != pattern.size()) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (pattern[i] == 'd' ? !is_digit(text[i]) : text[i] != pattern[i]) return false;
  return true;
}

// Parses "MM-DD" or "YYYY-MM-DD", and "HH:MM:SS.mmm".
bool parse_time(std::string_view date, std::string_view time, Line& line) {
  constexpr size_t kClock = 8, kYear = 5;  // "HH:MM:SS", "YYYY-"
  line.has_year = fits(date, "dddd-dd-dd");
  if (!line.has_year && !fits(date, "dd-dd")) return false;
  const int64_t year = line.has_year ? *parse_decimal(date.substr(0, 4)) : kLeapYear;
  if (line.has_year) date.remove_prefix(kYear);
  if (time.size() <= kClock || time[kClock] != '.' || !fits(time.substr(0, kClock), "dd:dd:dd"))
    return false;
  const int64_t month = *parse_decimal(date.substr(0, 2)), day = *parse_decimal(date.substr(3, 2));
  const int64_t hour = *parse_decimal(time.substr(0, 2));
  const int64_t minute = *parse_decimal(time.substr(3, 2));
  const std::optional<int64_t> second_ns = parse_billionths(time.substr(6));
  const std::optional<int64_t> days = days_of(year, month, day);
  if (!second_ns || !days || hour > 23 || minute > 59 || *second_ns >= 61 * kSecond) return false;
  const int64_t minutes = (*days * 24 + hour) * 60 + minute;
  return !__builtin_mul_overflow(minutes, 60 * kSecond, &line.ns) &&
         !__builtin_add_overflow(line.ns, *second_ns, &line.ns);
}

// Parses "1700000001.250", or seconds since the machine started, because no machine started before
// 1973.
bool parse_epoch(std::string_view word, Line& line) {
  if (word.empty() || !is_digit(word[0]) || word.find('.') == std::string_view::npos) return false;
  const std::optional<int64_t> ns = parse_billionths(word);
  if (!ns) return false;
  constexpr int64_t kYear1973 = 100'000'000 * kSecond;
  line.has_year = line.is_utc = true;
  line.is_monotonic = *ns < kYear1973;
  line.ns = *ns;
  return true;
}

// Parses "+0100": the time is this far ahead of UTC.
bool take_zone(std::string_view& rest, Line& line) {
  std::string_view after = rest;
  const std::string_view zone = take_word(after);
  if (!fits(zone, "+dddd") && !fits(zone, "-dddd")) return true;
  const int64_t minutes =
      *parse_decimal(zone.substr(1, 2)) * 60 + *parse_decimal(zone.substr(3, 2));
  const int64_t ahead = (zone[0] == '-' ? -minutes : minutes) * 60 * kSecond;
  rest = after;
  line.is_utc = true;
  line.ahead_ns = ahead;
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

// Parses "I/Tag( 100): message", or with the user before the process: "I/Tag( root: 100): message".
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
  std::string_view ids = text.substr(open + 1, end - open - 1);
  if (const size_t colon = ids.rfind(':'); colon != std::string_view::npos) {
    line.uid = parse_decimal(trim(ids.substr(0, colon))).value_or(-1);
    ids.remove_prefix(colon + 1);
  }
  const std::optional<int64_t> pid = parse_decimal(trim(ids));
  if (!pid) return false;
  line.pid = line.tid = *pid;
  line.tag = trim(text.substr(2, open - 2));
  line.message = text.substr(std::min(text.size(), end + 3));
  return true;
}

// Parses "[UID] PID TID LEVEL TAG     : message".
bool parse_threadtime(std::string_view text, Line& line) {
  std::string_view words[4];
  for (std::string_view& word : words) word = take_word(text);
  size_t level = 2;
  if (priority_of(words[2]) < 0) {
    level = 3;  // a word for the user precedes the pid
    if (priority_of(words[3]) < 0) return false;
    line.uid = parse_decimal(words[0]).value_or(-1);
  } else {
    text = {words[3].data(), words[3].size() + text.size()};
  }
  const std::optional<int64_t> pid = parse_decimal(words[level - 2]),
                               tid = parse_decimal(words[level - 1]);
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

// Parses text of Android Studio: "1234-1235/com.example I/Tag: message", and since 2022 "1234-1235
// Tag com.example  I  message".
bool parse_studio(std::string_view text, Line& line) {
  const std::string_view ids = take_word(text);
  const size_t dash = ids.find('-'), slash = std::min(ids.find('/'), ids.size());
  if (dash == std::string_view::npos || dash > slash) return false;
  const std::optional<int64_t> pid = parse_decimal(ids.substr(0, dash)),
                               tid = parse_decimal(ids.substr(dash + 1, slash - dash - 1));
  if (!pid || !tid) return false;
  line.pid = *pid;
  line.tid = *tid;
  text = trim(text);
  if (slash < ids.size()) {
    const size_t colon = text.find(": ");
    if (text.size() < 3 || text[1] != '/' || colon == std::string_view::npos) return false;
    line.priority = priority_of(text.substr(0, 1));
    line.tag = trim(text.substr(2, colon - 2));
    line.message = text.substr(colon + 2);
    return line.priority >= 0;
  }
  const char* const begin = text.data();
  std::string_view process;  // the word before the level; the tag precedes it
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    line.priority = priority_of(word);
    if (line.priority >= 0 && !process.empty() && process.data() != begin) {
      line.tag = trim({begin, static_cast<size_t>(process.data() - begin)});
      line.message = trim(text);
      return true;
    }
    process = word;
  }
  return false;
}

// Matches "I(  100:  101) message", "I(  100) message  (Tag)" and "I/Tag     : message".
bool is_thread_process_or_tag(std::string_view text) {
  if (text.size() < 3 || priority_of(text.substr(0, 1)) < 0) return false;
  const size_t colon = text.find(':');
  if (text[1] == '/')
    return colon != std::string_view::npos && text.substr(colon).starts_with(": ") &&
           text.substr(0, colon).find('(') == std::string_view::npos;
  const size_t close = text.find(')');
  if (text[1] != '(' || close == std::string_view::npos) return false;
  const std::string_view ids = text.substr(2, close - 2);
  if (colon > close) return parse_decimal(trim(ids)) && text.ends_with(')');
  return parse_decimal(trim(ids.substr(0, colon - 2))) &&
         parse_decimal(trim(ids.substr(colon - 1)));
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
  if (!parse_brief(rest, line) && !parse_threadtime(rest, line) && !parse_studio(rest, line))
    return std::nullopt;
  return line;
}

std::optional<Line> parse_long_head(std::string_view text) {
  text = trim(text);
  if (!text.starts_with("[ ") || !text.ends_with(" ]")) return std::nullopt;
  std::string_view rest = trim(text.substr(1, text.size() - 2));
  Line line;
  const std::string_view first = take_word(rest);
  if (!parse_epoch(first, line)) {
    const std::string_view time = take_word(rest);
    if (!parse_time(first, time, line) || !take_zone(rest, line)) return std::nullopt;
  }
  // Expects "[UID:] PID: TID P/Tag"; blanks after a colon are padding.
  const size_t slash = rest.find('/');
  if (slash == std::string_view::npos || slash == 0) return std::nullopt;
  line.priority = priority_of(rest.substr(slash - 1, 1));
  line.tag = trim(rest.substr(slash + 1));
  std::string_view ids = trim(rest.substr(0, slash - 1));
  const size_t colon = ids.rfind(':');
  if (line.priority < 0 || colon == std::string_view::npos) return std::nullopt;
  const std::optional<int64_t> tid = parse_thread(trim(ids.substr(colon + 1)));
  ids = ids.substr(0, colon);
  const size_t before = ids.rfind(':');
  const std::optional<int64_t> pid =
      parse_decimal(trim(before == std::string_view::npos ? ids : ids.substr(before + 1)));
  if (!tid || !pid) return std::nullopt;
  if (before != std::string_view::npos)
    line.uid = parse_decimal(trim(ids.substr(0, before))).value_or(-1);
  line.pid = *pid;
  line.tid = *tid;
  return line;
}

bool is_timeless(std::string_view text) {
  Line line;
  return parse_brief(text, line) || is_thread_process_or_tag(text);
}

std::string_view without_colours(std::string_view text) {
  constexpr std::string_view kBegin = "\x1b[", kEnd = "\x1b[0m";
  while (text.starts_with(kBegin)) {
    const size_t end = text.find('m');
    if (end == std::string_view::npos) return text;
    text.remove_prefix(end + 1);
  }
  while (text.ends_with(kEnd)) text.remove_suffix(kEnd.size());
  return text;
}

bool is_divider(std::string_view text) { return text.starts_with("--------"); }

}  // namespace tracebraid::android_logcat
