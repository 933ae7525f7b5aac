#include "merge/locate/log_years.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "base/calendar.h"
#include "event/names.h"

namespace tracebraid {
namespace {

constexpr int64_t kNsPerDay = 86'400'000'000'000;

struct Date {
  int64_t year, month, day;
};

int64_t day_number(const Date& date) { return *days_of(date.year, date.month, date.day); }

// Returns the dates of a log with these days ("MM-DD") that is read on the day `now`.
std::string settled(const std::vector<Date>& log, const Date& now) {
  std::vector<TraceFile> files(1);
  EventBatch& batch = files[0].chunks.emplace_back();
  batch.clocks.push_back({.domain = kLocalTimeOfYear});
  Stream& stream = batch.streams.emplace_back();
  for (const Date& date : log) {
    Event event{};
    event.ts = *days_of(kLeapYear, date.month, date.day) * kNsPerDay + 1;
    stream.events.push_back(event);
  }
  settle_log_years(day_number(now), files);
  std::string text;
  for (const Event& event : stream.events) {
    const std::chrono::year_month_day date = date_of(event.ts / kNsPerDay);
    text += text.empty() ? "" : " ";
    text += std::to_string(static_cast<int>(date.year())) + '-' +
            std::to_string(static_cast<unsigned>(date.month())) + '-' +
            std::to_string(static_cast<unsigned>(date.day()));
  }
  EXPECT_EQ(batch.clocks[0].domain, kLocalTime);
  return text;
}

TEST(LogYears, LastYearInWhichTheDayHasBeen) {
  EXPECT_EQ(settled({{0, 12, 31}, {0, 1, 1}}, {2026, 6, 1}), "2025-12-31 2026-1-1");
  EXPECT_EQ(settled({{0, 6, 2}, {0, 6, 3}}, {2026, 6, 1}), "2026-6-2 2025-6-3");
}

TEST(LogYears, LeapDayIsOfAYearThatHasOne) {
  EXPECT_EQ(settled({{0, 2, 28}, {0, 2, 29}, {0, 3, 1}}, {2024, 3, 5}),
            "2024-2-28 2024-2-29 2024-3-1");
  EXPECT_EQ(settled({{0, 2, 28}, {0, 2, 29}, {0, 3, 1}}, {2026, 11, 22}),
            "2024-2-28 2024-2-29 2024-3-1");
  EXPECT_EQ(settled({{0, 2, 29}, {0, 3, 1}, {0, 2, 27}}, {2026, 11, 22}),
            "2024-2-29 2024-3-1 2025-2-27");
  EXPECT_EQ(settled({{0, 12, 30}, {0, 1, 2}, {0, 2, 29}}, {2026, 11, 22}),
            "2023-12-30 2024-1-2 2024-2-29");
  // The year 2100 has no 29th of February.
  EXPECT_EQ(settled({{0, 2, 29}}, {2103, 1, 1}), "2096-2-29");
}

}  // namespace
}  // namespace tracebraid
