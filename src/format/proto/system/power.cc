// Batteries, power rails, energy and entity states.
#include "format/proto/system/power.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/system/stats.h"

namespace tracebraid::proto {
namespace {

// Returns a * b / c; nothing if it does not fit.
std::optional<int64_t> scaled(int64_t a, int64_t b, int64_t c) {
  const auto wide = static_cast<__int128>(a) * b / c;
  const auto value = static_cast<int64_t>(wide);
  return value == wide ? std::optional(value) : std::nullopt;
}

struct Battery {
  std::optional<int64_t> charge_uah, current_ua, average_ua, energy_uwh, voltage_uv;
  std::optional<double> capacity;
  std::string_view name;
};

Battery read(std::string_view message) {
  using Field = field::BatteryCounters;
  Battery battery;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kChargeCounterUah:
        battery.charge_uah = fields.i64();
        break;
      case Field::kCapacityPercent:
        battery.capacity = fields.real();
        break;
      case Field::kCurrentUa:
        battery.current_ua = fields.i64();
        break;
      case Field::kCurrentAvgUa:
        battery.average_ua = fields.i64();
        break;
      case Field::kName:
        battery.name = fields.bytes();
        break;
      case Field::kEnergyCounterUwh:
        battery.energy_uwh = fields.i64();
        break;
      case Field::kVoltageUv:
        battery.voltage_uv = fields.i64();
        break;
      default:
        break;
    }
  }
  return battery;
}

// Returns the common name of a rail.
std::string shown_rail_name(std::string_view raw) {
#define TB_POWER_RAIL(suffix, shown) \
  if (raw.ends_with(suffix)) return "power.rails." shown;
#include "format/proto/generated/power_rail_names.inc"
#undef TB_POWER_RAIL
  return fmt::format("power.{}_uws", raw);
}

void declare_rail(const PacketInfo& packet, uint64_t session, Message fields, PowerState& state,
                  PacketOutput& out) {
  using Field = field::PowerRails_RailDescriptor;
  uint32_t index = 0;
  std::string_view name, subsystem;
  while (fields.next()) {
    if (fields.number() == Field::kIndex) index = fields.u32();
    if (fields.number() == Field::kRailName) name = fields.bytes();
    if (fields.number() == Field::kSubsysName) subsystem = fields.bytes();
  }
  out.sink.open_args();
  add_text("raw_name", name, out.sink);
  add_text("subsystem_name", subsystem.data() == nullptr ? StringId{} : out.sink.string(subsystem),
           out.sink);
  const uint32_t source = out.sink.close_args();
  const uint32_t track =
      out.tracks.track({.events = TrackEvents::Counter,
                        .machine = packet.machine,
                        .type = out.sink.string("power_rails"),
                        .name = out.sink.string(shown_rail_name(name)),
                        .source_args = source},
                       {{"name", name}, {"session_uuid", static_cast<int64_t>(session)}});
  state.rails[{session, index}] = track;
  out.declare(packet.time, track);
}

void emit_energy(const PacketInfo& packet, uint64_t session, Message fields,
                 const PowerState& state, PacketOutput& out) {
  using Field = field::PowerRails_EnergyData;
  constexpr int64_t kNsPerMs = 1'000'000;
  uint32_t index = 0;
  uint64_t energy = 0;
  std::optional<int64_t> ms;
  while (fields.next()) {
    if (fields.number() == Field::kIndex) index = fields.u32();
    if (fields.number() == Field::kTimestampMs) ms = fields.i64();
    if (fields.number() == Field::kEnergy) energy = fields.u64();
  }
  const auto rail = state.rails.find({session, index});
  if (rail == state.rails.end()) return out.count(stats::power_rail_unknown_index, packet);
  EventTime time = packet.time;
  if (ms) {
    int64_t ns = 0;
    if (__builtin_mul_overflow(*ms, kNsPerMs, &ns)) ns = std::numeric_limits<int64_t>::max();
    time = out.clocks.time(
        packet.machine,
        {.domain = field::BuiltinClock::kBoottime, .on_failure = OnFailure::DropPart}, ns);
  }
  std::vector<ArgTime>& times = out.sink.batch().arg_times;
  out.sink.open_args();
  add_int("packet_ts", static_cast<int64_t>(times.size()), out.sink, ArgType::Time);
  times.push_back({packet.time.ticks, packet.time.clock});
  emit_counter(time, rail->second, static_cast<double>(energy), out.sink, 0, out.sink.close_args());
}

