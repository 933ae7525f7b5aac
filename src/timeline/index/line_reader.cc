#include <algorithm>

#include "timeline/index/line_index.h"

namespace tracebraid::timeline {
namespace {

// Inlined into functions for different processors.
[[gnu::always_inline]] inline void read_starts(const uint64_t* fields, unsigned width,
                                               RisingLine line, int64_t first, size_t count,
                                               int64_t* to) {
  for (size_t i = 0; i < count; ++i)
    to[i] = static_cast<int64_t>(static_cast<uint64_t>(first) + line.rise(i) +
                                 unfold_sign(read_field(fields, width, i)));
}
[[gnu::always_inline]] inline void read_lengths(const uint64_t* fields, unsigned width,
                                                size_t count, uint64_t* to) {
  for (size_t i = 0; i < count; ++i) to[i] = read_field(fields, width, i);
}

struct UnpackLoops {
  void (*starts)(const uint64_t* fields, unsigned width, RisingLine line, int64_t first,
                 size_t count, int64_t* to);
  void (*lengths)(const uint64_t* fields, unsigned width, size_t count, uint64_t* to);
};

constexpr UnpackLoops kPlain{
    [](const uint64_t* fields, unsigned width, RisingLine line, int64_t first, size_t count,
       int64_t* to) { read_starts(fields, width, line, first, count, to); },
    [](const uint64_t* fields, unsigned width, size_t count, uint64_t* to) {
      read_lengths(fields, width, count, to);
    }};

#if defined(__x86_64__)
[[gnu::target("avx2")]] void read_starts_wide(const uint64_t* fields, unsigned width,
                                              RisingLine line, int64_t first, size_t count,
                                              int64_t* to) {
  read_starts(fields, width, line, first, count, to);
}
[[gnu::target("avx2")]] void read_lengths_wide(const uint64_t* fields, unsigned width, size_t count,
                                               uint64_t* to) {
  read_lengths(fields, width, count, to);
}

constexpr UnpackLoops kWide{read_starts_wide, read_lengths_wide};

const UnpackLoops& unpack_loops() { return __builtin_cpu_supports("avx2") ? kWide : kPlain; }
#else
const UnpackLoops& unpack_loops() { return kPlain; }
#endif

}  // namespace

LineReader::LineReader(const LineIndex& index, size_t line)
    : index_(index),
      line_(index.lines_[line]),
      size_(line_.size),
      blocks_(LineIndex::blocks_of(line_.size)) {
  entries_[0] = blocks_;
  size_t node = line_.first_node;
  for (size_t entries = blocks_; entries > 1;) {
    entries = (entries + kFanOut - 1) / kFanOut;
    first_nodes_[levels_] = node;
    entries_[levels_++] = entries;
    node += entries;
  }
}

const LineIndex::Node& LineReader::node_at(size_t level, size_t entry) {
  ++visited_;
  return index_.nodes_[first_nodes_[level] + entry];
}

int64_t LineReader::first_of(size_t level, size_t entry) {
  return level == 0 ? block_at(entry).first : node_at(level, entry).first;
}

size_t LineReader::last_before(size_t level, size_t low, size_t high, int64_t time) {
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (first_of(level, middle) < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1;
}

size_t LineReader::lower_bound(int64_t time, size_t from) {
  if (from >= size_) return size_;
  size_t block = from / kBlock;
  // Climbs while the rest of a group starts before `time`, then descends into the last entry that
  // does. An entry behind it cannot have an earlier event.
  size_t level = 0, entry = block;
  while (level + 1 < levels_) {
    const size_t end = std::min((entry / kFanOut + 1) * kFanOut, entries_of(level));
    if (end == entries_of(level) || first_of(level, end) >= time) break;
    ++level;
    entry /= kFanOut;
  }
  for (;; --level) {
    const size_t group_end = std::min((entry / kFanOut + 1) * kFanOut, entries_of(level));
    entry = last_before(level, entry + 1, group_end, time);
    if (level == 0) break;
    // Descends: to the block of `from` if the entry holds it, else to its first entry.
    size_t inside = block;
    for (size_t below = 1; below < level; ++below) inside /= kFanOut;
    entry = std::max(entry * kFanOut, inside);
  }
  block = entry;
  const int64_t* const starts = unpacked_starts(block);
  const size_t in_block = block == from / kBlock ? from % kBlock : 0;
  const int64_t* const end = starts + size_of_block(block);
  const int64_t* at = starts + in_block;
  // The next few events are the likely answer where buckets hold few.
  for (unsigned steps = 0; steps < 8 && at < end && *at < time; ++steps) ++at;
  if (at < end && *at < time) at = std::lower_bound(at, end, time);
  return block * kBlock + static_cast<size_t>(at - starts);
}

const int64_t* LineReader::unpacked_starts(size_t block) {
  Unpacked<int64_t>& unpacked = starts_[block % 2];
  if (unpacked.block == block) return unpacked.values.data();
  const LineIndex::Block& from = block_at(block);
  const uint64_t* const fields = index_.words_.data() + from.words;
  const size_t count = size_of_block(block);
  unpack_loops().starts(fields, from.start_width, from.line, from.first, count,
                        unpacked.values.data());
  unpacked.block = block;
  return unpacked.values.data();
}

const uint64_t* LineReader::unpacked_lengths(size_t block) {
  Unpacked<uint64_t>& unpacked = lengths_[block % 2];
  if (unpacked.block == block) return unpacked.values.data();
  const LineIndex::Block& from = block_at(block);
  const size_t count = size_of_block(block);
  const uint64_t* const fields =
      index_.words_.data() + from.words + (count * from.start_width + 63) / 64;
  unpack_loops().lengths(fields, from.length_width, count, unpacked.values.data());
  unpacked.block = block;
  return unpacked.values.data();
}

LineReader::Chunk LineReader::chunk(size_t event) {
  const size_t block = event / kBlock, at = event % kBlock;
  const size_t count = size_of_block(block) - at;
  return {{unpacked_starts(block) + at, count}, {unpacked_lengths(block) + at, count}};
}

void LineReader::add_events(size_t block, size_t from, size_t to, Sum& sum) {
  const uint64_t* const lengths = unpacked_lengths(block);
  for (size_t i = from; i < to; ++i) {
    sum.total += lengths[i];
    sum.has_zeros = sum.has_zeros || lengths[i] == 0;
    if (lengths[i] <= sum.most) continue;
    sum.most = lengths[i];
    sum.longest = block * kBlock + i;
  }
}

void LineReader::add_blocks(size_t from, size_t to, Sum& sum) {
  sum.total += block_at(to).sum_before - block_at(from).sum_before;
  // Takes the largest nodes that lie within the range.
  for (size_t level = 0, entry = from, span = 1; entry * span < to;) {
    while (level + 1 < levels_ && entry % kFanOut == 0 && (entry + kFanOut) * span <= to) {
      ++level;
      entry /= kFanOut;
      span *= kFanOut;
    }
    while (level > 0 && (entry + 1) * span > to) {
      --level;
      entry *= kFanOut;
      span /= kFanOut;
    }
    LineIndex::Node node;
    if (level > 0) {
      node = node_at(level, entry);
    } else {
      const LineIndex::Block& block = block_at(entry);
      const uint64_t* const fields =
          index_.words_.data() + block.words + (kBlock * block.start_width + 63) / 64;
      node = {block.first, read_field(fields, block.length_width, block.longest),
              static_cast<uint32_t>(entry * kBlock + block.longest), block.has_zeros};
    }
    sum.has_zeros = sum.has_zeros || node.has_zeros;
    if (node.most > sum.most) {
      sum.most = node.most;
      sum.longest = node.longest;
    }
    ++entry;
  }
}

LineReader::Sum LineReader::sum(size_t from, size_t to) {
  Sum sum{.longest = from};
  const size_t first = from / kBlock, last = (to - 1) / kBlock;
  if (first == last) {
    add_events(first, from % kBlock, to - first * kBlock, sum);
    return sum;
  }
  add_events(first, from % kBlock, kBlock, sum);
  if (last > first + 1) add_blocks(first + 1, last, sum);
  add_events(last, 0, to - last * kBlock, sum);
  return sum;
}

}  // namespace tracebraid::timeline
