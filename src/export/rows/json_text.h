// JsonText: builds a JSON document incrementally, indented by two or compact.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tracebraid {

class JsonText {
 public:
  // Indented documents end with a line end; compact ones have no blanks.
  enum Layout : uint8_t { kIndented, kCompact };
  explicit JsonText(Layout layout = kIndented) : is_compact_(layout == kCompact) {}

  // Requires: a name inside objects, none inside arrays.
  JsonText& open_object(std::string_view name = {}) { return open('{', name); }
  JsonText& close_object() { return close('}'); }
  JsonText& open_array(std::string_view name = {}) { return open('[', name); }
  JsonText& close_array() { return close(']'); }

  JsonText& add(std::string_view name, std::string_view value);
  JsonText& add(std::string_view name, const char* value) {
    return add(name, std::string_view(value));
  }
  template <std::integral T>
  JsonText& add(std::string_view name, T value) {
    return add_raw(name, std::to_string(value));
  }
  JsonText& add(std::string_view name, bool value) {
    return add_raw(name, value ? "true" : "false");
  }
  // Writes null for none.
  JsonText& add(std::string_view name, std::optional<int64_t> value);
  // Writes an array of texts.
  JsonText& add(std::string_view name, std::span<const std::string> values);
  // Writes a JSON document, verbatim.
  JsonText& add_raw(std::string_view name, std::string_view json);

  std::string finish() &&;

 private:
  JsonText& open(char bracket, std::string_view name);
  JsonText& close(char bracket);
  void begin_line();
  void begin_value(std::string_view name);

  const bool is_compact_;
  std::string text_;
  size_t depth_ = 0;
  bool first_ = true;  // whether the next value is the first of its object or array
};

}  // namespace tracebraid
