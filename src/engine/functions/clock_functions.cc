#include "engine/functions/clock_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/clock_domain.h"
#include "query/functions/text_result.h"

namespace tracebraid {
namespace {

// Clock readings, collected on first use, because most queries do not need them.
class LazyReadings {
 public:
  LazyReadings(const Store& store, int64_t clock_id) : store_(&store), clock_id_(clock_id) {}
  std::optional<int64_t> at(int64_t ts) {
    if (readings_ == nullptr) readings_ = std::make_shared<const ClockReadings>(*store_, clock_id_);
    return readings_->at(ts);
  }

 private:
  const Store* store_;
  int64_t clock_id_;
  std::shared_ptr<const ClockReadings> readings_;
};

// Returns nothing for NULL, and an error for a value that is no timestamp.
Result<std::optional<int64_t>> timestamp(std::span<const Cell> arguments,
                                         std::string_view function) {
  if (arguments[0].kind == Cell::Kind::Null) return std::nullopt;
  if (arguments[0].kind != Cell::Kind::Int)
    return fail(ErrorCode::Sql, fmt::format("{}: first argument should be timestamp", function));
  return arguments[0].integer;
}

auto conversion(const Store& store, int64_t clock_id, std::string_view name) {
  return [name, readings = LazyReadings(store, clock_id)](
             std::span<const Cell> arguments) mutable -> Result<Cell> {
    TB_TRY_ASSIGN(const std::optional<int64_t> ts, timestamp(arguments, name));
    const std::optional<int64_t> value = ts ? readings.at(*ts) : std::nullopt;
    return value ? Cell::of(*value) : Cell::null();
  };
}

auto time_text(const Store& store) {
  return returns_text([readings = LazyReadings(store, domain::kRealtime)](
                          std::span<const Cell> arguments) mutable -> MaybeText {
    TB_TRY_ASSIGN(const std::optional<int64_t> ts, timestamp(arguments, "ABS_TIME_STR"));
    const std::optional<int64_t> value = ts ? readings.at(*ts) : std::nullopt;
    if (!value) return std::nullopt;
    return date_and_time(*value);
  });
}

}  // namespace

ClockReadings::ClockReadings(const Store& store, int64_t clock_id) {
  const ClockSnapshotTable& snapshots = store.clock_snapshots;
  const auto collect = [&](bool of_timeline_only) {
    for (size_t row = 0; row < snapshots.rows(); ++row) {
      if (snapshots.clock_id[row] != clock_id) continue;
      if (of_timeline_only && snapshots.machine_id[row].row != store.timeline_machine) continue;
      readings_.push_back({snapshots.ts[row], snapshots.clock_value[row]});
    }
  };
  collect(true);
  if (readings_.empty()) collect(false);
  std::ranges::stable_sort(readings_, {}, &Reading::ts);
  const auto end = std::unique(readings_.begin(), readings_.end(),
                               [](const Reading& a, const Reading& b) { return a.ts == b.ts; });
  readings_.erase(end, readings_.end());
}

std::optional<int64_t> ClockReadings::at(int64_t ts) const {
  if (readings_.empty()) return std::nullopt;
  const auto next = std::lower_bound(readings_.begin(), readings_.end(), ts,
                                     [](const Reading& r, int64_t t) { return r.ts < t; });
  if (next != readings_.end() && (next == readings_.begin() || next->ts == ts)) return next->value;
  const Reading& before = *std::prev(next);
  int64_t since = 0, value = 0;
  if (__builtin_sub_overflow(ts, before.ts, &since) ||
      __builtin_add_overflow(before.value, since, &value))
    return std::nullopt;
  return next == readings_.end() ? value : std::min(value, next->value);
}

std::string date_and_time(int64_t unix_ns) {
  using namespace std::chrono;
  constexpr int64_t kSecond = 1'000'000'000;
  // Rounds down explicitly, because the nanoseconds of a whole day may not fit into 64 bits.
  const int64_t rest = unix_ns % kSecond;
  const sys_seconds time{seconds(unix_ns / kSecond - (rest < 0 ? 1 : 0))};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}", int{date.year()},
                     unsigned{date.month()}, unsigned{date.day()}, clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(),
                     rest < 0 ? rest + kSecond : rest);
}

std::vector<SqlFunction> clock_functions(const Store& store) {
  return {
      {"__intrinsic_to_realtime(ts TIMESTAMP) LONG", "Wall clock, ns since 1970, at a trace time.",
       conversion(store, domain::kRealtime, "TO_REALTIME")},
      {"__intrinsic_to_monotonic(ts TIMESTAMP) LONG", "Monotonic clock, ns, at a trace time.",
       conversion(store, domain::kMonotonic, "TO_MONOTONIC")},
      {"__intrinsic_abs_time_str(ts TIMESTAMP) STRING", "Date and time, UTC, at a trace time.",
       time_text(store)},
  };
}

}  // namespace tracebraid
