#include "format/proto/args/args.h"

#include "event/arg_path.h"

namespace tracebraid::proto {

void ArgPath::enter(std::string_view name) {
  for (std::string* path : {&flat_, &key_}) {
    if (!path->empty()) *path += '.';
    *path += name;
  }
  if (has_path_) append_member(path_, name);
}

void ArgPath::enter(std::string_view part, std::string_view name) {
  if (part == name && is_plain_name(name)) return enter(part);
  begin_path();
  append_member(path_, name);
  for (std::string* path : {&flat_, &key_}) {
    if (!path->empty()) *path += '.';
    *path += part;
  }
}

void ArgPath::enter(ElementIndex element) {
  if (element.index != element.place) begin_path();
  append_element(key_, element.index);
  if (has_path_) append_element(path_, element.place);
}

void ArgPath::begin_path() {
  if (has_path_) return;
  has_path_ = true;
  path_ = key_;
}

}  // namespace tracebraid::proto
