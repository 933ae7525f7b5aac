#include "format/aggregate_profile.h"

#include <bit>

#include "event/row.h"
#include "format/event_time.h"

namespace tracebraid {
namespace {

constexpr int64_t kProfile = 1;  // by which samples call it

}  // namespace

// Rows of these tables have no time. There are many samples, so their rows are made of parts that
// are looked up once.
AggregateProfile::AggregateProfile(EventSink& sink)
    : sink_(sink),
      row_(make_event({0, sink.clock({.domain = kTraceTime})}, EventKind::Row, kNone)),
      mapping_(sink.mapping({.name = sink.string("")})),
      profile_column_(column("aggregate_profile_id")),
      callsite_column_(column("callsite_id")),
      value_column_(column("value")) {
  row_.name = sink.string("aggregate_sample");
}

uint32_t AggregateProfile::column(std::string_view name) {
  const StringId id = sink_.string(name);
  return sink_.arg_key({id, id});
}

void AggregateProfile::begin(std::string_view scope, std::string_view type, std::string_view unit) {
  RowWriter profile(sink_, "aggregate_profile");
  profile.text("scope", scope).text("name", type);
  profile.text("sample_type_type", type).text("sample_type_unit", unit);
  sink_.event(profile.finish(row_, kNone, kProfile));
}

uint32_t AggregateProfile::frame(std::string_view name) {
  const StringId text = sink_.string(name);
  if (frames_.size() <= text.row) frames_.resize(text.row + 1, kNone);
  uint32_t& frame = frames_[text.row];
  if (frame == kNone) frame = sink_.frame({.name = text, .mapping = mapping_});
  return frame;
}

void AggregateProfile::sample(uint32_t callsite, double weight) {
  sink_.open_args();
  sink_.arg(profile_column_, ArgType::Row, kProfile);
  sink_.arg(callsite_column_, ArgType::Callsite, callsite);
  sink_.arg(value_column_, ArgType::Real, std::bit_cast<int64_t>(weight));
  row_.args = sink_.close_args();
  sink_.event(row_);
}

}  // namespace tracebraid
