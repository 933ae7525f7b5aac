#include "timeline/facts/flow_categories.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace tracebraid::timeline {

StringId flow_text(const Store& store, uint32_t flow, std::string_view key) {
  const StringId id = store.strings.find(key);
  if (!id || flow >= store.flows.rows()) return {};
  const OptRow args = store.flows.arg_set_id[flow];
  if (args.row == OptRow::kNull) return {};
  const std::optional<ArgRow> arg = store.args.find(args.row, id);
  if (!arg || !is_text_arg(arg->type)) return {};
  return {static_cast<uint32_t>(arg->value)};
}

StringId category_of_flow(const Store& store, const FlowIndex& flows, uint32_t flow) {
  const StringId category = flow_text(store, flow, "cat");
  return category ? category : store.slices.category[flows.arrow(flow).out];
}

FlowCategories::FlowCategories(const Store& store, const FlowIndex& flows) {
  absl::flat_hash_map<uint32_t, uint32_t> counts;
  of_flows_.reserve(flows.size());
  for (uint32_t flow = 0; flow < flows.size(); ++flow) {
    const StringId category = category_of_flow(store, flows, flow);
    of_flows_.push_back(category);
    ++counts[category.row];
  }
  for (const auto& [name, count] : counts) all_.push_back({{name}, count});
  const auto text = [&](const Category& category) {
    return category.name ? store.strings.get(category.name) : std::string_view();
  };
  std::ranges::sort(all_, [&](const Category& a, const Category& b) {
    return std::tuple(b.flows, text(a)) < std::tuple(a.flows, text(b));
  });
}

void remove_categories(const Store& store, const FlowCategories& categories,
                       std::span<const std::string> names, std::vector<uint32_t>& flows) {
  std::vector<StringId> removed;
  for (const std::string& name : names)
    if (const StringId id = name.empty() ? StringId() : store.strings.find(name);
        id || name.empty())
      removed.push_back(id);
  std::erase_if(flows, [&](uint32_t flow) {
    return std::ranges::find(removed, categories.of(flow)) != removed.end();
  });
}

}  // namespace tracebraid::timeline
