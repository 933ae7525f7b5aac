#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "clock/clock_key.h"
#include "manifest/json_fields.h"
#include "manifest/manifest.h"
#include "manifest/parse_extensions.h"

namespace tracebraid {
namespace {

using namespace manifest_json;
using Keys = std::span<const std::string_view>;

constexpr size_t kSniffedBytes = 128;
constexpr int64_t kVersion = 1;

// Returns an optional member, which must be a string if it is present.
Result<std::optional<std::string>> optional_text(const Object& object, std::string_view key,
                                                 std::string_view otherwise) {
  const std::optional<Value> value = find(object, key);
  if (!value) return std::nullopt;
  std::optional<std::string> found = text(*value);
  TB_REQUIRE(found, otherwise);
  return found;
}

// Checks rows 9 and 10. Returns 0 without a `clock`.
Result<uint32_t> parse_clock(const Object& object) {
  const std::optional<Value> value = find(object, "clock");
  if (!value) return 0U;
  const std::optional<std::string> name = text(*value);
  TB_REQUIRE(name, "clock name must be a string");
  for (uint32_t domain = domain::kRealtime; domain <= domain::kBoottime; ++domain)
    if (clock_name(domain) == *name) return domain;
  return tl::unexpected(
      broken(fmt::format("unknown clock name: {}. Use one of REALTIME, REALTIME_COARSE, MONOTONIC, "
                         "MONOTONIC_COARSE, MONOTONIC_RAW, BOOTTIME.",
                         *name)));
}

class Parser {
 public:
  explicit Parser(std::vector<std::string>& warnings) : warnings_(warnings) {}

  Result<Manifest> document(const Value& root);

 private:
  Result<> version(const Object& body) const;
  Result<std::optional<TraceTimeChoice>> trace_time(const Object& body);
  Result<std::vector<FileEntry>> files(const Object& body);
  Result<FileEntry> file(const Value& value);
  Result<std::optional<ClockOverride>> clocks(const Object& entry, const std::string& path);
  Result<SyncTo> sync_to(const Object& clocks, const std::string& path);
  Result<int64_t> offset(const Object& clocks) const;
  Result<std::optional<std::string>> machine(const Object& entry, const std::string& path);
  Result<std::vector<MachineName>> machines(const Object& entry, const std::string& path);
  Result<MachineName> machines_item(const Value& value, const std::string& path);
  Result<std::vector<Attribute>> attributes(const Object& body) const;

  // Ignores unknown keys with a warning, because they may be misspelt (spec clocks 15.2 Q25).
  void warn_of_unknown(const Object& object, std::string_view where, Keys known);

