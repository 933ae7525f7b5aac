// ValueTree: the smallest and the largest of any range of values.
//
// In: values, NaN for none. Out: minima and maxima. Called by timeline/tracks and timeline/tiles.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tracebraid::timeline {

struct ValueBounds {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool is_empty() const { return low > high; }
  void add(double value) {  // NaN changes nothing
    if (value < low) low = value;
    if (value > high) high = value;
  }
  void add(const ValueBounds& other) {
    add(other.low);
    add(other.high);
  }
};

// Immutable.
class ValueTree {
 public:
  static constexpr size_t kBlock = 64, kFanOut = 16;

  explicit ValueTree(std::vector<double> values);

  const std::vector<double>& values() const { return values_; }
  // Returns the bounds of values `from` to `to` - 1; empty if all are NaN. Requires: to <= size.
  ValueBounds bounds(size_t from, size_t to) const;
  size_t memory() const;  // bytes

 private:
  std::vector<double> values_;
  std::vector<std::vector<ValueBounds>> levels_;  // of 64 values, of 1024, ...
};

}  // namespace tracebraid::timeline
