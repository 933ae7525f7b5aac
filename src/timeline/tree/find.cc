#include "timeline/tree/find.h"

#include <algorithm>
#include <utility>

#include "base/words.h"

namespace tracebraid::timeline {
namespace {

constexpr uint32_t kAdjacent = 15, kWordStart = 8, kFirst = 10, kLetter = 1;

bool is_separator(char c) {
  return c == ' ' || c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == '(' ||
         c == '#';
}

}  // namespace

uint32_t fit_of(std::string_view text, std::string_view title) {
  if (text.empty()) return 1;
  // Letters in a row fit best, wherever they are.
  const auto same = [](char a, char b) { return lower_case(a) == lower_case(b); };
  const auto whole = std::ranges::search(title, text, same);
  uint32_t fit = 0;
  size_t at = 0;
  if (!whole.empty()) at = static_cast<size_t>(whole.begin() - title.begin());
  bool is_adjacent = false;
  for (const char c : text) {
    size_t found = at;
    while (found < title.size() && lower_case(title[found]) != lower_case(c)) ++found;
    if (found == title.size()) return 0;
    fit += kLetter;
    if (is_adjacent && found == at) fit += kAdjacent;
    if (found == 0) fit += kFirst;
    if (found > 0 && is_separator(title[found - 1])) fit += kWordStart;
    is_adjacent = true;
    at = found + 1;
  }
  return fit * 16 + (title.size() < 256 ? static_cast<uint32_t>(15 - title.size() / 17) : 0);
}

std::vector<uint32_t> find_nodes(const Tree& tree, std::string_view text) {
  std::vector<std::pair<uint32_t, uint32_t>> fits;
  for (uint32_t index = 0; index < tree.nodes.size(); ++index)
    if (const uint32_t fit = fit_of(text, tree.nodes[index].title); fit > 0)
      fits.emplace_back(fit, index);
  std::ranges::sort(fits, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<uint32_t> indexes;
  for (const auto& [fit, index] : fits) indexes.push_back(index);
  return indexes;
}

}  // namespace tracebraid::timeline
