#include "format/proto/sequence.h"

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

void read_track_event_defaults(Message fields, PacketDefaults& defaults) {
  while (fields.next()) {
    switch (fields.number()) {
      case field::TrackEventDefaults::kTrackUuid:
        defaults.track_uuid = fields.u64();
        break;
      case field::TrackEventDefaults::kExtraCounterTrackUuids:
        for_each_varint(fields, [&](uint64_t v) { defaults.counter_uuids.push_back(v); });
        break;
      case field::TrackEventDefaults::kExtraDoubleCounterTrackUuids:
        for_each_varint(fields, [&](uint64_t v) { defaults.real_counter_uuids.push_back(v); });
        break;
      default:
        break;
    }
  }
}

}  // namespace

// Concatenated messages are one message, up to the first damaged one.
void InternedLog::add(std::string_view message) {
  Message fields(message);
  const char* good = message.data();
  while (fields.next()) good = fields.position();
  more.append(message.data(), good);
}

const std::vector<InternedLog::Part>& InternedLog::seal() {
  if (!more.empty()) parts.push_back(std::make_shared<const std::string>(std::exchange(more, {})));
  return parts;
}

void Sequence::clear() {
  is_valid = true;
  ++generation;
  defaults = {};
  if (interned) interned->clear();
  interned_log = {};
  counters.clear();
  thread.has_reference = false;
}

void Sequence::lose_packets() {
  is_valid = false;
  thread.has_reference = false;
}

PacketDefaults read_defaults(std::string_view message) {
  PacketDefaults defaults;
  for (Message fields(message); fields.next();) {
    if (fields.number() == field::TracePacketDefaults::kTimestampClockId)
      defaults.clock_domain = fields.u32();
    if (fields.number() == field::TracePacketDefaults::kTrackEventDefaults)
      read_track_event_defaults(fields.message(), defaults);
    if (fields.number() == field::TracePacketDefaults::kV8CodeDefaults)
      for (Message v8 = fields.message(); v8.next();)
        if (v8.number() == field::V8CodeDefaults::kTid) defaults.v8_tid = v8.u32();
    if (fields.number() == field::TracePacketDefaults::kPerfSampleDefaults)
      defaults.perf = std::make_shared<PerfDefaults>(read_perf_defaults(fields.message()));
    if (fields.number() == field::TracePacketDefaults::kStackSampleDefaults)
      defaults.stack_sample =
          std::make_shared<StackSampleDefaults>(read_stack_sample_defaults(fields.message()));
  }
  return defaults;
}

Sequence& Sequences::get(uint32_t id, bool& is_new) {
  is_new = false;
  Sequence*& recent = recent_[id % kRecent];
  if (recent != nullptr && recent->id == id) return *recent;
  if (all_.size() >= kMaxSequences && !all_.contains(id)) id = 0;
  std::unique_ptr<Sequence>& sequence = all_[id];
  if (!sequence) {
    is_new = true;
    sequence = std::make_unique<Sequence>();
    sequence->id = id;
  }
  recent = sequence.get();
  return *recent;
}

const Sequence* Sequences::find(uint32_t id) const {
  const auto at = all_.find(id);
  return at == all_.end() ? nullptr : at->second.get();
}

}  // namespace tracebraid::proto
