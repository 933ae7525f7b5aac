#include "report/clock_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/cut_text.h"
#include "event/align_options.h"
#include "query/batch/valid_text.h"
#include "report/labels.h"
#include "report/text.h"
#include "report/units.h"
#include "tables/store.h"

namespace tracebraid {
namespace {

struct PictureClock {
  std::string label;
  std::string events;  // number of events, by file
  uint32_t next;       // next clock of the path, or an invalid row
  bool is_placed;
};

struct PictureEdge {
  uint32_t from, to;  // in the direction of the timeline if the edge is on a path
  std::string_view kind, source;
  int64_t observations;
  bool is_used;
};

struct Picture {
  std::vector<PictureClock> clocks;
  std::vector<PictureEdge> edges;
};

Picture picture_of(const Store& store) {
  std::map<uint32_t, int64_t> events;
  std::map<uint32_t, bool> placed;
  for (size_t row = 0; row < store.placements.rows(); ++row) {
    const uint32_t clock = store.placements.clock_id[row].row;
    events[clock] += store.placements.placed[row];
    placed[clock] |= text_of(store, store.placements.rule[row]) != "unplaced";
  }
  Picture picture;
  std::vector<bool> leads(store.clocks.rows());
  for (const OptRow next : store.clocks.next_clock.values())
    if (next.row < leads.size()) leads[next.row] = true;
  for (uint32_t row = 0; row < store.clocks.rows(); ++row) {
    const uint32_t next = store.clocks.next_clock[row].row;
    const auto count = events.find(row);
    const bool is_end = next >= store.clocks.rows();
    picture.clocks.push_back(
        {.label = printable(text_of(store, store.clocks.label[row])),
         .events = count == events.end() ? "" : counted(count->second, "event"),
         .next = next,
         .is_placed = !is_end || leads[row] || (placed.contains(row) && placed[row])});
  }
  const ClockEdgeTable& edges = store.clock_edges;
  for (size_t row = 0; row < edges.rows(); ++row) {
    PictureEdge edge{edges.from_clock[row],           edges.to_clock[row],
                     text_of(store, edges.kind[row]), text_of(store, edges.source[row]),
                     edges.observations[row],         edges.is_used[row] != 0};
    if (picture.clocks[edge.to].next == edge.from) std::swap(edge.from, edge.to);
    picture.edges.push_back(edge);
  }
  return picture;
}

// Returns the text with '?' for each character that XML does not allow, even escaped: control
// characters, U+FFFE and U+FFFF.
std::string printable(std::string_view name) {
  std::string text = with_valid_utf8(name);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  for (const std::string_view forbidden : {"\uFFFE", "\uFFFF"})
    for (size_t at = 0; (at = text.find(forbidden, at)) != std::string::npos;)
      text.replace(at, forbidden.size(), "?");
  return text;
}

// Escapes text for quotes of DOT, or for elements of XML.
std::string escaped(std::string_view text, bool is_xml) {
  std::string out;
  for (const char c : printable(text)) {
    if (is_xml && c == '&')
      out += "&amp;";
    else if (is_xml && c == '<')
      out += "&lt;";
    else if (is_xml && c == '>')
      out += "&gt;";
    else if (!is_xml && (c == '"' || c == '\\'))
      (out += '\\') += c;
    else
      out += c;
  }
  return out;
}

std::string edge_label(const PictureEdge& edge) {
  if (std::ranges::find(kAlignKinds, edge.source) != kAlignKinds.end())
    return std::string(edge.source);
  return edge.observations > 1 ? fmt::format("{}, {}", edge.kind, count_text(edge.observations))
                               : std::string(edge.kind);
}

// Returns the number of hops to the timeline; one more than the largest for clocks without a path.
std::vector<size_t> columns_of(const Picture& picture) {
  constexpr size_t kUnknown = ~size_t{0};
  std::vector<size_t> column(picture.clocks.size(), kUnknown);
  size_t last = 0;
  for (uint32_t row = 0; row < picture.clocks.size(); ++row) {
    std::vector<uint32_t> chain;
    uint32_t at = row;
    while (column[at] == kUnknown && picture.clocks[at].next < picture.clocks.size()) {
      chain.push_back(at);
      at = picture.clocks[at].next;
    }
    if (column[at] == kUnknown && picture.clocks[at].is_placed) column[at] = 0;
    if (column[at] == kUnknown) continue;
    size_t steps = column[at];
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) column[*step] = ++steps;
    last = std::max(last, steps);
  }
  for (size_t& place : column)
    if (place == kUnknown) place = last + 1;
  return column;
}

constexpr int kWidth = 300, kHeight = 46, kGapX = 130, kGapY = 24, kMargin = 20;

struct Box {
  int x, y;
};

// Returns the columns from the left; in each, clocks are in the order of their next clocks.
std::vector<Box> boxes_of(const Picture& picture) {
  const std::vector<size_t> column = columns_of(picture);
  size_t columns = 0;
  for (const size_t c : column) columns = std::max(columns, c + 1);
  std::vector<std::vector<uint32_t>> rows(columns);
  for (uint32_t row = 0; row < column.size(); ++row) rows[column[row]].push_back(row);
  std::vector<Box> boxes(column.size());
  for (size_t c = 0; c < columns; ++c) {
    std::ranges::stable_sort(rows[c], {}, [&](uint32_t row) {
      const uint32_t next = picture.clocks[row].next;
      return next < boxes.size() ? boxes[next].y : 0;
    });
    for (size_t i = 0; i < rows[c].size(); ++i)
      boxes[rows[c][i]] = {kMargin + static_cast<int>(c) * (kWidth + kGapX),
                           kMargin + static_cast<int>(i) * (kHeight + kGapY)};
  }
  return boxes;
}

std::string_view dashes(std::string_view kind) {
  if (kind == "guessed") return " stroke-dasharray=\"2 4\"";
  return kind == "rendezvous" ? " stroke-dasharray=\"8 5\"" : "";
}

std::string svg_edge(const PictureEdge& edge, const std::vector<Box>& boxes) {
  const Box &from = boxes[edge.from], &to = boxes[edge.to];
  // Edges connect sides of boxes; edges within a column are curves on its right.
  const bool is_left = to.x < from.x;
  const int x1 = is_left ? from.x : from.x + kWidth, y1 = from.y + kHeight / 2;
  const int x2 = is_left || to.x == from.x ? to.x + kWidth : to.x, y2 = to.y + kHeight / 2;
  const int bend = is_left ? -kGapX / 2 : kGapX / 2;
  const int bend_end = to.x > from.x ? -kGapX / 2 : kGapX / 2;
  const std::string_view look =
      edge.is_used ? " stroke=\"#1b4f9c\" stroke-width=\"2.5\" marker-end=\"url(#tip)\""
                   : " stroke=\"#9aa3ad\" stroke-width=\"1\"";
  return fmt::format(
      "<path d=\"M{} {} C{} {} {} {} {} {}\" fill=\"none\"{}{}><title>{}</title></path>\n"
      "<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\" fill=\"#444\">{}</text>\n",
      x1, y1, x1 + bend, y1, x2 + bend_end, y2, x2, y2, look, dashes(edge.kind),
      escaped(edge_label(edge), true), (x1 + x2) / 2 + (to.x == from.x ? kGapX / 3 : 0),
      (y1 + y2) / 2 - 5, edge.is_used ? escaped(edge_label(edge), true) : "");
}

std::string svg_clock(const PictureClock& clock, const Box& box, bool is_timeline) {
  constexpr size_t kLetters = 42;
  std::string label = clock.label;
  if (label.size() > kLetters) label = std::string(cut_text(label, kLetters)) + "...";
  const std::string_view fill = is_timeline ? "#d6e6ff" : clock.is_placed ? "#ffffff" : "#f3d9d9";
  const std::string below = is_timeline        ? "the timeline"
                            : !clock.is_placed ? "no path to the timeline"
                                               : "";
  const std::string second = clock.events.empty() ? below
                             : below.empty()      ? clock.events
                                                  : below + ", " + clock.events;
  return fmt::format(
      "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"{}\" "
      "stroke=\"#333\"/>\n<text x=\"{}\" y=\"{}\" font-size=\"13\">{}</text>\n"
      "<text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"#555\">{}</text></g>\n",
      escaped(clock.label, true), box.x, box.y, kWidth, kHeight, fill, box.x + 10, box.y + 19,
      escaped(label, true), box.x + 10, box.y + 36, escaped(second, true));
}

bool is_timeline(const Picture& picture, uint32_t row) {
  const PictureClock& clock = picture.clocks[row];
  return clock.is_placed && clock.next >= picture.clocks.size();
}

}  // namespace

