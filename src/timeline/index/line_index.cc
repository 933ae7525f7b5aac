#include "timeline/index/line_index.h"

#include <algorithm>

namespace tracebraid::timeline {

void LineIndex::add_line(std::span<const int64_t> starts, std::span<const uint64_t> lengths) {
  const Line line{.size = static_cast<uint32_t>(starts.size()),
                  .first_block = static_cast<uint32_t>(owned_.blocks.size()),
                  .first_node = static_cast<uint32_t>(owned_.nodes.size())};
  uint64_t sum = 0;
  std::vector<uint64_t> most;
  for (size_t at = 0; at < starts.size(); at += kBlock) {
    const size_t count = std::min(kBlock, starts.size() - at);
    most.push_back(add_block(starts.subspan(at, count), lengths.subspan(at, count), sum));
    for (const uint64_t length : lengths.subspan(at, count)) sum += length;
  }
  events_ += starts.size();
  owned_.lines.push_back(line);
  add_nodes(line, most);
}

uint64_t LineIndex::add_block(std::span<const int64_t> starts, std::span<const uint64_t> lengths,
                              uint64_t sum_before) {
  Block block{.first = starts.front(),
              .sum_before = sum_before,
              .words = static_cast<uint32_t>(owned_.words.size())};
  const auto first = static_cast<uint64_t>(starts.front());
  block.line = RisingLine::through(static_cast<uint64_t>(starts.back()) - first, starts.size());
  std::array<uint64_t, kBlock> distances;
  uint64_t most_distance = 0, most_length = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    distances[i] = fold_sign(static_cast<uint64_t>(starts[i]) - first - block.line.rise(i));
    most_distance |= distances[i];
    most_length |= lengths[i];
    if (lengths[i] > lengths[block.longest]) block.longest = static_cast<uint8_t>(i);
    block.has_zeros = block.has_zeros || lengths[i] == 0;
  }
  block.start_width = static_cast<uint8_t>(field_width(most_distance));
  block.length_width = static_cast<uint8_t>(field_width(most_length));
  append_fields(distances.data(), starts.size(), block.start_width, owned_.words);
  append_fields(lengths.data(), lengths.size(), block.length_width, owned_.words);
  owned_.blocks.push_back(block);
  return lengths[block.longest];
}

void LineIndex::add_nodes(const Line& line, std::span<const uint64_t> most) {
  size_t entries = most.size();
  if (entries <= 1) return;
  const auto of_block = [&](size_t entry) {
    const Block& block = owned_.blocks[line.first_block + entry];
    return Node{block.first, most[entry], static_cast<uint32_t>(entry * kBlock + block.longest),
                block.has_zeros};
  };
  size_t below = 0;  // the first node of the level below; blocks at first
  for (bool is_first = true; is_first || entries > 1; is_first = false) {
    const size_t begin = owned_.nodes.size();
    for (size_t entry = 0; entry < entries; ++entry) {
      const Node part = is_first ? of_block(entry) : owned_.nodes[below + entry];
      if (entry % kFanOut == 0) {
        owned_.nodes.push_back(part);
        continue;
      }
      Node& node = owned_.nodes.back();
      node.has_zeros = node.has_zeros || part.has_zeros;
      if (part.most <= node.most) continue;
      node.most = part.most;
      node.longest = part.longest;
    }
    below = begin;
    entries = owned_.nodes.size() - begin;
  }
}

void LineIndex::finish() {
  owned_.words.push_back(0);  // read_field() reads a word further
  owned_.words.shrink_to_fit();
  owned_.blocks.shrink_to_fit();
  owned_.nodes.shrink_to_fit();
  owned_.lines.shrink_to_fit();
  lines_ = owned_.lines;
  blocks_ = owned_.blocks;
  nodes_ = owned_.nodes;
  words_ = owned_.words;
}

size_t LineIndex::memory() const {
  return owned_.lines.capacity() * sizeof(Line) + owned_.blocks.capacity() * sizeof(Block) +
         owned_.nodes.capacity() * sizeof(Node) + owned_.words.capacity() * sizeof(uint64_t);
}

}  // namespace tracebraid::timeline