void read_consumers(const PacketInfo& packet, Message fields, PowerState& state,
                    PacketOutput& out) {
  using Field = field::AndroidEnergyConsumer;
  while (fields.next()) {
    if (fields.number() != field::AndroidEnergyConsumerDescriptor::kEnergyConsumers) continue;
    std::optional<int32_t> id;
    PowerState::Consumer described;
    for (Message consumer = fields.message(); consumer.next();) {
      if (consumer.number() == Field::kEnergyConsumerId) id = consumer.i32();
      if (consumer.number() == Field::kName) described.name = consumer.bytes();
      if (consumer.number() == Field::kType) described.type = consumer.bytes();
      if (consumer.number() == Field::kOrdinal) described.ordinal = consumer.i32();
    }
    if (id)
      state.consumers[*id] = std::move(described);
    else
      out.count(stats::energy_descriptor_invalid, packet);
  }
}

uint32_t consumer_track(const PacketInfo& packet, int32_t id, const PowerState::Consumer& consumer,
                        PacketOutput& out) {
  out.sink.open_args();
  add_text("consumer_type", consumer.type ? out.sink.string(*consumer.type) : StringId{}, out.sink);
  add_int("ordinal", consumer.ordinal, out.sink);
  const uint32_t source = out.sink.close_args();
  return out.tracks.track({.events = TrackEvents::Counter,
                           .machine = packet.machine,
                           .type = out.sink.string("android_energy_estimation_breakdown"),
                           .name = out.sink.string(consumer.name),
                           .source_args = source},
                          {{"energy_consumer_id", id}});
}

void read_entity_state(const PacketInfo& packet, Message fields, PowerState& state,
                       PacketOutput& out) {
  using Field = field::EntityStateResidency_PowerEntityState;
  std::optional<int32_t> entity, number;
  std::string_view entity_name, state_name;
  while (fields.next()) {
    if (fields.number() == Field::kEntityIndex) entity = fields.i32();
    if (fields.number() == Field::kStateIndex) number = fields.i32();
    if (fields.number() == Field::kEntityName) entity_name = fields.bytes();
    if (fields.number() == Field::kStateName) state_name = fields.bytes();
  }
  if (!entity || !number) return out.count(stats::entity_state_descriptor_invalid, packet);
  const std::string name = fmt::format("Entity residency: {} is {}", entity_name, state_name);
  state.entities[{*entity, *number}] =
      out.tracks.global_counter(packet.machine, {.type = "entity_state", .name = name},
                                {{"entity_name", entity_name}, {"state_name", state_name}});
}

void emit_residency(const PacketInfo& packet, Message fields, const PowerState& state,
                    PacketOutput& out) {
  using Field = field::EntityStateResidency_StateResidency;
  std::optional<int32_t> entity, number;
  uint64_t ms = 0;
  while (fields.next()) {
    if (fields.number() == Field::kEntityIndex) entity = fields.i32();
    if (fields.number() == Field::kStateIndex) number = fields.i32();
    if (fields.number() == Field::kTotalTimeInStateMs) ms = fields.u64();
  }
  if (!entity || !number) return out.count(stats::entity_state_residency_invalid, packet);
  const auto track = state.entities.find({*entity, *number});
  if (track == state.entities.end())
    return out.count(stats::entity_state_residency_lookup_failed, packet);
  emit_counter(packet.time, track->second, static_cast<double>(ms), out.sink);
}

}  // namespace

