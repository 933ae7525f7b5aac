#include "format/perf_text/header.h"

#include <algorithm>
#include <charconv>

#include "base/words.h"

namespace tracebraid::perf_text {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kMisc = "KUHguMESpFAR";

// Removes the last word of the text.
std::string_view take_last_word(std::string_view& text) {
  text = trim(text);
  const size_t blank = text.find_last_of(kBlanks);
  const size_t first = blank == std::string_view::npos ? 0 : blank + 1;
  const std::string_view word = text.substr(first);
  text = trim(text.substr(0, first));
  return word;
}

template <class T>
bool parse_all(std::string_view text, T& value, int base = 10) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  return error == std::errc() && stop == end;
}

// Parses seconds '.' 6 or 9 digits.
std::optional<int64_t> parse_time(std::string_view word) {
  const size_t point = word.find('.');
  if (point == std::string_view::npos || point == 0 || !is_digit(word[0])) return std::nullopt;
  const size_t decimals = word.size() - point - 1;
  return decimals == 6 || decimals == 9 ? parse_billionths(word) : std::nullopt;
}

bool parse_ids(std::string_view word, Header& header) {
  const size_t slash = word.find('/');
  if (slash == std::string_view::npos) return parse_all(word, header.tid);
  header.has_pid = true;
  return parse_all(word.substr(0, slash), header.pid) &&
         parse_all(word.substr(slash + 1), header.tid);
}

// Removes the offset of field dsoff: "libc.so.6+0x28d8f".
std::string_view without_offset(std::string_view mapping) {
  constexpr std::string_view kPlus = "+0x", kHex = "0123456789abcdef";
  const size_t plus = mapping.rfind(kPlus);
  if (plus == std::string_view::npos || plus == 0) return mapping;
  const std::string_view offset = mapping.substr(plus + kPlus.size());
  const bool is_hex = !offset.empty() && offset.find_first_not_of(kHex) == std::string_view::npos;
  return is_hex ? mapping.substr(0, plus) : mapping;
}

// Returns the position of the mapping of a frame: the last bracket, except for deleted files, which
// perf prints as "(/usr/bin/work (deleted))".
size_t mapping_bracket(std::string_view line) {
  constexpr std::string_view kDeleted = " (deleted))";
  if (line.ends_with(kDeleted)) line.remove_suffix(kDeleted.size());
  return line.rfind('(');
}

// Matches "0x1139/0x1150/P/-/-/1", an element of brstack.
bool is_branch(std::string_view word) {
  return word.starts_with("0x") && std::ranges::count(word, '/') >= 3;
}

// Removes branches after an address.
std::string_view without_branches(std::string_view text) {
  for (;;) {
    std::string_view rest = text;
    if (!is_branch(take_last_word(rest))) return text;
    text = rest;
  }
}

}  // namespace

std::optional<Header> parse_header(std::string_view line) {
  for (size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    std::string_view before = line.substr(0, colon);
    if (before.empty() || kDigits.find(before.back()) == std::string_view::npos) continue;
    const std::optional<int64_t> ts = parse_time(take_last_word(before));
    if (!ts) continue;
    Header header;
    header.ts = *ts;
    header.rest = line.substr(colon + 1);
    std::string_view word = take_last_word(before);
    // Field misc: the mode of the CPU.
    if (!word.empty() && word.find_first_not_of(kMisc) == std::string_view::npos)
      word = take_last_word(before);
    if (word.size() > 2 && word.front() == '[' && word.back() == ']') {
      if (!parse_all(word.substr(1, word.size() - 2), header.cpu) || header.cpu < 0)
        return std::nullopt;
      word = take_last_word(before);
    }
    if (!parse_ids(word, header)) return std::nullopt;
    header.comm = before;
    return header;
  }
  return std::nullopt;
}

std::optional<Frame> parse_frame(std::string_view line) {
  line = trim(line);
  if (!line.ends_with(')')) return std::nullopt;
  const size_t blank = line.find_first_of(kBlanks);
  const size_t open = mapping_bracket(line);
  if (blank == std::string_view::npos || open == std::string_view::npos || open < blank)
    return std::nullopt;
  Frame frame;
  if (!parse_all(line.substr(0, blank), frame.address, 16)) return std::nullopt;
  frame.mapping = without_offset(line.substr(open + 1, line.size() - open - 2));
  frame.symbol = trim(line.substr(blank, open - blank));
  if (const size_t plus = frame.symbol.rfind('+'); plus != std::string_view::npos)
    frame.symbol = frame.symbol.substr(0, plus);
  if (frame.symbol.empty()) return std::nullopt;
  return frame;
}

std::optional<Source> parse_source(std::string_view line) {
  constexpr std::string_view kDiscriminator = " (discriminator ";
  line = trim(line);
  if (const size_t at = line.rfind(kDiscriminator);
      at != std::string_view::npos && line.ends_with(')'))
    line = line.substr(0, at);
  if (line.find_first_of(kBlanks) != std::string_view::npos) return std::nullopt;
  const size_t open = line.rfind('['), colon = line.rfind(':');
  if (line.ends_with(']') && open != 0 && open != std::string_view::npos) {
    uint64_t address = 0;  // Parses "[kernel.kallsyms][ffffffff821ca02c]".
    if (parse_all(line.substr(open + 1, line.size() - open - 2), address, 16)) return Source{};
  }
  if (colon == std::string_view::npos) return std::nullopt;
  Source source{line.substr(0, colon), 0};
  if (!parse_all(line.substr(colon + 1), source.line) || source.line < 0) return std::nullopt;
  if (source.file == "??") return Source{};
  return source;
}

What parse_what(std::string_view rest) {
  rest = trim(rest);
  What what;
  std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
  if (!word.empty() && word.find_first_not_of(kDigits) == std::string_view::npos) {
    uint64_t period = 0;
    if (parse_all(word, period)) what.period = static_cast<double>(period);
    rest = trim(rest.substr(word.size()));
    word = rest.substr(0, rest.find_first_of(kBlanks));
  }
  if (word.ends_with(':')) word.remove_suffix(1);
  what.event = word;
  what.details = trim(rest.substr(std::min(rest.size(), word.size() + 1)));
  return what;
}

std::string_view tracepoint_of(std::string_view event) {
  const size_t colon = event.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view name = event.substr(colon + 1);
  constexpr std::string_view kModifiers = "ukhvGHIppPSDWebdm";
  if (name.find_first_not_of(kModifiers) == std::string_view::npos) return {};
  return name.find(':') == std::string_view::npos ? name : std::string_view();
}

bool has_branches(std::string_view text) { return is_branch(take_last_word(text)); }

std::optional<Frame> parse_frame_in(std::string_view details) {
  constexpr size_t kMostWords = 3;  // of words for the kind of branch
  std::string_view text = without_branches(trim(details.substr(0, details.find(" => "))));
  for (size_t i = 0; i <= kMostWords && !text.empty(); ++i) {
    if (const std::optional<Frame> frame = parse_frame(text)) return frame;
    take_word(text);
    text = trim(text);
  }
  return std::nullopt;
}

}  // namespace tracebraid::perf_text
