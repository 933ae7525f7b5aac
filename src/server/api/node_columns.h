// NodeColumns: a page of the tree by member instead of by node, which is a quarter of the bytes.
//
// In: the members of one node after another. Out: an object with a column for each member. Called
// by GET /traces/{t}/tracks.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracebraid::api {

class NodeColumns {
 public:
  // Adds the next member of a node: a JSON value. Requires: all nodes have the same members in the
  // same order.
  void add(std::string_view name, std::string value);
  void end_node() { at_ = 0; }

  // Returns {"node":[5,6],"type":{"values":["thread","track"],"at":[0,1]}}: a column with few
  // different values has each of them once, and their places by node.
  std::string finish() &&;

 private:
  struct Column {
    std::string name;
    std::vector<uint32_t> at;         // by node: index in `values`
    std::vector<std::string> values;  // JSON
    absl::flat_hash_map<std::string, uint32_t> places;
  };
  std::vector<Column> columns_;
  size_t at_ = 0;  // the column of the next member
};

}  // namespace tracebraid::api
