// Rectangles and transforms of window traces, and their rows.
//
// Input: messages with edges. Output: Rect, Matrix, and rows of winscope_rect, winscope_transform
// and winscope_trace_rect. Called by the readers of this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "event/row.h"

namespace tracebraid::proto {

struct Rect {
  double x = 0, y = 0, w = 0, h = 0;

  bool is_empty() const { return !(w > 0 && h > 0); }
  double right() const { return x + w; }
  double bottom() const { return y + h; }
};

// x' = dsdx x + dtdx y + tx, y' = dtdy x + dsdy y + ty.
struct Matrix {
  double dsdx = 1, dtdx = 0, tx = 0, dtdy = 0, dsdy = 1, ty = 0;

  double determinant() const { return dsdx * dsdy - dtdx * dtdy; }
};

// Reads left, top, right and bottom (fields 1 to 4), of integers or floats.
Rect read_rect(std::string_view message);
Rect read_float_rect(std::string_view message);

// Returns the part of `rect` within `limit`; an empty one at its corner if there is none.
Rect cropped(const Rect& rect, const Rect& limit);
bool overlaps(const Rect& a, const Rect& b);

// Returns the smallest rectangle around the moved corners.
Rect moved(const Matrix& matrix, const Rect& rect);
// Returns nothing for a matrix without inverse.
std::optional<Matrix> inverse(const Matrix& matrix);

// A row of winscope_trace_rect.
struct TraceRect {
  Rect rect;
  Matrix matrix;
  int64_t group = 0, depth = 0;
  bool is_visible = false, is_spy = false;
  std::optional<double> opacity, border_width;
  std::optional<int64_t> border_color;
};

// Emits rows at the time of one packet, and gives their numbers for RowWriter::row(). The numbers
// hold until the next packet.
class RectRows {
 public:
  RectRows(const EventTime& time, EventSink& sink) : time_(time), sink_(sink) {}

  enum class Share : uint8_t { No, Yes };  // whether equal rectangles of the trace are one row
  int64_t add(const Rect& rect, Share share = Share::Yes);
  int64_t add(const Matrix& matrix);
  int64_t add(const TraceRect& rect, Share share = Share::Yes);
  // Returns an unused number for a row.
  int64_t next_number() { return next_++; }

 private:
  // Beyond the numbers of other readers.
  static constexpr int64_t kFirst = int64_t{1} << 40;

  EventTime time_;
  EventSink& sink_;
  int64_t next_ = kFirst;
};

}  // namespace tracebraid::proto
