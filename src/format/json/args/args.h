// Args: members of an event as rows of an arg set, named as spec json 3.5 defines.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "event/sink.h"
#include "format/json/args/arg_names.h"
#include "format/json/wire/dom.h"

namespace tracebraid::json {

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
  // Adds null or an empty container, except one in the place of all args.
  void add_unlisted(Node node, ArgType type) {
    if (node != args_root()) sink_.unlisted_arg(names_.key(node), type);
  }

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
