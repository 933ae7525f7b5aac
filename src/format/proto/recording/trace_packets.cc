#include "format/proto/recording/trace_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "base/base64.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/row.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/metadata.h"
#include "format/proto/recording/stats.h"

namespace tracebraid::proto {
namespace {

uint32_t trigger_track(const PacketInfo& packet, PacketOutput& out) {
  return out.tracks.track({.machine = packet.machine,
                           .type = out.sink.string("triggers"),
                           .name = out.sink.string("Trace Triggers")});
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  return text;
}

// Returns the text of a state of a session; empty for other numbers.
std::string_view session_state(int64_t state) {
  using State = field::ConcurrentSessionEvent_State;
  switch (state) {
    case State::kDisabled:
      return "DISABLED";
    case State::kConfigured:
      return "CONFIGURED";
    case State::kStarted:
      return "STARTED";
    case State::kDisablingWaitingStopAcks:
      return "DISABLING_WAITING_STOP_ACKS";
    case State::kClonedReadOnly:
      return "CLONED_READ_ONLY";
    default:
      return {};
  }
}

}  // namespace

void read_trigger(const PacketInfo& packet, std::string_view message, TriggerKind kind,
                  Triggers& triggers, PacketOutput& out) {
  using Field = field::Trigger;
  std::string_view name;
  out.sink.open_args();
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kTriggerName) name = fields.bytes();
    if (fields.number() == Field::kProducerName)
      add_text("producer_name", fields.bytes(), out.sink);
    if (fields.number() == Field::kTrustedProducerUid)
      add_int("trusted_producer_uid", fields.i32(), out.sink);
  }
  const uint32_t args = out.sink.close_args();
  out.event(packet.time, EventKind::Instant, trigger_track(packet, out), name, args);
  if (kind == TriggerKind::Trace)
    return triggers.named.push_back(
        make_metadata_text(packet.time, out.sink.string("trace_trigger"), out.sink.string(name)));
  if (!triggers.clone) triggers.clone = out.sink.string(name);
  out.sink.batch().timed_metadata.push_back(
      make_stat_time(packet.time, stats::traced_clone_trigger_timestamp_ns));
}

void finish_triggers(uint32_t machine, const Triggers& triggers, EventSink& sink) {
  if (triggers.clone)
    sink.batch().metadata.push_back({.key = sink.string("trace_trigger"),
                                     .is_text = true,
                                     .machine = machine,
                                     .text = triggers.clone});
  else
    std::ranges::copy(triggers.named, std::back_inserter(sink.batch().timed_metadata));
}

void read_chrome_trigger(const PacketInfo& packet, std::string_view message,
                         const Translations& translations, std::vector<Metadata>& late_metadata,
                         PacketOutput& out) {
  using Field = field::ChromeTrigger;
  StringId name = {};
  uint32_t hash = 0;
  std::optional<uint64_t> flow;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kTriggerName) name = out.sink.string(fields.bytes());
    if (fields.number() == Field::kTriggerNameHash) hash = fields.u32();
    if (fields.number() == Field::kFlowId) flow = fields.u64();
  }
  const auto study = translations.studies.find(hash);
  const StringId translated = study == translations.studies.end() ? StringId{} : study->second;
  out.sink.open_args();
  add_int("chrome_trigger.name_hash", hash, out.sink, ArgType::Uint);
  if (translated || name) add_text("chrome_trigger.name", name ? name : translated, out.sink);
  const uint32_t args = out.sink.close_args();
  uint32_t extra = kNone;
  if (flow) {
    std::vector<FlowStep>& flows = out.sink.batch().flows;
    std::vector<SliceExtra>& extras = out.sink.batch().slice_extras;
    flows.push_back({*flow, FlowStepKind::Terminating, true});
    extras.push_back({.flows = static_cast<uint32_t>(flows.size() - 1)});
    extra = static_cast<uint32_t>(extras.size() - 1);
  }
  out.sink.event(make_slice_event(
      packet.time, EventKind::Instant, trigger_track(packet, out), 0,
      {.name = name ? name : out.sink.string("chrome_trigger"), .args = args, .extra = extra}));
  late_metadata.push_back({.key = out.sink.string("cr-triggered_rule_name_hash"),
                           .scope = MetadataScope::MachineAndFile,
                           .is_repeated = true,
                           .machine = packet.machine,
                           .value = hash});
}

