#include "format/proto/track_event/v8_profile.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "event/make_event.h"
#include "format/common/json_document.h"
#include "format/common/profile.h"
#include "format/common/script_frame.h"
#include "format/common/stats.h"
#include "format/proto/generated/fields.h"
#include "format/proto/track_event/stats.h"

namespace tracebraid::proto {
namespace {

constexpr int64_t kNsPerUs = 1000;

// Converts whole microseconds; nothing if the value is no integer or the result does not fit.
std::optional<int64_t> whole_ns(const JsonValue& value) {
  const std::optional<int64_t> us = json_integer(value);
  int64_t ns = 0;
  if (!us || __builtin_mul_overflow(*us, kNsPerUs, &ns)) return std::nullopt;
  return ns;
}

// Converts the time between two samples; a value that is no number counts as 0.
std::optional<int64_t> delta_ns(const JsonValue& value) {
  if (const std::optional<int64_t> ns = whole_ns(value)) return ns;
  return ns_of(json_number(value).value_or(0), kNsPerUs);
}

class Profile {
 public:
  void add(const V8Chunk& chunk, const JsonValue& data, Clocks& clocks, EventSink& sink) {
    if (const std::optional<int64_t> start = whole_ns(json_member(data, "startTime"))) {
      ns_ = start;
      has_start_ = true;
      return;
    }
    const JsonValue profile = json_member(data, "cpuProfile");
    for (const JsonValue& node : json_items(json_member(profile, "nodes")))
      if (!add_node(node, sink))
        sink.tally(stats::legacy_v8_cpu_profile_invalid_callsite, 1, chunk.machine);
    add_samples(chunk, json_items(json_member(profile, "samples")),
                json_items(json_member(data, "timeDeltas")), clocks, sink);
  }

 private:
  // Requires: nodes come after their parents, and once.
  bool add_node(const JsonValue& node, EventSink& sink) {
    const std::optional<int64_t> id = json_integer(json_member(node, "id"));
    const JsonValue parent_id = json_member(node, "parent");
    uint32_t parent = kNone;
    if (parent_id) {
      const auto at = callsites_.find(json_integer(parent_id).value_or(-1));
      if (at == callsites_.end()) return false;
      parent = at->second;
    }
    if (!id || callsites_.contains(*id)) return false;
    const JsonValue call = json_member(node, "callFrame");
    const uint32_t frame = script_frame(
        sink, {.name = json_text(json_member(call, "functionName")).value_or(""),
               .url = json_text(json_member(call, "url")).value_or(""),
               .line = json_integer(json_member(call, "lineNumber")).value_or(kNoLine),
               .deopt_reason = json_text(json_member(node, "deoptReason")).value_or("")});
    callsites_[*id] = frame == kNone ? parent : sink.callsite(parent, frame);
    return true;
  }

  void add_samples(const V8Chunk& chunk, const std::vector<JsonValue>& samples,
                   const std::vector<JsonValue>& deltas, Clocks& clocks, EventSink& sink) {
    if (samples.size() != deltas.size())
      sink.tally(stats::v8_profile_length_mismatch, 1, chunk.machine);
    if (!samples.empty() && !has_start_)
      sink.tally(stats::v8_profile_without_start, 1, chunk.machine);
    for (size_t i = 0; i < std::min(samples.size(), deltas.size()); ++i) {
      const std::optional<int64_t> delta = delta_ns(deltas[i]);
      int64_t sum = 0;
      if (!ns_ || !delta || __builtin_add_overflow(*ns_, *delta, &sum)) {
        // No later sample has a time, because times are sums of all deltas before.
        ns_.reset();
        sink.tally(stats::legacy_v8_cpu_profile_invalid_sample, 1, chunk.machine);
        continue;
      }
      ns_ = sum;
      const auto at = callsites_.find(json_integer(samples[i]).value_or(-1));
      if (at == callsites_.end()) {
        sink.tally(stats::legacy_v8_cpu_profile_invalid_sample, 1, chunk.machine);
        continue;
      }
      const EventTime time = clocks.time(chunk.machine,
                                         {.domain = field::BuiltinClock::kMonotonic,
                                          .by_default = true,
                                          .on_failure = OnFailure::KeepRaw},
                                         sum);
      ProfileSample sample{.ts = time.ticks, .clock = time.clock, .source = "legacy_v8"};
      sample.thread = sink.thread({.machine = chunk.machine, .tid = chunk.tid, .pid = chunk.pid});
      sample.extra.callsite = at->second;
      write_sample(sink, sample);
    }
  }

  bool has_start_ = false;
  std::optional<int64_t> ns_;  // time of the last sample; nothing once the sum of deltas overflows
  absl::flat_hash_map<int64_t, uint32_t> callsites_;  // by node
};

}  // namespace

void write_v8_profiles(const std::vector<V8Chunk>& chunks, Clocks& clocks, EventSink& sink) {
  std::map<std::tuple<uint32_t, int64_t, uint64_t>, Profile> profiles;
  for (const V8Chunk& chunk : chunks) {
    Input input(chunk.json);
    JsonDocument document;
    if (!parse_document(input, document)) {
      sink.count(stats::json_parser_failure, chunk.at, chunk.json, chunk.machine);
      sink.count(stats::json_record_invalid, chunk.at, chunk.json, chunk.machine);
      continue;
    }
    profiles[{chunk.machine, chunk.pid, chunk.id}].add(chunk, document.root, clocks, sink);
  }
}

}  // namespace tracebraid::proto
