// Counters of GPUs; their descriptors are in the packets or interned.
#include <fmt/format.h>

#include <optional>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/row.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/gpu/gpu.h"
#include "format/proto/gpu/stats.h"

namespace tracebraid::proto {
namespace {

using Spec = field::GpuCounterDescriptor_GpuCounterSpec;

// Returns the text of a GpuCounterDescriptor.MeasureUnit; empty for NONE.
std::string_view unit_text(uint64_t unit) {
  switch (unit) {
#define TB_GPU_UNIT(value, text) \
  case value:                    \
    return text;
#include "format/proto/generated/gpu_units.inc"
#undef TB_GPU_UNIT
    default:
      return "Unknown";
  }
}

// The unit of a counter, such as B/ns. Lists of units are joined by ':'.
class UnitText {
 public:
  void add_numerators(const Message& field) {
    for_each_varint(field, [&](uint64_t unit) {
      if (text_) *text_ += ':';
      if (!text_) text_.emplace();
      *text_ += unit_text(unit);
    });
  }
  // Requires: all numerators are added.
  void add_denominators(const Message& field) {
    for_each_varint(field, [&](uint64_t unit) {
      if (!text_) text_.emplace();
      const std::string_view shown = unit_text(unit);
      if (shown.empty()) return;
      *text_ += has_denominator_ ? ':' : '/';
      *text_ += shown;
      has_denominator_ = true;
    });
  }
  const std::optional<std::string>& text() const { return text_; }

 private:
  std::optional<std::string> text_;
  bool has_denominator_ = false;
};

struct CounterSpec {
  std::optional<uint32_t> id;
  std::optional<std::string_view> name, description;
  UnitText unit;
  bool looks_forward = false;
  std::vector<uint64_t> groups;
};

CounterSpec read_spec(const Message& message) {
  constexpr uint64_t kForwardsLooking = 2;  // of ValueDirection
  CounterSpec spec;
  for (Message fields = message; fields.next();) {
    switch (fields.number()) {
      case Spec::kCounterId:
        spec.id = fields.u32();
        break;
      case Spec::kName:
        spec.name = fields.bytes();
        break;
      case Spec::kDescription:
        spec.description = fields.bytes();
        break;
      case Spec::kNumeratorUnits:
        spec.unit.add_numerators(fields);
        break;
      case Spec::kGroups:
        for_each_varint(fields, [&](uint64_t group) { spec.groups.push_back(group); });
        break;
      case Spec::kValueDirection:
        spec.looks_forward = fields.u64() == kForwardsLooking;
        break;
      default:
        break;
    }
  }
  for (Message fields = message; fields.next();)
    if (fields.number() == Spec::kDenominatorUnits) spec.unit.add_denominators(fields);
  return spec;
}

// A GpuCounterGroupSpec.
struct GroupSpec {
  std::optional<uint32_t> id;
  StringId name, description;
  std::vector<uint32_t> counters;
};

std::vector<GroupSpec> read_groups(std::string_view descriptor, EventSink& sink) {
  using Field = field::GpuCounterDescriptor_GpuCounterGroupSpec;
  std::vector<GroupSpec> groups;
  for (Message fields(descriptor); fields.next();) {
    if (fields.number() != field::GpuCounterDescriptor::kCounterGroups) continue;
    GroupSpec group;
    for (Message parts = fields.message(); parts.next();) {
      if (parts.number() == Field::kGroupId) group.id = parts.u32();
      if (parts.number() == Field::kName) group.name = sink.string(parts.bytes());
      if (parts.number() == Field::kDescription) group.description = sink.string(parts.bytes());
      if (parts.number() == Field::kCounterIds)
        for_each_varint(parts,
                        [&](uint64_t id) { group.counters.push_back(static_cast<uint32_t>(id)); });
    }
    if (group.id) groups.push_back(std::move(group));
  }
  return groups;
}

// The rows of gpu_counter_group of one descriptor. They have no time, so that they come before the
// events of the counters.
class GroupRows {
 public:
  GroupRows(const PacketInfo& packet, std::string_view descriptor, PacketOutput& out)
      : packet_(packet), out_(out), groups_(read_groups(descriptor, out.sink)) {
    for (const GroupSpec& group : groups_) by_id_.try_emplace(*group.id, &group);
  }

