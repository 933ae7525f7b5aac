// JsonOut: builds a compact JSON document.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid::api {

class JsonOut {
 public:
  JsonOut& open_object(std::string_view name = {}) { return open('{', name); }
  JsonOut& close_object() { return close('}'); }
  JsonOut& open_array(std::string_view name = {}) { return open('[', name); }
  JsonOut& close_array() { return close(']'); }

  // A name inside objects, an empty one inside arrays.
  JsonOut& add(std::string_view name, std::string_view value);
  JsonOut& add(std::string_view name, const char* value) {
    return add(name, std::string_view(value));
  }
  JsonOut& add(std::string_view name, const std::string& value) {
    return add(name, std::string_view(value));
  }
  JsonOut& add(std::string_view name, bool value) {
    return add_raw(name, value ? "true" : "false");
  }
  template <std::integral T>
  JsonOut& add(std::string_view name, T value) {
    return add_raw(name, std::to_string(value));
  }
  // A time or an id: its digits as a text.
  JsonOut& add_digits(std::string_view name, int64_t value) {
    return add(name, std::to_string(value));
  }
  // A JSON document as the value.
  JsonOut& add_raw(std::string_view name, std::string_view json);

  std::string finish() && { return std::move(text_); }

 private:
  JsonOut& open(char bracket, std::string_view name);
  JsonOut& close(char bracket);
  void begin_value(std::string_view name);

  std::string text_;
  bool is_first_ = true;  // whether the next value is the first of its object or array
};

}  // namespace tracebraid::api
