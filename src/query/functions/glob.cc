#include "base/words.h"
#include "query/scan/predicate.h"

namespace tracebraid {
namespace {

constexpr auto kNone = std::string_view::npos;

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
// at most pattern times text. `one(pattern_at, text_at)` matches a single item and advances both
// positions.
template <class One>
bool wildcard_matches(std::string_view pattern, std::string_view text, char star, One one) {
  size_t p = 0, t = 0;
  size_t after_star = kNone, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == star) {
      after_star = ++p;
      retry = t;
    } else if (size_t next_p = p, next_t = t; p < pattern.size() && one(next_p, next_t)) {
      p = next_p;
      t = next_t;
    } else if (after_star != kNone) {
      p = after_star;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == star) ++p;
  return p == pattern.size();
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  return wildcard_matches(pattern, text, '*', [&](size_t& p, size_t& t) {
    if (pattern[p] == '[') return class_holds(pattern, p, text[t++], p) && p != kNone;
    return pattern[p] == '?' ? (++p, ++t, true) : pattern[p++] == text[t++];
  });
}

bool like_matches(std::string_view pattern, std::string_view text) {
  return wildcard_matches(pattern, text, '%', [&](size_t& p, size_t& t) {
    if (pattern[p] != '_') return lower_case(pattern[p++]) == lower_case(text[t++]);
    ++p;
    t += character_length(text, t);
    return true;
  });
}

}  // namespace tracebraid
