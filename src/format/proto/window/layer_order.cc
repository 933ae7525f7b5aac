#include "format/proto/window/layer_order.h"

#include <algorithm>
#include <utility>

namespace tracebraid::proto {
namespace {

constexpr int32_t kNoParent = -1;

class Order {
 public:
  explicit Order(const LayersSnapshot& snapshot) : layers_(snapshot.layers) {
    for (size_t i = 0; i < layers_.size(); ++i) {
      const Layer& layer = layers_[i];
      if (!layer.id) continue;
      const int32_t relative = layer.relative_parent.value_or(0);
      const int32_t parent = relative > 0 ? relative : layer.parent.value_or(kNoParent);
      if (parent == kNoParent)
        roots_.push_back(i);
      else
        children_[parent].push_back(i);
    }
  }

  std::vector<size_t> make() {
    // A step draws a layer with those below it, or only the layer.
    struct Step {
      size_t layer;
      bool is_whole;
    };
    std::vector<Step> open;
    const auto add_front_first = [&](auto begin, auto end) {
      for (; begin != end; ++begin) open.push_back({*begin, true});
    };
    sort(roots_);
    add_front_first(roots_.rbegin(), roots_.rend());
    while (!open.empty()) {
      const Step step = open.back();
      open.pop_back();
      if (!step.is_whole) {
        order_.push_back(step.layer);
        continue;
      }
      std::vector<size_t> children = take_children(*layers_[step.layer].id);
      sort(children);
      const auto first_above = std::ranges::partition_point(
          children, [&](size_t child) { return layers_[child].z < 0; });
      add_front_first(children.rbegin(), std::reverse_iterator(first_above));
      open.push_back({step.layer, false});
      add_front_first(std::reverse_iterator(first_above), children.rend());
    }
    return std::move(order_);
  }

 private:
  void sort(std::vector<size_t>& layers) const {
    std::ranges::stable_sort(
        layers, {}, [&](size_t layer) { return std::pair(layers_[layer].z, *layers_[layer].id); });
  }

  // Each list is used once, so cycles end.
  std::vector<size_t> take_children(int32_t id) {
    const auto at = children_.find(id);
    return at == children_.end() ? std::vector<size_t>() : std::exchange(at->second, {});
  }

  const std::vector<Layer>& layers_;
  std::vector<size_t> roots_, order_;
  absl::flat_hash_map<int32_t, std::vector<size_t>> children_;
};

}  // namespace

std::vector<size_t> drawing_order(const LayersSnapshot& snapshot) { return Order(snapshot).make(); }

}  // namespace tracebraid::proto
