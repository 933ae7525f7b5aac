#include "merge/locate/log_years.h"

#include <algorithm>
#include <optional>

#include "base/calendar.h"
#include "clock/clock_key.h"
#include "container/bugreport.h"

namespace tracebraid {
namespace {

constexpr int64_t kNsPerDay = 86'400'000'000'000;

int64_t year_of(std::chrono::year_month_day date) { return static_cast<int>(date.year()); }

// Returns the last day with a reading of the wall clock.
std::optional<int64_t> last_day_stated(const std::vector<TraceFile>& files) {
  std::optional<int64_t> last;
  for (const TraceFile& file : files) {
    for (const EventBatch& batch : file.chunks) {
      for (const SnapshotReading& reading : batch.readings) {
        const ClockName& clock = batch.clocks[reading.clock];
        if (clock.domain != domain::kRealtime || clock.tick_ns != 1) continue;
        const int64_t day = reading.ticks / kNsPerDay;
        if (day > 0) last = std::max(last.value_or(day), day);
      }
    }
  }
  return last;
}

// Returns the day of the bug report that contains the file.
std::optional<int64_t> day_of_report(const TraceFile& log, const std::vector<TraceFile>& files) {
  for (const TraceFile& file : files) {
    if (!file.name || file.parent != log.parent) continue;
    const std::optional<BugreportTime> report = parse_bugreport_name(*file.name);
    if (!report) continue;
    const auto digits = [&](size_t at) {
      return (report->month_day[at] - '0') * 10 + (report->month_day[at + 1] - '0');
    };
    return days_of(report->year, digits(0), digits(3));
  }
  return std::nullopt;
}

// 29 February 1972, the initial year of dates without one.
constexpr int64_t kLeapDay = *days_of(kLeapYear, 2, 29);

// Moves a `day` of 1972 to the last year that has it and in which it is not after `until`.
int64_t with_year(int64_t day, int64_t until) {
  constexpr int kMostYearsWithoutLeapDay = 8;
  const std::chrono::year_month_day date = date_of(day);
  const int64_t last = year_of(date_of(until));
  for (int64_t year = last; year >= last - kMostYearsWithoutLeapDay; --year) {
    const std::optional<int64_t> found =
        days_of(year, static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    if (found && *found <= until) return *found;
  }
  return day;
}

// The days of a log whose dates have no year.
struct LogDays {
  std::optional<int64_t> first;  // as in 1972
  bool has_leap_day = false;
};

LogDays days_of_log(const TraceFile& log) {
  LogDays days;
  for (const EventBatch& batch : log.chunks) {
    for (const Stream& stream : batch.streams) {
      for (const Event& event : stream.events) {
        if (batch.clocks[event.clock].domain != kLocalTimeOfYear) continue;
        const int64_t day = event.ts / kNsPerDay;
        if (!days.first) days.first = day;
        days.has_leap_day |= day == kLeapDay;
      }
    }
  }
  return days;
}

// Returns the last possible day of the log if its latest leap day is more than a year ago: all its
// days are in the year that begins with its first day and contains the leap day.
int64_t end_of_log(const LogDays& days, int64_t until) {
  constexpr int64_t kDaysOfYear = 365;
  if (!days.has_leap_day) return until;
  const int64_t leap = with_year(kLeapDay, until);
  if (until - leap < kDaysOfYear) return until;
  const int64_t first = with_year(*days.first, leap);
  return first + kDaysOfYear - 1;
}

void settle(int64_t until, EventBatch& batch) {
  std::vector<bool> lacks_year;
  for (const ClockName& clock : batch.clocks)
    lacks_year.push_back(clock.domain == kLocalTimeOfYear);
  if (std::ranges::find(lacks_year, true) == lacks_year.end()) return;
  int64_t known_day = -1, known_shift = 0;
  int64_t year = 0;
  for (Stream& stream : batch.streams) {
    for (Event& event : stream.events) {
      if (!lacks_year[event.clock]) continue;
      const int64_t day = event.ts / kNsPerDay;
      if (day != known_day) {
        const int64_t settled = with_year(day, until);
        known_day = day;
        known_shift = (settled - day) * kNsPerDay;
        year = year_of(date_of(settled));
      }
      event.ts += known_shift;
    }
  }
  for (ClockName& clock : batch.clocks)
    if (clock.domain == kLocalTimeOfYear) clock.domain = kLocalTime;
  if (year != 0)
    batch.metadata.push_back({.key = batch.strings.intern("logcat_inferred_year"), .value = year});
}

bool states_zone(const TraceFile& file) {
  return std::ranges::any_of(file.chunks, [](const EventBatch& batch) {
    return std::ranges::any_of(batch.machine_facts, [](const MachineFacts& facts) {
      return facts.timezone_off_mins != kUnset;
    });
  });
}

bool has_clock(const TraceFile& file, uint32_t domain) {
  return std::ranges::any_of(file.chunks, [domain](const EventBatch& batch) {
    return std::ranges::any_of(batch.clocks,
                               [domain](const ClockName& clock) { return clock.domain == domain; });
  });
}

void assume_utc(std::vector<TraceFile>& files) {
  if (std::ranges::any_of(files, states_zone)) return;
  for (TraceFile& file : files) {
    if (!has_clock(file, kLocalTime)) continue;
    EventBatch& batch = file.chunks.front();
    batch.metadata.push_back({.key = batch.strings.intern("logcat_assumed_zone"),
                              .is_text = true,
                              .text = batch.strings.intern("UTC")});
  }
}

}  // namespace

void settle_log_years(int64_t now_days, std::vector<TraceFile>& files) {
  std::optional<int64_t> stated;
  for (TraceFile& file : files) {
    if (!has_clock(file, kLocalTimeOfYear)) continue;
    if (!stated) stated = last_day_stated(files).value_or(now_days);
    // One day later, because the date differs between time zones.
    const int64_t until =
        end_of_log(days_of_log(file), day_of_report(file, files).value_or(*stated) + 1);
    for (EventBatch& batch : file.chunks) settle(until, batch);
  }
  assume_utc(files);
}

}  // namespace tracebraid
