#include "clock/clock_map.h"

#include <algorithm>
#include <limits>

namespace tracebraid {
namespace {

using Wide = __int128;  // sums and products of readings never overflow it
using Piece = ClockMap::Piece;

constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
// A larger change of the offset is a step or a suspend, not a drift.
constexpr int64_t kSteepest = 2000;  // 1 / 2000 = 500 ppm

// The drift continues this far beyond the observations: a day, ten years.
constexpr Wide kFarthestNs = 86'400'000'000'000, kFarthestStatedNs = 3652 * kFarthestNs;
constexpr Wide kSteepestStated = 4096;  // what ClockMap::kDriftBits leave room for

bool fits(Wide value) { return value >= ClockMap::kFirst && value <= kLast; }

// Maps `reading` by `piece`. Requires: the piece is not refused.
Wide apply(const Piece& piece, Wide reading) {
  Wide out = reading + piece.offset;
  if (piece.drift != 0) out += ((reading - piece.begin) * piece.drift) >> ClockMap::kDriftBits;
  return out;
}

// Appends pieces from left to right, each only if it changes something.
class PieceList {
 public:
  explicit PieceList(size_t max_pieces) : max_pieces_(max_pieces) {}

  void add(Piece piece) {
    if (piece.drift == ClockMap::kRefused) piece.offset = 0;
    if (!pieces_.empty() && pieces_.back().begin == piece.begin) pieces_.pop_back();
    if (!pieces_.empty() && continues(pieces_.back(), piece)) return;
    if (pieces_.size() >= max_pieces_) {
      is_full_ = true;
      return;
    }
    pieces_.push_back(piece);
  }
  void add(int64_t begin, Wide offset, Wide drift) {
    const bool usable = fits(offset) && fits(drift);
    add(usable ? Piece{begin, static_cast<int64_t>(offset), static_cast<int64_t>(drift)}
               : Piece{begin, 0, ClockMap::kRefused});
  }
  bool is_full() const { return is_full_; }
  std::vector<Piece> take() { return std::move(pieces_); }

 private:
  static bool continues(const Piece& before, const Piece& piece) {
    const bool is_flat = piece.drift == 0 || piece.drift == ClockMap::kRefused;
    return is_flat && before.drift == piece.drift && before.offset == piece.offset;
  }

  size_t max_pieces_;
  bool is_full_ = false;
  std::vector<Piece> pieces_;
};

// Returns the piece that covers `reading`, which may lie outside 64 bits.
size_t piece_at(const std::vector<Piece>& pieces, Wide reading) {
  const auto after =
      std::ranges::upper_bound(pieces, reading, {}, [](const Piece& p) { return Wide{p.begin}; });
  return after == pieces.begin() ? 0 : static_cast<size_t>(after - pieces.begin()) - 1;
}

// Returns the first reading of [begin, last] that `piece` maps to `target` or more. Requires: there
// is one.
int64_t first_reaching(const Piece& piece, Wide target, int64_t begin, int64_t last) {
  Wide reading = target - piece.offset;
  if (piece.drift != 0) {
    // Solve for the reading, then undo the rounding.
    const Wide one = Wide{1} << ClockMap::kDriftBits;
    reading = piece.begin + (reading - piece.begin) * one / (one + piece.drift);
    while (apply(piece, reading - 1) >= target) --reading;
    while (apply(piece, reading) < target) ++reading;
  }
  return static_cast<int64_t>(std::clamp<Wide>(reading, begin, last));
}

// Returns the change of the offset, ns.
Wide change_of(const Observation& a, const Observation& b) {
  return (Wide{b.to} - b.from) - (Wide{a.to} - a.from);
}

// Returns the drift in 2^-50 ns per ns.
Wide drift_between(const Observation& a, const Observation& b) {
  return change_of(a, b) * (Wide{1} << ClockMap::kDriftBits) / (Wide{b.from} - a.from);
}

// Returns the drift before the first observation (`step` 1) or after the last one (-1). Uses as
// many of the nearest observations as the drift needs to exceed their bounds, without a jump
// between them.
Wide drift_beyond(std::span<const Observation> segment, size_t at, ptrdiff_t step) {
  constexpr int kNearest = 8, kClearly = 20;
  size_t far = at;
  for (int i = 0; i < kNearest; ++i) {
    const size_t next = far + static_cast<size_t>(step);  // wraps to beyond the end ahead of 0
    if (next >= segment.size()) break;
    const Observation &a = segment[std::min(far, next)], &b = segment[std::max(far, next)];
    if (change_between(a, b) == Change::Jump) break;
    far = next;
    const Observation &first = segment[std::min(far, at)], &last = segment[std::max(far, at)];
    const Wide change = change_of(first, last),
               blur = Wide{first.uncertainty_ns} + last.uncertainty_ns;
    if (std::max(change, -change) > kClearly * blur) break;
  }
  if (far == at) return 0;
  const Observation &a = segment[std::min(far, at)], &b = segment[std::max(far, at)];
  return change_between(a, b) == Change::Drift ? drift_between(a, b) : 0;
}

// The drifts of one segment.
class Slopes {
 public:
  Slopes(std::span<const Observation> segment, ClockModel model)
      : observations_(segment), model_(model) {}

