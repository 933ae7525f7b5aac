#include "merge/align/flows.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "merge/align/ordered.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostSteps = 16;  // of a flow
using Role = FlowMoment::Role;

void add_link(const FlowMoment& cause, const FlowMoment& effect,
              std::span<const FlowRecording> recordings, FlowLinks& links) {
  // Clocks of one machine in one file are related by its snapshots.
  if (recordings[cause.recording].tracker == recordings[effect.recording].tracker) return;
  const bool leads_to_b = cause.recording > effect.recording;
  const FlowMoment &a = leads_to_b ? cause : effect, &b = leads_to_b ? effect : cause;
  links[{a.recording, b.recording}].push_back(
      {leads_to_b ? a.cause : a.effect, leads_to_b ? b.effect : b.cause, leads_to_b, cause.key,
       cause.id, cause.is_global && effect.is_global});
}

// Adds the links of the moments of one id.
void add_flow(std::span<const FlowMoment> flow, std::span<const FlowRecording> recordings,
              FlowLinks& links) {
  const auto count = [&](Role role) {
    return static_cast<size_t>(std::ranges::count(flow, role, &FlowMoment::role));
  };
  if (count(Role::Start) > 1 || count(Role::End) > 1 || count(Role::Step) > kMostSteps) return;
  // Steps are in no known order, but after the start and before the end.
  for (const FlowMoment& cause : flow)
    for (const FlowMoment& effect : flow)
      if (cause.role < effect.role) add_link(cause, effect, recordings, links);
}

std::string_view detail_of(Reason reason) {
  switch (reason) {
    case Reason::OneSided:
      return "fewer than a tenth of the flows, or than 4, lead one of the two ways";
    case Reason::Inconsistent:
      return "a quarter of the flows or more end before they start wherever the clocks are placed";
    case Reason::Ambiguous:
      return "nearly as many flows fit at a second place";
    default:
      return "";
  }
}

class FlowFitter {
 public:
  // Requires: links are sorted by reading of `a`.
  FlowFitter(const FlowRecording& a, const FlowRecording& b, std::span<const FlowLink> links,
             size_t reported)
      : links_(links), reported_(reported) {
    set_.kind = "flows";
    set_.match_class = "id";
    set_.evidence = EvidenceKind::Relayed;
    set_.source = EvidenceSource::Flows;
    set_.a = a.side;
    set_.b = b.side;
    set_.file_a = a.file;
    set_.file_b = b.file;
    set_.candidates = static_cast<int64_t>(links_.size());
  }

  MatchSet fit(const Trackers& trackers) && {
    const Bases bases{links_.front().a, links_.front().b};
    std::vector<Constraint> constraints;
    std::vector<FlowLink> used;  // those whose readings are not too far apart
    for (const FlowLink& link : links_) {
      const auto a = difference(link.a, bases.a), b = difference(link.b, bases.b);
      if (!a || !b) continue;
      used.push_back(link);
      constraints.push_back(link.leads_to_b ? effect_in_b(*a, *b, 0, link.key)
                                            : effect_in_a(*a, *b, 0, link.key));
    }
    OrderedOptions options;
    options.are_pairs_certain = std::ranges::all_of(used, &FlowLink::is_global);
    if (!options.are_pairs_certain) set_.match_class = "counted";
    if (constraints.size() >= options.fewest) {
      const ReadingRange range = range_of(set_.a, trackers);
      options.first_x = difference(range.first, bases.a).value_or(0);
      options.last_x = difference(range.last, bases.a).value_or(0);
    }
    const OrderedFit fit = fit_ordered(constraints, options);
    set_.outliers = std::ranges::count(fit.is_outlier, true);
    set_.reason = fit.reason;
    set_.detail = detail_of(fit.reason);
    add_matches(used, bases, fit);
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

  void add_matches(std::span<const FlowLink> links, const Bases& bases, const OrderedFit& fit) {
    for (const size_t i : choose_matches(links.size(), fit.is_outlier, reported_)) {
      const FlowLink& link = links[i];
      Match match{.key = id_text(link.id), .reading_a = link.a, .reading_b = link.b};
      match.form = link.leads_to_b ? Match::Form::ABeforeB : Match::Form::BBeforeA;
      match.is_outlier = fit.is_outlier[i];
      if (fit.reason == Reason::None) {
        const int64_t x = link.a - bases.a;
        match.residual_ns = link.b - bases.b - x - std::llround(fit.at(x).theta);
      }
      set_.matches.push_back(std::move(match));
    }
  }

  std::span<const FlowLink> links_;
  size_t reported_;  // matches
  MatchSet set_;
};

}  // namespace

FlowLinks link_flows(const FlowMoments& flows) {
  // Sorts all moments once by key, so that recordings are never compared in pairs.
  std::vector<FlowMoment> moments = flows.moments;
  std::ranges::stable_sort(moments, {}, &FlowMoment::key);
  FlowLinks links;
  const std::span<const FlowMoment> all = moments;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].key == all[begin].key) ++end;
    add_flow(all.subspan(begin, end - begin), flows.recordings, links);
  }
  // By key as well, so that the order of the events of the files does not matter.
  for (auto& [pair, of_pair] : links)
    std::ranges::sort(of_pair, {}, [](const FlowLink& l) { return std::tuple(l.a, l.key, l.b); });
  return links;
}

std::vector<MatchSet> match_flows(const FlowMoments& flows, const FlowLinks& links,
                                  const Trackers& trackers) {
  std::vector<MatchSet> sets;
  const size_t reported = reported_matches(links.size());
  for (const auto& [of, of_pair] : links)
    sets.push_back(
        FlowFitter(flows.recordings[of.first], flows.recordings[of.second], of_pair, reported)
            .fit(trackers));
  return sets;
}

}  // namespace tracebraid::align
