#include "merge/align/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "merge/align/ordered.h"

namespace tracebraid::align {
namespace {

std::string detail_of(Reason reason, std::string_view kind) {
  switch (reason) {
    case Reason::OneSided:
      return fmt::format("fewer than a tenth of the {}, or than 4, lead one of the two ways", kind);
    case Reason::Inconsistent:
      return fmt::format(
          "a quarter of the {} or more end before they start wherever the clocks are placed", kind);
    case Reason::Ambiguous:
      return fmt::format("nearly as many {} fit at a second place", kind);
    default:
      return "";
  }
}

class CauseFitter {
 public:
  // Requires: links are sorted by reading of `a`.
  CauseFitter(const Causes& causes, const Recording& a, const Recording& b,
              std::span<const CauseLink> links, size_t reported)
      : causes_(causes), links_(links), reported_(reported) {
    set_.kind = causes.kind;
    set_.match_class = "id";
    set_.evidence = EvidenceKind::Relayed;
    set_.source = causes.source;
    set_sides(a, b, set_);
    set_.candidates = static_cast<int64_t>(links_.size());
  }

  MatchSet fit(const Trackers& trackers) && {
    const Bases bases{links_.front().a, links_.front().b};
    std::vector<Constraint> constraints;
    std::vector<CauseLink> used;  // those whose readings are not too far apart
    for (const CauseLink& link : links_) {
      const auto a = difference(link.a, bases.a), b = difference(link.b, bases.b);
      if (!a || !b) continue;
      used.push_back(link);
      constraints.push_back(link.leads_to_b ? effect_in_b(*a, *b, 0, link.key)
                                            : effect_in_a(*a, *b, 0, link.key));
    }
    OrderedOptions options;
    options.are_pairs_certain = std::ranges::all_of(used, &CauseLink::is_global);
    if (!options.are_pairs_certain) set_.match_class = "counted";
    if (constraints.size() >= options.fewest) set_range(set_.a, trackers, bases, options);
    const OrderedFit fit = fit_ordered(constraints, options);
    set_.outliers = std::ranges::count(fit.is_outlier, true);
    set_.reason = fit.reason;
    set_.detail = detail_of(fit.reason, set_.kind);
    const auto match_of = [&](size_t i) {
      const CauseLink& link = used[i];
      return Match{.key = causes_.id_text(link.id),
                   .reading_a = link.a,
                   .reading_b = link.b,
                   .form = link.leads_to_b ? Match::Form::ABeforeB : Match::Form::BBeforeA};
    };
    add_matches(used.size(), fit, bases, reported_, match_of, set_);
    if (fit.reason == Reason::OneSided) set_limits(used, trackers);
    if (fit.reason != Reason::None) return std::move(set_);
    set_.used = static_cast<int64_t>(fit.used);
    set_.assumes = "symmetric_delay";
    set_.rate_ppb = ppb(fit.rate);
    const int64_t middle = constraints[constraints.size() / 2].x;
    set_fit(fit.knots, bases, middle, set_);
    const Knot at = fit.at(middle);
    set_.band_low_ns = offset_of(bases, at.theta - at.bound_ns);
    set_.band_high_ns = offset_of(bases, at.theta + at.bound_ns);
    set_shortest(constraints, fit);
    return std::move(set_);
  }

 private:
  // Sets the limits of one direction. One-sided pairs cannot tell which are wrong: in each part of
  // the recording, three of them and 1 % must agree.
  void set_limits(std::span<const CauseLink> links, const Trackers& trackers) {
    constexpr size_t kParts = 64, kFewestThatAgree = 3;
    const bool leads_to_b = links.front().leads_to_b;
    const auto is_other = [&](const CauseLink& link) { return link.leads_to_b != leads_to_b; };
    if (set_.match_class != "id" || std::ranges::any_of(links, is_other)) return;
    set_.are_limits_high = leads_to_b;
    set_.range = range_of(set_.a, trackers);
    const size_t parts = std::clamp<size_t>(links.size() / (4 * kFewestThatAgree), 1, kParts);
    for (size_t i = 0; i < parts; ++i) {
      const size_t begin = links.size() * i / parts, end = links.size() * (i + 1) / parts;
      std::vector<CauseLink> part(links.begin() + static_cast<ptrdiff_t>(begin),
                                  links.begin() + static_cast<ptrdiff_t>(end));
      const size_t agreeing = std::max(kFewestThatAgree, part.size() / 100);
      if (part.size() < agreeing) continue;
      const auto at = part.begin() + static_cast<ptrdiff_t>(agreeing - 1);
      std::ranges::nth_element(part, at, {}, [&](const CauseLink& link) {
        const __int128 apart = __int128{link.b} - link.a;
        return std::pair(leads_to_b ? apart : -apart, link.key);
      });
      set_.limits.push_back({.from = at->a, .to = at->b});
    }
    set_.used = static_cast<int64_t>(links.size());
  }

  void set_shortest(std::span<const Constraint> constraints, const OrderedFit& fit) {
    for (size_t i = 0; i < constraints.size(); ++i) {
      if (fit.is_outlier[i]) continue;
      const Constraint& c = constraints[i];
      const double theta = fit.at(c.x).theta;
      std::optional<int64_t>& least = c.has_high() ? set_.least_ab_ns : set_.least_ba_ns;
      const double takes =
          c.has_high() ? static_cast<double>(c.high) - theta : theta - static_cast<double>(c.low);
      least = std::min(least.value_or(INT64_MAX), static_cast<int64_t>(std::llround(takes)));
    }
  }

  const Causes& causes_;
  std::span<const CauseLink> links_;
  size_t reported_;  // matches
  MatchSet set_;
};

}  // namespace

void add_link(uint32_t cause, int64_t caused_at, uint32_t effect, int64_t effected_at,
              CauseLink link, std::span<const Recording> recordings, CauseLinks& links) {
  if (recordings[cause].tracker == recordings[effect].tracker) return;
  link.leads_to_b = cause > effect;
  link.a = link.leads_to_b ? caused_at : effected_at;
  link.b = link.leads_to_b ? effected_at : caused_at;
  links[{std::max(cause, effect), std::min(cause, effect)}].push_back(link);
}

void sort_links(CauseLinks& links) {
  // By key as well, so that the order of the events of the files does not matter.
  for (auto& [pair, of_pair] : links)
    std::ranges::sort(of_pair, {}, [](const CauseLink& l) { return std::tuple(l.a, l.key, l.b); });
}

std::string Causes::id_text(uint64_t id) const {
  return source == EvidenceSource::Flows ? flow_id_text(id) : fmt::format("{:016x}", id);
}

std::vector<MatchSet> match_causes(const Causes& causes, const Trackers& trackers) {
  std::vector<MatchSet> sets;
  const size_t reported = reported_matches(causes.links->size());
  for (const auto& [of, of_pair] : *causes.links)
    sets.push_back(CauseFitter(causes, causes.recordings[of.first], causes.recordings[of.second],
                               of_pair, reported)
                       .fit(trackers));
  return sets;
}

}  // namespace tracebraid::align
