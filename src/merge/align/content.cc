#include "merge/align/content.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <set>
#include <tuple>

#include "clock/error_bounds.h"
#include "merge/align/constraint.h"
#include "merge/align/counted.h"
#include "merge/align/networks.h"
#include "merge/align/same_files.h"
#include "merge/align/steady.h"
#include "merge/stats.h"

namespace tracebraid::align {
namespace {

ClockId node_of(const Side& side, std::span<const std::vector<ClockId>> nodes) {
  return nodes[side.batch][side.clock];
}

// Whether the manifest lets content of this kind relate the file.
bool is_allowed(const Side& side, AlignKind kind, const Trackers& trackers) {
  const BatchTrackers& batch = trackers.batches[side.batch];
  return trackers.at(batch.by_machine[batch.batch->clocks[side.clock].machine]).allows(kind);
}

std::string name_of_file(std::span<const FileToLocate> files, FileId id) {
  const auto file = std::ranges::find(files, id, &FileToLocate::file);
  return file->name && !file->name->empty() ? *file->name : file->manifest_path;
}

// How far the fit of a set lies from what relates its clocks without content.
struct Disagreement {
  int64_t apart_ns = 0;        // 0 if both can be true
  int64_t bound_ns = 0;        // of both
  Observation at;              // the knot that is farthest
  bool is_wall_clock = false;  // the relation is that both follow wall-clock time
  bool content_wins = false;
};

class Judge {
 public:
  Judge(const AlignOptions& options, ClockModel model, const ClockGraph& prior)
      : options_(options), model_(model), prior_(prior) {}

  // Sets the verdict. Is fastest for sets in order of `b`.
  Disagreement judge(MatchSet& set, ClockId a, ClockId b) {
    if (set.reason == Reason::OneSided && !set.limits.empty() && a && b) cut_band(set, a, b);
    if (set.evidence == EvidenceKind::Rendezvous) return {};
    if (set.reason != Reason::None || set.knots.size() < 2 || !a || !b) return {};
    const int64_t grain =
        add_uncertainty(prior_.grain_ns(a, set.evidence), prior_.grain_ns(b, set.evidence));
    if (set.bound_ns) *set.bound_ns = add_uncertainty(*set.bound_ns, grain);
    set_target(b);
    const Placement::Node& known = placement_->node(a);
    const bool is_related = known.placed() && known.weakest != EvidenceKind::Guessed;
    Disagreement found = is_related ? distance(set, a, grain) : Disagreement{};
    const int64_t bound = add_uncertainty(worst_bound(set), grain);
    const bool is_better = !is_related || gains(known, bound);
    found.is_wall_clock = is_related && known.weakest == EvidenceKind::Rendezvous;
    // That two clocks follow wall-clock time is an assumption, which ids that do not occur by
    // chance disprove. Other content may be that of two runs of one program.
    found.content_wins = found.is_wall_clock && set.match_class == "id";
    const bool places = found.apart_ns == 0 ? is_better : found.content_wins;
    if (!places && found.apart_ns == 0 && found.is_wall_clock) set.reason = Reason::NoGain;
    set.verdict = places && options_.places ? Verdict::Used : Verdict::Verified;
    found.content_wins = set.verdict == Verdict::Used;
    return found;
  }

 private:
  // Returns the mean of an error of at most `most`, whose distribution is normal, if it is at most
  // `limit`. The middle of what is left would be farther from the truth than no cut: wall clocks
  // are mostly much better than their bound.
  static double mean_below(double limit, double most) {
    constexpr double kDeviations = 3;  // of which the bound is
    const double deviation = most / kDeviations, high = limit / deviation;
    const auto density = [](double x) { return std::exp(-x * x / 2); };
    const auto share = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
    const double below = share(high) - share(-kDeviations);
    const double middle = (limit - most) / 2;
    if (below < kLeastShareBelow) return middle;
    const double mean = (density(-kDeviations) - density(high)) /
                        (std::sqrt(2 * std::numbers::pi) * below) * deviation;
    return std::clamp(mean, middle, limit);
  }