std::string clock_graph_dot(const Store& store) {
  const Picture picture = picture_of(store);
  std::string text =
      "digraph clocks {\n  rankdir=RL;\n  node [shape=box, style=\"rounded,filled\", "
      "fillcolor=white];\n";
  for (uint32_t row = 0; row < picture.clocks.size(); ++row) {
    const PictureClock& clock = picture.clocks[row];
    const bool is_end = is_timeline(picture, row);
    text += fmt::format("  c{} [label=\"{}{}{}\"{}];\n", row, escaped(clock.label, false),
                        clock.events.empty() ? "" : "\\n", clock.events,
                        is_end             ? ", fillcolor=\"#d6e6ff\", penwidth=2"
                        : !clock.is_placed ? ", fillcolor=\"#f3d9d9\""
                                           : "");
  }
  for (const PictureEdge& edge : picture.edges)
    text += fmt::format("  c{} -> c{} [label=\"{}\"{}{}];\n", edge.from, edge.to,
                        escaped(edge_label(edge), false),
                        edge.is_used ? ", penwidth=2.5" : ", dir=none, color=gray",
                        edge.kind == "guessed"      ? ", style=dotted"
                        : edge.kind == "rendezvous" ? ", style=dashed"
                                                    : "");
  return text + "}\n";
}

std::string clock_graph_svg(const Store& store) {
  const Picture picture = picture_of(store);
  const std::vector<Box> boxes = boxes_of(picture);
  int width = 2 * kMargin, height = 2 * kMargin;
  for (const Box& box : boxes) {
    width = std::max(width, box.x + kWidth + kMargin + kGapX / 2);
    height = std::max(height, box.y + kHeight + kMargin);
  }
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\">\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" "
      "refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 "
      "Z\" fill=\"#1b4f9c\"/></marker></defs>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n",
      width, height);
  for (const PictureEdge& edge : picture.edges) text += svg_edge(edge, boxes);
  for (uint32_t row = 0; row < picture.clocks.size(); ++row)
    text += svg_clock(picture.clocks[row], boxes[row], is_timeline(picture, row));
  return text + "</svg>\n";
}

}  // namespace tracebraid