void read_chrome_metadata(const PacketInfo& packet, std::string_view message, uint32_t& count,
                          PacketOutput& out) {
  using Field = field::ChromeMetadataPacket;
  constexpr uint32_t kLetters = 26;
  const std::string prefix = fmt::format("cr-{}-", static_cast<char>('a' + count++ % kLetters));
  const auto text = [&](std::string_view key, std::string_view value) {
    put_text(key, value, MetadataScope::MachineAndFile, packet.machine, out.sink);
  };
  const auto number = [&](std::string_view key, int64_t value) {
    put_number(key, value, MetadataScope::MachineAndFile, packet.machine, out.sink);
  };
  std::string trials;
  size_t trials_so_far = 0;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kChromeVersionCode:
        number(prefix + "playstore_version_code", fields.i32());
        break;
      case Field::kEnabledCategories:
        text(prefix + "enabled_categories", fields.bytes());
        break;
      case Field::kAppPackageName:
        text(prefix + "package-name", fields.bytes());
        break;
      case Field::kAppVersion:
        text(prefix + "product-version", fields.bytes());
        break;
      case Field::kOsName:
        text(prefix + "os-name", fields.bytes());
        break;
      case Field::kChannel:
        number(prefix + "channel", fields.u32());
        break;
      case Field::kBackgroundTracingMetadata:
        text("cr-background_tracing_metadata", to_base64(fields.bytes()));
        for (Message background = fields.message(); background.next();)
          if (background.number() == field::BackgroundTracingMetadata::kScenarioNameHash)
            number("cr-scenario_name_hash", background.u32());
        break;
      case Field::kFieldTrialHashes: {
        constexpr size_t kOnFirstLine = 2;
        uint32_t name = 0, group = 0;
        for (Message trial = fields.message(); trial.next();) {
          if (trial.number() == field::ChromeMetadataPacket_FinchHash::kName) name = trial.u32();
          if (trial.number() == field::ChromeMetadataPacket_FinchHash::kGroup) group = trial.u32();
        }
        if (trials_so_far++ >= kOnFirstLine) trials += '\n';
        trials += fmt::format("{{ name: {}, group: {} }} ", name, group);
        break;
      }
      default:
        break;
    }
  }
  if (!trials.empty()) text(prefix + "field_trial_hashes", trials);
}

void read_chrome_events(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::ChromeMetadata;
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::ChromeEventBundle::kMetadata) continue;
    std::string key = "cr-";
    std::optional<std::string_view> text;
    std::optional<int64_t> number;
    for (Message entry = fields.message(); entry.next();) {
      if (entry.number() == Field::kName) key += entry.bytes();
      if (entry.number() == Field::kStringValue || entry.number() == Field::kJsonValue)
        text = entry.bytes();
      if (entry.number() == Field::kBoolValue || entry.number() == Field::kIntValue)
        number = entry.i64();
    }
    if (!text && !number) out.count(stats::empty_chrome_metadata, packet);
    if (text) put_text(key, *text, MetadataScope::MachineAndFile, packet.machine, out.sink);
    if (number) put_number(key, *number, MetadataScope::MachineAndFile, packet.machine, out.sink);
  }
}

void read_concurrent_session(const PacketInfo& packet, std::string_view message,
                             PacketOutput& out) {
  using Field = field::ConcurrentSessionEvent;
  std::string name;
  int64_t session = 0, uid = 0, sources = 0, state = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kState) state = fields.i32();
    if (fields.number() == Field::kSessionName) name = fields.bytes();
    if (fields.number() == Field::kSessionId) session = fields.i64();
    if (fields.number() == Field::kConsumerUid) uid = fields.i32();
    if (fields.number() == Field::kNumDataSources) sources = fields.u32();
  }
  using State = field::ConcurrentSessionEvent_State;
  const std::string_view text = session_state(state);
  if (text.empty()) {
    out.sink.open_args();
    add_int("state", state, out.sink);
    return out.count(stats::concurrent_session_event_unknown_state, packet, out.sink.close_args());
  }
  if (name.empty()) name = fmt::format("Session {}", session);
  if (state == State::kClonedReadOnly) name += " (clone)";
  // A session keeps its first name.
  const uint32_t track =
      out.tracks.first_of({.events = TrackEvents::State,
                           .machine = packet.machine,
                           .type = out.sink.string("concurrent_tracing_sessions"),
                           .name = out.sink.string(name)},
                          {{"session_id", session}});
  out.sink.open_args();
  add_int("consumer_uid", uid, out.sink);
  add_int("num_data_sources", sources, out.sink);
  const uint32_t args = out.sink.close_args();
  out.event(packet.time, EventKind::State, track, text, args);
  if (state == State::kDisabled)  // the session has ended
    out.sink.event(make_slice_event(packet.time, EventKind::State, track, 0, {}));
}

