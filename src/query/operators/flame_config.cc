#include "query/operators/flame_config.h"

#include <fmt/core.h>

#include <algorithm>

#include "query/functions/text_result.h"
#include "query/operators/operator_function.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

using Values = std::span<const std::string>;

struct Tag {
  std::string_view name;
  size_t values;
  Result<> (*apply)(FlameConfig&, Values);
};

template <class T>
struct Named {
  std::string_view name;
  T value;
};

template <class T, size_t kCount>
Result<T> value_of(std::string_view tag, std::string_view name, const Named<T> (&known)[kCount]) {
  const auto* const found = std::ranges::find(known, name, &Named<T>::name);
  if (found != std::end(known)) return found->value;
  return fail(ErrorCode::Sql, fmt::format("flamegraph_config: {}: unknown value '{}'", tag, name));
}

Result<FlamePattern> pattern_of(std::string_view tag, Values values) {
  constexpr Named<bool> kFlags[] = {{"", false}, {"i", true}};
  TB_TRY_ASSIGN(const bool ignores_case, value_of(tag, values[1], kFlags));
  return FlamePattern{values[0], ignores_case};
}

Result<> add_value(FlameConfig& config, Values values) {
  config.values.push_back(values[0]);
  return {};
}
Result<> set_view(FlameConfig& config, Values values) {
  constexpr Named<FlameView> kViews[] = {{"TOP_DOWN", FlameView::TopDown},
                                         {"BOTTOM_UP", FlameView::BottomUp},
                                         {"PIVOT", FlameView::Pivot},
                                         {"FROM_FRAME", FlameView::FromFrame}};
  TB_TRY_ASSIGN(config.view, value_of("view", values[0], kViews));
  return {};
}
Result<> set_view_pattern(FlameConfig& config, Values values) {
  TB_TRY_ASSIGN(config.view_pattern, pattern_of("view_pattern", values));
  return {};
}
Result<> add_filter(FlameConfig& config, Values values) {
  constexpr Named<FlameFilter> kFilters[] = {{"SHOW_STACK", FlameFilter::ShowStack},
                                             {"HIDE_STACK", FlameFilter::HideStack},
                                             {"HIDE_FRAME", FlameFilter::HideFrame}};
  TB_TRY_ASSIGN(const FlameFilter kind, value_of("filter", values[0], kFilters));
  TB_TRY_ASSIGN(FlamePattern pattern, pattern_of("filter", values.subspan(1)));
  config.filters.push_back({kind, std::move(pattern)});
  return {};
}
Result<> add_grouping(FlameConfig& config, Values values) {
  config.grouping.push_back(values[0]);
  return {};
}
Result<> add_aggregate(FlameConfig& config, Values values) {
  constexpr Named<FlameAggregate> kAggregates[] = {
      {"SUM", FlameAggregate::Sum},
      {"ONE_OR_SUMMARY", FlameAggregate::OneOrSummary},
      {"CONCAT_WITH_COMMA", FlameAggregate::Concat}};
  TB_TRY_ASSIGN(const FlameAggregate kind, value_of("aggregate", values[0], kAggregates));
  if (values[1] != values[2])
    return fail(ErrorCode::Sql, "flamegraph: aggregate output must match its source column");
  config.aggregates.push_back({kind, values[1], values[2]});
  return {};
}

constexpr Tag kTags[] = {{"value", 1, add_value},           {"view", 1, set_view},
                         {"view_pattern", 2, set_view_pattern}, {"filter", 3, add_filter},
                         {"grouping", 1, add_grouping},     {"aggregate", 3, add_aggregate}};

Result<> config_function(sqlite3_context* context, OperatorContext&, Arguments arguments) {
  std::vector<std::optional<std::string>> texts;
  for (sqlite3_value* const value : arguments) texts.push_back(text_of(cell_of(value)));
  TB_TRY_ASSIGN(FlameConfig config, flame_config(texts));
  set_pointer<FlameConfig>(context, std::make_shared<const FlameConfig>(std::move(config)));
  return {};
}

}  // namespace

Result<FlameConfig> flame_config(const std::vector<std::optional<std::string>>& arguments) {
  constexpr std::string_view kName = "__intrinsic_flamegraph_config";
  FlameConfig config;
  for (size_t at = 0; at < arguments.size();) {
    const std::string tag = arguments[at].value_or("");
    const auto* const known = std::ranges::find(kTags, tag, &Tag::name);
    if (known == std::end(kTags))
      return fail(ErrorCode::Sql, fmt::format("{}: unknown tag '{}' at argument {}", kName, tag, at));
    if (arguments.size() - at - 1 < known->values)
      return fail(ErrorCode::Sql,
                  fmt::format("{}: tag '{}' expects {} value(s)", kName, tag, known->values));
    std::vector<std::string> values;
    for (size_t i = 1; i <= known->values; ++i) values.push_back(arguments[at + i].value_or(""));
    TB_TRY(known->apply(config, values));
    at += 1 + known->values;
  }
  const bool needs_pattern =
      config.view == FlameView::Pivot || config.view == FlameView::FromFrame;
  if (needs_pattern && !config.view_pattern)
    return fail(ErrorCode::Sql, "flamegraph_config: PIVOT and FROM_FRAME require a view pattern");
  if (!needs_pattern && config.view_pattern)
    return fail(ErrorCode::Sql,
                "flamegraph_config: only PIVOT and FROM_FRAME take a view pattern");
  constexpr size_t kMostShown = 32;
  if (std::ranges::count(config.filters, FlameFilter::ShowStack, &FlameConfig::Filter::kind) >
      static_cast<ptrdiff_t>(kMostShown))
    return fail(ErrorCode::Sql, "flamegraph: too many SHOW_STACK filters");
  return config;
}

Result<> add_flame_config(OperatorContext& context) {
  return add_operator_function<config_function>(context, "__intrinsic_flamegraph_config", -1);
}

}  // namespace tracebraid
