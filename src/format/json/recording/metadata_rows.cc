#include "format/json/recording/metadata_rows.h"

#include <fmt/format.h>

#include <optional>

#include "base/clock_domain.h"
#include "format/common/stats.h"
#include "format/json/recording/clock_sync.h"
#include "format/json/recording/dates.h"
#include "format/json/stats.h"
#include "format/json/trace_event/chunk.h"

namespace tracebraid::json {
namespace {

constexpr int64_t kMicrosecond = 1000, kMillisecond = 1'000'000;

void put(EventSink& sink, const std::string& key, std::optional<int64_t> number,
         std::string_view text) {
  Metadata row;
  row.key = sink.string(key);
  row.is_text = !number;
  if (number)
    row.value = *number;
  else
    row.text = sink.string(text);
  sink.batch().metadata.push_back(row);
}

std::optional<int64_t> whole_number(std::string_view json) {
  const std::optional<Number> number = number_in(json);
  return number ? to_int64(*number) : std::nullopt;
}

std::string decoded(std::string_view json_string) {
  std::string text;
  decode(json_string.substr(1, json_string.size() - (json_string.ends_with('"') ? 2 : 1)), text);
  return text;
}

std::string text_of(const MetadataText& member) {
  return member.json.starts_with('"') && member.json.size() > 1 ? decoded(member.json)
                                                                : std::string();
}

void write_row(const MetadataText& member, EventSink& sink) {
  const std::string& json = member.json;
  if (json == "null") return;
  if (json == "true" || json == "false") return put(sink, member.key, json == "true" ? 1 : 0, {});
  if (json[0] == '"' && json.size() > 1) return put(sink, member.key, {}, text_of(member));
  if (const std::optional<int64_t> whole = whole_number(json))
    return put(sink, member.key, whole, {});
  Number number;
  if (json[0] != '{' && json[0] != '[' &&
      scan_number(json.data(), json.data() + json.size(), number) == json.data() + json.size())
    return put(sink, member.key, {}, fmt::format("{:g}", to_double(number, json)));
  put(sink, member.key, {}, json);
}

uint32_t clock_of_domain(EventSink& sink, uint32_t domain) {
  ClockName clock;
  clock.domain = domain;
  return sink.clock(clock);
}

constexpr int64_t kKinetoConversionNs = 10'000;  // of device times to those of the file

// Adds the wall-clock time at which the file's clock is 0. A value that is no positive integer is
// ignored.
void write_anchor(EventSink& sink, std::string_view json, int64_t unit_ns,
                  SnapshotKind kind = SnapshotKind::WallClock) {
  const std::optional<int64_t> value = whole_number(json);
  int64_t ns = 0;
  if (!value || *value <= 0 || __builtin_mul_overflow(*value, unit_ns, &ns))
    return sink.count(stats::clock_sync_parse_error, kNoOffset, json);
  Snapshot snapshot;
  snapshot.kind = kind;
  if (kind == SnapshotKind::BaseTime) snapshot.uncertainty_ns = kKinetoConversionNs;
  sink.snapshot(snapshot, {{own_clock(sink), 0}, {clock_of_domain(sink, domain::kRealtime), ns}});
}

// Adds the date of the recording. An invalid date is only a row.
void write_date(EventSink& sink, SnapshotKind kind, std::optional<int64_t> utc_ns) {
  if (!utc_ns) return;
  Snapshot snapshot;
  snapshot.kind = kind;
  sink.snapshot(snapshot,
                {{own_clock(sink), 0}, {clock_of_domain(sink, domain::kRealtime), *utc_ns}});
}

}  // namespace

void write_metadata_rows(FileContent& content, EventSink& sink) {
  for (const MetadataText& member : content.facts.metadata()) {
    if (member.json.empty()) continue;  // another member replaced it
    write_row(member, sink);
    if (member.key == "json_metadata.highres-ticks" && member.json == "false")
      sink.tally(stats::low_resolution_timer);
    // Kineto subtracts it from all times. VizTracer reads the wall clock once.
    if (member.key == "json_baseTimeNanoseconds")
      write_anchor(sink, member.json, 1, SnapshotKind::BaseTime);
    if (member.key == "json_viztracer_metadata.baseTimeNanoseconds")
      write_anchor(sink, member.json, 1);
    if (member.key == "json_beginningOfTime") write_anchor(sink, member.json, kMicrosecond);
    if (member.key == "json_metadata.trace-capture-datetime")
      write_date(sink, SnapshotKind::EndDate, date_of(text_of(member)));
    if (member.key == "json_metadata.startTime" || member.key == "json_otherData.date")
      write_date(sink, SnapshotKind::StartDate, date_of(text_of(member)));
    // Written by Bazel; times count from it.
    if (member.key == "json_otherData.profile_start_ts")
      write_anchor(sink, member.json, kMillisecond);
  }
  write_clock_sync(content.facts, sink);
}

}  // namespace tracebraid::json
