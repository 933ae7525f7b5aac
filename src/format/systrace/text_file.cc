#include "format/systrace/text_file.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/clock_domain.h"
#include "format/systrace/graph_line.h"
#include "format/systrace/lines.h"
#include "format/systrace/stats.h"

namespace tracebraid::systrace {
namespace {

constexpr uint32_t kOwnClock = 2;  // sequence of the file's own clock
constexpr std::string_view kUsualDomain = "LINUX_FTRACE_GLOBAL";
constexpr std::string_view kMachineDomain = "LINUX_CLOCK_MONOTONIC";

// Removes and returns the first line of the text, without its line feed.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// Skips the text before a line TRACE:, if there is one.
void skip_preamble(std::string_view& text) {
  constexpr size_t kMostPreamble = 64 << 10;
  std::string_view rest = text.substr(0, kMostPreamble);
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (trim(line.substr(0, line.find('\r'))) != "TRACE:") continue;
    text.remove_prefix(static_cast<size_t>(rest.data() - text.data()));
    return;
  }
}

// Returns the number of bars in the longest run in the legend above the columns.
size_t bars_in_legend(std::string_view line) {
  size_t most = 0, run = 0;
  for (const char c : line) {
    run = c == '|' ? run + 1 : 0;
    most = std::max(most, run);
  }
  return most;
}

// Returns whether the line is "<stack trace>" or one of the functions below.
bool is_of_stack(std::string_view line) {
  return trim(line).starts_with("=> ") || line.find("<stack trace>") != std::string_view::npos;
}

// Returns the size of the whole lines, without a callstack that may continue after them.
size_t size_of_whole_lines(std::string_view bytes) {
  size_t size = bytes.rfind('\n') + 1;  // 0 if there is none
  while (size > 0) {
    const size_t begin = size < 2 ? 0 : bytes.rfind('\n', size - 2) + 1;
    if (!is_of_stack(bytes.substr(begin, size - begin))) break;
    size = begin;
  }
  return size;
}

// Returns whether the text was written by the tracer function_graph.
bool begins_with_calls(std::string_view text) {
  constexpr size_t kEnoughLines = 64;
  for (size_t i = 0; i < kEnoughLines && !text.empty(); ++i) {
    const std::string_view line = trim(take_line(text));
    if (line.starts_with("# tracer:")) return trim(line.substr(9)) == "function_graph";
    if (parse_graph_line(line)) return true;
  }
  return false;
}

}  // namespace

FileForm form_of(std::string_view& text, const ReadOptions& options) {
  constexpr size_t kEnoughLines = 1000;
  skip_preamble(text);
  FileForm form{.keep_raw = options.ftrace_raw};
  bool any_touches = false;
  size_t events = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (line.starts_with('#')) {
      if (line.find("TIMESTAMP") != std::string_view::npos ||
          line.find_first_not_of("# |\r\t") == std::string_view::npos) {
        const size_t bars = bars_in_legend(line);
        if (bars >= kUsualFlagWidth) form.flag_width = bars;
      }
      continue;
    }
    const std::optional<Line> event = parse_line(line, form.flag_width);
    if (!event) continue;
    if (!event->flags.empty() && !event->touches) {
      form.flag_width = event->flags.size();
      break;
    }
    any_touches |= event->touches;
    if (++events >= kEnoughLines && !any_touches) break;
  }
  return form;
}

void TextFile::run(const FileForm& form, std::string_view text, uint64_t at, Block block,
                   Input* input) {
  Part& part = parts_.emplace_back();
  chunks_.run([&form, &part, text, at, input, block = std::move(block)](EventSink& sink) {
    part.batch = &sink.batch();
    Chunk chunk(form, sink, part.facts);
    LineReader(chunk).read(text, at);
    if (input != nullptr) input->done(block);
  });
  if (form.graph != nullptr) chunks_.wait();  // the next chunk continues with its state
}

const FileForm& TextFile::add_form(std::string_view& text) {
  FileForm& form = forms_.emplace_back(form_of(text, options_));
  if (begins_with_calls(text)) form.graph = &graphs_.emplace_back();
  return form;
}

void TextFile::read(Input& input) {
  size_t carry = 0;  // bytes of a line that continues in the next block
  size_t want = kChunkBytes;
  bool is_first = true;
  while (std::optional<Block> block = input.next(want, carry)) {
    const std::string_view bytes = block->bytes;
    const size_t whole = size_of_whole_lines(bytes);
    carry = bytes.size() - whole;
    want = whole == 0 ? bytes.size() : kChunkBytes;
    std::string_view text = bytes.substr(0, bytes.size() - carry);
    if (text.empty()) {
      tail_ = *std::move(block);
      continue;
    }
    if (is_first) add_form(text);
    is_first = false;
    tail_ = *block;
    tail_.bytes = bytes.substr(bytes.size() - carry);
    tail_.at = block->at + bytes.size() - carry;
    const uint64_t at = block->at + static_cast<uint64_t>(text.data() - bytes.data());
    run(forms_.back(), text, at, *std::move(block), &input);
  }
  if (tail_.bytes.empty()) return;
  std::string_view text = tail_.bytes;
  if (is_first) add_form(text);
  const uint64_t at = tail_.at + static_cast<uint64_t>(text.data() - tail_.bytes.data());
  run(forms_.back(), text, at, std::move(tail_), nullptr);
  tail_ = {};
}

