#include "format/proto/args/args.h"

#include <fmt/format.h>

#include <iterator>

namespace tracebraid::proto {

void ArgPath::enter(std::string_view name) {
  for (std::string* path : {&flat_, &key_}) {
    if (!path->empty()) *path += '.';
    *path += name;
  }
}

void ArgPath::enter(uint64_t index) { fmt::format_to(std::back_inserter(key_), "[{}]", index); }

}  // namespace tracebraid::proto
