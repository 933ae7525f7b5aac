#include "format/aggregate_profile.h"

#include "event/row.h"
#include "format/event_time.h"

namespace tracebraid {
namespace {

constexpr int64_t kProfile = 1;  // by which samples call it

}  // namespace

// Rows of these tables have no time.
AggregateProfile::AggregateProfile(EventSink& sink)
    : sink_(sink),
      clock_(sink.clock({.domain = kTraceTime})),
      mapping_(sink.mapping({.name = sink.string("")})) {}

void AggregateProfile::begin(std::string_view scope, std::string_view type, std::string_view unit) {
  RowWriter profile(sink_, "aggregate_profile");
  profile.text("scope", scope).text("name", type);
  profile.text("sample_type_type", type).text("sample_type_unit", unit);
  sink_.event(profile.finish(row_event(), kNone, kProfile));
}

uint32_t AggregateProfile::callsite(uint32_t caller, std::string_view name) {
  const uint32_t frame = sink_.frame({.name = sink_.string(name), .mapping = mapping_});
  return sink_.callsite(caller, frame);
}

void AggregateProfile::sample(uint32_t callsite, double weight) {
  RowWriter row(sink_, "aggregate_sample");
  row.row("aggregate_profile_id", kProfile).callsite("callsite_id", callsite);
  row.real("value", weight);
  sink_.event(row.finish(row_event()));
}

Event AggregateProfile::row_event() const { return make_event({0, clock_}, EventKind::Row, kNone); }

}  // namespace tracebraid
