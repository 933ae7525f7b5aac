#include "tables/packed_args.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <bit>
#include <span>

#include "tables/arg_bytes.h"

namespace tracebraid {
namespace {

// About the number of sets among which equal ones are searched: more do not fit into the cache.
constexpr size_t kMaxSlots = size_t{1} << 16;
constexpr size_t kMaxProbes = 8;
// After this many shapes, new ones have values of the full width.
constexpr size_t kMaxShapes = size_t{1} << 12;

class Packer {
 public:
  explicit Packer(ArgSets& args) : args_(args) {
    slots_.resize(std::clamp(std::bit_ceil(args.rows.size()), size_t{64}, kMaxSlots));
  }

  // Returns the first row of the next set.
  size_t pack(size_t first) {
    char* const base = reinterpret_cast<char*>(&args_.rows[first]);
    char* const values = base + sizeof(PackedSet);
    const bool is_wide = args_.shapes.size() >= kMaxShapes;
    uint32_t at = 0;
    uint64_t hash = 0;
    size_t next = first;
    fields_.clear();
    for (bool is_last = false; !is_last && next < args_.rows.size(); ++next) {
      // A value has at most 8 bytes and never overlaps the next row.
      const ArgRow row = args_.rows[next];
      is_last = row.last;
      const uint32_t bytes = is_wide ? 8 : uint32_t{1} << width_of(row.value);
      std::memcpy(values + at, &row.value, sizeof row.value);
      const ArgField field{row.key, at, row.type, static_cast<uint8_t>(bytes), row.unlisted};
      fields_.push_back(field);
      hash = mix_field(hash, field);
      at += bytes;
    }
    const uint32_t shape = shape_of(hash, at);
    const PackedSet set = link({values, at}, static_cast<uint32_t>(first), shape);
    std::memcpy(base, &set, sizeof set);
    return next;
  }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t first = ~uint32_t{0};
  };

  uint32_t shape_of(uint64_t hash, uint32_t bytes) {
    const auto is = [&](uint32_t shape) {
      const ArgShape& known = args_.shapes[shape];
      return std::ranges::equal(std::span(args_.fields).subspan(known.first, known.count), fields_);
    };
    if (hash == last_hash_ && last_shape_ < args_.shapes.size() && is(last_shape_))
      return last_shape_;
    last_hash_ = hash;
    const auto [known, is_new] =
        shapes_.try_emplace(hash, static_cast<uint32_t>(args_.shapes.size()));
    if (is_new || !is(known->second)) {
      // Finds only the last of shapes with equal hashes again; the others are stored more than
      // once.
      known->second = static_cast<uint32_t>(args_.shapes.size());
      args_.shapes.push_back({static_cast<uint32_t>(args_.fields.size()),
                              static_cast<uint32_t>(fields_.size()), bytes});
      args_.fields.insert(args_.fields.end(), fields_.begin(), fields_.end());
    }
    return last_shape_ = known->second;
  }

  PackedSet link(std::string_view values, uint32_t first, uint32_t shape) {
    const uint32_t hash = hash_of_values(values);
    PackedSet set{};
    set.shape = shape & ((1U << 30) - 1);
    set.kind = static_cast<uint32_t>(PackedSet::Link::Hash) & 3U;
    set.link = hash;
    const size_t mask = slots_.size() - 1;
    size_t at = (hash ^ shape) & mask;
    for (size_t probes = 0; probes < kMaxProbes && slots_[at].first != ~uint32_t{0};
         ++probes, at = (at + 1) & mask) {
      if (slots_[at].hash != hash) continue;
      const PackedSet other = packed_set(args_, slots_[at].first);
      if (other.shape != set.shape || packed_values(args_, slots_[at].first, other) != values)
        continue;
      set.kind = static_cast<uint32_t>(PackedSet::Link::Same) & 3U;
      set.link = slots_[at].first;
      return set;
    }
    slots_[at] = {hash, first};
    return set;
  }

  ArgSets& args_;
  std::vector<ArgField> fields_;  // of the set that is being packed
  absl::flat_hash_map<uint64_t, uint32_t> shapes_;
  uint64_t last_hash_ = 0;
  uint32_t last_shape_ = ~uint32_t{0};
  std::vector<Slot> slots_;  // open addressing; the size is a power of two
};

}  // namespace

void pack(ArgSets& args) {
  Packer packer(args);
  for (size_t first = 0; first < args.rows.size();) first = packer.pack(first);
  args.is_packed = true;
}

void unpack(const ArgSets& args, uint32_t first, std::vector<ArgRow>& rows) {
  const PackedSet set = packed_set(args, first);
  const ArgShape& shape = args.shapes[set.shape];
  const char* const values = packed_values(args, first, set).data();
  rows.clear();
  for (uint32_t i = 0; i < shape.count; ++i)
    rows.push_back(arg_of(args.fields[shape.first + i], values, i + 1 == shape.count));
}

}  // namespace tracebraid
