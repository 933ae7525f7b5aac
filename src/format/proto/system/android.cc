#include "format/proto/system/android.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "base/android_uid.h"
#include "event/event_kind.h"
#include "event/row.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/metadata.h"
#include "format/proto/system/stats.h"

namespace tracebraid::proto {
namespace {

void add_package(const PacketInfo& packet, Message fields, PackageState& state, PacketOutput& out) {
  using Field = field::PackagesList_PackageInfo;
  std::string name;
  int64_t uid = 0, version = 0;
  bool debuggable = false, profileable = false;
  while (fields.next()) {
    if (fields.number() == Field::kName) name = fields.bytes();
    if (fields.number() == Field::kUid) uid = fields.i64();
    if (fields.number() == Field::kDebuggable) debuggable = fields.flag();
    if (fields.number() == Field::kProfileableFromShell) profileable = fields.flag();
    if (fields.number() == Field::kVersionCode) version = fields.i64();
  }
  state.by_app_id.try_emplace(app_of_uid(static_cast<uint64_t>(uid)),
                              PackageState::Package{name, packet.time});
  if (!state.seen.insert(name).second) return;
  state.rows.emplace(name, uid);
  out.sink.event(RowWriter(out.sink, "package_list")
                     .text("package_name", name)
                     .integer("uid", uid)
                     .integer("debuggable", debuggable)
                     .integer("profileable_from_shell", profileable)
                     .integer("version_code", version)
                     .finish(packet.time));
}

struct GameMode {
  bool is_supported = false, use_angle = false;
  std::optional<double> downscale, fps;
};

// Values of power modes.
constexpr uint32_t kStandard = 1, kPerformance = 2, kBattery = 3, kModes = 4;

void add_game_mode(std::string_view name, const GameMode& mode, RowWriter& row) {
  const auto column = [&](std::string_view what) { return fmt::format("{}_mode_{}", name, what); };
  row.integer(column("supported"), mode.is_supported);
  if (!mode.is_supported) return;
  row.integer(column("use_angle"), mode.use_angle);
  if (mode.downscale) row.real(column("downscale"), *mode.downscale);
  if (mode.fps) row.real(column("fps"), *mode.fps);
}

void add_game(const PacketInfo& packet, const Message& message, PacketOutput& out) {
  using Field = field::AndroidGameInterventionList_GamePackageInfo;
  using Mode = field::AndroidGameInterventionList_GameModeInfo;
  GameMode modes[kModes];
  RowWriter row(out.sink, "android_game_intervention_list");
  for (Message fields = message; fields.next();) {
    if (fields.number() == Field::kName) row.text("package_name", fields.bytes());
    if (fields.number() == Field::kUid) row.integer("uid", fields.i64());
    if (fields.number() == Field::kCurrentMode) row.integer("current_mode", fields.u32());
    if (fields.number() != Field::kGameModeInfo) continue;
    GameMode mode{.is_supported = true};
    uint32_t number = 0;
    for (Message info = fields.message(); info.next();) {
      if (info.number() == Mode::kMode) number = info.u32();
      if (info.number() == Mode::kUseAngle) mode.use_angle = info.flag();
      if (info.number() == Mode::kResolutionDownscale) mode.downscale = info.real();
      if (info.number() == Mode::kFps) mode.fps = info.real();
    }
    if (number < kModes) modes[number] = mode;
  }
  add_game_mode("standard", modes[kStandard], row);
  add_game_mode("perf", modes[kPerformance], row);
  add_game_mode("battery", modes[kBattery], row);
  out.sink.event(row.finish(packet.time));
}

std::optional<int64_t> whole_number(std::string_view text) {
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void emit_value(const PacketInfo& packet, const CounterKind& kind, int64_t value,
                PacketOutput& out) {
  emit_counter(packet.time, out.tracks.global_counter(packet.machine, kind),
               static_cast<double>(value), out.sink);
}

// Returns the displayed name of a property; empty for properties that are no counters.
std::string_view shown_property(std::string_view name) {
  if (name == "mcc" || name == "mnc" || name == "desktop_mode_visible_tasks") return name;
  if (name == "battery_status") return "BatteryStatus";
  if (name == "plug_type") return "PlugType";
  return {};
}

void read_property(const PacketInfo& packet, std::string_view full_name, std::string_view text,
                   PacketOutput& out) {
  constexpr std::string_view kPrefix = "debug.tracing.";
  if (!full_name.starts_with(kPrefix)) return;
  const std::string_view name = full_name.substr(kPrefix.size());
  if (name == "device_state") {
    const uint32_t track = out.tracks.track({.machine = packet.machine,
                                             .type = out.sink.string("android_device_state"),
                                             .name = out.sink.string("DeviceStateChanged")});
    return out.event(packet.time, EventKind::Instant, track, text);
  }
  if (name.starts_with("wallpaper.")) {
    put_text(full_name, text, MetadataScope::Machine, packet.machine, out.sink);
    return;
  }
  const std::optional<int64_t> value = whole_number(text);
  if (!value) return;
  if (name == "profile_boot_classpath" || name == "profile_system_server") {
    put_number(fmt::format("android_{}", name), *value, MetadataScope::Machine, packet.machine,
               out.sink);
  } else if (name == "screen_state") {
    emit_value(packet, {.type = "screen_state", .name = "ScreenState"}, *value, out);
  } else if (name.starts_with("battery_stats.")) {
    const uint32_t track = out.tracks.global_counter(
        packet.machine, {.type = "battery_stats", .name = name}, {{"counter_key", name}});
    emit_counter(packet.time, track, static_cast<double>(*value), out.sink);
  } else if (const std::string_view shown = shown_property(name); !shown.empty()) {
    const uint32_t track = out.tracks.global_counter(
        packet.machine, {.type = "sysprop_counter", .name = shown}, {{"sysprop_name", full_name}});
    emit_counter(packet.time, track, static_cast<double>(*value), out.sink);
  }
}

}  // namespace

void read_packages(const PacketInfo& packet, std::string_view message, PackageState& state,
                   PacketOutput& out) {
  using Field = field::PackagesList;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kPackages) add_package(packet, fields.message(), state, out);
    if (fields.number() == Field::kParseError && fields.flag())
      out.count(stats::packages_list_has_parse_errors, packet);
    if (fields.number() == Field::kReadError && fields.flag())
      out.count(stats::packages_list_has_read_errors, packet);
  }
}

