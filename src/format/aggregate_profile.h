// AggregateProfile: callstacks with weights, without times and threads, as some profilers sum them
// up: rows of aggregate_profile and aggregate_sample.
#pragma once

#include <string_view>

#include "event/sink.h"

namespace tracebraid {

// The one profile of a file.
class AggregateProfile {
 public:
  explicit AggregateProfile(EventSink& sink);

  // Before the first sample: which format it is of (`scope`), and what the weights count.
  void begin(std::string_view scope, std::string_view type, std::string_view unit);
  // The frame of this name, called from `caller`; kNone is the root.
  uint32_t callsite(uint32_t caller, std::string_view name);
  void sample(uint32_t callsite, double weight);

 private:
  Event row_event() const;

  EventSink& sink_;
  uint32_t clock_;
  uint32_t mapping_;
};

}  // namespace tracebraid
