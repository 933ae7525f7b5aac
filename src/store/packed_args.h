// Packing: the sets of a batch as records, made side by side with those of other batches,
// so that the one thread that builds the tables need only copy them.
#pragma once

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

inline PackedSet packed_set(const ArgSets& args, uint32_t first) {
  PackedSet set;
  std::memcpy(&set, &args.rows[first], sizeof set);
  return set;
}
inline void set_packed_set(ArgSets& args, uint32_t first, PackedSet set) {
  std::memcpy(static_cast<void*>(&args.rows[first]), &set, sizeof set);
}
inline std::string_view packed_values(const ArgSets& args, uint32_t first, PackedSet set) {
  return {reinterpret_cast<const char*>(&args.rows[first]) + sizeof set,
          args.shapes[set.shape].bytes};
}
// The set as it was.
void unpack(const ArgSets& args, uint32_t first, std::vector<ArgRow>& rows);

}  // namespace tracebraid
