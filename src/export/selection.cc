#include "export/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/clock_domain.h"
#include "base/iso_time.h"

namespace tracebraid {
namespace {

struct Unit {
  std::string_view name;
  int64_t ns;
};
constexpr Unit kUnits[] = {{"", 1},
                           {"ns", 1},
                           {"us", 1'000},
                           {"ms", 1'000'000},
                           {"s", 1'000'000'000},
                           {"m", 60'000'000'000},
                           {"min", 60'000'000'000},
                           {"h", 3'600'000'000'000}};

Error not_a_time(std::string_view text) {
  return {
      ErrorCode::Usage,
      fmt::format("'{}' is not a time: give a number with ns, us, ms, s, m or h from the start of "
                  "the trace, @ and ns of trace time, or 2026-11-20T12:03:04.5Z",
                  text)};
}

template <class T>
std::optional<T> whole_number(std::string_view text) {
  T value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// Parses a duration: "3.5ms" is 3'500'000. Returns nothing if it is malformed or does not fit into
// 64 bits.
std::optional<int64_t> parse_span(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789.-"), text.size());
  const std::string_view unit_name = text.substr(digits);
  const auto* unit = std::ranges::find(kUnits, unit_name, &Unit::name);
  if (unit == std::end(kUnits)) return std::nullopt;
  int64_t ns = 0;
  if (const auto whole = whole_number<int64_t>(text.substr(0, digits)))
    return __builtin_mul_overflow(*whole, unit->ns, &ns) ? std::nullopt : std::optional(ns);
  const auto part = whole_number<double>(text.substr(0, digits));
  if (!part || std::abs(*part * static_cast<double>(unit->ns)) > 9e18) return std::nullopt;
  return std::llround(*part * static_cast<double>(unit->ns));
}

// Parses "2026-11-20T12:03:04.5Z" to ns since 1970. UTC without a time zone; accepts a blank for
// the T.
std::optional<int64_t> parse_utc(std::string_view text) {
  if (text.substr(0, 4) < "1700" || text.substr(0, 4) > "2200") return std::nullopt;
  std::string iso(text);
  if (iso.size() > 10 && iso[10] == ' ') iso[10] = 'T';
  if (const auto ns = parse_iso_time(iso)) return ns;
  return parse_iso_time(iso + 'Z');
}

// Returns the trace time at which the wall clock of the timeline's machine (of any machine if it
// has none) showed `unix_ns`, extrapolated from the nearest reading before.
std::optional<int64_t> trace_time_of(const Store& store, int64_t unix_ns) {
  const ClockSnapshotTable& rows = store.clock_snapshots;
  std::optional<size_t> best;
  const auto is_ours = [&](size_t row) {
    return rows.machine_id[row].row == store.timeline_machine;
  };
  const auto is_better = [&](size_t row) {
    if (is_ours(row) != is_ours(*best)) return is_ours(row);
    const bool before = rows.clock_value[row] <= unix_ns;
    const bool best_before = rows.clock_value[*best] <= unix_ns;
    if (before != best_before) return before;
    return before == (rows.clock_value[row] > rows.clock_value[*best]);
  };
  for (size_t row = 0; row < rows.rows(); ++row)
    if (rows.clock_id[row] == domain::kRealtime && (!best || is_better(row))) best = row;
  int64_t offset = 0, ts = 0;
  if (!best || __builtin_sub_overflow(unix_ns, rows.clock_value[*best], &offset) ||
      __builtin_add_overflow(rows.ts[*best], offset, &ts))
    return std::nullopt;
  return ts;
}

template <class IsMeant>
Result<std::vector<bool>> rows_meant(const std::vector<std::string>& wanted, size_t rows,
                                     std::string_view what, IsMeant is_meant) {
  std::vector<bool> taken;
  if (wanted.empty()) return taken;
  taken.resize(rows);
  for (const std::string& name : wanted) {
    bool any = false;
    for (size_t row = 0; row < rows; ++row)
      if (is_meant(name, row)) taken[row] = any = true;
    if (!any) return fail(ErrorCode::NotFound, fmt::format("the trace has no {} '{}'", what, name));
  }
  return taken;
}

std::vector<size_t> taken_rows(const std::vector<bool>& taken) {
  std::vector<size_t> rows;
  for (size_t row = 0; row < taken.size(); ++row)
    if (taken[row]) rows.push_back(row);
  return rows;
}

// Returns the condition that the machine of a row `is_taken`, by the columns that refer to it;
// empty if there are none.
std::string machine_condition(const auto& has, std::string_view is_taken) {
  if (has("machine_id")) return fmt::format("machine_id {}", is_taken);
  if (has("track_id"))
    return fmt::format("track_id IN (SELECT id FROM __intrinsic_track WHERE machine_id {})",
                       is_taken);
  if (has("utid"))
    return fmt::format("utid IN (SELECT id FROM __intrinsic_thread WHERE machine_id {})", is_taken);
  if (has("ucpu")) return fmt::format("ucpu / 4096 {}", is_taken);
  return {};
}

// Returns the conditions on the owner of a row, by the columns that refer to it.
void add_owner_conditions(std::vector<std::string>& conditions, const auto& has,
                          const Selection& selection) {
  const std::string processes =
      fmt::format("({})", fmt::join(taken_rows(selection.processes), ","));
  if (!selection.machines.empty()) {
    const std::string machines = fmt::format("{}", fmt::join(taken_rows(selection.machines), ","));
    const std::string is_of = machine_condition(has, fmt::format("IN ({})", machines));
    if (!is_of.empty()) conditions.push_back(is_of);
  } else if (selection.without_machine) {
    // The opposite of belonging to any machine, so that each row is in exactly one part.
    const std::string is_of_any = machine_condition(has, "IN (SELECT id FROM __intrinsic_machine)");
    if (!is_of_any.empty()) conditions.push_back(fmt::format("({}) IS NOT TRUE", is_of_any));
  }
  if (!selection.processes.empty()) {
    const std::string threads =
        "(SELECT id FROM __intrinsic_thread WHERE upid IN " + processes + ")";
    if (has("upid")) {
      conditions.push_back("upid IN " + processes);
    } else if (has("utid")) {
      conditions.push_back("utid IN " + threads);
    } else if (has("track_id")) {
      conditions.push_back(fmt::format(
          "track_id IN (SELECT id FROM __intrinsic_track WHERE upid IN {} OR utid IN {})",
          processes, threads));
    }
  }
}

// Columns with trace times.
bool is_moment(std::string_view column) {
  static constexpr std::string_view kMoments[] = {
      "ts",          "ts_end",      "start_ts", "end_ts",  "first_ts", "last_ts", "graph_sample_ts",
      "creation_ts", "deletion_ts", "enter_ts", "leave_ts"};
  return std::ranges::count(kMoments, column) != 0;
}

std::string selected_columns(const std::vector<std::string>& columns, const Selection& selection) {
  if (selection.timeline == nullptr || std::ranges::none_of(columns, is_moment)) return "*";
  std::vector<std::string> taken;
  for (const std::string& column : columns)
    taken.push_back(is_moment(column)
                        ? fmt::format("{} AS \"{}\"", selection.timeline->at_sql(column), column)
                        : fmt::format("\"{}\"", column));
  if (std::ranges::count(columns, "ts") != 0)
    taken.push_back(
        fmt::format("{} AS {}", selection.timeline->uncertainty_sql("ts"), kUncertaintyColumn));
  return fmt::format("{}", fmt::join(taken, ", "));
}

// Returns the machine of the clock: the selected machine, if there is exactly one.
uint32_t machine_of_clock(const Selection& selection, const Store& store) {
  const std::vector<size_t> named = taken_rows(selection.machines);
  return named.size() == 1 ? static_cast<uint32_t>(named.front()) : store.timeline_machine;
}

}  // namespace

Result<int64_t> parse_time(std::string_view text, const ExportSource& source) {
  if (text.starts_with('@')) {
    if (const auto ns = whole_number<int64_t>(text.substr(1))) return *ns;
    return tl::unexpected(not_a_time(text));
  }
  if (const auto span = parse_span(text)) {
    int64_t ts = 0;
    if (!__builtin_add_overflow(source.store().trace_start, *span, &ts)) return ts;
  }
  const auto utc = parse_utc(text);
  if (!utc) return tl::unexpected(not_a_time(text));
  if (const auto ts = trace_time_of(source.store(), *utc)) return *ts;
  return fail(ErrorCode::NotFound,
              fmt::format("'{}': the trace does not relate its timeline to wall-clock time", text));
}

Result<Selection> resolve(const SelectionRequest& request, const ExportSource& source) {
  const Store& store = source.store();
  Selection selection;
  if (!request.from.empty()) {
    TB_TRY_ASSIGN(selection.from, parse_time(request.from, source));
  }
  if (!request.to.empty()) {
    TB_TRY_ASSIGN(selection.to, parse_time(request.to, source));
  }
  if (selection.to <= selection.from)
    return fail(ErrorCode::Usage, "the time window is empty: --to is not after --from");
  const auto is_text = [&](StringId id, const std::string& text) {
    return id && store.strings.get(id) == text;
  };
  TB_TRY_ASSIGN(selection.machines, rows_meant(request.machines, store.machines.rows(), "machine",
                                               [&](const std::string& name, size_t row) {
                                                 return is_text(store.machines.name[row], name) ||
                                                        whole_number<size_t>(name) == row;
                                               }));
  TB_TRY_ASSIGN(selection.processes,
                rows_meant(request.processes, store.processes.rows(), "process",
                           [&](const std::string& name, size_t row) {
                             return is_text(store.processes.name[row], name) ||
                                    whole_number<int64_t>(name) == store.processes.pid[row];
                           }));
  if (!request.clock.empty()) {
    TB_TRY_ASSIGN(selection.timeline,
                  TimesClock::of(source, request.clock, machine_of_clock(selection, store)));
  }
  return selection;
}

std::string select_sql(std::string_view relation, const std::vector<std::string>& columns,
                       const Selection& selection) {
  const auto has = [&](std::string_view name) { return std::ranges::count(columns, name) != 0; };
  std::vector<std::string> conditions;
  if (has("ts") && selection.has_end()) conditions.push_back(fmt::format("ts < {}", selection.to));
  if (has("ts") && selection.has_start())
    conditions.push_back(
        has("dur") ? fmt::format("(ts >= {0} OR dur < 0 OR dur > {0} - ts)", selection.from)
                   : fmt::format("ts >= {}", selection.from));
  add_owner_conditions(conditions, has, selection);
  std::string sql =
      fmt::format("SELECT {} FROM \"{}\"", selected_columns(columns, selection), relation);
  if (!conditions.empty()) sql += fmt::format(" WHERE {}", fmt::join(conditions, " AND "));
  return sql;
}

}  // namespace tracebraid
