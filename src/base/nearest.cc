#include "base/nearest.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace tracebraid {

size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table; swaps need the oldest.
  std::vector<size_t> older(b.size() + 1), old(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    older.swap(old);
    old.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = old[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], older[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  constexpr size_t kLongestWord = 64;  // longer words are no misspelt options
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  std::optional<std::string_view> best;
  size_t best_distance = 0;
  for (const std::string_view candidate : candidates) {
    const bool begins = word.size() >= 3 && candidate.starts_with(word);
    const size_t distance = begins ? 1 : edit_distance(word, candidate);
    const bool near = begins || distance * 3 <= std::max<size_t>(word.size(), 3);
    const auto order = [&](std::string_view each, size_t apart) {
      return std::tuple(apart, !each.starts_with(word[0]), each.size());
    };
    if (near && (!best || order(candidate, distance) < order(*best, best_distance))) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace tracebraid
