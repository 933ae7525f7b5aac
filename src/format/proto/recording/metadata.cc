#include "format/proto/recording/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/args/args.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/diagnostics.h"
#include "format/proto/recording/stats.h"
#include "format/proto/wire/text_format.h"

namespace tracebraid::proto {

void put_text(std::string_view key, std::string_view text, MetadataScope scope, uint32_t machine,
              EventSink& sink, bool multi) {
  sink.batch().metadata.push_back({.key = sink.string(key),
                                   .scope = scope,
                                   .multi = multi,
                                   .is_text = true,
                                   .machine = machine,
                                   .text = sink.string(text)});
}

void put_number(std::string_view key, int64_t value, MetadataScope scope, uint32_t machine,
                EventSink& sink) {
  sink.batch().metadata.push_back(
      {.key = sink.string(key), .scope = scope, .machine = machine, .value = value});
}

namespace {

// Parses google/device/device:14/BUILD.ID/INCREMENTAL:userdebug/dev-keys.
std::string_view part_of_fingerprint(std::string_view fingerprint, size_t slash) {
  size_t at = 0;
  for (size_t i = 0; i < slash; ++i) {
    at = fingerprint.find('/', at);
    if (at == std::string_view::npos) return {};
    ++at;
  }
  const std::string_view part = fingerprint.substr(at);
  return part.substr(0, part.find_first_of(":/"));
}

void read_utsname(Message fields, MachineFacts& facts, EventSink& sink) {
  using Field = field::Utsname;
  const auto put = [&](std::string_view key) {
    put_text(key, fields.bytes(), MetadataScope::Machine, facts.machine, sink);
    return sink.string(fields.bytes());
  };
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kSysname:
        facts.sysname = put("system_name");
        break;
      case Field::kVersion:
        facts.version = put("system_version");
        break;
      case Field::kRelease:
        facts.release = put("system_release");
        break;
      case Field::kMachine:
        facts.arch = put("system_machine");
        break;
      default:
        break;
    }
  }
}

// Returns the metadata key of fields of SystemInfo that are texts.
std::string_view text_key(uint32_t number) {
  using Field = field::SystemInfo;
  switch (number) {
    case Field::kTracingServiceVersion:
      return "tracing_service_version";
    case Field::kAndroidSocModel:
      return "android_soc_model";
    case Field::kAndroidHardwareRevision:
      return "android_hardware_revision";
    case Field::kAndroidStorageModel:
      return "android_storage_model";
    case Field::kAndroidRamModel:
      return "android_ram_model";
    case Field::kAndroidGuestSocModel:
      return "android_guest_soc_model";
    case Field::kAndroidSerialConsole:
      return "android_serial_console";
    default:
      return {};
  }
}

// Returns the API level of an Android release; -1 if it is not known.
int64_t sdk_of_release(std::string_view release) {
  constexpr std::pair<std::string_view, int64_t> kLevels[] = {
      {"9", 28},  {"10", 29}, {"11", 30}, {"12", 31},       {"13", 33},
      {"14", 34}, {"15", 35}, {"16", 36}, {"Tiramisu", 33}, {"UpsideDownCake", 34}};
  for (const auto& [name, level] : kLevels)
    if (name == release) return level;
  return -1;
}

// Returns the text after the first colon: google/device/device:14/...
std::string_view release_of(std::string_view fingerprint) {
  const size_t colon = fingerprint.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view rest = fingerprint.substr(colon + 1);
  return rest.substr(0, rest.find('/'));
}

std::string uuid_text(uint64_t msb, uint64_t lsb) {
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", msb >> 32, (msb >> 16) & 0xffff,
                     msb & 0xffff, lsb >> 48, lsb & 0xffff'ffff'ffff);
}

}  // namespace

