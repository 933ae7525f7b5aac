#include "merge/log_years.h"

#include <algorithm>
#include <optional>

#include "base/calendar.h"
#include "clock/clock_key.h"
#include "container/bugreport.h"

namespace tracebraid {
namespace {

constexpr int64_t kNsPerDay = 86'400'000'000'000;

int64_t year_of(std::chrono::year_month_day date) { return static_cast<int>(date.year()); }

// The last day on which a file saw the wall clock.
std::optional<int64_t> last_day_stated(const std::vector<TraceFile>& files) {
  std::optional<int64_t> last;
  for (const TraceFile& file : files) {
    for (const EventBatch& batch : file.pieces) {
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

// The day of the bug report that the file is a part of.
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

// `day` as in 1972, moved to the last year in which it is not after `until`.
int64_t with_year(int64_t day, int64_t until) {
  const std::chrono::year_month_day date = date_of(day);
  const auto in_year = [&](int64_t year) {
    // The 29th of February of another year is the day before March.
    const int64_t month = static_cast<unsigned>(date.month());
    const int64_t of_month = static_cast<unsigned>(date.day());
    const std::optional<int64_t> found = days_of(year, month, of_month);
    return found ? *found : *days_of(year, 2, 28);
  };
  const int64_t year = year_of(date_of(until));
  const int64_t this_year = in_year(year);
  return this_year > until ? in_year(year - 1) : this_year;
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

}  // namespace

void settle_log_years(int64_t now_days, std::vector<TraceFile>& files) {
  std::optional<int64_t> stated;
  for (TraceFile& file : files) {
    const bool lacks_year = std::ranges::any_of(file.pieces, [](const EventBatch& batch) {
      return std::ranges::any_of(
          batch.clocks, [](const ClockName& clock) { return clock.domain == kLocalTimeOfYear; });
    });
    if (!lacks_year) continue;
    if (!stated) stated = last_day_stated(files).value_or(now_days);
    // A day later, there may be another date elsewhere.
    const int64_t until = day_of_report(file, files).value_or(*stated) + 1;
    for (EventBatch& batch : file.pieces) settle(until, batch);
  }
}

}  // namespace tracebraid
