#include "query/compile/source_map.h"

#include <algorithm>

namespace tracebraid {

void SourceMap::add(size_t length, size_t original, bool is_copied) {
  const size_t begin = segments_.empty() ? 0 : segments_.back().begin + segments_.back().length;
  if (length != 0) segments_.push_back({begin, length, original, is_copied});
}

size_t SourceMap::original(size_t expanded) const {
  if (segments_.empty()) return expanded;
  const auto after = std::ranges::upper_bound(segments_, expanded, {}, &Segment::begin);
  const Segment& segment = *std::prev(after);
  if (!segment.is_copied) return segment.original;
  return segment.original + std::min(expanded - segment.begin, segment.length);
}

}  // namespace tracebraid
