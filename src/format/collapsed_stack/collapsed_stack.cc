// The format: collapsed stacks, as Brendan Gregg's stackcollapse scripts write them:
// "main;work;leaf 42". They have no times, so they are an aggregate profile.
#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "format/common/aggregate_profile.h"
#include "format/common/lines.h"
#include "format/common/stats.h"
#include "format/format.h"

namespace tracebraid::collapsed_stack {
namespace {

constexpr size_t kBlockBytes = size_t{4} << 20;
constexpr size_t kSniffedLines = 3;
constexpr size_t kMaxFailureText = 256;

struct Line {
  std::string_view stack;
  double count = 0;
};

// The last blank separates the stack from the count, which some tools give as a sum of weights:
// "2.5".
std::optional<Line> parse(std::string_view text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  const size_t blank = text.find_last_of(" \t");
  if (blank == std::string_view::npos || blank == 0) return std::nullopt;
  Line line{text.substr(0, blank), 0};
  const std::string_view number = text.substr(blank + 1);
  const char* const end = text.data() + text.size();
  uint64_t whole = 0;
  if (const auto [stop, error] = std::from_chars(number.data(), end, whole);
      error == std::errc() && stop == end) {
    line.count = static_cast<double>(whole);
    return line;
  }
  if (!is_digit(number.front())) return std::nullopt;
  const auto [stop, error] =
      std::from_chars(number.data(), end, line.count, std::chars_format::fixed);
  if (error != std::errc() || stop != end) return std::nullopt;
  return line;
}

bool is_skipped(std::string_view line) {
  return line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// Reads lines in groups. The callsites of a group are looked up level by level, so that the cache
// misses of one level overlap.
class Reader {
 public:
  explicit Reader(EventSink& sink) : sink_(sink), profile_(sink) {
    profile_.begin("collapsed_stack", "samples", "count");
  }

  void line(std::string_view text, uint64_t at) {
    if (is_skipped(text)) return;
    const std::optional<Line> line = parse(text);
    if (!line) return sink_.count(stats::collapsed_bad_line, at, text.substr(0, kMaxFailureText));
    Stack& stack = group_[count_];
    stack.weight = line->count;
    const Stack& before = group_[count_ == 0 ? kGroup - 1 : count_ - 1];
    read_frames(line->stack, before, stack);
    if (++count_ == kGroup) end_group();
  }

  void end_group() {
    size_t deepest = 0;
    for (size_t i = 0; i < count_; ++i) deepest = std::max(deepest, group_[i].frames.size());
    for (size_t level = 0; level < deepest; ++level) find_callsites(level);
    for (size_t i = 0; i < count_; ++i) {
      const Stack& stack = group_[i];
      profile_.sample(stack.callsites.empty() ? kNone : stack.callsites.back(), stack.weight);
    }
    count_ = 0;
  }

 private:
  static constexpr size_t kGroup = 32;

  struct Stack {
    std::string text;
    std::vector<size_t> next;      // by frame: start of the next frame
    std::vector<uint32_t> frames;  // root first
    std::vector<uint32_t> callsites;
    size_t shared = 0;  // frames at the beginning that equal those of the line before
    double weight = 0;
  };

  // Lines are mostly sorted: frames equal to the beginning of the line before are known.
  void read_frames(std::string_view text, const Stack& before, Stack& stack) {
    const auto differ = std::ranges::mismatch(text, before.text);
    const auto same = static_cast<size_t>(differ.in1 - text.begin());
    stack.shared = 0;
    while (stack.shared < before.next.size() && before.next[stack.shared] <= same) ++stack.shared;
    const auto count = static_cast<std::ptrdiff_t>(stack.shared);
    stack.next.assign(before.next.begin(), before.next.begin() + count);
    stack.frames.assign(before.frames.begin(), before.frames.begin() + count);
    for (size_t at = stack.next.empty() ? 0 : stack.next.back(); at < text.size();) {
      const size_t end = std::min(text.find(';', at), text.size());
      const std::string_view name = text.substr(at, end - at);
      at = end + 1;  // after the semicolon; without one, the next line's frame may be longer
      if (name.empty()) continue;
      stack.next.push_back(at);
      stack.frames.push_back(profile_.frame(name));
    }
    stack.text = text;
    stack.callsites.resize(stack.frames.size());
  }

  void find_callsites(size_t level) {
    const auto each_new = [&](auto visit) {
      for (size_t i = 0; i < count_; ++i) {
        Stack& stack = group_[i];
        if (level >= stack.frames.size()) continue;
        const uint32_t caller = level == 0 ? kNone : stack.callsites[level - 1];
        visit(i, caller, stack.frames[level], stack.callsites[level]);
      }
    };
    const auto is_shared = [&](size_t i) { return level < group_[i].shared; };
    each_new([&](size_t i, uint32_t caller, uint32_t frame, uint32_t&) {
      if (!is_shared(i)) sink_.prefetch_callsite(caller, frame);
    });
    each_new([&](size_t i, uint32_t caller, uint32_t frame, uint32_t&) {
      if (!is_shared(i)) sink_.prefetch_callsite_entry(caller, frame);
    });
    each_new([&](size_t i, uint32_t caller, uint32_t frame, uint32_t& callsite) {
      const Stack& before = group_[i == 0 ? kGroup - 1 : i - 1];
      callsite = is_shared(i) ? before.callsites[level] : sink_.callsite(caller, frame);
    });
  }

  EventSink& sink_;
  AggregateProfile profile_;
  std::array<Stack, kGroup> group_;
  size_t count_ = 0;  // number of stacks of the group
};

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  Reader reader(chunks.add());
  for_each_line(input, kBlockBytes,
                [&](std::string_view line, uint64_t at, bool) { reader.line(line, at); });
  reader.end_group();
  return {};
}

// Matches up to three lines of the form "stack number", at least one with a semicolon.
Match sniff(const Peek& peek) {
  std::string_view rest = peek.head;
  size_t seen = 0;
  bool has_frames = false;
  while (!rest.empty() && seen < kSniffedLines) {
    const size_t end = rest.find('\n');
    // A line that the peek truncates is ignored, unless it is the only one.
    if (end == std::string_view::npos && peek.head.size() >= kPeekBytes) break;
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (is_skipped(text)) continue;
    const std::optional<Line> line = parse(text);
    if (!line) return Match::No;
    has_frames |= line->stack.find(';') != std::string_view::npos;
    ++seen;
  }
  return has_frames ? Match::Maybe : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "collapsed_stack",
    .title = "Collapsed stacks",
    .about =
        "Callstacks with counts, one a line, frames separated by semicolons, as used for flame "
        "graphs.",
    .times = "none; there are no times and no threads.",
    .tables = "aggregate_profile, aggregate_sample, the stack_profile tables.",
    .clock = {},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::collapsed_stack