  // Returns the drift from observation i to the next.
  Wide after(size_t i) const {
    const Observation &a = observations_[i], &b = observations_[i + 1];
    if (model_ == ClockModel::Step || b.from <= a.from) return 0;
    if (model_ == ClockModel::Linear && change_between(a, b) != Change::Drift) return 0;
    const Wide change = change_of(a, b);
    if (std::max(change, -change) / kSteepestStated > Wide{b.from} - a.from) return 0;
    return drift_between(a, b);
  }
  Wide ahead_of_first() const {
    if (model_ == ClockModel::Linear) return drift_beyond(observations_, 0, 1);
    return model_ == ClockModel::Stated && observations_.size() > 1 ? after(0) : 0;
  }
  Wide after_last() const {
    const size_t last = observations_.size() - 1;
    if (model_ == ClockModel::Linear) return drift_beyond(observations_, last, -1);
    return model_ == ClockModel::Stated && last > 0 ? after(last - 1) : 0;
  }
  // Beyond this distance the offset is constant.
  Wide farthest() const { return model_ == ClockModel::Stated ? kFarthestStatedNs : kFarthestNs; }

 private:
  std::span<const Observation> observations_;
  ClockModel model_;
};

// Appends the piece of the readings from `from`, on the line through `o` with `drift`.
void add_piece(int64_t from, const Observation& o, Wide drift, PieceList& out) {
  out.add(from, Wide{o.to} - o.from + (((Wide{from} - o.from) * drift) >> ClockMap::kDriftBits),
          drift);
}

// Appends the piece of the readings from `from`, with the constant offset of the line through `o`
// with `drift` at `edge`.
void add_flat(int64_t from, const Observation& o, Wide drift, int64_t edge, PieceList& out) {
  const Wide shift = ((Wide{edge} - o.from) * drift) >> ClockMap::kDriftBits;
  out.add(from, Wide{o.to} - o.from + shift, 0);
}

// Appends the pieces of [begin, last], before the first observation.
void add_ahead(const Observation& first, const Slopes& slopes, int64_t begin, int64_t last,
               PieceList& out) {
  const Wide drift = slopes.ahead_of_first();
  const auto edge =
      static_cast<int64_t>(std::max<Wide>(first.from - slopes.farthest(), ClockMap::kFirst));
  if (begin < edge) add_flat(begin, first, drift, edge, out);
  if (edge <= last) add_piece(std::max(begin, edge), first, drift, out);
}

// Appends the pieces of [begin, last], from the last observation on.
void add_after(const Observation& o, const Slopes& slopes, int64_t begin, int64_t last,
               PieceList& out) {
  const Wide drift = slopes.after_last();
  const auto edge = static_cast<int64_t>(std::min<Wide>(o.from + slopes.farthest(), kLast));
  if (begin < edge) add_piece(begin, o, drift, out);
  if (edge <= last) add_flat(std::max(begin, edge), o, drift, edge, out);
}

// Appends the pieces of one segment for the readings [begin, last].
void add_segment(std::span<const Observation> segment, int64_t begin, int64_t last,
                 ClockModel model, PieceList& out) {
  const Slopes slopes(segment, model);
  const auto after = std::ranges::upper_bound(segment, begin, {}, &Observation::from);
  auto next = static_cast<size_t>(after - segment.begin());
  int64_t from = begin;
  if (next == 0) {
    add_ahead(segment[0], slopes, begin, std::min(last, segment[0].from), out);
    from = segment[0].from;
    ++next;
  }
  while (from <= last) {
    // The last of equal readings applies.
    while (next < segment.size() && segment[next].from == segment[next - 1].from) ++next;
    const Observation& o = segment[next - 1];
    if (next == segment.size()) return add_after(o, slopes, from, last, out);
    add_piece(from, o, slopes.after(next - 1), out);
    from = segment[next++].from;
  }
}

}  // namespace

Change change_between(const Observation& a, const Observation& b) {
  const Wide elapsed = Wide{b.from} - a.from;
  const Wide change = change_of(a, b) < 0 ? -change_of(a, b) : change_of(a, b);
  if (change <= Wide{a.uncertainty_ns} + b.uncertainty_ns) return Change::Flat;
  return elapsed > 0 && change * kSteepest <= elapsed ? Change::Drift : Change::Jump;
}

std::optional<int64_t> ClockMap::convert(int64_t reading) const {
  if (pieces.empty()) return std::nullopt;
  const Piece& piece = pieces[piece_at(pieces, reading)];
  if (piece.drift == kRefused) return std::nullopt;
  const Wide out = apply(piece, reading);
  if (!fits(out)) return std::nullopt;
  return static_cast<int64_t>(out);
}

bool ClockMap::is_refused(int64_t reading) const {
  return !pieces.empty() && pieces[piece_at(pieces, reading)].drift == kRefused;
}

ClockMap map_of(std::span<const Observation> observations, ClockModel model, const Margin& margin) {
  const std::vector<Observation> sorted = in_time_order(observations);
  const std::vector<Segment> segments = segments_of(sorted);
  PieceList pieces(std::numeric_limits<size_t>::max());
  for (const Cover& cover : covers_of(reaches_of(sorted, segments, margin))) {
    if (cover.count > 1) {
      pieces.add({cover.begin, 0, ClockMap::kRefused});
      continue;
    }
    const Segment& segment = segments[cover.segment];
    add_segment(std::span(sorted).subspan(segment.first, segment.end - segment.first), cover.begin,
                cover.last, model, pieces);
  }
  return {pieces.take()};
}

std::optional<ClockMap> compose(const ClockMap& inner, const ClockMap& outer, size_t max_pieces) {
  PieceList out(max_pieces);
  for (size_t i = 0; i < inner.pieces.size() && !out.is_full(); ++i) {
    const Piece& piece = inner.pieces[i];
    if (piece.drift == ClockMap::kRefused) {
      out.add(piece);
      continue;
    }
    const bool is_last = i + 1 == inner.pieces.size();
    const int64_t last = is_last ? kLast : inner.pieces[i + 1].begin - 1;
    const auto add = [&](int64_t begin, const Piece& beyond) {
      if (beyond.drift == ClockMap::kRefused) {
        out.add({begin, 0, ClockMap::kRefused});
        return;
      }
      const Wide drift = Wide{piece.drift} + beyond.drift +
                         ((Wide{piece.drift} * beyond.drift) >> ClockMap::kDriftBits);
      out.add(begin, apply(beyond, apply(piece, begin)) - begin, drift);
    };
    const Wide image_last = apply(piece, last);
    size_t j = piece_at(outer.pieces, apply(piece, piece.begin));
    add(piece.begin, outer.pieces[j]);
    for (++j; j < outer.pieces.size() && outer.pieces[j].begin <= image_last && !out.is_full(); ++j)
      add(first_reaching(piece, outer.pieces[j].begin, piece.begin, last), outer.pieces[j]);
  }
  if (out.is_full()) return std::nullopt;
  return ClockMap{out.take()};
}

void MapCursor::enter(size_t piece) {
  const bool is_last = piece + 1 == count_;
  const int64_t last = is_last ? kLast : pieces_[piece + 1].begin - 1;
  at_ = piece;
  begin_ = pieces_[piece].begin;
  length_ = static_cast<uint64_t>(last) - static_cast<uint64_t>(begin_);
  offset_ = pieces_[piece].offset;
  drift_ = pieces_[piece].drift;
}

bool MapCursor::seek(int64_t reading) {
  if (count_ == 0) return false;
  if (reading > begin_ && at_ + 1 < count_) {
    enter(at_ + 1);
    const uint64_t into = static_cast<uint64_t>(reading) - static_cast<uint64_t>(begin_);
    if (into <= length_) return true;
  }
  const std::span<const ClockMap::Piece> pieces(pieces_, count_);
  const auto after = std::ranges::upper_bound(pieces, reading, {}, &ClockMap::Piece::begin);
  enter(static_cast<size_t>(after - pieces.begin()) - 1);
  return true;
}

}  // namespace tracebraid
