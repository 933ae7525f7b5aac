// Dom: a JSON value as a tree, for the few events and members whose meaning
// depends on more than one value at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tracebraid::json {

// Repairs that reading a tree, or args, took.
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
  Value value;                     // its `raw` points into the text read
  std::string text;                // of a String, decoded
  std::vector<DomMember> members;  // in order; the last of equal keys
  std::vector<Dom> items;

  // Null if there is no such member or this is no object.
  const Dom* find(std::string_view key) const;
  bool is(Kind kind) const { return value.kind == kind; }
};

struct DomMember {
  std::string key;
  Dom value;
};

// How deep values are, and may be. `depth` counts the containers around.
struct Depth {
  uint32_t depth = 0;
  uint32_t limit = 512;
};

// Too deep containers are left out as if their member were absent.
Parse read_dom(Cursor& cursor, Depth depth, Repairs& repairs, Dom& dom);

// Of a text that is one value and nothing else.
Parse parse_dom(std::string_view text, Depth depth, Repairs& repairs, Dom& dom);

}  // namespace tracebraid::json
