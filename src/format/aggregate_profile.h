// AggregateProfile: callstacks with weights, without times and threads, as some profilers sum them
// up: rows of aggregate_profile and aggregate_sample.
#pragma once

#include <string_view>
#include <vector>

#include "event/sink.h"

namespace tracebraid {

// The one profile of a file.
class AggregateProfile {
 public:
  explicit AggregateProfile(EventSink& sink);

  // Before the first sample: which format it is of (`scope`), and what the weights count.
  void begin(std::string_view scope, std::string_view type, std::string_view unit);
  uint32_t frame(std::string_view name);
  void sample(uint32_t callsite, double weight);

 private:
  uint32_t column(std::string_view name);

  EventSink& sink_;
  Event row_;  // of a sample
  uint32_t mapping_;
  uint32_t profile_column_, callsite_column_, value_column_;
  std::vector<uint32_t> frames_;  // by StringId of the name
};

}  // namespace tracebraid