void TextFile::read(std::string_view text, uint64_t at, std::shared_ptr<const void> owner) {
  const char* const begin = text.data();
  const FileForm& form = add_form(text);
  at += static_cast<uint64_t>(text.data() - begin);
  while (!text.empty()) {
    size_t size = std::min(text.size(), kChunkBytes);
    const size_t feed = text.find('\n', size - 1);
    size = feed == std::string_view::npos ? text.size() : feed + 1;
    for (std::string_view rest = text.substr(size); !rest.empty();) {
      const std::string_view line = take_line(rest);
      if (!trim(line).starts_with("=> ")) break;
      size = text.size() - rest.size();
    }
    run(form, text.substr(0, size), at, {.bytes = text.substr(0, size), .at = at, .owner = owner},
        nullptr);
    text.remove_prefix(size);
    at += size;
  }
}

// The clock of the text is the machine's MONOTONIC, unless marks or the header name another (spec
// json 6.4, 10.1).
bool TextFile::settle_clock(std::string_view domain, EventSink& sink) {
  bool is_own = false;
  const SyncMark* parent = nullptr;
  for (const Part& part : parts_) {
    for (const SyncMark& mark : part.facts.syncs) {
      is_own |= mark.kind == SyncMark::Kind::Name;
      if (mark.kind == SyncMark::Kind::Parent && parent == nullptr) parent = &mark;
    }
  }
  if (parent != nullptr) is_own = parent->other_ns != 0;
  if (domain != kUsualDomain) is_own = domain != kMachineDomain;
  if (!is_own) return false;
  for (const Part& part : parts_) {
    if (part.batch == nullptr) continue;
    part.batch->clocks[kernel_text::kTextClock].domain = kPrivateClock;
    part.batch->clocks[kernel_text::kTextClock].sequence = kOwnClock;
  }
  sink.batch().clocks[kernel_text::kTextClock].domain = kPrivateClock;
  sink.batch().clocks[kernel_text::kTextClock].sequence = kOwnClock;
  return true;
}

void TextFile::emit_syncs(bool own_clock, std::string_view domain, EventSink& sink) {
  constexpr int64_t kMillisecond = 1'000'000;
  bool has_parent = false, has_realtime = false;
  for (const Part& part : parts_) {
    for (const SyncMark& mark : part.facts.syncs) {
      const uint32_t clock =
          mark.is_count ? kernel_text::count_clock(sink) : kernel_text::kTextClock;
      Snapshot snapshot{.byte_offset = mark.offset};
      if (mark.kind == SyncMark::Kind::Name)
        sink.batch().sync_markers.push_back({.clock = clock,
                                             .domain = sink.string(domain),
                                             .sync_id = sink.string(mark.name),
                                             .begin = mark.ns,
                                             .end = mark.ns});
      if (mark.kind == SyncMark::Kind::Parent && !std::exchange(has_parent, true) && own_clock)
        sink.snapshot(snapshot, {{.clock = clock, .ticks = mark.ns},
                                 {.clock = sink.clock({.domain = domain::kMonotonic}),
                                  .ticks = mark.other_ns}});
      if (mark.kind != SyncMark::Kind::Realtime || std::exchange(has_realtime, true)) continue;
      snapshot.kind = SnapshotKind::WallClock;
      snapshot.uncertainty_ns = kMillisecond;
      sink.snapshot(snapshot,
                    {{.clock = clock, .ticks = mark.ns},
                     {.clock = sink.clock({.domain = domain::kRealtime}), .ticks = mark.other_ns}});
    }
  }
}

void TextFile::finish() {
  chunks_.wait();
  EventSink& sink = chunks_.add();
  kernel_text::add_text_clock(sink);
  std::string_view domain = kUsualDomain;
  for (const Part& part : parts_)
    if (!part.facts.clock_type.empty()) domain = part.facts.clock_type;
  if (domain != kUsualDomain)
    sink.batch().clock_domains.push_back(
        {.clock = kernel_text::kTextClock, .name = sink.string(domain)});
  emit_syncs(settle_clock(domain, sink), domain, sink);
  int64_t lost = 0, num_cpus = -1;
  std::string tracer;
  for (const Part& part : parts_) {
    lost = __builtin_add_overflow(lost, part.facts.lost_events, &lost) ? INT64_MAX : lost;
    num_cpus = std::max(num_cpus, part.facts.num_cpus);
    if (tracer.empty()) tracer = part.facts.unsupported_tracer;
  }
  if (lost > 0) sink.tally(stats::ftrace_text_lost_events, lost);
  if (!tracer.empty()) sink.count(stats::ftrace_text_unsupported_tracer, kNoOffset, tracer);
  if (num_cpus >= 0)
    sink.batch().metadata.push_back({.key = sink.string("ftrace_num_cpus"), .value = num_cpus});
}

}  // namespace tracebraid::systrace
