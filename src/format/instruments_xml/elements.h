// Elements: the rows of an Instruments export, with their references followed
// (spec json 11.2).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "container/input.h"

namespace tracebraid::instruments_xml {

// One element below <row>, as it was defined. Elements that others refer to live
// as long as the file is read.
struct Element {
  std::string fmt;  // what the tool showed
  std::string text;
  std::map<std::string, std::string, std::less<>> attributes;
  struct Child {
    std::string name;  // that a reference calls it by
    std::shared_ptr<const Element> element;
  };
  std::vector<Child> children;
  bool is_missing = false;  // refers to an id that was not defined

  // The first child of this name; null if there is none. One that refers to
  // nothing counts, too.
  const Element* find(std::string_view child) const;
  std::string_view attribute(std::string_view key) const;
};

struct Row {
  std::string_view schema;
  uint64_t at = 0;  // byte offset
  const Element* element = nullptr;
};

// Calls on_row for each row of the file. An Error says where the XML breaks; rows
// before it were delivered. `is_cut`: it does so because the file ends.
Result<> read_rows(Input& input, const std::function<void(const Row&)>& on_row, bool& is_cut);

}  // namespace tracebraid::instruments_xml
