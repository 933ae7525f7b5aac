#include "container/bugreport.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tracebraid {
namespace {

// Matches `text` against `pattern`, in which 'd' stands for a digit.
bool fits(std::string_view text, std::string_view pattern) {
  return text.size() == pattern.size() && std::ranges::equal(text, pattern, [](char c, char p) {
           return p == 'd' ? c >= '0' && c <= '9' : c == p;
         });
}

int number(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// Parses "11-14 22:13:20.500 ...", with or without a year before it.
std::string line_time(std::string_view line, const BugreportTime& report) {
  constexpr std::string_view kTime = "dd-dd dd:dd:dd.ddd";
  constexpr std::string_view kYear = "dddd-";
  const bool has_year = fits(line.substr(0, kYear.size()), kYear);
  const int named_year = has_year ? number(line.substr(0, 4)) : 0;
  if (has_year) line.remove_prefix(kYear.size());
  const std::string_view time = line.substr(0, kTime.size());
  if (!fits(time, kTime)) return {};
  // A day later in the year than that of the report belongs to the year before.
  const bool last_year = time.substr(0, 5) > report.month_day;
  const int year = has_year ? named_year : report.year - (last_year ? 1 : 0);
  return fmt::format("{:04} {}", year, time);
}

}  // namespace

std::optional<BugreportTime> parse_bugreport_name(std::string_view name) {
  constexpr std::string_view kPrefix = "bugreport-";
  constexpr std::string_view kEnd = "dddd-dd-dd-dd-dd-dd.txt";
  if (!name.starts_with(kPrefix) || name.size() < kPrefix.size() + kEnd.size()) return std::nullopt;
  const std::string_view end = name.substr(name.size() - kEnd.size());
  if (!fits(end, kEnd)) return std::nullopt;
  return BugreportTime{number(end.substr(0, 4)), std::string(end.substr(5, 5))};
}

bool is_bugreport_log(std::string_view name) {
  return name.starts_with("FS/data/misc/logd/logcat") && !name.ends_with("logcat.id");
}

std::string bugreport_log_start(std::string_view head, const BugreportTime& report) {
  while (!head.empty()) {
    const size_t end = std::min(head.find('\n'), head.size());
    if (std::string time = line_time(head.substr(0, end), report); !time.empty()) return time;
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  return {};
}

}  // namespace tracebraid
