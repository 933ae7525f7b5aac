#include "format/systrace/graph_line.h"

#include <algorithm>

#include "base/words.h"

namespace tracebraid::systrace {
namespace {

constexpr std::string_view kOverheadMarks = "+!#*@$";

// Parses "0.633 us", which may follow a mark for a long duration.
std::optional<int64_t> parse_duration(std::string_view text) {
  constexpr std::string_view kUnit = "us";
  constexpr int64_t kBillionthsPerNs = 1'000'000;  // of a microsecond
  text = trim(text);
  if (!text.empty() && kOverheadMarks.find(text.front()) != std::string_view::npos)
    text = trim(text.substr(1));
  if (!text.ends_with(kUnit)) return std::nullopt;
  const std::string_view number = trim(text.substr(0, text.size() - kUnit.size()));
  if (number.empty() || !is_digit(number.front())) return std::nullopt;
  const std::optional<int64_t> billionths = parse_billionths(number);
  if (!billionths) return std::nullopt;
  return *billionths / kBillionthsPerNs;
}

bool is_arrow(std::string_view text) { return text == "==========>" || text == "<=========="; }

// Matches the column for the duration: empty, a duration, or an arrow.
bool is_duration_column(std::string_view column, std::optional<int64_t>& duration) {
  const std::string_view text = trim(column);
  duration = parse_duration(text);
  return text.empty() || duration || is_arrow(text);
}

// Parses "sh-4802".
bool parse_task(std::string_view text, std::string_view& task, int64_t& tid) {
  text = trim(text);
  const size_t dash = text.rfind('-');
  if (dash == std::string_view::npos) return false;
  const std::string_view digits = text.substr(dash + 1);
  if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return false;
  const std::optional<int64_t> number = parse_decimal(digits);
  if (!number) return false;
  tid = *number;
  task = trim(text.substr(0, dash));
  return true;
}

// Removes "/* text */" at the end; empty if there is none.
std::string_view take_comment(std::string_view& text) {
  constexpr std::string_view kOpen = "/*", kClose = "*/";
  if (!text.ends_with(kClose)) return {};
  const size_t open = text.rfind(kOpen);
  if (open == std::string_view::npos || open + kOpen.size() + kClose.size() > text.size())
    return {};
  const size_t first = open + kOpen.size();
  const std::string_view comment = trim(text.substr(first, text.size() - kClose.size() - first));
  text = trim(text.substr(0, open));
  return comment;
}

// Parses "= 0x0", "vfs_read = 0x0", "<-caller ret=0x0".
std::string_view result_of(std::string_view comment) {
  constexpr std::string_view kRet = "ret=", kIs = "= ";
  size_t at = comment.find(kRet);
  size_t skip = kRet.size();
  if (at == std::string_view::npos) {
    at = comment.find(kIs);
    skip = kIs.size();
  }
  if (at == std::string_view::npos) return {};
  const std::string_view value = trim(comment.substr(at + skip));
  return value.substr(0, value.find_first_of(" \t"));
}

// Parses "name(args)" of a function; compiler suffixes are part of the name.
bool parse_function(std::string_view text, GraphBody& body) {
  text = trim(text);
  const size_t open = text.find('(');
  if (open == std::string_view::npos || open == 0 || !text.ends_with(')')) return false;
  body.name = trim(text.substr(0, open));
  body.args = text.substr(open + 1, text.size() - open - 2);
  return true;
}

bool parse_body(std::string_view text, GraphBody& body) {
  text = trim(text);
  if (text.empty()) return true;
  const bool is_only_comment = text.starts_with("/*");
  const std::string_view comment = take_comment(text);
  if (is_only_comment) {
    body.kind = GraphBody::Kind::Comment;
    body.name = comment;
    return true;
  }
  body.result = result_of(comment);
  if (text.starts_with('}')) {
    body.kind = GraphBody::Kind::Leave;
    body.name = comment.substr(0, comment.find_first_of(" =<"));
    return true;
  }
  const bool is_leaf = text.ends_with(';');
  if (!is_leaf && !text.ends_with('{')) return false;
  body.kind = is_leaf ? GraphBody::Kind::Leaf : GraphBody::Kind::Enter;
  return parse_function(text.substr(0, text.size() - 1), body);
}

// Parses "  360.774522
//   1" before the parenthesis: the CPU, and the time if there is a column for it.
bool parse_head(std::string_view head, GraphLine& line) {
  const size_t bar = head.find('|');
  if (bar != std::string_view::npos) {
    const std::string_view time = trim(head.substr(0, bar));
    if (time.empty() || !is_digit(time.front())) return false;
    line.is_count = time.find('.') == std::string_view::npos;
    line.ns = line.is_count ? parse_decimal(time) : parse_billionths(time);
    if (!line.ns) return false;
    head.remove_prefix(bar + 1);
  }
  constexpr int64_t kMostCpu = 4095;  // of the table cpu (spec clocks 12.7)
  head = trim(head);
  if (head.empty() || !std::ranges::all_of(head, is_digit)) return false;
  const std::optional<int64_t> cpu = parse_decimal(head);
  if (!cpu || *cpu > kMostCpu) return false;
  line.cpu = static_cast<uint32_t>(*cpu);
  return true;
}

}  // namespace

std::optional<GraphLine> parse_graph_line(std::string_view text) {
  const size_t paren = text.find(')');
  GraphLine line;
  if (paren == std::string_view::npos || !parse_head(text.substr(0, paren), line))
    return std::nullopt;
  std::string_view rest = text.substr(paren + 1);
  if (rest.find('|') == std::string_view::npos) {
    const size_t arrow = rest.find("=>");
    line.kind = GraphLine::Kind::Switch;
    if (arrow == std::string_view::npos || !parse_task(rest.substr(arrow + 2), line.task, line.tid))
      return std::nullopt;
    return line;
  }
  // Columns for the task and for flags may precede the duration.
  for (size_t bar = rest.find('|'); bar != std::string_view::npos; bar = rest.find('|')) {
    const std::string_view column = rest.substr(0, bar);
    rest.remove_prefix(bar + 1);
    if (is_duration_column(column, line.duration_ns)) {
      if (!parse_body(rest, line.body)) return std::nullopt;
      const bool is_empty = line.body.kind == GraphBody::Kind::None;
      if (is_empty && !is_arrow(trim(column))) return std::nullopt;
      return line;
    }
    if (line.tid == kNoId) parse_task(column, line.task, line.tid);
  }
  return std::nullopt;
}

}  // namespace tracebraid::systrace