  std::vector<std::string>& warnings_;
};

void Parser::warn_of_unknown(const Object& object, std::string_view where, Keys known) {
  for (const auto& [key, value] : object)
    if (std::ranges::find(known, key) == known.end())
      warnings_.push_back(
          fmt::format("perfetto_manifest: unknown key '{}' in {} is ignored", key, where));
}

Result<> Parser::version(const Object& body) const {
  const std::optional<Value> value = find(body, "version");
  TB_REQUIRE(value, "missing required field: version");
  const std::optional<int64_t> number = integer(*value);
  TB_REQUIRE(number, "version must be an integer");
  TB_REQUIRE(
      *number == kVersion,
      fmt::format("unsupported version: {}. Only version 1 is supported; set \"version\": 1.",
                  *number));
  return {};
}

Result<std::optional<TraceTimeChoice>> Parser::trace_time(const Object& body) {
  const std::optional<Value> value = find(body, "trace_time");
  if (!value) return std::nullopt;
  Object object;
  TB_REQUIRE(value->get(object) == simdjson::SUCCESS, "trace_time must be an object");
  static constexpr std::array<std::string_view, 3> kKnown{"clock", "file", "machine"};
  warn_of_unknown(object, "trace_time", kKnown);
  TB_REQUIRE(find(object, "clock"), "trace_time needs a clock");
  TraceTimeChoice found;
  TB_TRY_ASSIGN(found.clock, parse_clock(object));
  TB_TRY_ASSIGN(found.file, optional_text(object, "file", "trace_time: file must be a string"));
  TB_TRY_ASSIGN(found.machine,
                optional_text(object, "machine", "trace_time: machine must be a string"));
  return found;
}

Result<SyncTo> Parser::sync_to(const Object& clocks, const std::string& path) {
  const std::optional<Value> value = find(clocks, "sync_to");
  TB_REQUIRE(value,
             "clocks: a sync_to block is required. Manual clock handling relates this file to a "
             "clock in another trace, e.g. \"sync_to\": {\"file\": \"other.pb\"}.");
  Object object;
  TB_REQUIRE(value->get(object) == simdjson::SUCCESS, "clocks: sync_to must be an object");
  static constexpr std::array<std::string_view, 3> kKnown{"file", "machine", "clock"};
  warn_of_unknown(object, fmt::format("sync_to of '{}'", path), kKnown);
  const std::optional<Value> file = find(object, "file");
  const std::optional<std::string> name = file ? text(*file) : std::nullopt;
  TB_REQUIRE(name, "clocks: sync_to.file is required and must be a string");
  SyncTo found{.file = *name, .machine = {}};
  TB_TRY_ASSIGN(found.machine,
                optional_text(object, "machine", "clocks: sync_to.machine must be a string"));
  TB_TRY_ASSIGN(found.clock, parse_clock(object));
  return found;
}

Result<int64_t> Parser::offset(const Object& clocks) const {
  const std::optional<Value> value = find(clocks, "offset_ns");
  if (!value) return 0;
  const std::optional<int64_t> number = integer(*value);
  TB_REQUIRE(number, "clocks: offset_ns must be an integer");
  TB_REQUIRE(*number != std::numeric_limits<int64_t>::min(), "clocks: offset_ns is out of range");
  return *number;
}

Result<std::optional<ClockOverride>> Parser::clocks(const Object& entry, const std::string& path) {
  const std::optional<Value> value = find(entry, "clocks");
  if (!value) return std::nullopt;
  Object object;
  TB_REQUIRE(value->get(object) == simdjson::SUCCESS, "clocks must be an object");
  static constexpr std::array<std::string_view, 7> kKnown{
      "clock", "machine", "sync_to", "offset_ns", "drift_ppm", "offset_at_ns", "points"};
  warn_of_unknown(object, fmt::format("clocks of '{}'", path), kKnown);
  ClockOverride found;
  TB_TRY_ASSIGN(found.clock, parse_clock(object));
  TB_TRY_ASSIGN(found.machine,
                optional_text(object, "machine", "clocks: machine must be a string"));
  TB_TRY_ASSIGN(found.sync_to, sync_to(object, path));
  TB_TRY_ASSIGN(found.offset_ns, offset(object));
  TB_TRY(parse_clock_extensions(object, found));
  return found;
}

Result<std::optional<std::string>> Parser::machine(const Object& entry, const std::string& path) {
  const std::optional<Value> value = find(entry, "machine");
  if (!value) return std::nullopt;
  Object object;
  const bool is_object = value->get(object) == simdjson::SUCCESS;
  const std::optional<Value> name = is_object ? find(object, "name") : std::nullopt;
  std::optional<std::string> found = name ? text(*name) : std::nullopt;
  TB_REQUIRE(found,
             "machine must be an object with a string name, e.g. \"machine\": {\"name\": "
             "\"phone\"}.");
  TB_REQUIRE(!found->empty(), "machine: name must be non-empty");
  static constexpr std::array<std::string_view, 1> kKnown{"name"};
  warn_of_unknown(object, fmt::format("machine of '{}'", path), kKnown);
  return found;
}

Result<MachineName> Parser::machines_item(const Value& value, const std::string& path) {
  static constexpr std::string_view kMalformed =
      "machines entries need an integer id and a string name, e.g. \"machines\": [{\"id\": 0, "
      "\"name\": \"phone\"}].";
  Object object;
  TB_REQUIRE(value.get(object) == simdjson::SUCCESS, kMalformed);
  const std::optional<Value> id = find(object, "id");
  const std::optional<Value> name = find(object, "name");
  TB_REQUIRE(id && id->is_number() && name, kMalformed);
  std::optional<std::string> found = text(*name);
  TB_REQUIRE(found, kMalformed);
  // Exact for every id in range; truncates fractions.
  double number = 0;
  TB_REQUIRE(id->get(number) == simdjson::SUCCESS, kMalformed);
  number = std::trunc(number);
  TB_REQUIRE(number >= 0 && number <= std::numeric_limits<uint32_t>::max(),
             "machines: id must be in [0, 4294967295]");
  TB_REQUIRE(!found->empty(), "machines: name must be non-empty");
  static constexpr std::array<std::string_view, 2> kKnown{"id", "name"};
  warn_of_unknown(object, fmt::format("machines of '{}'", path), kKnown);
  return MachineName{static_cast<uint32_t>(number), *std::move(found)};
}

Result<std::vector<MachineName>> Parser::machines(const Object& entry, const std::string& path) {
  std::vector<MachineName> found;
  const std::optional<Value> value = find(entry, "machines");
  if (!value) return found;
  simdjson::dom::array array;
  TB_REQUIRE(value->get(array) == simdjson::SUCCESS, "machines must be an array");
  for (const Value item : array) {
    TB_TRY_ASSIGN(MachineName machine, machines_item(item, path));
    found.push_back(std::move(machine));
  }
  return found;
}

Result<FileEntry> Parser::file(const Value& value) {
  Object entry;
  const bool is_object = value.get(entry) == simdjson::SUCCESS;
  const std::optional<Value> path = is_object ? find(entry, "path") : std::nullopt;
  const std::optional<std::string> name = path ? text(*path) : std::nullopt;
  TB_REQUIRE(name, "files entries must be objects with a string path");
  static constexpr std::array<std::string_view, 9> kKnown{
      "path", "machine", "machines", "clocks",     "__exported_table_schema",
      "glob", "start",   "align",    "clock_group"};
  warn_of_unknown(entry, fmt::format("the entry of '{}'", *name), kKnown);
  const bool has_machine = find(entry, "machine").has_value();
  const bool has_machines = find(entry, "machines").has_value();
  if (find(entry, "__exported_table_schema")) {
    TB_REQUIRE(!has_machine && !has_machines && !find(entry, "clocks"),
               fmt::format("'{}': an exported table is not a trace, so __exported_table_schema "
                           "cannot be combined with clocks/machine/machines",
                           *name));
  }
  FileEntry found{.path = *name, .machine = {}, .machines = {}, .clocks = {}};
  TB_TRY_ASSIGN(found.clocks, clocks(entry, *name));
  TB_REQUIRE(!has_machine || !has_machines,
             "machine and machines are mutually exclusive. Use `machine` for a single-machine "
             "file, or `machines` to remap a multi-machine proto's embedded ids; not both.");
  TB_TRY_ASSIGN(found.machine, machine(entry, *name));
  TB_TRY_ASSIGN(found.machines, machines(entry, *name));
  TB_TRY(parse_file_extensions(entry, found));
  return found;
}

Result<std::vector<FileEntry>> Parser::files(const Object& body) {
  std::vector<FileEntry> found;
  const std::optional<Value> value = find(body, "files");
  if (!value) return found;
  simdjson::dom::array array;
  TB_REQUIRE(value->get(array) == simdjson::SUCCESS, "files must be an array");
  absl::flat_hash_set<std::string> paths;
  for (const Value item : array) {
    TB_TRY_ASSIGN(FileEntry entry, file(item));
    if (paths.insert(entry.path).second)
      found.push_back(std::move(entry));
    else
      warnings_.push_back(
          fmt::format("perfetto_manifest: a second entry of '{}' is ignored; the first one counts",
                      entry.path));
  }
  return found;
}

Result<std::vector<Attribute>> Parser::attributes(const Object& body) const {
  std::vector<Attribute> found;
  const std::optional<Value> value = find(body, "attributes");
  if (!value) return found;
  Object object;
  TB_REQUIRE(value->get(object) == simdjson::SUCCESS,
             "attributes must be an object of string or integer values, e.g. \"attributes\": "
             "{\"benchmark\": \"startup\"}.");
  for (const auto& [key, entry] : object) {
    TB_REQUIRE(!key.empty(), "attributes: keys must be non-empty");
    if (const std::optional<int64_t> number = integer(entry)) {
      found.push_back({std::string(key), *number});
      continue;
    }
    std::optional<std::string> words = text(entry);
    TB_REQUIRE(words, fmt::format("attributes: '{}' must be a string or an integer", key));
    found.push_back({std::string(key), *std::move(words)});
  }
  return found;
}

Result<Manifest> Parser::document(const Value& root) {
  Object outer, body;
  const bool is_object = root.get(outer) == simdjson::SUCCESS;
  const std::optional<Value> value = is_object ? find(outer, "perfetto_manifest") : std::nullopt;
  TB_REQUIRE(value && value->get(body) == simdjson::SUCCESS,
             "expected a JSON object with a top-level perfetto_manifest key");
  static constexpr std::array<std::string_view, 8> kKnown{"version",    "trace_time", "files",
                                                          "attributes", "machines",   "clock_model",
                                                          "join_flows", "align"};
  warn_of_unknown(body, "perfetto_manifest", kKnown);
  Manifest manifest;
  TB_TRY(version(body));
  TB_TRY_ASSIGN(manifest.trace_time, trace_time(body));
  TB_TRY_ASSIGN(manifest.files, files(body));
  TB_TRY_ASSIGN(manifest.attributes, attributes(body));
  TB_TRY(parse_document_extensions(body, manifest, warnings_));
  return manifest;
}

}  // namespace

bool is_manifest(std::string_view head) {
  static constexpr std::string_view kPrefix = "{\"perfetto_manifest\"";
  std::string squeezed;
  for (const char c : head.substr(0, kSniffedBytes))
    if (std::isspace(static_cast<unsigned char>(c)) == 0) squeezed += c;
  return squeezed.starts_with(kPrefix);
}

Result<Manifest> parse_manifest(std::string_view json, std::vector<std::string>& warnings) {
  simdjson::dom::parser parser;
  Value root;
  if (const auto error = parser.parse(json.data(), json.size()).get(root);
      error != simdjson::SUCCESS)
    return fail(ErrorCode::BadManifest,
                fmt::format("Trace parse failure: perfetto_manifest: not valid JSON: {}",
                            simdjson::error_message(error)));
  return Parser(warnings).document(root);
}

}  // namespace tracebraid
