#include "server/api/timeline_call.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/cut_text.h"

namespace tracebraid::api {
namespace {

std::string value_text(const Store& store, const ArgRow& arg) {
  if (is_text_arg(arg.type))
    return std::string(store.strings.get({static_cast<uint32_t>(arg.value)}));
  switch (arg.type) {
    case ArgType::Bool:
      return arg.value != 0 ? "true" : "false";
    case ArgType::Uint:
    case ArgType::UintAsReal:
    case ArgType::Pointer:
      return std::to_string(static_cast<uint64_t>(arg.value));
    case ArgType::Real:
      return fmt::format("{}", real_of(arg.type, arg.value));
    case ArgType::Int:
      return std::to_string(arg.value);
    default:
      return {};
  }
}

}  // namespace

tl::expected<std::shared_ptr<const TraceTimeline>, http::Response> find_timeline(const Api& api,
                                                                                 const Call& call) {
  const auto found = find_trace(api, call);
  if (!found) return tl::unexpected(found.error());
  Result<std::shared_ptr<const TraceTimeline>> timeline =
      found->open->timeline(api.options.timeline_memory);
  if (!timeline) return tl::unexpected(problem(timeline.error()));
  return *std::move(timeline);
}

Result<int64_t> bounded(const JsonValue& value, std::string_view name, int64_t low, int64_t high) {
  TB_TRY_ASSIGN(const int64_t number, value.integer());
  if (number < low || number > high)
    return fail(ErrorCode::Usage, fmt::format("{}: must be from {} to {}", name, low, high));
  return number;
}

void add_row(JsonText& json, std::string_view name, OptRow row) {
  json.add(name, row.row == OptRow::kNull ? std::nullopt : std::optional<int64_t>(row.row));
}

void add_real(JsonText& json, std::string_view name, double value) {
  json.add_raw(name, std::isfinite(value) ? fmt::format("{}", value) : "null");
}

void add_bound(JsonText& json, std::string_view name, const timeline::TimeBound& bound) {
  using Kind = timeline::TimeBound::Kind;
  json.open_object(name);
  json.add("kind", bound.kind == Kind::Exact    ? "exact"
                   : bound.kind == Kind::AtMost ? "at_most"
                   : bound.kind == Kind::None   ? "none"
                                                : "unknown");
  if (bound.kind == Kind::AtMost) json.add("ns", std::to_string(bound.ns));
  json.close_object();
}

void add_brief(JsonText& json, const timeline::EventBrief& brief) {
  constexpr size_t kMostText = 4096;
  json.add("kind", name_of(brief.kind)).add("row", brief.row).add("node", brief.track);
  json.add("line", brief.line).add("name", cut_text(brief.name, kMostText));
  json.add("category", cut_text(brief.category, kMostText));
  json.add("ts", std::to_string(brief.ts)).add("dur", std::to_string(brief.dur));
  json.add("end", std::to_string(brief.end));
  json.add("instant", brief.is_instant).add("unfinished", brief.is_unfinished);
  json.add("cut", brief.is_cut);
  if (brief.self)
    json.add("self", std::to_string(*brief.self));
  else
    json.add("self", std::optional<int64_t>());
  json.add("colour", brief.colour);
  add_real(json, "value", brief.value.value_or(std::numeric_limits<double>::quiet_NaN()));
}

void add_event(JsonText& json, std::string_view name, const Timeline& timeline,
               timeline::TableKind kind, uint32_t row) {
  const std::optional<timeline::EventBrief> brief = brief_of(timeline, kind, row);
  if (!brief) {
    json.add_raw(name, "null");
    return;
  }
  json.open_object(name);
  add_brief(json, *brief);
  json.close_object();
}

size_t count_args(const Store& store, OptRow arg_set) {
  if (arg_set.row == OptRow::kNull) return 0;
  const auto [first, end] = store.args.leaves_of_set(arg_set.row);
  return end - first;
}

std::optional<std::string> arg_text(const Store& store, OptRow arg_set, std::string_view key) {
  if (arg_set.row == OptRow::kNull) return std::nullopt;
  std::optional<std::string> value;
  store.args.for_each_leaf(arg_set.row, [&](const ArgRow& arg) {
    const StringId id = store.args.keys[arg.key].full_path();
    if (!value && id && store.strings.get(id) == key) value = value_text(store, arg);
  });
  return value;
}

void add_args(JsonText& json, std::string_view name, const Store& store, OptRow arg_set,
              size_t offset, size_t limit, size_t most_text) {
  json.open_array(name);
  if (arg_set.row != OptRow::kNull) {
    const auto [first, end] = store.args.leaves_of_set(arg_set.row);
    for (size_t leaf = first + std::min(offset, end - first); leaf < end && limit > 0;
         ++leaf, --limit) {
      const ArgRow arg = store.args.leaf(leaf);
      const StringId key = store.args.keys[arg.key].full_path();
      const std::string value = value_text(store, arg);
      const std::string_view shown = cut_text(value, most_text);
      json.open_object().add("key", key ? cut_text(store.strings.get(key), most_text) : "");
      json.add("type", name_of(arg.type == ArgType::UintAsReal ? ArgType::Uint : arg.type));
      json.add("value", shown);
      if (shown.size() < value.size()) json.add("bytes", std::to_string(value.size()));
      json.close_object();
    }
  }
  json.close_array();
}

}  // namespace tracebraid::api
