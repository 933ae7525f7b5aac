// Elements: the rows of an Instruments export, with references resolved (spec json 11.2).
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

// One element below <row>, as defined. Elements that others refer to live as long as the file is
// read.
struct Element {
  std::string fmt;  // text that the tool displays
  std::string text;
  std::map<std::string, std::string, std::less<>> attributes;
  struct Child {
    std::string name;  // name that references use
    std::shared_ptr<const Element> element;
  };
  std::vector<Child> children;
  bool is_missing = false;  // refers to an undefined id

  // Returns the first child of this name, including one with an undefined reference; null if there
  // is none.
  const Element* find(std::string_view child) const;
  std::string_view attribute(std::string_view key) const;
};

struct Row {
  std::string_view schema;
  uint64_t at = 0;  // byte offset
  const Element* element = nullptr;
};

// Calls on_row for each row of the file. An Error has the position of malformed XML; earlier rows
// were passed. `is_cut`: whether the file is truncated there.
Result<> read_rows(Input& input, const std::function<void(const Row&)>& on_row, bool& is_cut);

}  // namespace tracebraid::instruments_xml
