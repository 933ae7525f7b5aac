#include "report/units.h"

#include <fmt/format.h>

#include <chrono>

namespace tracebraid {
namespace {

// Returns value / unit with at most three decimals, truncated, without trailing zeros: 1500 / 1000
// is "1.5".
std::string decimal(uint64_t value, uint64_t unit, int width = 1) {
  const uint64_t thousandths =
      unit >= 1000 ? value % unit / (unit / 1000) : value % unit * 1000 / unit;
  std::string text = fmt::format("{:0{}}.{:03}", value / unit, width, thousandths);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string magnitude_text(uint64_t ns) {
  constexpr uint64_t kMicro = 1000, kMilli = 1000 * kMicro, kSecond = 1000 * kMilli;
  constexpr uint64_t kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
  if (ns == 0) return "0";
  if (ns < kMicro) return fmt::format("{} ns", ns);
  if (ns < kMilli) return decimal(ns, kMicro) + " us";
  if (ns < kSecond) return decimal(ns, kMilli) + " ms";
  if (ns < kMinute) return decimal(ns, kSecond) + " s";
  const std::string seconds = decimal(ns % kMinute, kSecond, 2);
  if (ns < kHour) return fmt::format("{}m{}s", ns / kMinute, seconds);
  const uint64_t minutes = ns % kHour / kMinute;
  if (ns < kDay) return fmt::format("{}h{:02}m{}s", ns / kHour, minutes, seconds);
  return fmt::format("{}d{:02}h{:02}m", ns / kDay, ns % kDay / kHour, minutes);
}

// Returns the absolute value, also of the smallest int64.
uint64_t magnitude(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return value < 0 ? ~bits + 1 : bits;
}

}  // namespace

std::string count_text(int64_t count) {
  std::string digits = fmt::format("{}", magnitude(count));
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return count < 0 ? "-" + digits : digits;
}

std::string counted(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

std::string bytes_text(uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  uint64_t unit = 1;
  size_t power = 0;
  for (; bytes / unit >= 1000; unit *= 1000) ++power;
  const uint64_t whole = bytes / unit;
  if (power == 0 || whole >= 100) return fmt::format("{} {}", whole, kUnits[power]);
  return fmt::format("{}.{} {}", whole, bytes % unit / (unit / 10), kUnits[power]);
}

std::string span_text(int64_t ns) { return (ns < 0 ? "-" : "") + magnitude_text(magnitude(ns)); }

std::string offset_text(int64_t ns) { return (ns > 0 ? "+" : "") + span_text(ns); }

std::string utc_text(int64_t unix_ns) {
  using namespace std::chrono;
  // Avoids the product of days and ns, which overflows at the ends of the range.
  constexpr int64_t kDay = nanoseconds(days(1)).count();
  const bool before_midnight = unix_ns % kDay < 0;
  const year_month_day date(
      sys_days(days(static_cast<int>(unix_ns / kDay - (before_midnight ? 1 : 0)))));
  const hh_mm_ss<nanoseconds> time(nanoseconds(unix_ns % kDay + (before_midnight ? kDay : 0)));
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     duration_cast<milliseconds>(time.subseconds()).count());
}

}  // namespace tracebraid
