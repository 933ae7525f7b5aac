#include "capi/export_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

#include "base/nearest.h"
#include "engine/rows.h"

namespace tracebraid::capi {
namespace {

using Text = std::string& (*)(tracebraid_options& options);
using Texts = std::vector<std::string>& (*)(tracebraid_options& options);
using Switch = bool& (*)(tracebraid_options& options);

struct ExportKey {
  std::string_view key, about;
  std::variant<Text, Texts, Switch> target;
};

#define TB_AT(T, member) \
  T([](tracebraid_options& options) -> decltype(auto) { return (options.member); })

// "to" is the kind here; the end of the time window is "until".
const std::array kExportKeys = {
    ExportKey{"to", "The kind of an export.", TB_AT(Text, kind)},
    ExportKey{"output", "Write the export to this file or folder.", TB_AT(Text, request.path)},
    ExportKey{"from", "Export only what is at or after this time.",
              TB_AT(Text, request.selection.from)},
    ExportKey{"until", "Export only what is before this time.", TB_AT(Text, request.selection.to)},
    ExportKey{"machine", "Export only this machine.", TB_AT(Texts, request.selection.machines)},
    ExportKey{"process", "Export only this process.", TB_AT(Texts, request.selection.processes)},
    ExportKey{"clock", "Convert exported times to this clock.",
              TB_AT(Text, request.selection.clock)},
    ExportKey{"table", "Export only this table.", TB_AT(Texts, request.tables)},
    ExportKey{"query", "Export the rows of this statement.", TB_AT(Text, request.query)},
    ExportKey{"by-machine", "Export a folder of files for each machine.",
              TB_AT(Switch, request.by_machine)},
    ExportKey{"force", "Replace an existing file, except an input.", TB_AT(Switch, request.force)},
    ExportKey{"no-trace", "Open empty tables, without an input.", TB_AT(Switch, no_trace)},
    ExportKey{"for-queries", "Verify large tables of a braid when a query first reads them.",
              TB_AT(Switch, open.trace.for_queries)},
};
#undef TB_AT

struct Set {
  tracebraid_options& options;
  std::string_view key, value;
  Result<> operator()(Text at) const {
    at(options) = value;
    return {};
  }
  Result<> operator()(Texts at) const {
    at(options).emplace_back(value);
    return {};
  }
  Result<> operator()(Switch at) const {
    if (value != "true" && value != "false")
      return fail(ErrorCode::Usage, fmt::format("{}: '{}' is neither true nor false", key, value));
    at(options) = value == "true";
    return {};
  }
};

}  // namespace

Result<> set_key(tracebraid_options& options, std::string_view key, std::string_view value) {
  const auto found = std::ranges::find(kExportKeys, key, &ExportKey::key);
  if (found != kExportKeys.end()) return std::visit(Set{options, key, value}, found->target);
  const auto specs = open_option_specs();
  if (std::ranges::find(specs, key, &OptionSpec::key) != specs.end())
    return set_option(options.open, key, value);
  std::vector<std::string_view> keys;
  for (const OptionSpec& spec : specs) keys.push_back(spec.key);
  for (const ExportKey& other : kExportKeys) keys.push_back(other.key);
  std::string message = fmt::format("there is no option '{}'", key);
  if (const auto near = nearest(key, keys)) message += fmt::format("; did you mean {}?", *near);
  return fail(ErrorCode::Usage, message);
}

std::string keys_json() {
  std::string json = option_specs_json();
  json.erase(json.rfind(']'));
  constexpr std::array<std::string_view, 3> kTypes = {"text", "list", "switch"};
  constexpr std::array<std::string_view, 3> kDefaults = {R"("")", "[]", "false"};
  for (const ExportKey& key : kExportKeys) {
    const size_t type = key.target.index();
    json += fmt::format(R"(,{}{{"key":"{}","type":"{}","default":{},"choices":[],"text":)", "\n ",
                        key.key, kTypes[type], kDefaults[type]);
    append_json_string(json, key.about);
    json += "}";
  }
  return json + "]\n";
}

}  // namespace tracebraid::capi
