// Days of the calendar, for readers of dates.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace tracebraid {

// The year in which dates without a year are read: a leap year, so that it has all days.
inline constexpr int64_t kLeapYear = 1972;

// Returns the days since 1970-01-01; nothing if the day does not exist.
constexpr std::optional<int64_t> days_of(int64_t year, int64_t month, int64_t day) {
  if (year < -9999 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

inline std::chrono::year_month_day date_of(int64_t days) {
  return std::chrono::sys_days(std::chrono::days(days));
}

}  // namespace tracebraid
