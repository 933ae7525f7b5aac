#include "timeline/index/value_tree.h"

#include <utility>

namespace tracebraid::timeline {
namespace {

// The number of values of an entry of a level.
constexpr size_t span_of(size_t level) {
  size_t span = ValueTree::kBlock;
  for (; level > 0; --level) span *= ValueTree::kFanOut;
  return span;
}

}  // namespace

ValueTree::ValueTree(std::vector<double> values) : values_(std::move(values)) {
  if (values_.size() <= kBlock) return;
  std::vector<ValueBounds> level((values_.size() + kBlock - 1) / kBlock);
  for (size_t i = 0; i < values_.size(); ++i) level[i / kBlock].add(values_[i]);
  while (level.size() > 1) {
    std::vector<ValueBounds> above((level.size() + kFanOut - 1) / kFanOut);
    for (size_t i = 0; i < level.size(); ++i) above[i / kFanOut].add(level[i]);
    levels_.push_back(std::exchange(level, std::move(above)));
  }
}

ValueBounds ValueTree::bounds(size_t from, size_t to) const {
  ValueBounds bounds;
  while (from < to) {
    // Takes the largest entry that begins at `from` and ends within the range.
    size_t level = levels_.size();
    while (level > 0 && (from % span_of(level - 1) != 0 || from + span_of(level - 1) > to)) --level;
    if (level == 0) {
      bounds.add(values_[from++]);
      continue;
    }
    bounds.add(levels_[level - 1][from / span_of(level - 1)]);
    from += span_of(level - 1);
  }
  return bounds;
}

size_t ValueTree::memory() const {
  size_t bytes = values_.capacity() * sizeof(double);
  for (const std::vector<ValueBounds>& level : levels_)
    bytes += level.capacity() * sizeof(ValueBounds);
  return bytes;
}

}  // namespace tracebraid::timeline
