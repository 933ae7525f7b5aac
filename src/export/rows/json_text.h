// JsonText: builds a JSON document incrementally, indented by two.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tracebraid {

class JsonText {
 public:
  // Requires: a name inside objects, none inside arrays.
  void open_object(std::string_view name = {}) { open('{', name); }
  void close_object() { close('}'); }
  void open_array(std::string_view name = {}) { open('[', name); }
  void close_array() { close(']'); }

  void add(std::string_view name, std::string_view value);
  void add(std::string_view name, const char* value) { add(name, std::string_view(value)); }
  void add(std::string_view name, int64_t value);
  void add(std::string_view name, uint64_t value);
  void add(std::string_view name, bool value);
  // Writes null for none.
  void add(std::string_view name, std::optional<int64_t> value);
  // Writes an array of texts.
  void add(std::string_view name, std::span<const std::string> values);

  // Returns the document, with a line end.
  std::string finish() &&;

 private:
  void open(char bracket, std::string_view name);
  void close(char bracket);
  void begin_value(std::string_view name);

  std::string text_;
  size_t depth_ = 0;
  bool first_ = true;  // whether the next value is the first of its object or array
};

}  // namespace tracebraid
