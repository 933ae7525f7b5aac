// AggregateProfile: callstacks with weights, without times and threads, as some profilers sum them
// up. Emits rows of aggregate_profile and aggregate_sample.
#pragma once

#include <string_view>
#include <vector>

#include "event/sink.h"

namespace tracebraid {

// The only profile of a file; the file has no other frames.
class AggregateProfile {
 public:
  explicit AggregateProfile(EventSink& sink);

  // Call before the first sample. `scope` is the format, `type` and `unit` describe the weights.
  void begin(std::string_view scope, std::string_view type, std::string_view unit);
  uint32_t frame(std::string_view name);
  void sample(uint32_t callsite, double weight) {
    samples_.callsites.push_back(callsite);
    samples_.weights.push_back(weight);
  }

 private:
  EventSink& sink_;
  AggregateSamples& samples_;
  uint32_t mapping_;
  std::vector<uint32_t> frames_;  // by StringId of the name
};

}  // namespace tracebraid
