// Packing: the sets of a batch as records, made side by side with those of other batches,
// so that the one thread that builds the tables need only copy them.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "event/args.h"

namespace tracebraid {

// What stands where the first row of a packed set stood; the values of its record follow.
struct PackedSet {
  enum class Link : uint32_t {
    Hash,    // `link`: hash_of_values()
    Same,    // the first row of an equal set before, which is not Same
    Stored,  // the arg_set_id: for who stores the set
  };
  uint32_t shape : 30;  // index of ArgSets::shapes
  uint32_t kind : 2;    // Link
  uint32_t link;

  Link what() const { return static_cast<Link>(kind); }
};
static_assert(sizeof(PackedSet) == 8);

// Every row must be of a set. Strings and names in the values should be final: they are not
// told from numbers afterwards.
void pack(ArgSets& args);

// While one thread sets what a set is linked to, others may read it.
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
// The set as it was.
void unpack(const ArgSets& args, uint32_t first, std::vector<ArgRow>& rows);

}  // namespace tracebraid
