// Packing: converts the arg sets of a batch to records. Batches are packed in parallel, so the
// thread that builds tables only copies records.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "event/args.h"

namespace tracebraid {

// Replaces the first row of a packed set; the values of its record follow.
struct PackedSet {
  enum class Link : uint32_t {
    Hash,    // `link`: hash_of_values()
    Same,    // the first row of an earlier equal set, which is not Same
    Stored,  // the arg_set_id, set by the code that stores the set
  };
  uint32_t shape : 30;  // index of ArgSets::shapes
  uint32_t kind : 2;    // Link
  uint32_t link;

  Link what() const { return static_cast<Link>(kind); }
};
static_assert(sizeof(PackedSet) == 8);

// Packs all sets of `args`. Requires: every row belongs to a set; strings and names in values are
// final, because records do not distinguish them from numbers.
void pack(ArgSets& args);

// Atomic: one thread may set the link of a set while others read it.
inline PackedSet packed_set(const ArgSets& args, uint32_t first) {
  const std::atomic_ref place(const_cast<int64_t&>(args.rows[first].value));
  return std::bit_cast<PackedSet>(place.load(std::memory_order_relaxed));
}
inline void set_packed_set(ArgSets& args, uint32_t first, PackedSet set) {
  const std::atomic_ref place(args.rows[first].value);
  place.store(std::bit_cast<int64_t>(set), std::memory_order_relaxed);
}
inline std::string_view packed_values(const ArgSets& args, uint32_t first, PackedSet set) {
  return {reinterpret_cast<const char*>(&args.rows[first]) + sizeof set,
          args.shapes[set.shape].bytes};
}
// Returns the rows of a packed set.
void unpack(const ArgSets& args, uint32_t first, std::vector<ArgRow>& rows);

}  // namespace tracebraid