void add_package_of_process(const PacketInfo& packet, std::string_view name, int64_t uid,
                            PackageState& state, PacketOutput& out) {
  if (!state.rows.emplace(name, uid).second) return;
  out.sink.event(RowWriter(out.sink, "package_list")
                     .text("package_name", name)
                     .integer("uid", uid)
                     .integer("debuggable", 0)
                     .integer("profileable_from_shell", 0)
                     .integer("version_code", 0)
                     .finish(packet.time));
}

void read_game_interventions(const PacketInfo& packet, std::string_view message,
                             PacketOutput& out) {
  using Field = field::AndroidGameInterventionList;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kGamePackages) add_game(packet, fields.message(), out);
    if (fields.number() == Field::kParseError && fields.flag())
      out.count(stats::game_intervention_has_parse_errors, packet);
    if (fields.number() == Field::kReadError && fields.flag())
      out.count(stats::game_intervention_has_read_errors, packet);
  }
}

void read_users(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::AndroidUserList_UserInfo;
  for (Message fields(message); fields.next();) {
    if (fields.number() == field::AndroidUserList::kError && fields.u64() != 0)
      out.count(stats::user_list_errors, packet);
    if (fields.number() != field::AndroidUserList::kUsers) continue;
    RowWriter row(out.sink, "android_user_list");
    for (Message user = fields.message(); user.next();) {
      if (user.number() == Field::kType) row.text("type", user.bytes());
      if (user.number() == Field::kUid) row.integer("android_user_id", user.i64());
    }
    out.sink.event(row.finish(packet.time));
  }
}

void read_feature_flags(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::AndroidAflags_Flag;
  const auto value_name = [&](std::string_view type, std::string_view prefix, uint64_t value) {
    const std::string full = fmt::format("perfetto.protos.AndroidAflags.{}", type);
    std::string_view name =
        out.sink.batch().strings.get(out.enum_text(full, static_cast<int64_t>(value)));
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    return std::string(name);
  };
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::AndroidAflags::kError) continue;
    std::vector<LogRow>& log = out.sink.batch().log;
    const size_t logged = log.size();
    out.sink.count(stats::android_aflags_errors, packet.at, fields.bytes(), packet.machine);
    if (log.size() > logged) log.back().time = {packet.time.ticks, packet.time.clock};
    return;
  }
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::AndroidAflags::kFlags) continue;
    RowWriter row(out.sink, "android_aflags");
    for (Message flag = fields.message(); flag.next();) {
      switch (flag.number()) {
        case Field::kFlagNamespace:
          row.text("flag_namespace", flag.bytes());
          break;
        case Field::kName:
          row.text("name", flag.bytes());
          break;
        case Field::kPkg:
          row.text("package", flag.bytes());
          break;
        case Field::kContainer:
          row.text("container", flag.bytes());
          break;
        case Field::kValue:
          row.text("value", flag.bytes());
          break;
        case Field::kStagedValue:
          row.text("staged_value", flag.bytes());
          break;
        case Field::kPermission:
          row.text("permission", value_name("FlagPermission", "FLAG_PERMISSION_", flag.u64()));
          break;
        case Field::kValuePickedFrom:
          row.text("value_picked_from",
                   value_name("ValuePickedFrom", "VALUE_PICKED_FROM_", flag.u64()));
          break;
        case Field::kStorageBackend:
          row.text("storage_backend",
                   value_name("FlagStorageBackend", "FLAG_STORAGE_BACKEND_", flag.u64()));
          break;
        case Field::kType:
          row.text("type", value_name("FlagType", "FLAG_TYPE_", flag.u64()));
          break;
        default:
          break;
      }
    }
    out.sink.event(row.finish(packet.time));
  }
}

void read_display_state(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  for (Message fields(message); fields.next();)
    if (fields.number() == field::InitialDisplayState::kDisplayState)
      emit_value(packet, {.type = "screen_state", .name = "ScreenState"}, fields.i32(), out);
}

void read_system_properties(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::AndroidSystemProperty_PropertyValue;
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::AndroidSystemProperty::kValues) continue;
    std::string_view name, value;
    for (Message property = fields.message(); property.next();) {
      if (property.number() == Field::kName) name = property.bytes();
      if (property.number() == Field::kValue) value = property.bytes();
    }
    read_property(packet, name, value, out);
  }
}

}  // namespace tracebraid::proto
