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

// Names by GpuCounterDescriptor.MeasureUnit.
constexpr std::string_view kUnits[] = {
    "",   "bit", "Kbit", "Mbit",   "Gbit",  "Tbit",      "Pbit",     "B",          "KB", "MB", "GB",
    "TB", "PB",  "Hz",   "KHz",    "MHz",   "GHz",       "THz",      "PHz",        "ns", "us", "ms",
    "s",  "min", "h",    "vertex", "pixel", "triangle",  "mW",       "W",          "kW", "J",  "V",
    "A",  "C",   "F",    "K",      "%",     "primitive", "fragment", "instruction"};

// Joins units by ':'; only the first unit of the list begins with `start`.
void append_units(const Message& field, std::string_view start, bool& is_first, std::string& text) {
  for_each_varint(field, [&](uint64_t unit) {
    if (unit >= std::size(kUnits)) return;
    text += is_first ? start : ":";
    text += kUnits[unit];
    is_first = false;
  });
}

struct CounterSpec {
  std::optional<uint32_t> id;
  std::optional<std::string_view> name;
  std::string_view description;
  std::string unit;
  bool looks_forward = false;
  std::vector<uint64_t> groups;
};

CounterSpec read_spec(const Message& message) {
  constexpr uint64_t kForwardsLooking = 2;  // of ValueDirection
  CounterSpec spec;
  bool first_numerator = true, first_denominator = true;
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
        append_units(fields, "", first_numerator, spec.unit);
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
    if (fields.number() == Spec::kDenominatorUnits)
      append_units(fields, "/", first_denominator, spec.unit);
  return spec;
}

// Adds rows without a time: they come before the events of the counters.
void add_group(const PacketInfo& packet, int64_t group, uint32_t track,
               std::optional<std::string_view> name, std::optional<std::string_view> description,
               PacketOutput& out) {
  RowWriter row(out.sink, "gpu_counter_group");
  row.integer("group_id", group).track("track_id", track);
  if (name) row.text("name", *name);
  if (description) row.text("description", *description);
  out.sink.untimed(row.finish(packet.time));
}

void add_named_group(const PacketInfo& packet, const Message& message, const GpuCounters& counters,
                     PacketOutput& out) {
  using Field = field::GpuCounterDescriptor_GpuCounterGroupSpec;
  int64_t group = 0;
  std::optional<std::string_view> name, description;
  std::vector<uint32_t> ids;
  for (Message fields = message; fields.next();) {
    if (fields.number() == Field::kGroupId) group = fields.u32();
    if (fields.number() == Field::kName) name = fields.bytes();
    if (fields.number() == Field::kDescription) description = fields.bytes();
    if (fields.number() == Field::kCounterIds)
      for_each_varint(fields, [&](uint64_t id) { ids.push_back(static_cast<uint32_t>(id)); });
  }
  for (const uint32_t id : ids)
    if (const auto counter = counters.find(id); counter != counters.end())
      add_group(packet, group, counter->second.track, name, description, out);
}

uint32_t counter_track(const PacketInfo& packet, uint32_t gpu, const CounterSpec& spec,
                       PacketOutput& out) {
  out.sink.open_args();
  add_text("description",
           spec.description.data() == nullptr ? StringId{} : out.sink.string(spec.description),
           out.sink);
  const uint32_t source = out.sink.close_args();
  return out.tracks.track({.events = TrackEvents::Counter,
                           .machine = packet.machine,
                           .gpu = gpu,
                           .type = out.sink.string("gpu_counter"),
                           .name = out.sink.string(*spec.name),
                           .unit = spec.unit.empty() ? StringId{} : out.sink.string(spec.unit),
                           .source_args = source},
                          {{"name", *spec.name}});
}

void read_descriptor(const PacketInfo& packet, std::string_view message, uint32_t gpu,
                     GpuCounters& counters, PacketOutput& out) {
  using Field = field::GpuCounterDescriptor;
  for (Message fields(message); fields.next();) {
    if (fields.number() != Field::kSpecs) continue;
    const CounterSpec spec = read_spec(fields.message());
    if (!spec.id || !spec.name) {
      out.count(stats::gpu_counters_invalid_spec, packet);
      continue;
    }
    const uint32_t track = counter_track(packet, gpu, spec, out);
    counters[*spec.id] = {track, spec.looks_forward};
    out.declare(packet.time, track);
    if (spec.groups.empty()) add_group(packet, 0, track, {}, {}, out);
    for (const uint64_t group : spec.groups)
      add_group(packet, static_cast<int64_t>(group), track, {}, {}, out);
  }
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kCounterGroups)
      add_named_group(packet, fields.message(), counters, out);
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
      read_descriptor(packet, fields.bytes(), gpu, known->second, out);
  return &known->second;
}

void emit_value(const PacketInfo& packet, Message fields, const GpuCounters& counters,
                StatId if_unknown, PacketOutput& out) {
  using Field = field::GpuCounterEvent_GpuCounter;
  uint32_t id = 0;
  std::optional<double> value;
  while (fields.next()) {
    if (fields.number() == Field::kCounterId) id = fields.u32();
    if (fields.number() == Field::kIntValue) value = static_cast<double>(fields.i64());
    if (fields.number() == Field::kDoubleValue) value = fields.real();
  }
  const auto counter = counters.find(id);
  if (counter == counters.end()) return out.count(if_unknown, packet);
  if (!value) return;
  const uint32_t track = counter->second.track;
  out.sink.event(counter->second.looks_forward
                     ? make_counter(packet.time, track, *value)
                     : make_counter_until_now(packet.time, track, *value));
}

}  // namespace

void read_gpu_counters(const PacketInfo& packet, std::string_view message, GpuCounterState& state,
                       PacketOutput& out) {
  using Field = field::GpuCounterEvent;
  uint32_t gpu = 0;
  std::optional<uint64_t> iid;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kGpuId) gpu = fields.u32();
    if (fields.number() == Field::kCounterDescriptorIid) iid = fields.u64();
  }
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kCounterDescriptor)
      read_descriptor(packet, fields.bytes(), gpu, state.declared, out);
  const GpuCounters* counters = &state.declared;
  if (iid) counters = interned_counters(packet, *iid, state, out);
  if (counters == nullptr) return out.count(stats::gpu_counters_invalid_spec, packet);
  const StatId if_unknown =
      iid ? stats::gpu_counters_invalid_spec : stats::gpu_counters_missing_spec;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kCounters)
      emit_value(packet, fields.message(), *counters, if_unknown, out);
}

}  // namespace tracebraid::proto
