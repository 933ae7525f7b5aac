#include "format/common/aggregate_profile.h"

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/row.h"

namespace tracebraid {
namespace {

constexpr int64_t kProfile = 1;  // number by which samples refer to the profile

}  // namespace

AggregateProfile::AggregateProfile(EventSink& sink)
    : sink_(sink),
      samples_(sink.batch().stacks.aggregate_samples),
      mapping_(sink.mapping({.name = sink.string("")})) {}

// Rows of these tables have no time.
void AggregateProfile::begin(std::string_view scope, std::string_view type, std::string_view unit) {
  const EventTime time{0, sink_.clock({.domain = kTraceTime})};
  RowWriter profile(sink_, "aggregate_profile");
  profile.text("scope", scope).text("name", type);
  profile.text("sample_type_type", type).text("sample_type_unit", unit);
  sink_.event(profile.finish(time, kNone, kProfile));
  sink_.event(make_aggregate_samples(time, kProfile));
}

// Returns the frame of a name. A file may have a frame per line, all with distinct names.
uint32_t AggregateProfile::frame(std::string_view name) {
  const StringId text = sink_.string(name);
  if (frames_.size() <= text.row) frames_.resize(text.row + 1, kNone);
  uint32_t& frame = frames_[text.row];
  if (frame == kNone) {
    std::vector<StackFrame>& frames = sink_.batch().stacks.frames;
    frame = static_cast<uint32_t>(frames.size());
    frames.push_back({.name = text, .mapping = mapping_});
  }
  return frame;
}

}  // namespace tracebraid
