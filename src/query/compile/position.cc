#include "query/compile/position.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace tracebraid {
namespace {

// Bytes of the line to show before and after the position.
constexpr size_t kShown = 128;

// Returns the part of the line with `offset` that lies in [first, last), and a caret below it.
std::string marked_line(std::string_view text, size_t first, size_t last, size_t offset,
                        std::string_view indent) {
  offset = std::clamp(offset, first, last);
  const size_t newline = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  const size_t line_begin = newline == text.npos ? 0 : newline + 1;
  const size_t line_end = std::min(text.find('\n', offset), text.size());
  const size_t begin = std::max({line_begin, first, offset < kShown ? size_t{0} : offset - kShown});
  const size_t end = std::max(offset, std::min({line_end, last, offset + kShown}));
  return fmt::format("{}{}\n{}{}^\n", indent, text.substr(begin, end - begin), indent,
                     std::string(offset - begin, ' '));
}

std::string frame_text(const SourceFrame& frame, size_t offset) {
  const std::string_view text = frame.source->text;
  const auto [line, column] = position_at(text, offset);
  return fmt::format("  {} line {} col {}\n", frame.source->title, line, column) +
         marked_line(text, frame.begin, frame.end, offset, "    ");
}

}  // namespace

Position position_at(std::string_view sql, size_t offset) {
  const std::string_view before = sql.substr(0, offset);
  const size_t lines = static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  return {lines + 1, newline == std::string_view::npos ? before.size() + 1 : offset - newline};
}

std::string traceback_head(const SourceMap& map) {
  const bool is_users = map.frames().empty() || map.frames()[0].source->outer.empty();
  return is_users ? "Traceback (most recent call last):\n" : map.frames()[0].source->outer;
}

std::string frames_text(const SourceMap& map, SourceMap::Place place) {
  const std::vector<SourceFrame>& frames = map.frames();
  std::vector<std::string> lines;  // innermost first
  while (!frames.empty()) {
    lines.push_back(frame_text(frames[place.frame], place.offset));
    if (place.frame == 0) break;
    place = {frames[place.frame].parent, frames[place.frame].call};
  }
  std::string text;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) text += *line;
  return text;
}

std::string traceback(const SourceMap& map, std::string_view expanded, size_t offset) {
  std::string text;
  if (map.frames().empty()) return text;
  if (map.is_expanded() && map.frames()[0].source->outer.empty())
    text = "Fully expanded statement\n" + marked_line(expanded, 0, expanded.size(), offset, "  ");
  return text + traceback_head(map) + frames_text(map, map.place(offset));
}

}  // namespace tracebraid
