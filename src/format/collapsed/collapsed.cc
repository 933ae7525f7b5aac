// The format: collapsed stacks, as Brendan Gregg's stackcollapse scripts write them:
// "main;work;leaf 42". They have no times, so they are an aggregate profile.
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "format/aggregate_profile.h"
#include "format/format.h"
#include "format/lines.h"

namespace tracebraid::collapsed {
namespace {

constexpr size_t kBlockBytes = size_t{4} << 20;
constexpr size_t kSniffedLines = 3;
constexpr size_t kMaxFailureText = 256;

struct Line {
  std::string_view stack;
  uint64_t count = 0;
};

// The last blank parts the stack from the count.
std::optional<Line> parse(std::string_view text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  const size_t blank = text.find_last_of(" \t");
  if (blank == std::string_view::npos || blank == 0) return std::nullopt;
  Line line{text.substr(0, blank), 0};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + blank + 1, end, line.count);
  if (error != std::errc() || stop != end) return std::nullopt;
  return line;
}

bool is_skipped(std::string_view line) {
  return line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string_view::npos;
}

class Reader {
 public:
  explicit Reader(EventSink& sink) : sink_(sink), profile_(sink) {
    profile_.begin("collapsed_stack", "samples", "count");
  }

  void line(std::string_view text, uint64_t at) {
    if (is_skipped(text)) return;
    const std::optional<Line> line = parse(text);
    if (!line) return sink_.count(Stat::collapsed_bad_line, at, text.substr(0, kMaxFailureText));
    profile_.sample(callsite_of(line->stack), static_cast<double>(line->count));
  }

 private:
  // A frame of the line before: where the next one starts in its text, and what it led to.
  struct Step {
    size_t next;
    uint32_t callsite;
  };

  // Lines are mostly sorted: frames that the line before began with, too, are known.
  uint32_t callsite_of(std::string_view stack) {
    const auto differ = std::ranges::mismatch(stack, last_stack_);
    const auto same = static_cast<size_t>(differ.in1 - stack.begin());
    while (!steps_.empty() && steps_.back().next > same) steps_.pop_back();
    uint32_t callsite = steps_.empty() ? kNone : steps_.back().callsite;
    for (size_t at = steps_.empty() ? 0 : steps_.back().next; at < stack.size();) {
      const size_t end = std::min(stack.find(';', at), stack.size());
      if (const std::string_view name = stack.substr(at, end - at); !name.empty())
        callsite = profile_.callsite(callsite, name);
      at = end + 1;  // behind the semicolon: without one, the next line's frame may go on
      steps_.push_back({at, callsite});
    }
    last_stack_ = stack;
    return callsite;
  }

  EventSink& sink_;
  AggregateProfile profile_;
  std::string last_stack_;
  std::vector<Step> steps_;
};

Result<> read(Input& input, const ReadOptions&, Pieces& pieces) {
  Reader reader(pieces.add());
  for_each_line(input, kBlockBytes,
                [&](std::string_view line, uint64_t at, bool) { reader.line(line, at); });
  return {};
}

// Up to three lines, each "...;... number".
Match sniff(const Peek& peek) {
  std::string_view rest = peek.head;
  size_t seen = 0;
  while (!rest.empty() && seen < kSniffedLines) {
    const size_t end = rest.find('\n');
    // A line that the look ends in says nothing, unless it is the only one.
    if (end == std::string_view::npos && peek.head.size() >= kPeekBytes) break;
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (is_skipped(text)) continue;
    const std::optional<Line> line = parse(text);
    if (!line || line->stack.find(';') == std::string_view::npos) return Match::No;
    ++seen;
  }
  return seen > 0 ? Match::Maybe : Match::No;
}

}  // namespace

extern const Format kFormat;  // declared where formats are listed
const Format kFormat{
    .name = "collapsed_stack",
    .title = "Collapsed stacks",
    .about =
        "Callstacks with counts, one a line, frames parted by semicolons, as for flame "
        "graphs.",
    .times = "none; there are no times and no threads.",
    .tables = "aggregate_profile, aggregate_sample, stack_profile_callsite and its kin.",
    .clock = {},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::collapsed
