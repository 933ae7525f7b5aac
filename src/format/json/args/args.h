// Args: members of an event as rows of an arg set, named as spec json 3.5 says.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/json/wire/dom.h"

namespace tracebraid::json {

// A node of the tree of all arg names of a chunk: `args`, `args.data`,
// `args.data[0]`. Producers repeat their keys in one order, so each node knows
// what came after it the last time, and finding the next name is one comparison.
class ArgNames {
 public:
  ArgNames(EventSink& sink, size_t max_bytes) : sink_(sink), max_bytes_(max_bytes) {}

  using Node = uint32_t;
  static constexpr Node kNoNode = ~Node{0};

  Node root(std::string_view name);
  // The member `key` of `parent`; `before` is the member read before it, or none.
  // None, as for element(), if all names together would become too long: few
  // bytes deep in other containers have very long names.
  Node member(Node parent, Node before, std::string_view key);
  // The member that came there the last time, if it is what stands at the cursor once more:
  // the cursor moves to its value. None, and it stays, otherwise.
  Node repeated_member(Node parent, Node before, Cursor& cursor) const;
  // Element `index` of `parent`; `before` is the element with the index before.
  Node element(Node parent, Node before, size_t index);
  // What goes into ArgRow::key.
  uint32_t key(Node node);

  // The members of one object have one mark. False if `node` had it already.
  bool mark(Node node, uint64_t mark) { return std::exchange(nodes_[node].mark, mark) != mark; }

 private:
  struct Entry {
    StringId flat;
    StringId full;
    std::string_view text;  // the key alone; it is not decoded if `is_plain`
    bool is_plain = false;
    uint32_t arg_key = kNone;
    Node first_member = kNoNode, next_member = kNoNode;
    Node first_element = kNoNode, next_element = kNoNode;
    uint64_t mark = 0;
  };
  Node add(StringId flat, StringId full, std::string_view text);

  bool is_full() const { return bytes_ > max_bytes_; }

  EventSink& sink_;
  size_t max_bytes_;
  size_t bytes_ = 0;  // of all full names
  std::vector<Entry> nodes_;
  absl::flat_hash_map<std::pair<Node, StringId>, Node> members_;
  std::map<std::string, Node, std::less<>> roots_;
  std::string scratch_;
};

// Fills arg sets from JSON text, or from a tree.
class ArgReader {
 public:
  // `text_bytes` is the size of what will be read.
  ArgReader(EventSink& sink, uint32_t max_depth, size_t text_bytes);

  ArgNames::Node root(std::string_view name) { return names_.root(name); }
  ArgNames::Node args_root() {  // of most sets
    if (args_root_ == ArgNames::kNoNode) args_root_ = names_.root("args");
    return args_root_;
  }

  // Adds the value at `cursor` as `root` and below to the open set. On anything
  // but Ok the set is to be thrown away. `again` is set when a key was repeated:
  // then the rows are wrong and the value has to be read as a tree.
  Parse read(Cursor& cursor, uint32_t depth, ArgNames::Node root, Repairs& repairs, bool& again);
  void add(const Dom& dom, ArgNames::Node root) { add_value(dom, root); }

  void add_text(std::string_view name, std::string_view text);
  void add_texts(std::string_view name, std::span<const std::string> texts);  // an array
  void add_null(std::string_view name) { row(names_.root(name), ArgType::Null, 0); }
  void add_int(std::string_view name, int64_t value, ArgType type = ArgType::Int);

 private:
  using Node = ArgNames::Node;
  Parse read_value(Cursor& cursor, uint32_t depth, Node node);
  Parse read_members(Cursor& cursor, uint32_t depth, Node node);
  Parse read_items(Cursor& cursor, uint32_t depth, Node node);
  Parse skip(Cursor& cursor, uint32_t depth);
  Parse read_part(Cursor& cursor, uint32_t depth, Node node);
  void add_value(const Dom& dom, Node node);
  void add_scalar(const Value& value, Node node);
  void row(Node node, ArgType type, int64_t value) { sink_.arg(names_.key(node), type, value); }

  EventSink& sink_;
  ArgNames names_;
  uint32_t max_depth_;
  ArgNames::Node args_root_ = ArgNames::kNoNode;
  uint64_t objects_ = 0;
  Repairs repairs_;
  bool again_ = false;
  std::string scratch_;
};

}  // namespace tracebraid::json
