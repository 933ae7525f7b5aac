#include "merge/align/counted.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tracebraid::align {
namespace {

constexpr size_t kLongestPattern = 32;   // links
constexpr size_t kMostPredicted = 2048;  // links, in the middle of the recording
constexpr int64_t kLeastSpanInBounds = 1000;

// Returns how far `at` lies between two links, from 0 to 1: by their counts, if these rise.
double share_between(const CauseLink& left, const CauseLink& at, const CauseLink& right) {
  constexpr uint64_t kFarthest = uint64_t{1} << 32;
  if (left.id >= at.id || at.id >= right.id || right.id - left.id > kFarthest) return 0.5;
  return static_cast<double>(at.id - left.id) / static_cast<double>(right.id - left.id);
}

// Returns the links with the readings of `b` that their neighbours predict: those of the same
// direction, `distance` places before and behind.
std::vector<CauseLink> predicted(std::span<const CauseLink> links, size_t distance) {
  std::array<std::vector<CauseLink>, 2> ways;
  for (const CauseLink& link : links) ways[link.leads_to_b ? 1 : 0].push_back(link);
  std::vector<CauseLink> all;
  for (const std::vector<CauseLink>& way : ways) {
    for (size_t i = distance; i + distance < way.size(); ++i) {
      const CauseLink &left = way[i - distance], &right = way[i + distance];
      const auto apart = difference(right.b, left.b);
      if (!apart) continue;
      const double share = share_between(left, way[i], right);
      all.push_back(way[i]);
      all.back().b = left.b + std::llround(share * static_cast<double>(*apart));
    }
  }
  return all;
}

std::span<const CauseLink> middle_of(std::span<const CauseLink> links) {
  if (links.size() <= kMostPredicted) return links;
  return links.subspan((links.size() - kMostPredicted) / 2, kMostPredicted);
}

// Whether the share of outliers is hardly larger.
bool fits_as_well(const MatchSet& repeated, const MatchSet& set) {
  constexpr double kMoreOutliers = 0.15;
  const auto share = [](const MatchSet& of) {
    return static_cast<double>(of.outliers) / static_cast<double>(of.candidates);
  };
  return share(repeated) <= share(set) + kMoreOutliers;
}

int64_t span_of(std::span<const CauseLink> links) {
  return difference(links.back().a, links.front().a).value_or(0);
}

}  // namespace

void prove_counted(const Causes& causes, const Trackers& trackers, std::vector<MatchSet>& sets,
                   const std::vector<bool>& is_numbered) {
  size_t next = 0;
  for (const auto& [of, links] : *causes.links) {
    const size_t at = next++;
    MatchSet& set = sets[at];
    if (set.match_class != "counted" || set.reason != Reason::None) continue;
    if (set.bound_ns.value_or(0) > span_of(links) / kLeastSpanInBounds) {
      set.reason = Reason::NotSame;
      set.detail = "two runs could agree as well as these few matches";
      continue;
    }
    if (at < is_numbered.size() && is_numbered[at]) continue;
    for (size_t distance = 1; distance <= kLongestPattern; ++distance) {
      CauseLinks other;
      other[of] = predicted(middle_of(links), distance);
      if (other[of].empty()) break;
      sort_links(other);
      Causes moved = causes;
      moved.links = &other;
      const MatchSet repeated = match_causes(moved, trackers).front();
      if (repeated.reason != Reason::None || !fits_as_well(repeated, set)) continue;
      set.reason = Reason::Aliased;
      set.detail =
          "the keys are counts, and their times repeat: another run or client could agree as well; "
          "a marker, a manifest or wall-clock times would decide";
      break;
    }
  }
}

}  // namespace tracebraid::align
