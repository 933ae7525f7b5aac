#include "export/rows/json_text.h"

#include <utility>

#include "export/rows/cell_text.h"

namespace tracebraid {

void JsonText::begin_line() {
  if (!is_compact_) text_.append("\n").append(depth_ * 2, ' ');
}

void JsonText::begin_value(std::string_view name) {
  if (!first_) text_ += ',';
  if (depth_ > 0) begin_line();
  first_ = false;
  if (name.empty()) return;
  append_json_string(text_, name);
  text_ += is_compact_ ? ":" : ": ";
}

JsonText& JsonText::open(char bracket, std::string_view name) {
  begin_value(name);
  text_ += bracket;
  ++depth_;
  first_ = true;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  --depth_;
  if (!first_) begin_line();
  text_ += bracket;
  first_ = false;
  return *this;
}

JsonText& JsonText::add(std::string_view name, std::string_view value) {
  begin_value(name);
  append_json_string(text_, value);
  return *this;
}

JsonText& JsonText::add(std::string_view name, std::optional<int64_t> value) {
  return value ? add(name, *value) : add_raw(name, "null");
}

JsonText& JsonText::add(std::string_view name, std::span<const std::string> values) {
  open_array(name);
  for (const std::string& value : values) add({}, value);
  return close_array();
}

JsonText& JsonText::add_raw(std::string_view name, std::string_view json) {
  begin_value(name);
  text_ += json;
  return *this;
}

std::string JsonText::finish() && {
  if (!is_compact_) text_ += '\n';
  return std::move(text_);
}

}  // namespace tracebraid
