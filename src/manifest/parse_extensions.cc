#include "manifest/parse_extensions.h"

#include <algorithm>

#include "base/iso_time.h"

namespace tracebraid::manifest_json {
namespace {

constexpr int64_t kMaxSkewNs = int64_t{1} << 61;  // 73 years; sums of a few still fit

Result<ClockPoint> parse_point(const Value& value) {
  static constexpr std::string_view kMalformed =
      "clocks: points need an integer this_ns and other_ns, e.g. \"points\": [{\"this_ns\": 0, "
      "\"other_ns\": 1500}].";
  Object point;
  TB_REQUIRE(value.get(point) == simdjson::SUCCESS, kMalformed);
  const std::optional<Value> own = find(point, "this_ns"), other = find(point, "other_ns");
  TB_REQUIRE(own && other, kMalformed);
  const std::optional<int64_t> this_ns = integer(*own), other_ns = integer(*other);
  TB_REQUIRE(this_ns && other_ns, kMalformed);
  return ClockPoint{*this_ns, *other_ns};
}

Result<> parse_points(const Value& value, std::vector<ClockPoint>& points) {
  simdjson::dom::array array;
  TB_REQUIRE(value.get(array) == simdjson::SUCCESS && array.size() > 0,
             "clocks: points must be an array that is not empty");
  for (const Value item : array) {
    TB_TRY_ASSIGN(const ClockPoint point, parse_point(item));
    TB_REQUIRE(points.empty() || (point.this_ns > points.back().this_ns &&
                                  point.other_ns > points.back().other_ns),
               "clocks: points must rise, in this_ns and in other_ns");
    points.push_back(point);
  }
  return {};
}

Result<MachineEntry> parse_machine(const Value& value, std::vector<std::string>& warnings) {
  static constexpr std::string_view kMalformed =
      "machines entries need a string name, e.g. \"machines\": [{\"name\": \"watch\", "
      "\"wall_clock_skew_ns\": 20000000}].";
  Object machine;
  TB_REQUIRE(value.get(machine) == simdjson::SUCCESS, kMalformed);
  const std::optional<Value> name = find(machine, "name");
  std::optional<std::string> found = name ? text(*name) : std::nullopt;
  TB_REQUIRE(found && !found->empty(), kMalformed);
  MachineEntry entry{.name = *std::move(found)};
  if (const std::optional<Value> skew = find(machine, "wall_clock_skew_ns")) {
    const std::optional<int64_t> ns = integer(*skew);
    TB_REQUIRE(ns, "machines: wall_clock_skew_ns must be an integer");
    TB_REQUIRE(*ns >= -kMaxSkewNs && *ns <= kMaxSkewNs,
               "machines: wall_clock_skew_ns is out of range");
    entry.wall_clock_skew_ns = *ns;
  }
  for (const auto& [key, ignored] : machine)
    if (key != "name" && key != "wall_clock_skew_ns")
      warnings.push_back(fmt::format(
          "perfetto_manifest: unknown key '{}' in machine '{}' is ignored", key, entry.name));
  return entry;
}

// Returns the text of `align`: a text, or a list of kinds.
std::optional<std::string> align_value(const Value& value) {
  simdjson::dom::array kinds;
  if (value.get(kinds) != simdjson::SUCCESS) return text(value);
  std::string all;
  for (const Value kind : kinds) {
    const std::optional<std::string> name = text(kind);
    if (!name || std::ranges::find(kAlignKinds, *name) == kAlignKinds.end()) return std::nullopt;
    all.append(all.empty() ? "" : ",").append(*name);
  }
  return all.empty() ? "off" : all;
}

// Returns the kinds of `align` of a file: false, or a list of kinds.
std::optional<uint32_t> file_kinds(const Value& value) {
  bool is_on = false;
  if (value.get(is_on) == simdjson::SUCCESS) return is_on ? std::nullopt : std::optional(0U);
  if (!value.is_array()) return std::nullopt;
  const std::optional<std::string> kinds = align_value(value);
  const std::optional<AlignOptions> options = kinds ? parse_align(*kinds) : std::nullopt;
  return options ? std::optional(options->kinds) : std::nullopt;
}

}  // namespace

Result<> parse_clock_extensions(const Object& clocks, ClockOverride& found) {
  if (const std::optional<Value> value = find(clocks, "drift_ppm")) {
    double ppm = 0;
    TB_REQUIRE(value->is_number() && value->get(ppm) == simdjson::SUCCESS && ppm >= -kMaxDriftPpm &&
                   ppm <= kMaxDriftPpm,
               fmt::format("clocks: drift_ppm must be a number from {0:.0f} to {1:.0f}",
                           -kMaxDriftPpm, kMaxDriftPpm));
    found.drift_ppm = ppm;
  }
  if (const std::optional<Value> value = find(clocks, "offset_at_ns")) {
    const std::optional<int64_t> number = integer(*value);
    TB_REQUIRE(number, "clocks: offset_at_ns must be an integer");
    found.offset_at_ns = *number;
  }
  const std::optional<Value> points = find(clocks, "points");
  return points ? parse_points(*points, found.points) : Result<>{};
}

Result<> parse_file_extensions(const Object& entry, FileEntry& found) {
  if (const std::optional<Value> value = find(entry, "glob"))
    TB_REQUIRE(value->get(found.is_glob) == simdjson::SUCCESS,
               fmt::format("'{}': glob must be true or false", found.path));
  if (const std::optional<Value> value = find(entry, "align")) {
    found.align_kinds = file_kinds(*value);
    TB_REQUIRE(found.align_kinds, fmt::format("'{}': align must be false or a list of {}",
                                              found.path, fmt::join(kAlignKinds, ", ")));
  }
  if (const std::optional<Value> value = find(entry, "clock_group")) {
    const std::optional<std::string> name = text(*value);
    TB_REQUIRE(name && !name->empty(),
               fmt::format("'{}': clock_group must be a text that is not empty", found.path));
    found.clock_group = *name;
  }
  const std::optional<Value> value = find(entry, "start");
  if (!value) return {};
  const std::optional<std::string> time = text(*value);
  found.start_utc_ns = time ? parse_iso_time(*time) : std::nullopt;
  TB_REQUIRE(found.start_utc_ns,
             fmt::format("'{}': start must be a time with a zone, e.g. \"2026-11-20T12:03:04.5Z\"",
                         found.path));
  TB_REQUIRE(!found.clocks || !found.clocks->pins_file(),
             fmt::format("'{}': start and clocks both move the whole file; give one", found.path));
  return {};
}

Result<> parse_document_extensions(const Object& body, Manifest& found,
                                   std::vector<std::string>& warnings) {
  if (const std::optional<Value> value = find(body, "clock_model")) {
    const std::optional<std::string> name = text(*value);
    TB_REQUIRE(name == "step" || name == "linear", "clock_model must be \"step\" or \"linear\"");
    found.clock_model = name == "linear" ? ClockModel::Linear : ClockModel::Step;
  }
  if (const std::optional<Value> value = find(body, "join_flows")) {
    const std::optional<std::string> name = text(*value);
    TB_REQUIRE(name == "auto" || name == "all" || name == "none",
               "join_flows must be \"auto\", \"all\" or \"none\"");
    found.join_flows = name == "auto"  ? JoinFlows::Auto
                       : name == "all" ? JoinFlows::All
                                       : JoinFlows::None;
  }
  if (const std::optional<Value> value = find(body, "align")) {
    const std::optional<std::string> kinds = align_value(*value);
    found.align = kinds ? parse_align(*kinds) : std::nullopt;
    TB_REQUIRE(found.align,
               fmt::format("align must be \"auto\", \"off\", \"verify\" or a list of {}",
                           fmt::join(kAlignKinds, ", ")));
  }
  const std::optional<Value> value = find(body, "machines");
  if (!value) return {};
  simdjson::dom::array array;
  TB_REQUIRE(value->get(array) == simdjson::SUCCESS, "machines must be an array");
  for (const Value item : array) {
    TB_TRY_ASSIGN(MachineEntry machine, parse_machine(item, warnings));
    const bool is_new = std::ranges::find(found.machines, machine.name, &MachineEntry::name) ==
                        found.machines.end();
    TB_REQUIRE(is_new, fmt::format("machines: two entries have the name '{}'", machine.name));
    found.machines.push_back(std::move(machine));
  }
  return {};
}

}  // namespace tracebraid::manifest_json
