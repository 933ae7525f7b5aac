#include "timeline/facts/linked_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "event/json_ids.h"

namespace tracebraid::timeline {
namespace {

constexpr size_t kMostLinked = 50;
constexpr std::string_view kUsualScope = "ptr";

std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

// The canonical id, its scope, and the process of a local id.
std::string key_of(std::string_view canonical, std::string_view scope, OptRow upid) {
  return fmt::format("{}\n{}\n{}", canonical, scope.empty() ? kUsualScope : scope, upid.row);
}

}  // namespace

LinkedIds::LinkedIds(const Store& store, const FlowIndex& flows) {
  const JsonIdClassTable& classes = store.json.id_classes;
  for (uint32_t row = 0; row < classes.rows(); ++row)
    classes_[key_of(text(store, classes.id_text[row]), text(store, classes.scope[row]),
                    classes.upid[row])] = classes.class_id[row];
  if (classes_.empty()) return;
  const JsonAsyncSliceTable& async = store.json.async_slices;
  for (uint32_t row = 0; row < async.rows(); ++row) {
    const std::string id = canonical_id_text(text(store, async.id_text[row]));
    const OptRow upid = async.is_local[row] != 0 ? async.group_upid[row] : OptRow{};
    note("async", id, key_of(id, text(store, async.scope[row]), upid), TableKind::Slice,
         async.slice_id[row]);
  }
  const JsonObjectSnapshotTable& snapshots = store.json.snapshots;
  const JsonObjectInstanceTable& instances = store.json.instances;
  for (uint32_t row = 0; row < snapshots.rows(); ++row) {
    const uint32_t instance = snapshots.instance_id[row];
    const std::string id = canonical_id_text(text(store, instances.object_id[instance]));
    note("object", id, key_of(id, text(store, instances.scope[instance]), instances.upid[instance]),
         TableKind::Snapshot, row);
  }
  for (uint32_t flow = 0; flow < store.flows.rows(); ++flow) {
    const OptInt number = store.flows.trace_id[flow];
    if (number.value == OptInt::kNull) continue;
    const std::string id = std::to_string(static_cast<uint64_t>(number.value));
    note("flow", id, key_of(id, kUsualScope, {}), TableKind::Slice, flows.arrow(flow).out);
  }
}

void LinkedIds::note(std::string_view kind, const std::string& id, const std::string& key,
                     TableKind table, uint32_t row) {
  const auto known = classes_.find(key);
  if (known == classes_.end()) return;
  const auto [at, is_new] = numbers_.try_emplace(fmt::format("{}\n{}", kind, key), members_.size());
  if (is_new) members_.push_back({known->second, {kind, id, table, row}});
  of_events_.emplace(std::pair(table, row), at->second);
}

std::vector<LinkedEvent> LinkedIds::of(TableKind table, uint32_t row) const {
  const auto [first, end] = of_events_.equal_range({table, row});
  std::vector<size_t> own;
  for (auto at = first; at != end; ++at) own.push_back(at->second);
  std::vector<LinkedEvent> linked;
  for (size_t number = 0; number < members_.size() && linked.size() < kMostLinked; ++number) {
    const bool is_own = std::ranges::find(own, number) != own.end();
    const bool is_linked = std::ranges::any_of(
        own, [&](size_t of) { return members_[of].id_class == members_[number].id_class; });
    if (!is_own && is_linked) linked.push_back(members_[number].event);
  }
  return linked;
}

}  // namespace tracebraid::timeline
