// SpanSweep: joins two lists of intervals of one partition by overlap.
//
// Input: intervals by start. Output: pairs of rows with the time that they share. Called by the
// span join modules.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "query/scan/stop_check.h"

namespace tracebraid {

// The interval [ts, ts + dur) of a row; an instant if dur is 0. A negative dur meets nothing.
struct Span {
  int64_t ts, dur;
  uint32_t row;
  int64_t end() const {
    int64_t sum = 0;
    return __builtin_add_overflow(ts, dur, &sum) ? std::numeric_limits<int64_t>::max() : sum;
  }
};

struct SpanPair {
  static constexpr uint32_t kNone = ~uint32_t{0};
  int64_t ts, dur;
  uint32_t left, right;  // kNone: nothing of this side covers the time
  friend bool operator==(const SpanPair&, const SpanPair&) = default;
};

// Which rows are kept for the time that no row of the other side covers.
enum class SpanJoin : uint8_t { Inner, Left, Outer };

// An interval meets another whose start it contains, and one with the same start, also if one of
// them is an instant. Uncovered time is cut at the instants of the other side.
class SpanSweep {
 public:
  // Requires: both are sorted by ts; of equal ts, instants come first. They must outlive the sweep.
  SpanSweep(SpanJoin join, std::span<const Span> left, std::span<const Span> right)
      : keeps_left_(join != SpanJoin::Inner),
        keeps_right_(join == SpanJoin::Outer),
        left_(left, keeps_right_),
        right_(right, keeps_left_) {}

  // Appends pairs by ts, at least `most` unless the sweep ends; instants first among equal ts.
  // Returns false if stopped.
  bool fill(std::vector<SpanPair>& pairs, size_t most, const StopCheck& stop);
  bool done() const { return left_.at_end() && right_.at_end(); }

 private:
  struct Item {
    int64_t ts, end;
    uint32_t row;  // kNone: a gap
  };

  // The intervals of a side, and the gaps between them, by start.
  class Side {
   public:
    Side(std::span<const Span> spans, bool with_gaps) : spans_(spans), with_gaps_(with_gaps) {
      find_next();
    }
    bool at_end() const { return at_end_; }
    const Item& item() const { return item_; }
    void advance() {
      if (item_.row != SpanPair::kNone) ++at_;
      find_next();
    }
    std::span<const Span> spans() const { return spans_; }
    size_t position() const { return at_; }

    std::vector<Item> active;  // started, and perhaps not ended

   private:
    void find_next();
    int64_t start_behind_negatives() const;

    std::span<const Span> spans_;
    bool with_gaps_;
    bool at_end_ = false;
    size_t at_ = 0;
    int64_t covered_ = std::numeric_limits<int64_t>::min();
    Item item_{};
  };

  static bool is_at(const Side& side, int64_t ts) { return !side.at_end() && side.item().ts == ts; }
  template <bool kIsLeft>
  void start(Side& side, Side& other, std::vector<SpanPair>& pairs);

  bool keeps_left_, keeps_right_;
  Side left_, right_;
};

}  // namespace tracebraid
