#include "format/proto/window/rects.h"

#include <algorithm>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

template <class Number>
Rect read_edges(std::string_view message, Number number) {
  double left = 0, top = 0, right = 0, bottom = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == field::RectProto::kLeft) left = number(fields);
    if (fields.number() == field::RectProto::kTop) top = number(fields);
    if (fields.number() == field::RectProto::kRight) right = number(fields);
    if (fields.number() == field::RectProto::kBottom) bottom = number(fields);
  }
  return {left, top, right - left, bottom - top};
}

}  // namespace

Rect read_rect(std::string_view message) {
  return read_edges(message, [](const Message& field) { return static_cast<double>(field.i32()); });
}

Rect read_float_rect(std::string_view message) {
  return read_edges(message, [](const Message& field) { return field.real(); });
}

Rect cropped(const Rect& rect, const Rect& limit) {
  const double x = std::max(rect.x, limit.x), y = std::max(rect.y, limit.y);
  const double w = std::min(rect.right(), limit.right()) - x;
  const double h = std::min(rect.bottom(), limit.bottom()) - y;
  return {x, y, std::max(w, 0.0), std::max(h, 0.0)};
}

bool overlaps(const Rect& a, const Rect& b) { return !cropped(a, b).is_empty(); }

Rect moved(const Matrix& m, const Rect& rect) {
  const auto x_of = [&](double x, double y) { return m.dsdx * x + m.dtdx * y + m.tx; };
  const auto y_of = [&](double x, double y) { return m.dtdy * x + m.dsdy * y + m.ty; };
  const auto [left, right] =
      std::minmax({x_of(rect.x, rect.y), x_of(rect.right(), rect.y), x_of(rect.x, rect.bottom()),
                   x_of(rect.right(), rect.bottom())});
  const auto [top, bottom] =
      std::minmax({y_of(rect.x, rect.y), y_of(rect.right(), rect.y), y_of(rect.x, rect.bottom()),
                   y_of(rect.right(), rect.bottom())});
  return {left, top, right - left, bottom - top};
}

std::optional<Matrix> inverse(const Matrix& m) {
  const double determinant = m.determinant();
  if (determinant == 0) return std::nullopt;
  Matrix made{.dsdx = m.dsdy / determinant,
              .dtdx = -m.dtdx / determinant,
              .dtdy = -m.dtdy / determinant,
              .dsdy = m.dsdx / determinant};
  made.tx = -(made.dsdx * m.tx + made.dtdx * m.ty);
  made.ty = -(made.dtdy * m.tx + made.dsdy * m.ty);
  return made;
}

int64_t RectRows::add(const Rect& rect, Share share) {
  const int64_t number = share == Share::Yes ? -next_number() : next_number();
  sink_.event(RowWriter(sink_, "winscope_rect")
                  .real("x", rect.x)
                  .real("y", rect.y)
                  .real("w", rect.w)
                  .real("h", rect.h)
                  .finish(time_, kNone, number));
  return number;
}

int64_t RectRows::add(const Matrix& matrix) {
  const int64_t number = -next_number();
  sink_.event(RowWriter(sink_, "winscope_transform")
                  .real("dsdx", matrix.dsdx)
                  .real("dtdx", matrix.dtdx)
                  .real("tx", matrix.tx)
                  .real("dtdy", matrix.dtdy)
                  .real("dsdy", matrix.dsdy)
                  .real("ty", matrix.ty)
                  .finish(time_, kNone, number));
  return number;
}

int64_t RectRows::add(const TraceRect& rect, Share share) {
  const int64_t bounds = add(rect.rect, share), matrix = add(rect.matrix), number = next_number();
  RowWriter row(sink_, "winscope_trace_rect");
  row.row("rect_id", bounds)
      .row("transform_id", matrix)
      .integer("group_id", rect.group)
      .integer("depth", rect.depth)
      .integer("is_spy", rect.is_spy)
      .integer("is_visible", rect.is_visible);
  if (rect.opacity) row.real("opacity", *rect.opacity);
  if (rect.border_width) row.real("border_width", *rect.border_width);
  if (rect.border_color) row.integer("border_color", *rect.border_color);
  sink_.event(row.finish(time_, kNone, number));
  return number;
}

}  // namespace tracebraid::proto
