// Cell: one value of a row, as SQL sees it.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

namespace tracebraid {

// The value of one cell. `text` lives as long as the store.
struct Cell {
  enum class Kind : uint8_t { Null, Int, Real, Text, Blob } kind = Kind::Null;
  int64_t integer = 0;
  double real = 0;
  std::string_view text;

  static Cell null() { return {}; }
  static Cell of(int64_t value) { return {Kind::Int, value, 0, {}}; }
  static Cell of(double value) {
    return std::isnan(value) ? Cell{} : Cell{Kind::Real, 0, value, {}};
  }
  static Cell of(std::string_view value) { return {Kind::Text, 0, 0, value}; }
};

}  // namespace tracebraid