  void add_spec(const CounterSpec& spec, uint32_t track) {
    if (spec.groups.empty()) add(0, track);
    for (const uint64_t group : spec.groups) add(static_cast<uint32_t>(group), track);
  }
  void add_described(const GpuCounters& counters) {
    for (const GroupSpec& group : groups_)
      for (const uint32_t id : group.counters)
        if (const auto counter = counters.find(id);
            counter != counters.end() && counter->second.is_described)
          add(*group.id, counter->second.track);
  }

 private:
  void add(uint32_t group, uint32_t track) {
    RowWriter row(out_.sink, "gpu_counter_group");
    row.integer("group_id", group).track("track_id", track);
    if (const auto known = by_id_.find(group); known != by_id_.end()) {
      const GroupSpec& spec = *known->second;
      if (spec.name) row.cell("name", ArgType::String, spec.name.row);
      if (spec.description) row.cell("description", ArgType::String, spec.description.row);
    }
    out_.sink.untimed(row.finish(packet_.time));
  }

  const PacketInfo& packet_;
  PacketOutput& out_;
  std::vector<GroupSpec> groups_;
  absl::flat_hash_map<uint32_t, const GroupSpec*> by_id_;
};

// Returns the name of the counter's track.
TrackName counter_track(const PacketInfo& packet, uint32_t gpu, const CounterSpec& spec,
                        PacketOutput& out) {
  out.sink.open_args();
  add_text("description", spec.description ? out.sink.string(*spec.description) : StringId{},
           out.sink);
  const uint32_t source = out.sink.close_args();
  const std::optional<std::string>& unit = spec.unit.text();
  return {.events = TrackEvents::Counter,
          .machine = packet.machine,
          .gpu = gpu,
          .type = out.sink.string("gpu_counter"),
          .name = out.sink.string(*spec.name),
          .unit = unit ? out.sink.string(*unit) : StringId{},
          .source_args = source};
}

// Reads a descriptor in a packet: the first description of an id applies to all samples of the
// file.
void read_inline(const PacketInfo& packet, std::string_view descriptor, uint32_t gpu,
                 GpuCounters& counters, PacketOutput& out) {
  GroupRows groups(packet, descriptor, out);
  for (Message fields(descriptor); fields.next();) {
    if (fields.number() != field::GpuCounterDescriptor::kSpecs) continue;
    const CounterSpec spec = read_spec(fields.message());
    const bool is_valid = spec.id && spec.name;
    if (!is_valid || counters[*spec.id].is_described) {
      out.count(stats::gpu_counters_invalid_spec, packet);
      continue;
    }
    GpuCounter& counter = counters[*spec.id];
    TrackName name = counter_track(packet, gpu, spec, out);
    if (counter.track == kNone)
      counter.track = out.tracks.track(name, {{"name", *spec.name}});
    else  // samples came before
      out.tracks.rename(counter.track, name, {{"name", *spec.name}});
    counter.is_described = true;
    counter.looks_forward = spec.looks_forward;
    out.declare(packet.time, counter.track);
    groups.add_spec(spec, counter.track);
  }
  groups.add_described(counters);
}

// Reads a descriptor of interned data: the first description of an id applies.
void read_interned(const PacketInfo& packet, std::string_view descriptor, uint32_t gpu,
                   GpuCounters& counters, PacketOutput& out) {
  GroupRows groups(packet, descriptor, out);
  for (Message fields(descriptor); fields.next();) {
    if (fields.number() != field::GpuCounterDescriptor::kSpecs) continue;
    const CounterSpec spec = read_spec(fields.message());
    if (!spec.id || !spec.name) continue;
    const auto [counter, is_new] = counters.try_emplace(*spec.id);
    if (!is_new) continue;
    const uint32_t track =
        out.tracks.track(counter_track(packet, gpu, spec, out), {{"name", *spec.name}});
    counter->second = {track, spec.looks_forward, true};
    out.declare(packet.time, track);
    groups.add_spec(spec, track);
  }
  groups.add_described(counters);
}

// Returns the counters of an interned descriptor; null if there is none.
const GpuCounters* interned_counters(const PacketInfo& packet, uint64_t iid, GpuCounterState& state,
                                     PacketOutput& out) {
  using Field = field::InternedGpuCounterDescriptor;
  const std::string* interned =
      packet.sequence->find_message(field::InternedData::kGpuCounterDescriptors, iid);
  if (interned == nullptr) return nullptr;
  const std::pair<uint32_t, uint64_t> writer{packet.sequence->id, packet.sequence->generation};
  const auto [known, is_new] = state.interned.try_emplace({writer, iid});
  if (!is_new) return &known->second;
  uint32_t gpu = 0;
  for (Message fields(*interned); fields.next();)
    if (fields.number() == Field::kGpuId) gpu = fields.u32();
  for (Message fields(*interned); fields.next();)
    if (fields.number() == Field::kCounterDescriptor)
      read_interned(packet, fields.bytes(), gpu, known->second, out);
  return &known->second;
}

struct Sample {
  std::optional<uint32_t> id;
  std::optional<double> value;
};

Sample read_sample(Message fields) {
  using Field = field::GpuCounterEvent_GpuCounter;
  Sample sample;
  while (fields.next()) {
    if (fields.number() == Field::kCounterId) sample.id = fields.u32();
    if (fields.number() == Field::kIntValue) sample.value = static_cast<double>(fields.i64());
    if (fields.number() == Field::kDoubleValue) sample.value = fields.real();
  }
  return sample;
}

void emit_sample(const PacketInfo& packet, const GpuCounter& counter, double value,
                 PacketOutput& out) {
  out.sink.event(counter.looks_forward ? make_counter(packet.time, counter.track, value)
                                       : make_counter_until_now(packet.time, counter.track, value));
}

}  // namespace

void read_gpu_counters(const PacketInfo& packet, std::string_view message, GpuCounterState& state,
                       PacketOutput& out) {
  using Field = field::GpuCounterEvent;
  uint32_t gpu = 0;
  std::optional<uint64_t> iid;
  bool has_samples = false;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kGpuId) gpu = fields.u32();
    if (fields.number() == Field::kCounterDescriptorIid) iid = fields.u64();
    has_samples |= fields.number() == Field::kCounters;
  }
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kCounterDescriptor)
      read_inline(packet, fields.bytes(), gpu, state.declared, out);
  if (has_samples && !packet.has_time)
    return out.count(stats::gpu_counters_missing_timestamp, packet);
  const GpuCounters* interned = nullptr;
  if (iid) {
    interned = interned_counters(packet, *iid, state, out);
    if (interned == nullptr) return out.count(stats::gpu_counters_invalid_spec, packet);
  }
  for (Message fields(message); fields.next();) {
    if (fields.number() != Field::kCounters) continue;
    const Sample sample = read_sample(fields.message());
    if (!sample.id || !sample.value) continue;
    if (iid) {
      const auto counter = interned->find(*sample.id);
      if (counter == interned->end())
        out.count(stats::gpu_counters_invalid_spec, packet);
      else
        emit_sample(packet, counter->second, *sample.value, out);
      continue;
    }
    // The description may come later in the file.
    GpuCounter& counter = state.declared[*sample.id];
    if (counter.track == kNone) {
      counter.track = out.tracks.unnamed_track(packet.machine);
      state.early.push_back(*sample.id);
    }
    emit_sample(packet, counter, *sample.value, out);
  }
}

void finish_gpu_counters(uint32_t machine, GpuCounterState& state, EventSink& sink) {
  if (state.early.empty()) return;
  absl::flat_hash_map<uint32_t, const GpuCounter*> by_track;
  for (const uint32_t id : state.early) {
    const GpuCounter& counter = state.declared[id];
    by_track.emplace(counter.track, &counter);
  }
  // Samples of counters that were never described are dropped; the direction of others is known
  // now.
  const auto settle = [&](Event& event) {
    if (event.what() != EventKind::CounterUntilNow) return false;
    const auto known = by_track.find(event.track);
    if (known == by_track.end()) return false;
    if (known->second->looks_forward) event.kind = static_cast<uint32_t>(EventKind::Counter);
    if (!known->second->is_described) sink.tally(stats::gpu_counter_sample_undescribed, 1, machine);
    return !known->second->is_described;
  };
  for (Stream& stream : sink.batch().streams) std::erase_if(stream.events, settle);
}

}  // namespace tracebraid::proto