  // Causes of one direction cut the band in which wall-clock time places the clocks. The estimate
  // is what is likeliest in the rest. It remains a rendezvous.
  void cut_band(MatchSet& set, ClockId a, ClockId b) {
    constexpr int kCuts = 64;
    constexpr double kLeastGain = 0.999, kLeastShift = 1.0 / 8;  // of the part that is cut
    set_target(b);
    const Placement::Node& known = placement_->node(a);
    if (!known.placed() || known.weakest != EvidenceKind::Rendezvous) return;
    // How far `b` shows more than the placement says, at each limit.
    std::vector<std::pair<double, double>> limits;  // reading of a; ns
    for (const Observation& limit : set.limits)
      if (const std::optional<TraceTime> at = placement_->place({a, limit.from}))
        limits.emplace_back(static_cast<double>(limit.from - set.range.first),
                            static_cast<double>(limit.to - at->ns));
    const double length =
        static_cast<double>(set.range.last) - static_cast<double>(set.range.first);
    if (limits.empty() || length < kCuts || length > static_cast<double>(kFarthestNs)) return;
    const double step = length / kCuts, sign = set.are_limits_high ? 1 : -1;
    std::vector<Observation> knots;
    double before = 0, after = 0;  // largest bounds
    for (int i = 0; i <= kCuts; ++i) {
      const int64_t reading = set.range.first + std::llround(step * i);
      const std::optional<TraceTime> at = placement_->place({a, reading});
      const int64_t bound = bounds_->at(a, reading);
      if (!at || bound == kUnbounded) return;
      const auto most = static_cast<double>(bound);
      double limit = most;  // of the distance, towards the side that is limited
      for (const auto& [x, off] : limits)
        limit = std::min(limit, sign * off + kSteepest * (std::abs(x - step * i) + step));
      if (limit < -most) return;  // contradicts the wall clocks, which one direction cannot replace
      // A bound that is no smaller than before is not worth a cut.
      const double mean = std::min(mean_below(limit, most), (limit - most) * kLeastShift);
      const double farthest = std::max(limit - mean, mean + most) + kSteepest * step;
      before = std::max(before, most);
      after = std::max(after, farthest);
      knots.push_back({.from = reading,
                       .to = at->ns + std::llround(sign * mean),
                       .uncertainty_ns = std::llround(std::ceil(farthest))});
    }
    if (after > kLeastGain * before) return;
    set.evidence = EvidenceKind::Rendezvous;
    set.reason = Reason::None;
    set.detail.clear();
    set.assumes = "prior";
    set.knots = std::move(knots);
    const Observation& middle = set.knots[kCuts / 2];
    set.offset_ns = middle.to - middle.from;
    set.bound_ns = middle.uncertainty_ns;
    set.verdict = options_.places ? Verdict::Used : Verdict::Verified;
  }

  // Whether a fit with this bound is much better than the relation.
  static bool gains(const Placement::Node& known, int64_t bound) {
    constexpr int64_t kTimesBetter = 4;  // than a measurement
    switch (known.weakest) {
      case EvidenceKind::Measured:
        return bound < known.uncertainty_ns / kTimesBetter;
      case EvidenceKind::Rendezvous:
        return bound < known.uncertainty_ns;
      default:  // one clock, messages of the recorder, the manifest
        return false;
    }
  }

  static constexpr double kLeastShareBelow = 1e-6;  // of the errors of wall clocks

  static int64_t worst_bound(const MatchSet& set) {
    return std::ranges::max(set.knots, {}, &Observation::uncertainty_ns).uncertainty_ns;
  }

  // Finds the relation of all clocks to `b` without content.
  void set_target(ClockId b) {
    if (target_ == b) return;
    target_ = b;
    bounds_.reset();
    placement_ = std::make_unique<Placement>(prior_.solve_for(b, model_));
    bounds_ = std::make_unique<ErrorBounds>(prior_, *placement_);
  }