void read_system_info(uint32_t machine, std::string_view message, EventSink& sink) {
  using Field = field::SystemInfo;
  MachineFacts facts{.machine = machine};
  const auto put_int = [&](std::string_view key, int64_t value) {
    put_number(key, value, MetadataScope::Machine, machine, sink);
    return value;
  };
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kUtsname:
        read_utsname(fields.message(), facts, sink);
        break;
      case Field::kAndroidBuildFingerprint: {
        facts.android_build_fingerprint = sink.string(fields.bytes());
        put_text("android_build_fingerprint", fields.bytes(), MetadataScope::Machine, machine,
                 sink);
        const std::string_view incremental = part_of_fingerprint(fields.bytes(), 4);
        if (!incremental.empty())
          put_text("android_incremental_build", incremental, MetadataScope::Machine, machine, sink);
        break;
      }
      case Field::kAndroidDeviceManufacturer:
        facts.android_device_manufacturer = sink.string(fields.bytes());
        put_text("android_device_manufacturer", fields.bytes(), MetadataScope::Machine, machine,
                 sink);
        break;
      case Field::kAndroidSdkVersion:
        facts.android_sdk_version = put_int("android_sdk_version", fields.i64());
        break;
      case Field::kTimezoneOffMins:
        facts.timezone_off_mins = put_int("timezone_off_mins", fields.i32());
        break;
      case Field::kNumCpus:
        facts.num_cpus = fields.u32();
        break;
      case Field::kSystemRamBytes: {
        constexpr int64_t kGb = 1'000'000'000;
        facts.system_ram_bytes = put_int("system_ram_bytes", fields.i64());
        const int64_t bytes = std::max<int64_t>(facts.system_ram_bytes, 0);
        put_int("system_ram_gb", bytes / kGb + (bytes % kGb >= kGb / 2 ? 1 : 0));
        break;
      }
      case Field::kMachineName:
        facts.name = sink.string(fields.bytes());
        break;
      default:
        if (const std::string_view key = text_key(fields.number()); !key.empty())
          put_text(key, fields.bytes(), MetadataScope::Machine, machine, sink);
        break;
    }
  }
  if (facts.android_sdk_version < 0 && facts.android_build_fingerprint) {
    const int64_t level =
        sdk_of_release(release_of(sink.batch().strings.get(facts.android_build_fingerprint)));
    if (level > 0) facts.android_sdk_version = put_int("android_sdk_version", level);
  }
  sink.batch().machine_facts.push_back(facts);
}

void read_trace_uuid(std::string_view message, EventSink& sink) {
  uint64_t msb = 0, lsb = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == field::TraceUuid::kMsb) msb = fields.u64();
    if (fields.number() == field::TraceUuid::kLsb) lsb = fields.u64();
  }
  if (msb == 0 && lsb == 0) return;
  sink.batch().trace_uuid = uuid_text(msb, lsb);
  sink.batch().uuid_from_config = false;
}

uint32_t read_trace_config(uint32_t machine, std::string_view message, DescriptorPool& pool,
                           EventSink& sink) {
  using Field = field::TraceConfig;
  sink.batch().config = judge_trace_config(machine, message);
  constexpr uint64_t kDayMs = 86'400'000;
  uint64_t msb = 0, lsb = 0, write_period_ms = 0;
  bool writes_file = false, flushes = false;
  std::vector<int32_t> discarding;  // buffers that discard new packets
  int32_t buffers = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kTraceUuidMsb) msb = fields.u64();
    if (fields.number() == Field::kTraceUuidLsb) lsb = fields.u64();
    if (fields.number() == Field::kUniqueSessionName)
      put_text("unique_session_name", fields.bytes(), MetadataScope::File, 0, sink);
    if (fields.number() == Field::kTraceAttributes)
      read_trace_attributes(machine, fields.bytes(), sink);
    if (fields.number() == Field::kWriteIntoFile) writes_file = fields.flag();
    if (fields.number() == Field::kFileWritePeriodMs) write_period_ms = fields.u32();
    if (fields.number() == Field::kFlushPeriodMs) flushes = fields.u64() != 0;
    if (fields.number() != Field::kBuffers) continue;
    if (is_discarding(fields.message())) discarding.push_back(buffers);
    ++buffers;
  }
  put_text("trace_config_pbtxt", text_of(pool, "perfetto.protos.TraceConfig", message),
           MetadataScope::File, 0, sink);
  // A long trace written to a file without flushes loses most of its data.
  if (writes_file && !flushes) sink.tally(stats::config_write_into_file_no_flush, 1, machine);
  if (writes_file)
    for (const int32_t buffer : discarding)
      sink.tally(stats::config_write_into_file_discard, 1, machine, buffer);
  // A TraceUuid packet takes precedence.
  if ((msb != 0 || lsb != 0) && sink.batch().trace_uuid.empty()) {
    sink.batch().trace_uuid = uuid_text(msb, lsb);
    sink.batch().uuid_from_config = true;
  }
  return writes_file && write_period_ms < kDayMs ? static_cast<uint32_t>(buffers) : 0;
}

