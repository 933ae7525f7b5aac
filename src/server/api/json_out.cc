#include "server/api/json_out.h"

#include "engine/rows.h"

namespace tracebraid::api {

void JsonOut::begin_value(std::string_view name) {
  if (!is_first_) text_ += ',';
  is_first_ = false;
  if (name.empty()) return;
  append_json_string(text_, name);
  text_ += ':';
}

JsonOut& JsonOut::open(char bracket, std::string_view name) {
  begin_value(name);
  text_ += bracket;
  is_first_ = true;
  return *this;
}

JsonOut& JsonOut::close(char bracket) {
  text_ += bracket;
  is_first_ = false;
  return *this;
}

JsonOut& JsonOut::add(std::string_view name, std::string_view value) {
  begin_value(name);
  append_json_string(text_, value);
  return *this;
}

JsonOut& JsonOut::add_raw(std::string_view name, std::string_view json) {
  begin_value(name);
  text_ += json;
  return *this;
}

}  // namespace tracebraid::api
