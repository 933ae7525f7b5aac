#include "engine/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/nearest.h"
#include "export/rows/cell_text.h"

namespace tracebraid {

// The accessor of a member, as OptionTarget holds it.
#define TB_AT(T, member) OptionOf<T>([](OpenOptions& options) -> T& { return options.member; })

std::span<const OptionSpec> open_option_specs() {
  static const std::vector<OptionSpec> kSpecs = {
      {.key = "strict",
       .value = "",
       .about =
           "Fail with exit status 3 at the first loss: a part of an input that cannot be read, or "
           "an event that is on no row. --strict=all also fails where the other half of an event "
           "is "
           "not in the file, or something was repaired or assumed ('tracebraid docs stats' lists "
           "the levels).",
       .target = TB_AT(bool, trace.strict),
       .all = TB_AT(bool, trace.strict_all)},
      {"skip-unknown", "",
       "Warn of files on the command line that are no traces, instead of failing. Such files in "
       "folders and archives only cause warnings.",
       TB_AT(bool, trace.skip_unknown)},
      {"lenient-ends", "",
       "Let an end event of a JSON trace end the innermost open slice of its thread, whatever its "
       "name, as other viewers do.",
       TB_AT(bool, trace.lenient_ends)},
      {"manifest", "FILE", "Use this merge manifest. The inputs must not contain another one.",
       TB_AT(std::string, trace.manifest)},
      {"clock-model",
       "MODEL",
       "How to convert times between two readings of a pair of clocks: linear follows their "
       "drift, step keeps the offset of the earlier reading. Without this option the "
       "manifest decides; without both it is linear.",
       TB_AT(std::string, trace.clock_model),
       {"step", "linear"}},
      {"clock-fit",
       "MODEL",
       "How to combine several sync markers of two JSON clocks: shift takes the shortest, "
       "linear fits a line.",
       TB_AT(std::string, trace.clock_fit),
       {"shift", "linear"}},
      {"clock-sync-same-domain", "",
       "Use sync markers also between files that name the same clock domain, instead of one "
       "clock for all of them.",
       TB_AT(bool, trace.clock_sync_same_domain)},
      {"clock-sync-strict", "",
       "Fail when the sync markers leave groups of clocks that nothing connects.",
       TB_AT(bool, trace.clock_sync_strict)},
      {"join-flows",
       "WHICH",
       "Which flows with the same id in several files or machines become one flow: auto "
       "joins ids that look random and 64 bits long. Without this option the manifest "
       "decides; without both it is auto.",
       TB_AT(std::string, trace.join_flows),
       {"auto", "all", "none"}},
      {"align", "KINDS",
       "Relate clocks by what recordings have in common: auto uses all kinds, off none, verify "
       "only reports what matches. Or kinds with commas between them: task_switches, "
       "collectives, flows, markers, spans, same_events, logs, rpc, packets, wakeups, barriers, "
       "mpi. Without this option the manifest decides; without both it is auto.",
       TB_AT(std::string, trace.align)},
      {"drop-negative", "", "Drop events before the start of trace time.",
       TB_AT(bool, trace.drop_negative)},
      {"threads", "N", "Use N threads; 0, the default, uses all processors.",
       TB_AT(unsigned, engine.threads)},
      {"temp-dir",
       "FOLDER",
       "Keep large streams and unpacked archives here while they are read.",
       TB_AT(std::string, engine.files.temporary_directory),
       {},
       false,
       true},
      {"io",
       "HOW",
       "How to read files: read copies their bytes, map maps them, which needs a host that handles "
       "SIGBUS.",
       TB_AT(std::string, engine.io),
       {"read", "map"},
       false,
       true},
      {"memory-limit",
       "SIZE",
       "Fail when the traces of the engine need more memory than this; 0, the default, is no "
       "limit.",
       TB_AT(uint64_t, engine.memory_limit),
       {},
       false,
       true},
      {"cache", "",
       "Keep the merged trace as INPUT.braid beside the first input, and open it instead the "
       "next time unless an input has changed.",
       TB_AT(bool, trace.cache)},
      {"cache-dir",
       "FOLDER",
       "Keep merged traces here, each under a name derived from its inputs and options.",
       TB_AT(std::string, trace.cache_dir),
       {},
       false,
       true},
      {"max-member-bytes", "SIZE", "Do not read files larger than this when uncompressed.",
       TB_AT(uint64_t, trace.limits.max_member_bytes)},
      {"max-total-bytes", "SIZE", "Read at most this much of one input, uncompressed.",
       TB_AT(uint64_t, trace.limits.max_total_bytes)},
      {"max-ratio", "N", "Refuse data that is compressed by more than a factor of N.",
       TB_AT(uint64_t, trace.limits.max_ratio)},
      {"max-members", "N", "Do not open archives with more members than this.",
       TB_AT(unsigned, trace.limits.max_members)},
      {"max-depth", "N", "Open archives in archives up to this depth.",
       TB_AT(unsigned, trace.limits.max_depth)},
      {"max-json-depth", "N", "Read JSON values nested up to this depth, at most 20000.",
       TB_AT(unsigned, trace.max_json_depth)},
      {"no-ftrace-raw", "",
       "Leave the table ftrace_event empty to save memory. Tables derived from kernel events "
       "stay the same.",
       TB_AT(bool, trace.no_ftrace_raw)},
      {"proto-descriptors", "FILE",
       "Read descriptors of the extensions that a Perfetto trace uses, as protoc "
       "--descriptor_set_out writes them. Repeatable.",
       TB_AT(std::vector<std::string>, trace.proto_descriptors)},
      {"sql-path", "DIR[@PACKAGE]",
       "Make the .sql files below this folder modules for INCLUDE PERFETTO MODULE: PACKAGE.a.b is "
       "DIR/a/b.sql. Without PACKAGE its name is that of the folder. Repeatable.",
       TB_AT(std::vector<std::string>, trace.sql_path)},

  };
  return kSpecs;
}

#undef TB_AT

namespace {

std::vector<std::string_view> keys() {
  std::vector<std::string_view> keys;
  for (const OptionSpec& spec : open_option_specs()) keys.push_back(spec.key);
  return keys;
}

Error unusable(std::string_view text, const OptionSpec& spec, std::string_view why) {
  return {ErrorCode::Usage, fmt::format("{}: '{}' {}", spec.key, text, why)};
}

Result<> set_switch(bool& target, std::string_view text, const OptionSpec& spec,
                    OpenOptions& options) {
  const bool is_all = spec.all != nullptr && text == "all";
  if (text != "true" && text != "false" && !is_all)
    return tl::unexpected(
        unusable(text, spec,
                 spec.all == nullptr ? "is neither true nor false" : "is not true, false or all"));
  target = text != "false";
  if (spec.all != nullptr) spec.all(options) = is_all;
  return {};
}

Result<> set_text(std::string& target, std::string_view text, const OptionSpec& spec) {
  if (!spec.choices.empty() && std::ranges::find(spec.choices, text) == spec.choices.end()) {
    std::string why = fmt::format("is not one of {}", fmt::join(spec.choices, ", "));
    if (const auto near = nearest(text, spec.choices))
      why += fmt::format("; did you mean {}?", *near);
    return tl::unexpected(unusable(text, spec, why));
  }
  target = text;
  return {};
}

Result<> set_number(unsigned& target, std::string_view text, const OptionSpec& spec) {
  unsigned value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size())
    return tl::unexpected(unusable(text, spec, "is not a whole number"));
  target = value;
  return {};
}

std::string quoted(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

// The type and the default value, as JSON texts.
struct Described {
  std::string_view type;
  std::string standard;
};
struct Describe {
  OpenOptions& defaults;
  Described operator()(OptionOf<bool> at) const {
    return {"switch", at(defaults) ? "true" : "false"};
  }
  Described operator()(OptionOf<std::string> at) const { return {"text", quoted(at(defaults))}; }
  Described operator()(OptionOf<std::vector<std::string>>) const { return {"list", "[]"}; }
  Described operator()(OptionOf<unsigned> at) const {
    return {"number", fmt::to_string(at(defaults))};
  }
  Described operator()(OptionOf<uint64_t> at) const {
    return {"size", fmt::to_string(at(defaults))};
  }
};

struct Set {
  OpenOptions& options;
  std::string_view text;
  const OptionSpec& spec;
  Result<> operator()(OptionOf<bool> at) const {
    return set_switch(at(options), text, spec, options);
  }
  Result<> operator()(OptionOf<std::string> at) const { return set_text(at(options), text, spec); }
  Result<> operator()(OptionOf<std::vector<std::string>> at) const {
    at(options).emplace_back(text);
    return {};
  }
  Result<> operator()(OptionOf<unsigned> at) const { return set_number(at(options), text, spec); }
  Result<> operator()(OptionOf<uint64_t> at) const {
    const Result<uint64_t> value = parse_quantity(text);
    if (!value)
      return fail(ErrorCode::Usage, fmt::format("{}: {}", spec.key, value.error().message));
    at(options) = *value;
    return {};
  }
};

}  // namespace

Result<> set_option(OpenOptions& options, std::string_view key, std::string_view value) {
  const auto specs = open_option_specs();
  const auto spec = std::ranges::find(specs, key, &OptionSpec::key);
  if (spec != specs.end()) return std::visit(Set{options, value, *spec}, spec->target);
  std::string message = fmt::format("there is no option '{}'", key);
  if (const auto near = nearest(key, keys())) message += fmt::format("; did you mean {}?", *near);
  return fail(ErrorCode::Usage, message);
}

std::string option_specs_json() {
  OpenOptions defaults;
  std::string json = "[";
  for (const OptionSpec& spec : open_option_specs()) {
    if (spec.is_for_programs) continue;
    const Described described = std::visit(Describe{defaults}, spec.target);
    if (json.size() > 1) json += ",\n ";
    json += fmt::format(R"({{"key":{},"type":"{}","default":{},"choices":[)", quoted(spec.key),
                        described.type, described.standard);
    for (size_t i = 0; i < spec.choices.size(); ++i)
      json += (i == 0 ? "" : ",") + quoted(spec.choices[i]);
    json += fmt::format(R"(],"text":{}}})", quoted(spec.about));
  }
  return json + "]\n";
}

Result<uint64_t> parse_quantity(std::string_view text) {
  uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(stop, static_cast<size_t>(text.data() + text.size() - stop));
  constexpr std::string_view kUnits = "KMGT";
  uint64_t factor = 1;
  if (!unit.empty()) {
    const size_t power = kUnits.find(static_cast<char>(std::toupper(unit[0])));
    if (power != kUnits.npos) {
      factor = uint64_t{1} << (10 * (power + 1));
      unit.remove_prefix(1);
      if (unit == "iB" || unit == "B") unit = {};
    }
  }
  if (error != std::errc() || !unit.empty() || __builtin_mul_overflow(value, factor, &value))
    return fail(ErrorCode::Usage,
                fmt::format("'{}' is not a number, or a number with K, M, G or T", text));
  return value;
}

}  // namespace tracebraid