void read_trace_attributes(uint32_t machine, std::string_view message, EventSink& sink) {
  using Field = field::TraceAttributes_Attribute;
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::TraceAttributes::kAttribute) continue;
    std::string_view key, text;
    std::optional<int64_t> number;
    for (Message attribute = fields.message(); attribute.next();) {
      if (attribute.number() == Field::kKey) key = attribute.bytes();
      if (attribute.number() == Field::kLongValue) number = attribute.i64();
      if (attribute.number() == Field::kStringValue) {
        text = attribute.bytes();
        number.reset();
      }
    }
    const std::string name = fmt::format("trace_attribute.{}", key);
    if (number)
      put_number(name, *number, MetadataScope::MachineAndFile, machine, sink);
    else
      put_text(name, text, MetadataScope::MachineAndFile, machine, sink);
  }
}

void read_range_of_interest(std::string_view message, EventSink& sink) {
  for (Message fields(message); fields.next();)
    if (fields.number() == field::TrackEventRangeOfInterest::kStartUs)
      return put_number("range_of_interest_start_us", fields.i64(), MetadataScope::File, 0, sink);
  sink.tally(stats::track_event_range_of_interest_missing_start_us);
}

void add_timed_metadata(const EventTime& time, std::string_view key, TimeRule rule,
                        EventSink& sink) {
  sink.batch().timed_metadata.push_back(make_metadata_time(time, sink.string(key), rule));
}

void read_service_event(uint32_t machine, const EventTime& time, std::string_view message,
                        EventSink& sink) {
  using Field = field::TracingServiceEvent;
  const auto slow_source = [&](Message source) {
    using Source = field::TracingServiceEvent_DataSources_DataSource;
    std::string_view producer, name;
    while (source.next()) {
      if (source.number() == Source::kProducerName) producer = source.bytes();
      if (source.number() == Source::kDataSourceName) name = source.bytes();
    }
    put_text("slow_start_data_source", fmt::format("{} {}", producer, name),
             MetadataScope::MachineAndFile, machine, sink, true);
  };
  const auto stat_time = [&](StatId stat, uint32_t index) {
    sink.batch().timed_metadata.push_back(make_stat_time(time, stat, index));
  };
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kTracingStarted:
        add_timed_metadata(time, "tracing_started_ns", TimeRule::Last, sink);
        break;
      case Field::kTracingDisabled:
        add_timed_metadata(time, "tracing_disabled_ns", TimeRule::Last, sink);
        break;
      case Field::kAllDataSourcesStarted:
        add_timed_metadata(time, "all_data_source_started_ns", TimeRule::Last, sink);
        break;
      case Field::kAllDataSourcesFlushed:
        add_timed_metadata(time, "all_data_source_flushed_ns", TimeRule::Multi, sink);
        break;
      case Field::kSlowStartingDataSources:
        for (Message sources = fields.message(); sources.next();)
          if (sources.number() == field::TracingServiceEvent_DataSources::kDataSource)
            slow_source(sources.message());
        break;
      case Field::kCloneStarted:
        stat_time(stats::traced_clone_started_timestamp_ns, kNone);
        break;
      case Field::kBufferCloned:
        stat_time(stats::traced_buf_clone_done_timestamp_ns, fields.u32());
        break;
      default:
        break;
    }
  }
}

}  // namespace tracebraid::proto
