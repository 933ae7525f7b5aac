// Args: members of an event as rows of an arg set, named as spec json 3.5 defines.
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

// A node of the tree of all arg names of a chunk: `args`, `args.data`, `args.data[0]`. Producers
// repeat their keys in one order, so each node stores the name that followed it last time, and
// finding the next name takes one comparison.
class ArgNames {
 public:
  ArgNames(EventSink& sink, size_t max_bytes) : sink_(sink), max_bytes_(max_bytes) {}

  using Node = uint32_t;
  static constexpr Node kNoNode = ~Node{0};

  Node root(std::string_view name);
  // Returns the member `key` of `parent`; `before` is the member read before it, or none. Returns
  // none, as element() does, if all names together would become too long: few bytes deep inside
  // other containers have very long names.
  Node member(Node parent, Node before, std::string_view key);
  // Returns the member that followed last time, if the cursor is at the same key, and moves the
  // cursor to its value. Otherwise returns none and leaves the cursor.
  Node repeated_member(Node parent, Node before, Cursor& cursor) const;
  // Returns element `index` of `parent`; `before` is the element with the index before.
  Node element(Node parent, Node before, size_t index);
  // Returns the value for ArgRow::key.
  uint32_t key(Node node);

  // Marks a member of an object. Returns false if `node` has this mark already; the members of one
  // object have one mark.
  bool mark(Node node, uint64_t mark) { return std::exchange(nodes_[node].mark, mark) != mark; }

 private:
  struct Entry {
    StringId flat;
    StringId full;
    std::string_view text;  // the key alone; not decoded if `is_plain`
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
  size_t bytes_ = 0;  // total size of all full names
  std::vector<Entry> nodes_;
  absl::flat_hash_map<std::pair<Node, StringId>, Node> members_;
  std::map<std::string, Node, std::less<>> roots_;
  std::string scratch_;
};

// Fills arg sets from JSON text, or from a tree.
class ArgReader {
 public:
  // `text_bytes` is the size of the text to read.
  ArgReader(EventSink& sink, uint32_t max_depth, size_t text_bytes);

  ArgNames::Node root(std::string_view name) { return names_.root(name); }
  ArgNames::Node args_root() {  // the root of most sets
    if (args_root_ == ArgNames::kNoNode) args_root_ = names_.root("args");
    return args_root_;
  }

  // Adds the value at `cursor` to the open set, named from `root` on. Discard the set unless the
  // result is Ok. Sets `again` if a key was repeated: then the rows are wrong and the value must be
  // read as a tree.
  Parse read(Cursor& cursor, uint32_t depth, ArgNames::Node root, Repairs& repairs, bool& again);
  void add(const Dom& dom, ArgNames::Node root) { add_value(dom, root); }

  void add_text(std::string_view name, std::string_view text);
  void add_texts(std::string_view name, std::span<const std::string> texts);  // as an array
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
