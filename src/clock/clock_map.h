// ClockMap: converts readings of one clock to readings of another.
//
// A piecewise linear function over all readings. Within a piece the offset is constant or, under
// the linear model, changes at a constant drift. map_of() builds it from observations, compose()
// joins the maps of a path, and the solver stores the result in a Placement.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "clock/reach.h"

namespace tracebraid {

enum class ClockModel : uint8_t {
  Step,    // offset of the nearest earlier observation (spec clocks 3.3)
  Linear,  // along the line between observations, if its drift is plausible
  Stated,  // along any line between observations, and beyond the first and last two
};

struct ClockMap {
  static constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
  // The unit of drift is 2^-50 ns per ns, so that following it for a day rounds by less than 1 ns.
  static constexpr int kDriftBits = 50;
  // A value of `drift`: readings of this piece are ambiguous or do not fit into 64 bits.
  static constexpr int64_t kRefused = std::numeric_limits<int64_t>::min();

  struct Piece {
    int64_t begin;   // first reading of the piece, ns; it ends where the next begins
    int64_t offset;  // `to` minus `from` at `begin`, ns
    int64_t drift = 0;
    friend bool operator==(const Piece&, const Piece&) = default;
  };

  std::vector<Piece> pieces;  // sorted by begin; the first begins at kFirst

  // Returns nothing for a refused reading, and if the result does not fit into 64 bits.
  std::optional<int64_t> convert(int64_t reading) const;
  bool is_refused(int64_t reading) const;
  // Whether both clocks are always equal.
  bool is_identity() const { return pieces.size() == 1 && pieces[0] == Piece{kFirst, 0, 0}; }

  friend bool operator==(const ClockMap&, const ClockMap&) = default;
};

// Returns the map for observations in the order in which they were made. If `from` was set back,
// readings in the reach of two segments are refused, and other readings use the observations of
// their segment, or of the nearest one. Without observations the map is empty.
ClockMap map_of(std::span<const Observation> observations, ClockModel model,
                const Margin& margin = {});

// The change of the offset from one observation to a later one.
enum class Change : uint8_t {
  Flat,   // within the bounds of the two observations
  Drift,  // at a plausible drift
  Jump,   // by more: one clock was set or suspended
};
Change change_between(const Observation& a, const Observation& b);

// Returns the map that applies `inner`, then `outer`; exact, except for rounding under the linear
// model. Returns nothing if it needs more than `max_pieces` pieces.
std::optional<ClockMap> compose(const ClockMap& inner, const ClockMap& outer, size_t max_pieces);

// Converts readings; amortised O(1) if they mostly increase. Refers to a ClockMap that must outlive
// it. One per thread.
class MapCursor {
 public:
  MapCursor() = default;
  explicit MapCursor(const ClockMap& map) : pieces_(map.pieces.data()), count_(map.pieces.size()) {
    if (count_ > 0) enter(0);
  }

  // Returns false if the map is empty, the reading is refused, or the result does not fit into 64
  // bits.
  bool convert(int64_t reading, int64_t& out) {
    const uint64_t into = static_cast<uint64_t>(reading) - static_cast<uint64_t>(begin_);
    if (into > length_) [[unlikely]] {
      if (!seek(reading)) return false;
    }
    if (drift_ == 0) return !__builtin_add_overflow(reading, offset_, &out);
    if (drift_ == ClockMap::kRefused) [[unlikely]]
      return false;
    return convert_along_drift(reading, out);
  }

  // Whether the readings from `low` to `high` are in one piece, in which they convert without
  // failure, except for 64 bits, and in order.
  bool is_steady(int64_t low, int64_t high) {
    const auto into = [&](int64_t reading) {
      return static_cast<uint64_t>(reading) - static_cast<uint64_t>(begin_);
    };
    if (into(low) > length_ && !seek(low)) return false;
    return into(high) <= length_ && drift_ > -(int64_t{1} << ClockMap::kDriftBits);
  }

  bool has_map() const { return count_ > 0; }
  // Whether the last convert() failed because the reading is ambiguous.
  bool refused_last() const { return count_ > 0 && drift_ == ClockMap::kRefused; }

 private:
  void enter(size_t piece);
  bool seek(int64_t reading);  // false without a map
  bool convert_along_drift(int64_t reading, int64_t& out) const {
    using Wide = __int128;
    const uint64_t into = static_cast<uint64_t>(reading) - static_cast<uint64_t>(begin_);
    const Wide exact = Wide{reading} + offset_ + ((Wide{into} * drift_) >> ClockMap::kDriftBits);
    out = static_cast<int64_t>(exact);
    return out == exact;
  }

  const ClockMap::Piece* pieces_ = nullptr;
  size_t count_ = 0;
  size_t at_ = 0;
  // The fields of piece at_: first reading, number of further readings, ...
  int64_t begin_ = 0;
  uint64_t length_ = 0;
  int64_t offset_ = 0;
  int64_t drift_ = ClockMap::kRefused;
};

}  // namespace tracebraid
