// JsonLinks: ids with the same meaning, and their equivalence classes (spec json 4.18).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>
#include <string_view>
#include <vector>

#include "assemble/json/ids.h"
#include "base/disjoint_sets.h"

namespace tracebraid {

class JsonLinks {
 public:
  JsonLinks(Identity& identity, Store& store) : identity_(identity), store_(store) {}

  void add(const JsonEvent& at);

  // Lists the linked ids as kind `link`. Requires: all links are known.
  void list_links();
  // Lists the id of a record of this kind if it is linked.
  void list(std::string_view kind, const JsonKey& key);
  // Returns all linked ids.
  std::span<const JsonKey> keys() const { return keys_; }

 private:
  uint32_t index_of(const JsonKey& key);
  void add_row(std::string_view kind, uint32_t index);

  Identity& identity_;
  Store& store_;
  absl::flat_hash_map<JsonKey, uint32_t> indexes_;
  std::vector<JsonKey> keys_;
  DisjointSets classes_;  // of keys_; the root of a class is the first of its ids
};

}  // namespace tracebraid
