#include "query/functions/find_text.h"

#include <algorithm>
#include <cstring>

namespace tracebraid {
namespace {

constexpr size_t kBytesPerCheck = size_t{1} << 14;

// Returns whether two texts of one length are equal; nothing if `check` stopped.
std::optional<bool> is_equal(std::string_view a, std::string_view b, PacedStopCheck& check) {
  for (size_t at = 0; at < a.size(); at += kBytesPerCheck) {
    const std::string_view some = a.substr(at, kBytesPerCheck);
    if (std::memcmp(some.data(), b.data() + at, some.size()) != 0) return false;
    if (check.stopped(some.size())) return std::nullopt;
  }
  return true;
}

}  // namespace

std::optional<size_t> find_text(std::string_view text, std::string_view part, size_t from,
                                PacedStopCheck& check) {
  constexpr size_t kNone = std::string_view::npos;
  if (part.empty()) return from <= text.size() ? from : kNone;
  while (from <= text.size() && part.size() <= text.size() - from) {
    // The places where `part` fits, at most kBytesPerCheck at once.
    const size_t places = std::min(text.size() - from - part.size() + 1, kBytesPerCheck);
    const void* const first = std::memchr(text.data() + from, part[0], places);
    const size_t passed =
        first == nullptr
            ? places
            : static_cast<size_t>(static_cast<const char*>(first) - text.data()) - from;
    if (check.stopped(1 + passed)) return std::nullopt;
    from += passed;
    if (first == nullptr) continue;
    const std::optional<bool> found = is_equal(text.substr(from, part.size()), part, check);
    if (!found) return std::nullopt;
    if (*found) return from;
    ++from;
  }
  return kNone;
}

}  // namespace tracebraid