void read_battery(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  constexpr int64_t kPwToMw = 1'000'000'000;
  constexpr int64_t kMicro = 1'000'000;
  Battery battery = read(message);
  if (!battery.charge_uah && battery.energy_uwh && battery.voltage_uv.value_or(0) > 0)
    battery.charge_uah = scaled(*battery.energy_uwh, kMicro, *battery.voltage_uv);
  const auto emit = [&](std::string_view counter, double value) {
    const std::string name = battery.name.empty()
                                 ? fmt::format("batt.{}", counter)
                                 : fmt::format("batt.{}.{}", battery.name, counter);
    const std::string_view key = battery.name.empty() ? std::string_view() : battery.name;
    const uint32_t track =
        out.tracks.global_counter(packet.machine, {.type = "battery_counter", .name = name},
                                  {{"battery_name", key}, {"counter_name", counter}});
    emit_counter(packet.time, track, value, out.sink);
  };
  const auto emit_if = [&](std::string_view counter, const std::optional<int64_t>& value) {
    if (value) emit(counter, static_cast<double>(*value));
  };
  emit_if("charge_uah", battery.charge_uah);
  if (battery.capacity) emit("capacity_pct", *battery.capacity);
  emit_if("current_ua", battery.current_ua);
  emit_if("current.avg_ua", battery.average_ua);
  emit_if("voltage_uv", battery.voltage_uv);
  if (battery.current_ua && battery.voltage_uv)
    if (const auto power = scaled(*battery.current_ua, *battery.voltage_uv, kPwToMw))
      emit("power_mw", std::abs(static_cast<double>(*power)));
}

void read_power_rails(const PacketInfo& packet, std::string_view message, PowerState& state,
                      PacketOutput& out) {
  using Field = field::PowerRails;
  uint64_t session = 0;
  bool has_data = false;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kSessionUuid) session = fields.u64();
    if (fields.number() == Field::kEnergyData) has_data = true;
  }
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kRailDescriptor)
      declare_rail(packet, session, fields.message(), state, out);
  if (!has_data) return out.count(stats::power_rail_empty_packet, packet);
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kEnergyData)
      emit_energy(packet, session, fields.message(), state, out);
}

void read_energy_breakdown(const PacketInfo& packet, std::string_view message, PowerState& state,
                           PacketOutput& out) {
  using Field = field::AndroidEnergyEstimationBreakdown;
  using User = field::AndroidEnergyEstimationBreakdown_EnergyUidBreakdown;
  std::optional<int32_t> consumer;
  std::optional<int64_t> energy;
  bool has_descriptor = false;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kEnergyConsumerDescriptor) {
      has_descriptor = true;
      read_consumers(packet, fields.message(), state, out);
    }
    if (fields.number() == Field::kEnergyConsumerId) consumer = fields.i32();
    if (fields.number() == Field::kEnergyUws) energy = fields.i64();
  }
  if (!consumer || !energy) {
    if (!has_descriptor) out.count(stats::energy_breakdown_missing_values, packet);
    return;
  }
  const auto described = state.consumers.find(*consumer);
  if (described == state.consumers.end())
    return out.count(stats::energy_breakdown_missing_values, packet);
  const std::string& name = described->second.name;
  emit_counter(packet.time, consumer_track(packet, *consumer, described->second, out),
               static_cast<double>(*energy), out.sink);
  for (Message fields(message); fields.next();) {
    if (fields.number() != Field::kPerUidBreakdown) continue;
    std::optional<int32_t> uid;
    std::optional<int64_t> used;
    for (Message user = fields.message(); user.next();) {
      if (user.number() == User::kUid) uid = user.i32();
      if (user.number() == User::kEnergyUws) used = user.i64();
    }
    if (!uid || !used) {
      out.count(stats::energy_uid_breakdown_missing_values, packet);
      continue;
    }
    const uint32_t track = out.tracks.global_counter(
        packet.machine, {.type = "android_energy_estimation_breakdown_per_uid", .name = name},
        {{"energy_consumer_id", *consumer}, {"uid", *uid}});
    emit_counter(packet.time, track, static_cast<double>(*used), out.sink);
  }
}

void read_entity_residency(const PacketInfo& packet, std::string_view message, PowerState& state,
                           PacketOutput& out) {
  using Field = field::EntityStateResidency;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kPowerEntityState)
      read_entity_state(packet, fields.message(), state, out);
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kResidency) emit_residency(packet, fields.message(), state, out);
}

}  // namespace tracebraid::proto
