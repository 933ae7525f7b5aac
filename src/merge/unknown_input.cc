#include "merge/unknown_input.h"

#include <absl/strings/ascii.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/hex.h"
#include "base/words.h"

namespace tracebraid {
namespace {

constexpr std::string_view kReferenceText = "Unknown trace type provided (ERR:fmt)";
constexpr size_t kShownBytes = 48;     // of text
constexpr size_t kShownBinary = 8;     // bytes
constexpr size_t kSearchedLines = 50;  // in which a known format may begin

struct Description {
  std::string looks;   // "text that begins \"...\""
  std::string advice;  // what to do
};

// Files that users take for traces, by their first bytes.
struct Known {
  std::string_view begin, looks, advice;
};
constexpr Known kKnown[] = {
    {"\x7f"
     "ELF",
     "a program or library (ELF)", "name the trace that it wrote"},
    {"SQLite format 3", "an SQLite database", "query it with sqlite3"},
    {"PAR1", "a Parquet file", "query it with DuckDB or pandas"},
    {"BZh", "a bzip2 file", "unpack it first, with bunzip2"},
    {"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"},
    {"Rar!", "a RAR archive", "unpack it first"},
    {"\x04\x22\x4d\x18", "an LZ4 file", "unpack it first, with unlz4"},
    {"%PDF", "a PDF document", "name a trace"},
    {"\x89PNG", "an image", "name the trace, not a picture of it"},
    {"\xff\xd8\xff", "an image", "name the trace, not a picture of it"},
    {"version https://git-lfs", "a placeholder of Git LFS", "fetch the file with git lfs pull"},
    {"\x17\x08\x44tracing", "a trace of trace-cmd", "convert it with trace-cmd report > trace.txt"},
    {{"FLR\0", 4},
     "a recording of Java Flight Recorder",
     "convert it to JSON of the Trace Event Format"},
    {"go 1.", "an execution trace of Go", "open it with go tool trace"},
    {"\xd4\xc3\xb2\xa1", "a capture of network packets", "name a trace"},
    {"\x0a\x0d\x0d\x0a", "a capture of network packets", "name a trace"},
    {"<?xml", "XML", "of XML only exports of Instruments are read"},
};

// Formats by the endings of their usual file names, and how their files begin.
struct Ending {
  std::string_view ending, format, begin;
};
constexpr Ending kEndings[] = {
    {".json", "Trace Event Format (JSON)", "{ or ["},
    {".pftrace", "Perfetto protobuf", "the byte 0a"},
    {".perfetto-trace", "Perfetto protobuf", "the byte 0a"},
    {".pb", "Perfetto protobuf", "the byte 0a"},
    {".fxt", "Fuchsia trace", "the bytes 10 00 04 46 78 54 16 00"},
    {".perf", "perf.data", "PERFILE2"},
    {"perf.data", "perf.data", "PERFILE2"},
    {".systrace", "kernel text (systrace)", "# tracer: or a page with trace data"},
    {".cpuprofile", "V8 CPU profile", "{"},
    {"ninja_log", "ninja log", "# ninja log v5 or later"},
};

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

bool is_text(std::string_view head) {
  return std::ranges::none_of(head, [](char c) {
    return absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\n' && c != '\r' &&
           c != '\t' && c != '\x1b';
  });
}

// Returns the beginning of the first line that is not blank, cut between UTF-8 characters.
std::string excerpt(std::string_view text) {
  std::string_view line = trim_lines(first_line(trim_lines(text)));
  if (line.size() <= kShownBytes) return std::string(line);
  line = line.substr(0, kShownBytes);
  while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xc0U) == 0x80U)
    line.remove_suffix(1);
  if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0x80) line.remove_suffix(1);
  return std::string(line) + "...";
}

std::string hex_bytes(std::string_view bytes) {
  std::string text;
  for (const char c : bytes.substr(0, kShownBinary)) {
    if (!text.empty()) text += ' ';
    append_hex(text, std::string_view(&c, 1));
  }
  return text;
}

// Finds a format that a later line begins, behind the text of a terminal or of a log.
std::optional<std::string> format_of_a_later_line(std::string_view head) {
  size_t number = 1;
  for (size_t end = head.find('\n'); end != head.npos && number < kSearchedLines;
       end = head.find('\n')) {
    head.remove_prefix(end + 1);
    ++number;
    for (const Format* format : all_formats())
      if (format->sniff({head, {}}) >= Match::Likely && head[0] != '\n')
        return fmt::format(
            "from line {} on it looks like {}; remove the lines before, or check how it was "
            "recorded",
            number, format->title);
  }
  return std::nullopt;
}

Description describe(const Peek& peek) {
  for (const Known& known : kKnown)
    if (peek.head.starts_with(known.begin))
      return {std::string(known.looks), std::string(known.advice)};
  if (peek.head.find_first_not_of('\0') == peek.head.npos)
    return {"only zero bytes", "was it copied before it was written?"};
  const bool reads_as_text = is_text(peek.head);
  Description found;
  found.looks = reads_as_text ? fmt::format("text that begins \"{}\"", excerpt(peek.head))
                              : fmt::format("binary data that begins with the bytes {}",
                                            hex_bytes(peek.head));
  if (reads_as_text) found.advice = format_of_a_later_line(peek.head).value_or("");
  for (const Ending& ending : kEndings)
    if (found.advice.empty() && peek.name.ends_with(ending.ending))
      found.advice = fmt::format("by its name it is {}, which begins with {}; is it damaged?",
                                 ending.format, ending.begin);
  if (found.advice.empty())
    found.advice = reads_as_text
                       ? "text formats are JSON, ftrace, perf script, strace -ttt, logcat, ninja "
                         "logs and collapsed stacks; 'tracebraid formats' describes all"
                       : "binary formats are Perfetto protobuf, perf.data and Fuchsia; 'tracebraid "
                         "formats' describes all";
  return found;
}

}  // namespace

std::string describe_unknown(const Peek& peek) {
  const Description found = describe(peek);
  return fmt::format("no format that is read: {}; {} ({})", found.looks, found.advice,
                     kReferenceText);
}

}  // namespace tracebraid
