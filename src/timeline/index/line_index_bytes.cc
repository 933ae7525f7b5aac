// The index of the lines of a track as bytes of a file, and what must hold before it is read.
#include <algorithm>

#include "timeline/index/line_index.h"
#include "timeline/index/stored_values.h"

namespace tracebraid::timeline {
namespace {

// The numbers of entries, before the arrays in this order.
struct Head {
  uint64_t events, lines, blocks, nodes, words;
};

constexpr size_t padded(size_t bytes) { return (bytes + 7) / 8 * 8; }

template <class T>
Result<> append_padded(PartSink& sink, std::span<const T> values) {
  constexpr std::string_view kZeros("\0\0\0\0\0\0\0", 7);
  const std::string_view bytes = bytes_of(values);
  TB_TRY(sink.append(bytes));
  return sink.append(kZeros.substr(0, padded(bytes.size()) - bytes.size()));
}

// Takes an array off the beginning of the bytes. Returns false if they are too short.
template <class T>
bool take(std::string_view& bytes, uint64_t count, std::span<const T>& values) {
  if (count > bytes.size() / sizeof(T) || padded(count * sizeof(T)) > bytes.size()) return false;
  if (!view_values(bytes.substr(0, count * sizeof(T)), values)) return false;
  bytes.remove_prefix(padded(count * sizeof(T)));
  return true;
}

}  // namespace

Result<> LineIndex::write(PartSink& sink) const {
  const Head head{events_, lines_.size(), blocks_.size(), nodes_.size(), words_.size()};
  TB_TRY(append_padded(sink, std::span(&head, 1)));
  TB_TRY(append_padded(sink, lines_));
  TB_TRY(append_padded(sink, blocks_));
  TB_TRY(append_padded(sink, nodes_));
  return append_padded(sink, words_);
}

size_t LineIndex::written_size() const {
  return sizeof(Head) + padded(lines_.size_bytes()) + padded(blocks_.size_bytes()) +
         padded(nodes_.size_bytes()) + padded(words_.size_bytes());
}

std::optional<LineIndex> LineIndex::view(std::string_view bytes, bool are_lengths) {
  LineIndex index;
  std::span<const Head> head;
  if (!take(bytes, 1, head)) return std::nullopt;
  const auto& [events, lines, blocks, nodes, words] = head.front();
  if (!take(bytes, lines, index.lines_) || !take(bytes, blocks, index.blocks_) ||
      !take(bytes, nodes, index.nodes_) || !take(bytes, words, index.words_) || !bytes.empty())
    return std::nullopt;
  index.events_ = events;
  if (!index.is_sound()) return std::nullopt;
  for (size_t line = 0; line < index.lines(); ++line)
    if (!index.is_in_order(line, are_lengths)) return std::nullopt;
  return index;
}

size_t LineIndex::nodes_of(size_t events) {
  size_t nodes = 0;
  for (size_t entries = blocks_of(events); entries > 1; nodes += entries)
    entries = (entries + kFanOut - 1) / kFanOut;
  return nodes;
}

bool LineIndex::is_sound() const {
  uint64_t events = 0;
  for (const Line& line : lines_) {
    if (!is_sound(line)) return false;
    events += line.size;
  }
  return events == events_;
}

bool LineIndex::is_sound(const Line& line) const {
  const size_t blocks = blocks_of(line.size), nodes = nodes_of(line.size);
  if (line.first_block > blocks_.size() || blocks > blocks_.size() - line.first_block ||
      line.first_node > nodes_.size() || nodes > nodes_.size() - line.first_node)
    return false;
  for (size_t number = 0; number < blocks; ++number) {
    const Block& block = blocks_[line.first_block + number];
    const size_t count = std::min(kBlock, line.size - number * kBlock);
    const size_t words =
        (count * block.start_width + 63) / 64 + (count * block.length_width + 63) / 64;
    if (!is_field_width(block.start_width) || !is_field_width(block.length_width) ||
        !block.line.is_sound() || block.longest >= count || block.words + words >= words_.size())
      return false;
  }
  // A node begins where its first part does: blocks at the first level, nodes above.
  size_t entries = blocks, node = line.first_node, below = 0;
  for (bool is_first = true; entries > 1; is_first = false) {
    const size_t begin = node, above = (entries + kFanOut - 1) / kFanOut;
    for (size_t entry = 0; entry < above; ++entry, ++node) {
      const size_t part = entry * kFanOut;
      const int64_t first =
          is_first ? blocks_[line.first_block + part].first : nodes_[below + part].first;
      if (nodes_[node].first != first || nodes_[node].longest >= line.size) return false;
    }
    below = begin;
    entries = above;
  }
  return true;
}

bool LineIndex::is_in_order(size_t line, bool are_lengths) const {
  LineReader reader(*this, line);
  int64_t end = std::numeric_limits<int64_t>::min();
  for (size_t event = 0; event < reader.size();) {
    const LineReader::Chunk chunk = reader.chunk(event);
    if (chunk.starts.front() != blocks_[lines_[line].first_block + event / kBlock].first)
      return false;
    for (size_t i = 0; i < chunk.starts.size(); ++i) {
      const int64_t start = chunk.starts[i];
      if (start < end) return false;
      end = start;
      if (!are_lengths) continue;
      if (chunk.lengths[i] >
          static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) - static_cast<uint64_t>(start))
        return false;
      end = static_cast<int64_t>(static_cast<uint64_t>(start) + chunk.lengths[i]);
    }
    event += chunk.starts.size();
  }
  return true;
}

}  // namespace tracebraid::timeline
