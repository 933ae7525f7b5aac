#include <algorithm>
#include <string>
#include <vector>

#include "base/words.h"
#include "query/scan/predicate.h"

namespace tracebraid {
namespace {

constexpr auto kNone = std::string_view::npos;

// Never stops.
struct Unpaced {
  static bool stopped(size_t) { return false; }
};

// Returns whether `byte` is in the class whose '[' is at `open`; sets `next` after its ']', or to
// npos if there is none.
bool class_holds(std::string_view pattern, size_t open, char byte, size_t& next) {
  size_t at = open + 1;
  const bool inverted = at < pattern.size() && pattern[at] == '^';
  if (inverted) ++at;
  const auto c = static_cast<unsigned char>(byte);
  bool found = false;
  for (const size_t first = at; at < pattern.size(); ++at) {
    if (pattern[at] == ']' && at != first) {
      next = at + 1;
      return found != inverted;
    }
    const auto low = static_cast<unsigned char>(pattern[at]);
    const bool is_range =
        at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']';
    if (is_range) at += 2;
    found = found || (low <= c && c <= static_cast<unsigned char>(pattern[at]));
  }
  next = kNone;
  return false;
}

size_t character_length(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return end - at;
}

// Matches with one backtracking point: the last star. Everything before it is settled, so time is
// at most pattern times text. `is_star(pattern_at)` recognizes stars. `one(pattern_at, text_at)`
// matches a single item and advances both positions. Returns nothing if `check` stopped.
template <class IsStar, class One, class Check>
std::optional<bool> wildcard_matches(size_t pattern, size_t text, IsStar is_star, One one,
                                     Check& check) {
  size_t p = 0, t = 0;
  size_t after_star = kNone, retry = 0;
  while (t < text) {
    const size_t at = p;
    size_t next_p = p, next_t = t;
    if (p < pattern && is_star(p)) {
      after_star = ++p;
      retry = t;
    } else if (p < pattern && one(next_p, next_t)) {
      p = next_p;
      t = next_t;
    } else if (after_star != kNone) {
      p = after_star;
      t = ++retry;
    } else {
      return false;
    }
    // A class is as much work as it is long.
    if (check.stopped(next_p == kNone ? pattern : std::max<size_t>(1, next_p - at)))
      return std::nullopt;
  }
  while (p < pattern && is_star(p)) ++p;
  return p == pattern;
}

template <class Check>
std::optional<bool> glob(std::string_view pattern, std::string_view text, Check& check) {
  return wildcard_matches(
      pattern.size(), text.size(), [&](size_t p) { return pattern[p] == '*'; },
      [&](size_t& p, size_t& t) {
        if (pattern[p] == '[') return class_holds(pattern, p, text[t++], p) && p != kNone;
        return pattern[p] == '?' ? (++p, ++t, true) : pattern[p++] == text[t++];
      },
      check);
}

// `literal` has an element for each byte of the pattern, or none: whether it stands for itself.
template <class Check>
std::optional<bool> like(std::string_view pattern, const std::vector<bool>& literal,
                         std::string_view text, Check& check) {
  const auto is_special = [&](size_t p, char special) {
    return pattern[p] == special && (literal.empty() || !literal[p]);
  };
  return wildcard_matches(
      pattern.size(), text.size(), [&](size_t p) { return is_special(p, '%'); },
      [&](size_t& p, size_t& t) {
        if (!is_special(p, '_')) return lower_case(pattern[p++]) == lower_case(text[t++]);
        ++p;
        t += character_length(text, t);
        return true;
      },
      check);
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  Unpaced unpaced;
  return *glob(pattern, text, unpaced);
}

std::optional<bool> glob_matches(std::string_view pattern, std::string_view text,
                                 PacedStopCheck& check) {
  return glob(pattern, text, check);
}

bool like_matches(std::string_view pattern, std::string_view text) {
  Unpaced unpaced;
  return *like(pattern, {}, text, unpaced);
}

std::optional<bool> like_matches(std::string_view pattern, std::string_view escape,
                                 std::string_view text, PacedStopCheck& check) {
  if (escape.empty()) return like(pattern, {}, text, check);
  std::string plain;
  std::vector<bool> literal;
  for (size_t at = 0; at < pattern.size();) {
    const bool is_escaped = pattern.substr(at).starts_with(escape);
    if (is_escaped) at += escape.size();
    if (at == pattern.size()) return false;  // nothing is escaped
    const size_t end = at + character_length(pattern, at);
    plain += pattern.substr(at, end - at);
    literal.resize(plain.size(), is_escaped);
    at = end;
  }
  return like(plain, literal, text, check);
}

}  // namespace tracebraid
