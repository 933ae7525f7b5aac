// ClockMap: what one clock shows, as a function of what another one shows.
//
// A list of pieces that together cover every reading. Within a piece the two
// clocks run alike (or, under the linear model, at a fixed small drift); from
// piece to piece the offset jumps to what the next observation says.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tracebraid {

enum class ClockModel : uint8_t {
  Step,    // nearest earlier observation, slope 1 (spec clocks 3.3)
  Linear,  // between observations along their slope, if it is plausible
  Stated,  // along any slope, that of the first and last two also beyond them
};

// Both clocks at one moment, ns.
struct Observation {
  int64_t from;
  int64_t to;
  int64_t uncertainty_ns = 0;  // how far off `to` may be
};

struct ClockMap {
  static constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
  // Drift is counted in 2^-50 ns per ns, so that a day along it rounds by less
  // than a nanosecond.
  static constexpr int kDriftBits = 50;
  // In place of a drift: readings here cannot be told apart, or do not fit.
  static constexpr int64_t kRefused = std::numeric_limits<int64_t>::min();

  struct Piece {
    int64_t begin;   // first reading of the piece, ns; it ends where the next begins
    int64_t offset;  // `to` minus `from` at `begin`, ns
    int64_t drift = 0;
    friend bool operator==(const Piece&, const Piece&) = default;
  };

  std::vector<Piece> pieces;  // rising; the first begins at kFirst

  // Nothing for refused readings, and when the answer does not fit 64 bits.
  std::optional<int64_t> convert(int64_t reading) const;
  bool is_refused(int64_t reading) const;
  // The two clocks always show the same.
  bool is_identity() const { return pieces.size() == 1 && pieces[0] == Piece{kFirst, 0, 0}; }

  friend bool operator==(const ClockMap&, const ClockMap&) = default;
};

// The map that follows from observations in the order in which they were made;
// never empty. Where `from` was set back, readings that it showed twice are refused
// and the rest goes by the observations of their own stretch.
ClockMap map_of(std::span<const Observation> observations, ClockModel model);

// The number of stretches in which `from` never went back.
size_t count_stretches(std::span<const Observation> observations);

// Observations in the order of time. When both clocks went back together, they
// were only written down in another order than they were made.
std::vector<Observation> in_time_order(std::span<const Observation> observations);

// How the offset changes from one observation to the next one, which is later.
enum class Change : uint8_t {
  Flat,   // by no more than the two may be off
  Drift,  // as two clocks drift apart
  Jump,   // more than that: one of them was set, or stood still
};
Change change_between(const Observation& a, const Observation& b);

// First `inner`, then `outer`. Exactly what the two give one after the other
// (under the linear model: within rounding). Nothing when it would take more
// than `max_pieces`.
std::optional<ClockMap> compose(const ClockMap& inner, const ClockMap& outer, size_t max_pieces);

// Converts readings that mostly rise in amortised O(1).
class MapCursor {
 public:
  MapCursor() = default;
  explicit MapCursor(const ClockMap& map) : pieces_(map.pieces.data()), count_(map.pieces.size()) {
    if (count_ > 0) enter(0);
  }

  // False when the map is empty, the reading is refused or the answer does not fit.
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

  bool has_map() const { return count_ > 0; }
  // The reading that convert() said no to is one that the clock showed twice.
  bool refused_last() const { return count_ > 0 && drift_ == ClockMap::kRefused; }

 private:
  void enter(size_t piece);
  bool seek(int64_t reading);  // false when there is no map
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
  // The piece at_, unpacked: first reading, readings beyond it, ...
  int64_t begin_ = 0;
  uint64_t length_ = 0;
  int64_t offset_ = 0;
  int64_t drift_ = ClockMap::kRefused;
};

}  // namespace tracebraid