  // Compares the knots with the relation, each within the bounds of both. All knots disagree, or
  // none is said to.
  Disagreement distance(const MatchSet& set, ClockId a, int64_t grain) {
    Disagreement worst;
    for (const Observation& knot : set.knots) {
      const std::optional<TraceTime> other = placement_->place({a, knot.from});
      const int64_t bound = bounds_->at(a, knot.from);
      if (!other || bound == kUnbounded) continue;
      const __int128 apart = __int128{knot.to} - other->ns;
      const auto size = static_cast<int64_t>(
          std::min<__int128>(apart < 0 ? -apart : apart, std::numeric_limits<int64_t>::max()));
      const int64_t possible = add_uncertainty(add_uncertainty(bound, knot.uncertainty_ns), grain);
      if (size <= possible) return {};
      if (size > worst.apart_ns) worst = {.apart_ns = size, .bound_ns = possible, .at = knot};
    }
    return worst;
  }

  const AlignOptions& options_;
  ClockModel model_;
  const ClockGraph& prior_;
  ClockId target_;
  std::unique_ptr<Placement> placement_;  // to the target
  std::unique_ptr<ErrorBounds> bounds_;
};

std::string disagreement_text(const MatchSet& set, const Disagreement& found,
                              std::span<const FileToLocate> files) {
  return fmt::format(
      "its {} match those of {} ({} of {}), but {} ns away from where {} places it: the {} used",
      set.kind, name_of_file(files, set.file_b), set.used, set.candidates, found.apart_ns,
      found.is_wall_clock ? "wall-clock time" : "what was measured or stated",
      found.content_wins ? "matches are" : "matches are not");
}

// Two clocks and the kind of evidence between them, of which a graph has one edge.
using HopKey = std::tuple<ClockId, ClockId, EvidenceKind>;
HopKey key_of(const ContentHop& hop) {
  return {std::min(hop.a, hop.b), std::max(hop.a, hop.b), hop.kind};
}

void warn_of_networks(const Networks& networks, std::span<const MatchSet> sets,
                      std::span<const FileToLocate> files, std::vector<Problem>& warnings) {
  for (const size_t i : networks.contradicted) {
    const MatchSet& set = sets[i];
    warnings.push_back({name_of_file(files, set.file_a),
                        {ErrorCode::BadInput,
                         fmt::format("its {} contradict those of {}, and are not used: {}",
                                     set.kind, name_of_file(files, set.file_b), set.detail)}});
  }
  for (const size_t count : networks.unsolved)
    warnings.push_back(
        {"clocks",
         {ErrorCode::BadInput,
          fmt::format("more than a tenth of {} matches between files contradict each other: each "
                      "file is placed along its best path",
                      count)}});
}

}  // namespace

std::array<Causes, 6> Content::causes() const {
  return {{{"flows", EvidenceSource::Flows, found.flows.recordings, &flow_links},
           {"spans", EvidenceSource::Spans, found.spans.recordings, &span_links},
           {"rpc", EvidenceSource::Rpc, found.rpc.recordings, &rpc_links},
           {"packets", EvidenceSource::Packets, found.packets.recordings, &packet_links},
           {"wakeups", EvidenceSource::Wakeups, found.wakeups.recordings, &wakeup_links.links},
           {"mpi", EvidenceSource::Mpi, found.mpi.recordings, &mpi_links}}};
}

std::array<Meetings, 2> Content::meetings() const {
  return {{{"collectives", found.ranks}, {"barriers", found.barriers}}};
}

Findings read_findings(std::span<const FileToLocate> files, const Trackers& trackers,
                       const EventKinds& kinds, const AlignOptions& options, JoinFlows join) {
  Findings found{.ranks = rank_recordings(files, trackers),
                 .flows = read_flows(files, trackers, kinds, join),
                 .spans = read_spans(files, trackers),
                 .wall_clocks = read_wall_clocks(trackers),
                 .same_files = find_same_files(files, trackers),
                 .rpc = read_rpc(files, trackers),
                 .packets = read_packets(files, trackers),
                 .wakeups = read_wakeups(files, trackers),
                 .barriers = read_barriers(files, trackers),
                 .mpi = read_mpi(files, trackers)};
  if (options.has(AlignKind::Markers)) found.markers = read_markers(files, trackers);
  if (options.has(AlignKind::SameEvents)) found.programs = read_programs(files, trackers);
  if (options.has(AlignKind::Logs)) found.texts = read_texts(files, trackers, kinds);
  // Wakeups are noted in clocks that are never set, and files of MPI have no snapshots.
  take_out_steps(trackers, found.ranks);
  take_out_steps(trackers, found.flows);
  take_out_steps(trackers, found.spans);
  take_out_steps(trackers, found.markers);
  take_out_steps(trackers, found.programs);
  take_out_steps(trackers, found.texts);
  take_out_steps(trackers, found.rpc);
  take_out_steps(trackers, found.packets);
  take_out_steps(trackers, found.barriers);
  return found;
}

Content match_findings(Findings found, const Trackers& trackers, const AlignOptions& options) {
  Content content{.found = std::move(found)};
  content.flow_links = link_flows(content.found.flows);
  content.span_links = link_spans(content.found.spans);
  content.rpc_links = link_flows(content.found.rpc);
  content.packet_links = link_flows(content.found.packets);
  content.wakeup_links = link_wakeups(content.found.wakeups, trackers);
  content.mpi_links = link_mpi(content.found.mpi);
  const auto add = [&](AlignKind kind, auto match) {
    if (!options.has(kind)) return;
    for (MatchSet& set : match())
      if (is_allowed(set.a, kind, trackers) && is_allowed(set.b, kind, trackers))
        content.sets.push_back(std::move(set));
  };
  const std::array<Causes, 6> causes = content.causes();
  const auto match_ranks = [&](const std::vector<RankRecording>& all, AlignKind kind,
                               EvidenceSource source) {
    const auto is_left_out = [&](const RankRecording& each) {
      return !is_allowed(each.side, kind, trackers);
    };
    if (std::ranges::none_of(all, is_left_out)) return match_collectives(all, trackers, source);
    // A recording that is left out is no hub that relates others.
    std::vector<RankRecording> ranks = all;
    std::erase_if(ranks, is_left_out);
    return match_collectives(ranks, trackers, source);
  };
  add(AlignKind::Collectives, [&] {
    return match_ranks(content.found.ranks, AlignKind::Collectives, EvidenceSource::Collectives);
  });
  add(AlignKind::Flows, [&] { return match_causes(causes[0], trackers); });
  add(AlignKind::Spans, [&] { return match_causes(causes[1], trackers); });
  add(AlignKind::Markers, [&] { return match_markers(content.found.markers, trackers); });
  add(AlignKind::SameEvents, [&] { return match_programs(content.found.programs, trackers); });
  add(AlignKind::Logs, [&] { return match_texts(content.found.texts, trackers); });
  const auto match_counted = [&](const Causes& of) {
    std::vector<MatchSet> sets = match_causes(of, trackers);
    std::vector<bool> is_numbered;
    for (const auto& [pair, links] : *of.links)
      is_numbered.push_back(of.source == EvidenceSource::Wakeups &&
                            content.wakeup_links.by_threads.contains(pair));
    prove_counted(of, trackers, sets, is_numbered);
    return sets;
  };
  add(AlignKind::Rpc, [&] { return match_counted(causes[2]); });
  add(AlignKind::Packets, [&] { return match_counted(causes[3]); });
  add(AlignKind::Wakeups, [&] { return match_counted(causes[4]); });
  add(AlignKind::Wakeups, [&] { return content.wakeup_links.refused; });
  add(AlignKind::Barriers, [&] {
    return match_ranks(content.found.barriers, AlignKind::Barriers, EvidenceSource::Barriers);
  });
  add(AlignKind::Mpi, [&] { return match_mpi(content.found.mpi, causes[5], trackers); });
  refuse_same_files(content.found.same_files, content.sets);
  return content;
}

ContentOutcome add_content(std::span<const FileToLocate> files,
                           std::span<const std::vector<ClockId>> nodes, const AlignOptions& options,
                           ClockModel model, const ClockGraph& prior, std::span<MatchSet> sets,
                           ClockGraph& graph, std::vector<Problem>& warnings) {
  Judge judge(options, model, prior);
  std::vector<size_t> by_target(sets.size());
  std::iota(by_target.begin(), by_target.end(), size_t{0});
  std::ranges::stable_sort(by_target, {}, [&](size_t i) { return node_of(sets[i].b, nodes); });
  std::vector<Disagreement> all(sets.size());
  for (const size_t i : by_target)
    all[i] = judge.judge(sets[i], node_of(sets[i].a, nodes), node_of(sets[i].b, nodes));
  ContentOutcome outcome;
  for (size_t i = 0; i < sets.size(); ++i) {
    MatchSet& set = sets[i];
    const Disagreement& found = all[i];
    if (found.apart_ns == 0) continue;
    set.detail = disagreement_text(set, found, files);
    warnings.push_back({name_of_file(files, set.file_a), {ErrorCode::BadInput, set.detail}});
    outcome.contradictions.push_back(
        {.a = node_of(set.a, nodes),
         .b = node_of(set.b, nodes),
         .kind = found.content_wins ? EvidenceKind::Rendezvous : set.evidence,
         .count = 1,
         .apart_ns = found.apart_ns,
         .bound_ns = found.bound_ns,
         .reading_a = found.at.from,
         .reading_b = found.at.to,
         .file = set.file_a,
         .byte_offset = kNoOffset});
  }
  // After all verdicts, so that none depends on the order of the sets.
  Networks networks = solve_networks(nodes, graph, model, sets);
  warn_of_networks(networks, sets, files, warnings);
  std::ranges::copy(networks.contradictions, std::back_inserter(outcome.contradictions));
  std::set<HopKey> related;
  for (const NetworkRelation& relation : networks.relations) related.insert(key_of(relation.hop));
  for (const MatchSet& set : sets) {
    const ContentHop hop{node_of(set.a, nodes), node_of(set.b, nodes), set.evidence, set.used,
                         set.assumes};
    // The relation of a network has the observations of the set, too.
    if (set.verdict != Verdict::Used || related.contains(key_of(hop))) continue;
    add_knots(hop.a, hop.b, set.knots,
              {.kind = set.evidence, .file = set.file_a, .source = set.source}, graph);
    outcome.hops.push_back(hop);
  }
  for (const NetworkRelation& relation : networks.relations) {
    add_knots(relation.hop.a, relation.hop.b, relation.knots,
              {.kind = relation.hop.kind, .file = relation.file, .source = relation.source}, graph);
    outcome.hops.push_back(relation.hop);
  }
  return outcome;
}

void count_sets(std::span<const MatchSet> sets, std::vector<StatBump>& bumps) {
  const auto count = [&](StatId stat, int64_t value, int32_t index = -1) {
    if (value > 0) bumps.push_back({.stat = stat, .index = index, .value = value});
  };
  for (const MatchSet& set : sets) {
    if (set.verdict == Verdict::Refused)
      count(stats::align_sets_refused, 1, static_cast<int32_t>(set.reason));
    if (set.verdict != Verdict::Used) continue;
    count(stats::align_sets_used, 1);
    count(stats::align_matches, set.used);
    count(stats::align_outliers, set.outliers);
    const bool has_reuse = set.match_class == "id" && set.outliers * 100 > set.candidates;
    count(stats::align_id_reuse, has_reuse ? 1 : 0);
  }
}

}  // namespace tracebraid::align
