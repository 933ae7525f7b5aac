// Dom: a JSON value as a tree, for the few events and members whose meaning depends on more than
// one value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tracebraid::json {

// Repairs made while reading a tree or args.
struct Repairs {
  uint64_t duplicate_keys = 0;
  uint64_t extra_commas = 0;
  uint64_t nonfinite_numbers = 0;
  uint64_t too_deep = 0;  // containers left out

  Repairs& operator+=(const Repairs& more) {
    duplicate_keys += more.duplicate_keys;
    extra_commas += more.extra_commas;
    nonfinite_numbers += more.nonfinite_numbers;
    too_deep += more.too_deep;
    return *this;
  }
};

struct DomMember;

struct Dom {
  Value value;                     // its `raw` points into the input
  std::string text;                // of a String, decoded
  std::vector<DomMember> members;  // in order; of equal keys the last
  std::vector<Dom> items;

  // Returns null if there is no such member or this is no object.
  const Dom* find(std::string_view key) const;
  bool is(Kind kind) const { return value.kind == kind; }
};

struct DomMember {
  std::string key;
  Dom value;
};

// The depth of values and its limit. `depth` counts the containers around.
struct Depth {
  uint32_t depth = 0;
  uint32_t limit = 512;
};

// Reads a value. Containers that are too deep are treated as absent members.
Parse read_dom(Cursor& cursor, Depth depth, Repairs& repairs, Dom& dom);

// Parses a text that consists of one value.
Parse parse_dom(std::string_view text, Depth depth, Repairs& repairs, Dom& dom);

}  // namespace tracebraid::json
