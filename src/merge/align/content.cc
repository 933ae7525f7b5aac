#include "merge/align/content.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "merge/align/collectives.h"
#include "merge/align/flows.h"

namespace tracebraid::align {
namespace {

ClockId node_of(const Side& side, std::span<const std::vector<ClockId>> nodes) {
  return nodes[side.batch][side.clock];
}

std::string name_of_file(std::span<const FileToLocate> files, FileId id) {
  const auto file = std::ranges::find(files, id, &FileToLocate::file);
  return file->name && !file->name->empty() ? *file->name : file->manifest_path;
}

OptInt optional_int(std::optional<int64_t> value) { return {value.value_or(OptInt::kNull)}; }

class Judge {
 public:
  Judge(const AlignOptions& options, ClockModel model, const ClockGraph& graph)
      : options_(options), model_(model), graph_(graph) {}

  // Sets the verdict. Returns the distance of the fit from a measured or stated relation that it
  // contradicts, ns; else 0.
  int64_t judge(MatchSet& set, ClockId a, ClockId b) {
    if (set.reason != Reason::None || set.knots.size() < 2) return 0;
    if (!a || !b || a == b) {
      set.verdict = Verdict::Verified;
      return 0;
    }
    const int64_t grain =
        add_uncertainty(graph_.grain_ns(a, set.evidence), graph_.grain_ns(b, set.evidence));
    for (Observation& knot : set.knots)
      knot.uncertainty_ns = add_uncertainty(knot.uncertainty_ns, grain);
    if (set.bound_ns) *set.bound_ns = add_uncertainty(*set.bound_ns, grain);

    const Placement& prior = prior_of(b);
    const Placement::Node& known = prior.node(a);
    set.verdict = options_.places ? Verdict::Used : Verdict::Verified;
    if (!known.placed() || known.weakest == EvidenceKind::Guessed) return 0;
    if (known.weakest == EvidenceKind::Rendezvous) {
      if (known.uncertainty_ns <= worst_bound(set)) {
        set.verdict = Verdict::Verified;
        set.reason = Reason::NoGain;
      }
      return 0;
    }
    set.verdict = Verdict::Verified;
    return distance(set, prior, a, known.uncertainty_ns);
  }

 private:
  static int64_t worst_bound(const MatchSet& set) {
    return std::ranges::max(set.knots, {}, &Observation::uncertainty_ns).uncertainty_ns;
  }

  // Returns the relation of all clocks to `b` without content.
  const Placement& prior_of(ClockId b) {
    const auto [at, added] = priors_.try_emplace(b);
    if (added) at->second = std::make_unique<Placement>(graph_.solve_for(b, model_));
    return *at->second;
  }

  static int64_t distance(const MatchSet& set, const Placement& prior, ClockId a, int64_t bound) {
    if (bound == kUnbounded) return 0;
    __int128 worst = 0;
    for (const Observation& knot : set.knots) {
      const std::optional<TraceTime> other = prior.place({a, knot.from});
      if (!other) continue;
      const __int128 apart = __int128{knot.to} - other->ns;
      const __int128 size = apart < 0 ? -apart : apart;
      if (size <= __int128{bound} + knot.uncertainty_ns) return 0;
      if (size > (worst < 0 ? -worst : worst)) worst = apart;
    }
    return static_cast<int64_t>(std::clamp<__int128>(worst, -INT64_MAX, INT64_MAX));
  }

  const AlignOptions& options_;
  ClockModel model_;
  const ClockGraph& graph_;
  absl::flat_hash_map<ClockId, std::unique_ptr<Placement>> priors_;
};

void add_map(const MatchSet& set, ClockId a, ClockId b, ClockGraph& graph) {
  for (const Observation& knot : set.knots) {
    const ClockReading both[] = {{.clock = a, .ticks = knot.from, .tick_ns = kAlreadyNs},
                                 {.clock = b, .ticks = knot.to, .tick_ns = kAlreadyNs}};
    // Fails only if the readings are too far apart for any offset.
    std::ignore = graph.add_snapshot(both, {.kind = set.evidence,
                                            .uncertainty_ns = knot.uncertainty_ns,
                                            .file = set.file_a,
                                            .is_on_line = true,
                                            .source = set.source});
  }
}

}  // namespace

std::vector<MatchSet> find_content(std::span<const FileToLocate> files, const Trackers& trackers,
                                   const AlignOptions& options, JoinFlows join) {
  std::vector<MatchSet> sets;
  if (options.has(AlignKind::Collectives))
    sets = match_collectives(rank_recordings(files, trackers), trackers);
  if (options.has(AlignKind::Flows))
    std::ranges::move(match_flows(read_flows(files, trackers, join), trackers),
                      std::back_inserter(sets));
  return sets;
}

void add_content(std::span<const FileToLocate> files, std::span<const std::vector<ClockId>> nodes,
                 const AlignOptions& options, ClockModel model, std::span<MatchSet> sets,
                 ClockGraph& graph, std::vector<Problem>& warnings) {
  Judge judge(options, model, graph);
  for (MatchSet& set : sets) {
    const int64_t apart = judge.judge(set, node_of(set.a, nodes), node_of(set.b, nodes));
    if (apart == 0) continue;
    set.detail = fmt::format("contradicts what relates the clocks by {} ns", apart);
    warnings.push_back(
        {name_of_file(files, set.file_a),
         {ErrorCode::BadInput,
          fmt::format("its {} match those of {} ({} of {}), but at readings {} ns away from what "
                      "was measured or stated, which is used",
                      set.kind, name_of_file(files, set.file_b), set.used, set.candidates,
                      apart)}});
  }
  // After all verdicts, so that none depends on the order of the sets.
  for (const MatchSet& set : sets)
    if (set.verdict == Verdict::Used)
      add_map(set, node_of(set.a, nodes), node_of(set.b, nodes), graph);
}

void fill_match_sets(std::span<const MatchSet> sets, std::span<const std::vector<ClockId>> nodes,
                     Store& store) {
  ClockMatchSetTable& table = store.clock_match_sets;
  const auto text = [&](std::string_view s) {
    return s.empty() ? StringId{} : store.strings.intern(s);
  };
  for (const MatchSet& set : sets) {
    const ClockId a = node_of(set.a, nodes), b = node_of(set.b, nodes);
    table.kind.append(text(set.kind));
    table.match_class.append(text(set.match_class));
    table.clock_a.append({a ? a.row : OptRow::kNull});
    table.clock_b.append({b ? b.row : OptRow::kNull});
    table.trace_a.append(set.file_a.row);
    table.trace_b.append(set.file_b.row);
    table.candidates.append(set.candidates);
    table.used.append(set.verdict == Verdict::Refused ? 0 : set.used);
    table.outliers.append(set.outliers);
    table.verdict.append(text(name_of(set.verdict)));
    table.reason.append(text(name_of(set.reason)));
    table.detail.append(text(set.detail));
    table.surprise_bits.append(OptInt{});
    table.alias_period_ns.append(OptInt{});
    table.alias_count.append(OptInt{});
    table.assumes.append(text(set.assumes));
    table.offset_ns.append(optional_int(set.offset_ns));
    table.rate_ppb.append(optional_int(set.rate_ppb));
    table.bound_ns.append(optional_int(set.bound_ns));
    table.band_low_ns.append(optional_int(set.band_low_ns));
    table.band_high_ns.append(optional_int(set.band_high_ns));
    table.least_ab_ns.append(optional_int(set.least_ab_ns));
    table.least_ba_ns.append(optional_int(set.least_ba_ns));
    table.loop_residual_ns.append(OptInt{});
  }
}

}  // namespace tracebraid::align