void read_interrupt_names(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Mapping = field::InterruptInfo_InterruptMapping;
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::InterruptInfo::kIrqMapping) continue;
    RowWriter row(out.sink, "interrupt_mapping");
    for (Message mapping = fields.message(); mapping.next();) {
      if (mapping.number() == Mapping::kIrqId) row.integer("irq_id", mapping.u32());
      if (mapping.number() == Mapping::kName) row.text("name", mapping.bytes());
    }
    out.sink.event(row.finish(packet.time));
  }
}

void read_gpu_info(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::GpuInfo_Gpu;
  using Extra = field::GpuInfo_Gpu_KeyValue;
  uint32_t number = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::GpuInfo::kGpus) continue;
    GpuFacts facts{.machine = packet.machine, .gpu = number++};
    out.sink.open_args();
    for (Message gpu = fields.message(); gpu.next();) {
      if (gpu.number() != Field::kExtraInfo) continue;
      std::string_view key, value;
      for (Message extra = gpu.message(); extra.next();) {
        if (extra.number() == Extra::kKey) key = extra.bytes();
        if (extra.number() == Extra::kValue) value = extra.bytes();
      }
      add_text(key, value, out.sink);
    }
    facts.args = out.sink.close_args();
    for (Message gpu = fields.message(); gpu.next();) {
      const auto text = [&] { return out.sink.string(gpu.bytes()); };
      if (gpu.number() == Field::kName) facts.name = text();
      if (gpu.number() == Field::kVendor) facts.vendor = text();
      if (gpu.number() == Field::kModel) facts.model = text();
      if (gpu.number() == Field::kArchitecture) facts.architecture = text();
      if (gpu.number() == Field::kUuid) facts.uuid = out.sink.string(hex(gpu.bytes()));
      if (gpu.number() == Field::kPciBdf) facts.pci_bdf = text();
    }
    out.sink.batch().gpus.push_back(facts);
  }
}

void read_bluetooth(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::BluetoothTraceEvent;
  int64_t type = 0, count = 0, length = 0, duration = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kPacketType) type = fields.i32();
    if (fields.number() == Field::kCount) count = fields.u32();
    if (fields.number() == Field::kLength) length = fields.u32();
    if (fields.number() == Field::kDuration) duration = fields.u32();
  }
  out.sink.open_args();
  add_text("TracePacketType", out.enum_text("bluetooth.tracing.BluetoothTracePacketType", type),
           out.sink);
  add_int("Count", count, out.sink, ArgType::Uint);
  add_int("Length", length, out.sink, ArgType::Uint);
  for (Message fields(message); fields.next();) {
    const auto add = [&](std::string_view key) {
      add_int(key, fields.u32(), out.sink, ArgType::Uint);
    };
    if (fields.number() == Field::kOpCode) add("Op Code");
    if (fields.number() == Field::kEventCode) add("Event Code");
    if (fields.number() == Field::kSubeventCode) add("Subevent Code");
    if (fields.number() == Field::kConnectionHandle) add("Connection Handle");
  }
  const uint32_t args = out.sink.close_args();
  const uint32_t track = out.tracks.track({.machine = packet.machine,
                                           .type = out.sink.string("bluetooth_trace_event"),
                                           .name = out.sink.string("BluetoothTraceEvent")});
  out.event(packet.time, EventKind::Slice, track, "BluetoothTraceEvent", args, duration);
}

}  // namespace tracebraid::proto
