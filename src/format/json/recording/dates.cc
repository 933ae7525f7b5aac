#include "format/json/recording/dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "base/iso_time.h"

namespace tracebraid::json {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct Date {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
};

// A negative or too long number would not be valid in ISO 8601.
std::optional<int64_t> utc_of(const Date& date) {
  return parse_iso_time(fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", date.year, date.month,
                                    date.day, date.hour, date.minute, date.second));
}

// Parses numbers without leading zeros.
std::optional<int64_t> plain_date(const std::string& text) {
  Date date;
  int end = -1;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d %2d:%2d:%2d%n", &date.year, &date.month, &date.day,
                  &date.hour, &date.minute, &date.second, &end) != 6)
    return std::nullopt;
  return static_cast<size_t>(end) == text.size() ? utc_of(date) : std::nullopt;
}

// Parses the format of java.util.Date.
std::optional<int64_t> java_date(const std::string& text) {
  Date date;
  std::array<char, 4> weekday{}, month{}, zone{};
  int end = -1;
  if (std::sscanf(text.c_str(), "%3s %3s %2d %2d:%2d:%2d %3s %4d%n", weekday.data(), month.data(),
                  &date.day, &date.hour, &date.minute, &date.second, zone.data(), &date.year,
                  &end) != 8)
    return std::nullopt;
  const std::string_view zone_name(zone.data());
  const auto at = std::ranges::find(kMonths, std::string_view(month.data()));
  const bool is_utc = zone_name == "UTC" || zone_name == "GMT";
  if (at == kMonths.end() || !is_utc || static_cast<size_t>(end) != text.size())
    return std::nullopt;
  date.month = static_cast<int>(at - kMonths.begin()) + 1;
  return utc_of(date);
}

}  // namespace

std::optional<int64_t> date_of(std::string_view text) {
  constexpr size_t kLongest = 40;
  if (text.size() > kLongest) return std::nullopt;
  if (const std::optional<int64_t> iso = parse_iso_time(text)) return iso;
  const std::string terminated(text);
  if (const std::optional<int64_t> plain = plain_date(terminated)) return plain;
  return java_date(terminated);
}

}  // namespace tracebraid::json
