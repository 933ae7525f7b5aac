#include "base/iso_time.h"

#include <fmt/format.h>

#include <chrono>

#include "base/calendar.h"
#include "base/words.h"

namespace tracebraid {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Takes fields off the front of the text. The first missing field makes the result invalid.
class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}

  // Takes exactly `digits` digits with a value in [low, high].
  int number(size_t digits, int low, int high) {
    int value = 0;
    for (size_t i = 0; i < digits; ++i) {
      if (i >= text_.size() || !is_digit(text_[i])) return fail(low);
      value = value * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(digits);
    return value < low || value > high ? fail(low) : value;
  }
  void literal(char c) {
    if (!skip(c)) fail(0);
  }
  bool skip(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Takes decimals of a second. Returns ns.
  int64_t decimals() {
    if (!skip('.')) return 0;
    int64_t value = 0, unit = kSecond;
    while (!text_.empty() && is_digit(text_.front())) {
      unit /= 10;
      if (unit == 0) return fail(0);
      value += unit * (text_.front() - '0');
      text_.remove_prefix(1);
    }
    return unit == kSecond ? fail(0) : value;
  }
  // Takes a time zone. Returns minutes ahead of UTC.
  int zone() {
    if (skip('Z')) return 0;
    const int sign = skip('-') ? -1 : 1;
    if (sign == 1) literal('+');
    const int hours = number(2, 0, 23);
    literal(':');
    return sign * (hours * 60 + number(2, 0, 59));
  }
  bool ok() const { return ok_ && text_.empty(); }

 private:
  int fail(int value) {
    ok_ = false;
    return value;
  }
  std::string_view text_;
  bool ok_ = true;
};

}  // namespace

std::optional<int64_t> parse_iso_time(std::string_view text) {
  Fields fields(text);
  const int year = fields.number(4, 1, 9999);
  fields.literal('-');
  const int month = fields.number(2, 1, 12);
  fields.literal('-');
  const int day = fields.number(2, 1, 31);
  fields.literal('T');
  const int hour = fields.number(2, 0, 23);
  fields.literal(':');
  const int minute = fields.number(2, 0, 59);
  fields.literal(':');
  const int second = fields.number(2, 0, 60);
  const int64_t decimals = fields.decimals();
  const int zone = fields.zone();
  const std::optional<int64_t> days = days_of(year, month, day);
  if (!fields.ok() || !days) return std::nullopt;
  const int64_t seconds =
      *days * 86400 + int64_t{hour} * 3600 + int64_t{minute - zone} * 60 + second;
  // The first second that fits into 64 bits fits only with its decimals.
  const __int128 ns = static_cast<__int128>(seconds) * kSecond + decimals;
  if (ns < INT64_MIN || ns > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(ns);
}

std::string print_iso_time(int64_t utc_ns) {
  namespace chrono = std::chrono;
  const int64_t decimals = ((utc_ns % kSecond) + kSecond) % kSecond;
  const chrono::sys_seconds whole{
      chrono::seconds((utc_ns / kSecond) - (utc_ns % kSecond < 0 ? 1 : 0))};
  const auto day = chrono::floor<chrono::days>(whole);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(whole - day);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", int{date.year()},
                                 unsigned{date.month()}, unsigned{date.day()}, time.hours().count(),
                                 time.minutes().count(), time.seconds().count());
  if (decimals != 0) {
    text += fmt::format(".{:09}", decimals);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + 'Z';
}

}  // namespace tracebraid
